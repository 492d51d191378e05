"""The terminal's output: a line per step, and below a running operation its live steps."""

import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any, TextIO

MARKS = {"DONE": "✓", "FAILED": "✗", "RUNNING": "…", "WAITING": "…", "PENDING": "·", "UNDOING": "↶", "UNDONE": "↶"}


class Screen:
    """Redraws in place on a terminal; elsewhere writes each new state once."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stdout
        self._live = self._stream.isatty()
        self._drawn = 0
        self._said: set[str] = set()
        self._start = time.monotonic()

    def heading(self, number: int, total: int, text: str) -> None:
        self._print(f"\n[{number}/{total}] {text}")

    def note(self, text: str) -> None:
        for line in text.splitlines():
            self._print(f"      {line}")

    def good(self, text: str) -> None:
        self._print(f"    ✓ {text}")

    def bad(self, text: str) -> None:
        self.freeze()
        self._print(f"    ✗ {text}")

    def steps(self, steps: Sequence[Mapping[str, Any]]) -> None:
        """Show an operation's steps as they are now."""
        lines = [
            f"    {MARKS.get(step['state'], '·')} {step['title']}"
            + (f"  ({step['message']})" if step["message"] else "")
            for step in steps
        ]
        if self._live:
            width = self._width()
            self._stream.write(f"\x1b[{self._drawn}F\x1b[J" if self._drawn else "")
            self._stream.write("".join(line[:width] + "\n" for line in lines))
            self._stream.flush()
            self._drawn = len(lines)
            return
        for step, line in zip(steps, lines, strict=True):
            if step["state"] != "PENDING" and line not in self._said:
                self._said.add(line)
                self._print(line)

    def freeze(self) -> None:
        """Keep the drawn lines; the next steps are drawn below them."""
        self._drawn = 0
        self._said.clear()

    def seconds(self) -> float:
        return time.monotonic() - self._start

    @staticmethod
    def _width() -> int:

        return shutil.get_terminal_size().columns - 1

    def _print(self, text: str) -> None:
        self._stream.write(text + "\n")
        self._stream.flush()
