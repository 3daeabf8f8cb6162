"""Progress on standard error, on a terminal only: of a run of ingest, and of answers that take their time."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, SpinnerColumn, TextColumn
from rich.progress import Progress as Bar

from ingest.outcome import Progress


@contextlib.contextmanager
def shown_progress() -> Iterator[Callable[[Progress], None]]:
    """A line that is drawn again on each report, on a terminal only."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda progress: None
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(pulse_style="dim"))
    started = time.monotonic()
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task("reading", total=None)

        def on_progress(progress: Progress) -> None:
            speed = progress.hands / max(time.monotonic() - started, 1e-3)
            doing = (
                "stopping, what was read is being written (Ctrl-C again stops at once)"
                if progress.stopping
                else f"{speed:,.0f} hands/s: {Path(progress.name).name}"
            )
            bar.update(
                task,
                description=f"{progress.files:,} files, {progress.hands:,} hands, {progress.bytes / 1e6:,.1f} MB, "
                f"{doing}",
            )

        yield on_progress


@contextlib.contextmanager
def shown_work(first: str) -> Iterator[Callable[[str], None]]:
    """A line that says what is being done, and goes away with the work; call what it gives to say something else."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda doing: None
        return
    with console.status(first) as status:
        yield status.update
