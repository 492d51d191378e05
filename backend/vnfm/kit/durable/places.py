"""A bounded number of places on this machine, counted for all processes together (ADR-0043).

Each place is a locked file (flock(2)): no server is needed to count them, and the kernel frees the place of a process
that dies. Containers that share the folder, on one machine, share the places.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import BoundedSemaphore, Event

from django.conf import settings

from vnfm.kit import clock

POLL_SECONDS = 0.02
RESERVED_SECONDS = 3600.0
"""A process that died without `leave` counts for this time."""


class Place:
    """One place that is taken, until `leave`; `number` counts from 0."""

    def __init__(self, number: int, file: int, own: BoundedSemaphore) -> None:
        self.number, self._file, self._own = number, file, own

    def reserve(self, size: int) -> None:
        """Write down what this place takes, in bytes, for `reserved`; again within RESERVED_SECONDS."""
        os.pwrite(self._file, f"{size:020}".encode(), 0)

    def leave(self) -> None:
        os.ftruncate(self._file, 0)
        os.close(self._file)
        self._own.release()


def reserved(folder: Path, name: str) -> int:
    """Return the bytes that all places of that name in the folder take, by all processes."""
    total = 0
    for file in folder.glob(f"{name}-*"):
        if clock.now().timestamp() - file.stat().st_mtime < RESERVED_SECONDS:
            total += int(file.read_bytes() or b"0")
    return total


class Places:
    """`number` places called `name`; the files are in `folder`, by default a folder beside the artifacts."""

    def __init__(self, name: str, number: int, folder: Path | None = None) -> None:
        self._name, self._number, self._folder = name, number, folder
        self._own = BoundedSemaphore(number)
        """Only as many threads of a crowd read the files as could have a place."""

    def take(self, seconds: float = 0.0) -> Place | None:
        """Return a place, as soon as one is free within `seconds`; else None."""
        deadline = time.monotonic() + seconds
        if not self._own.acquire(timeout=seconds):
            return None
        found = None
        try:
            while (found := self._locked()) is None and time.monotonic() < deadline:
                Event().wait(POLL_SECONDS)
        finally:
            if found is None:
                self._own.release()
        return None if found is None else Place(*found, self._own)

    @contextmanager
    def hold(self, seconds: float = 0.0) -> Iterator[bool]:
        """Yield True if a place was free, which is kept for the length of the block."""
        place = self.take(seconds)
        try:
            yield place is not None
        finally:
            if place is not None:
                place.leave()

    def _locked(self) -> tuple[int, int] | None:
        """A number, and its open file with our lock on it; None when all are others'."""
        folder = self._folder or settings.ARTIFACTS_DIR / "places"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for number in range(self._number):
            file = os.open(folder / f"{self._name}-{number}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(file)
            else:
                os.ftruncate(file, 0)
                return number, file
        return None
