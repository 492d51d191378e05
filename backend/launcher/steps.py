"""Set-up steps that are repeated only when their inputs have changed."""

import fcntl
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from launcher.keys import write_private


def fingerprint(root: Path, files: Iterable[Path], *words: str) -> str:
    """Return a hash of the files' names and contents and of `words`; the order of the files does not matter."""
    digest = hashlib.sha256()
    for word in words:
        digest.update(f"{word}\0".encode())
    for file in sorted(files):
        digest.update(f"{file.relative_to(root).as_posix()}\0".encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def files_below(folder: Path, *, skip: frozenset[str]) -> Iterator[Path]:
    """Yield every file of a tree, except below directories with the names in `skip`."""
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in skip]
        yield from (Path(place) / name for name in names)


def ensure(stamp: Path, key: str, result: Path, action: Callable[[], None]) -> bool:
    """Run `action`, unless `stamp` has this `key` and the `result` exists; return True if it ran."""
    if is_done(stamp, key, result):
        return False
    stamp.unlink(missing_ok=True)  # an interrupted action must not count as done
    action()
    write_private(stamp, f"{key}\n")
    return True


def is_done(stamp: Path, key: str, result: Path) -> bool:
    try:
        return stamp.read_text().strip() == key and result.exists()
    except FileNotFoundError:
        return False


@contextmanager
def exclusive(lock: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Hold a lock between processes of the checkout; `waiting` is called if another process has it."""
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting()
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
