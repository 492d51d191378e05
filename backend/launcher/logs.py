"""`vnfm logs`: the log of one service, or of all together."""

import time
from collections.abc import Iterator
from pathlib import Path

from launcher.console import Console
from launcher.errors import LaunchError
from launcher.layout import Instance

FOLLOW_SECONDS = 0.3
_TAIL_BYTES = 200_000


class Follower:
    """Reads the new lines of a log file, also after the rotation has emptied it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._position = 0
        self._rest = ""

    def tail(self, count: int) -> list[str]:
        """Return the last `count` lines."""
        size = self.path.stat().st_size
        self._position = max(0, size - _TAIL_BYTES)
        return list(self.new_lines())[-count:]

    def new_lines(self) -> Iterator[str]:
        """Yield the whole lines that were added since the last call."""
        with self.path.open("rb") as file:
            if file.seek(0, 2) < self._position:
                self._position = 0
            file.seek(self._position)
            text = self._rest + file.read().decode(errors="replace")
            self._position = file.tell()
        *lines, self._rest = text.split("\n")
        yield from lines


def logs(instance: Instance, console: Console, *, name: str | None, lines: int, follow: bool) -> int:
    """Print the end of one service's log, or of all with the names in front; `follow` adds new lines until Ctrl-C."""
    files = sorted(instance.logs.glob("*.log")) if name is None else [instance.log(name)]
    if not files or not files[0].exists():
        known = ", ".join(sorted(file.stem for file in instance.logs.glob("*.log"))) or "none yet"
        raise LaunchError(f"No log is called {name!r}: choose one of {known}." if name else "There are no logs yet.")
    width = max(len(file.stem) for file in files)
    followers = {f"{file.stem:<{width}} | " if name is None else "": Follower(file) for file in files}
    for prefix, follower in followers.items():
        for line in follower.tail(lines):
            console.say(prefix + line)
    while follow:
        time.sleep(FOLLOW_SECONDS)
        for prefix, follower in followers.items():
            for line in follower.new_lines():
                console.say(prefix + line)
    return 0
