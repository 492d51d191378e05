"""The artifact store: files under the SHA-256 of their bytes, written once, never changed, shared by packages.

Layout of `settings.ARTIFACTS_DIR`: `objects/<2 hex>/<64 hex>`, `staging/<uuid>/` for uploads that are being read, and
`intake/<uuid>/` for those that outlive the process which took them (`intake_services`). All lie on one file system, so
that keeping a file is one link.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Protocol
from uuid import UUID, uuid4

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
    with room(root) as folder:
        yield folder


@contextmanager
def room(parent: Path) -> Iterator[Path]:
    """A fresh folder in `parent`; gone afterwards."""
    folder = parent / str(uuid4())
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
    """Put a staged file in its place, by a link: it is called within transactions that others wait for.

    When it returns, bytes that were synced before (`sync`) survive a power cut there. The staged one stays until its
    folder goes: whoever dies before the commit can be followed by another attempt.
    """
    target = object_path(staged.sha256)
    if target.exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    target.hardlink_to(staged.path)
    sync(target.parent)


def sync(path: Path) -> None:
    """Have a file's bytes, or a folder's entries, survive a power cut."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def intake_folder(intake_id: UUID) -> Path:
    folder: Path = settings.ARTIFACTS_DIR / "intake" / str(intake_id)
    return folder


def intake_folders() -> dict[UUID, Path]:
    """Those that are there, by the intake that they are for."""
    root = settings.ARTIFACTS_DIR / "intake"
    return {UUID(folder.name): folder for folder in root.iterdir()} if root.is_dir() else {}


def intake_renew(intake_id: UUID) -> Path:
    """The intake's folder, without anything that an earlier attempt has left there."""
    intake_drop(intake_id)
    folder = intake_folder(intake_id)
    folder.mkdir(parents=True)
    return folder


def intake_drop(intake_id: UUID) -> None:
    shutil.rmtree(intake_folder(intake_id), ignore_errors=True)


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
