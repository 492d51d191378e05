"""Progress output: a live line with times on a terminal, plain lines elsewhere."""

import os
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_TICK_SECONDS = 0.1
_CLEAR_LINE = "\r\x1b[K"


class Console:
    """Writes progress lines to a stream. Steps may run in several threads at once."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stdout
        self._lock = threading.Lock()
        self._running: dict[str, float] = {}
        self._painter: threading.Thread | None = None
        encoding = (getattr(self._stream, "encoding", None) or "").lower()
        self._live = self._stream.isatty() and os.environ.get("TERM") != "dumb" and "utf" in encoding
        self._colour = self._live and not os.environ.get("NO_COLOR")

    def say(self, text: str = "") -> None:
        """Print one or more permanent lines."""
        with self._lock:
            self._write(text)

    @contextmanager
    def step(self, title: str) -> Iterator[None]:
        """Show `title` while the block runs, then its duration and whether it failed."""
        begun = time.monotonic()
        with self._lock:
            self._running[title] = begun
            if not self._live:
                self._write(f"  {title} ...")
        self._paint()
        try:
            yield
        except BaseException:
            self._finish(title, self._mark("✗", "31", "failed:"), begun)
            raise
        self._finish(title, self._mark("✓", "32", "done:"), begun)

    def become_plain(self) -> None:
        """Stop the live line and colours: the stream is no longer a terminal."""
        self._live = self._colour = False

    def _finish(self, title: str, mark: str, begun: float) -> None:
        with self._lock:
            del self._running[title]
            self._write(f"  {mark} {title} ({time.monotonic() - begun:.1f} s)")

    def _mark(self, sign: str, colour: str, plain: str) -> str:
        if not self._live:
            return plain
        return f"\x1b[{colour}m{sign}\x1b[0m" if self._colour else sign

    def _write(self, text: str, end: str = "\n") -> None:
        clear = _CLEAR_LINE if self._live else ""
        try:
            self._stream.write(f"{clear}{text}{end}")
            self._stream.flush()
        except (OSError, ValueError):  # the terminal is closed: the work matters more than its output
            self._live = False

    def _paint(self) -> None:
        if self._live and (self._painter is None or not self._painter.is_alive()):
            self._painter = threading.Thread(target=self._paint_until_idle, daemon=True)
            self._painter.start()

    def _paint_until_idle(self) -> None:
        frame = 0
        while self._running and self._live:
            with self._lock:
                now = time.monotonic()
                parts = [f"{title} {now - begun:.0f} s" for title, begun in self._running.items()]
                line = f"  {_FRAMES[frame % len(_FRAMES)]} {' · '.join(parts)}"
                self._write(line[: shutil.get_terminal_size().columns - 1] if parts else "", end="")
            frame += 1
            time.sleep(_TICK_SECONDS)
        with self._lock:
            self._write("", end="")
