"""What several tests need: the command line, called inside this process."""

from __future__ import annotations

import io
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest


@dataclass(frozen=True)
class Run:
    """What a call of `ofc` printed and how it ended."""

    code: int
    out: str
    err: str


def pytest_sessionstart() -> None:
    """Who is started in the background is often told to ignore Ctrl-C; some tests press it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def ofc(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Run]:
    """Call the command line: ``ofc("rules", "show", "classic")``; `stdin` is text or bytes."""
    from dashboard.cli import main

    def run(*arguments: object, stdin: str | bytes = b"") -> Run:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "argv", ["ofc", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
        capsys.readouterr()
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        printed = capsys.readouterr()
        return Run(code, printed.out, printed.err)

    return run
