"""Ctrl-C during a run: the first ends the reading, and what was read is still written; the second ends everything."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import TypeVar

Item = TypeVar("Item")


class Interrupts:
    """What Ctrl-C does inside a ``with`` block of the main thread; elsewhere Python's own way stays.

    The first raises KeyboardInterrupt in what may be `broken_off`, or as soon as that is reached, and lets everything
    else come to its end; any further one raises it wherever the program is. `count` says how many came.
    """

    def __init__(self) -> None:
        self.count = 0
        self._may_break = False
        self._is_ours = False

    def __enter__(self) -> Interrupts:
        handler = signal.getsignal(signal.SIGINT)
        # Another handler, or none (a shell gives none to what it runs in the background), is left as it is.
        if threading.current_thread() is threading.main_thread() and handler is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._interrupted)
            self._is_ours = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._is_ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        self.count += 1
        if self._may_break or self.count > 1:
            raise KeyboardInterrupt

    @contextmanager
    def broken_off(self) -> Iterator[None]:
        """A block that nothing is lost by if it stops in the middle."""
        # Set before the look at the count, so that no Ctrl-C falls between the two.
        self._may_break = True
        try:
            if self.count:
                raise KeyboardInterrupt
            yield
        finally:
            self._may_break = False

    def each(self, items: Iterable[Item]) -> Iterator[Item]:
        """The items, each of which may be broken off while it is made, but not while it is used."""
        made = iter(items)
        while True:
            with self.broken_off():
                try:
                    item = next(made)
                except StopIteration:
                    return
            yield item
