"""The artifact store: files under the SHA-256 of their bytes, written once, never changed, shared by packages.

Layout of `settings.ARTIFACTS_DIR`: `objects/<2 hex>/<64 hex>`, and `staging/<uuid>/` for uploads that are being read.
Staging lies on the same file system, so that keeping a file is one rename.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Protocol
from uuid import uuid4

from django.conf import settings

from vnfm.kit import clock

CHUNK = 1024 * 1024
ABANDONED_AFTER = 24 * 3600
"""Seconds after which a staging folder belongs to nobody: no upload takes that long."""


@dataclass(frozen=True, slots=True)
class Staged:
    path: Path
    sha256: str
    size: int


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class TooLargeError(Exception):
    """More bytes than allowed came in."""


@contextmanager
def staging() -> Iterator[Path]:
    """A folder for files that may never be kept; gone afterwards. Removes what crashed processes left behind."""
    root = settings.ARTIFACTS_DIR / "staging"
    root.mkdir(parents=True, exist_ok=True)
    for left in root.iterdir():
        if clock.now().timestamp() - left.stat().st_mtime > ABANDONED_AFTER:
            shutil.rmtree(left, ignore_errors=True)
    folder = root / str(uuid4())
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def stage(source: Readable, folder: Path, limit: int) -> Staged:
    """Copy `source` into the staging folder, hashing as it goes; raises TooLargeError beyond `limit` bytes."""
    path, digest, size = folder / uuid4().hex, sha256(), 0
    with path.open("xb") as target:
        while chunk := source.read(CHUNK):
            size += len(chunk)
            if size > limit:
                raise TooLargeError
            digest.update(chunk)
            target.write(chunk)
    return Staged(path, digest.hexdigest(), size)


def keep(staged: Staged) -> None:
    """Move a staged file to its place. When it returns, the bytes survive a power cut."""
    target = object_path(staged.sha256)
    if target.exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    with staged.path.open("rb") as file:
        os.fsync(file.fileno())
    staged.path.rename(target)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def object_path(digest: str) -> Path:
    path: Path = settings.ARTIFACTS_DIR / "objects" / digest[:2] / digest
    return path


def open_object(digest: str) -> BinaryIO:
    """Raises FileNotFoundError when the store has lost it."""
    return object_path(digest).open("rb")


def read_object(digest: str) -> bytes:
    return object_path(digest).read_bytes()


def discard(digest: str) -> None:
    object_path(digest).unlink(missing_ok=True)
