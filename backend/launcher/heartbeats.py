"""Heartbeats of the product's processes (vnfm/kit/durable/heartbeat.py): files NAME.PID, written as work is done.

As a program it is the health check of a container: `python -m launcher.heartbeats NAME`.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

DEFAULT_SECONDS = "60"
CHECK_SECONDS = 1.0
LONGEST_GAP = 2.0
"""The most seconds counted between two checks, so that a suspended machine does not make processes look silent."""


def restart_seconds() -> float:
    """Return the seconds of silence after which a process is restarted."""
    return float(os.environ.get("VNFM_PROCESS_RESTART_SECONDS", DEFAULT_SECONDS))


class HeartbeatWatch:
    """Detects that a process no longer writes, by changes of its file and not by the clock, which may be set."""

    def __init__(self, folder: Path, name: str) -> None:
        self.limit = restart_seconds()
        self._folder, self._name = folder, name
        self._silent: dict[Path, tuple[int, float]] = {}
        """The time of modification (ns) by file, with the seconds counted since that changed."""
        self._checked_at = float("-inf")

    def silent_seconds(self, session: int) -> float:
        """Return the longest silence of the processes of a session; 0 before the first heartbeat."""
        now = time.monotonic()
        if (passed := now - self._checked_at) >= CHECK_SECONDS:
            self._checked_at = now
            before, self._silent = self._silent, {}
            for file, written in heartbeats(self._folder, self._name, session):
                seen, silent = before.get(file, (0, 0.0))
                self._silent[file] = (written, silent + min(passed, LONGEST_GAP) if seen == written else 0.0)
        return max((silent for _, silent in self._silent.values()), default=0.0)


def heartbeats(folder: Path, name: str, session: int) -> Iterator[tuple[Path, int]]:
    """Yield the files of the session's live processes with their times in ns; remove those of dead processes."""
    for file in folder.glob(f"{name}.*"):
        with suppress(OSError, ValueError):
            try:
                own = os.getsid(int(file.suffix[1:])) == session
            except ProcessLookupError:
                file.unlink()
                continue
            if own:
                yield file, file.stat().st_mtime_ns


def main(name: str) -> int:
    """Return 0 if each process of that name in this container has written recently, else 1."""
    ages = [time.time() - file.stat().st_mtime for file in Path(os.environ["VNFM_HEARTBEAT_DIR"]).glob(f"{name}.*")]
    return 0 if ages and max(ages) < restart_seconds() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
