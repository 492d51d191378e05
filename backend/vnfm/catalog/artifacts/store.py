"""The artifact store: files under the SHA-256 of their bytes, written once, immutable, shared by packages.

Layout of `settings.ARTIFACTS_DIR`: `objects/<2 hex>/<64 hex>`, `staging/<uuid>/` for uploads that are being read, and
`onboarding/<uuid>/` for uploads that survive the process that received them (`services.onboarding`). All are on one
file system, so that storing a file is one hard link.
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
"""Seconds after which a staging folder is abandoned: no upload takes that long."""


@dataclass(frozen=True, slots=True)
class StagedFile:
    path: Path
    sha256: str
    size: int


class ByteSource(Protocol):
    def read(self, size: int, /) -> bytes: ...


class TooLargeError(Exception):
    """The source has more bytes than allowed."""


@contextmanager
def staging() -> Iterator[Path]:
    """A temporary folder for uploads. Also removes folders that crashed processes left behind."""
    root = settings.ARTIFACTS_DIR / "staging"
    root.mkdir(parents=True, exist_ok=True)
    for folder in root.iterdir():
        if clock.now().timestamp() - folder.stat().st_mtime > ABANDONED_AFTER:
            shutil.rmtree(folder, ignore_errors=True)
    with temporary_folder(root) as folder:
        yield folder


@contextmanager
def temporary_folder(parent: Path) -> Iterator[Path]:
    """A new folder in `parent`, removed afterwards."""
    folder = parent / str(uuid4())
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def stage(source: ByteSource, folder: Path, limit: int) -> StagedFile:
    """Copy `source` into the staging folder and hash it; raises TooLargeError beyond `limit` bytes."""
    path, digest, size = folder / uuid4().hex, sha256(), 0
    with path.open("xb") as target:
        while chunk := source.read(CHUNK):
            size += len(chunk)
            if size > limit:
                raise TooLargeError
            digest.update(chunk)
            target.write(chunk)
    return StagedFile(path, digest.hexdigest(), size)


def add(staged: StagedFile) -> None:
    """Add a staged file to the store, by a hard link: fast, since it is called in transactions that others wait for.

    When it returns, bytes that were synced before (`sync`) survive a power cut. The staged file stays until its folder
    is removed, so that the attempt can be repeated after a crash before the commit.
    """
    target = object_path(staged.sha256)
    if target.exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    target.hardlink_to(staged.path)
    sync(target.parent)


def sync(path: Path) -> None:
    """Flush a file, or the entries of a folder, to disk (fsync)."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def onboarding_folder(onboarding_id: UUID) -> Path:
    folder: Path = settings.ARTIFACTS_DIR / "onboarding" / str(onboarding_id)
    return folder


def onboarding_folders() -> dict[UUID, Path]:
    """The folders that exist, by the id of their onboarding."""
    root = settings.ARTIFACTS_DIR / "onboarding"
    return {UUID(folder.name): folder for folder in root.iterdir()} if root.is_dir() else {}


def onboarding_folder_reset(onboarding_id: UUID) -> Path:
    """The onboarding's folder, empty, without the files of an earlier attempt."""
    onboarding_folder_remove(onboarding_id)
    folder = onboarding_folder(onboarding_id)
    folder.mkdir(parents=True)
    return folder


def onboarding_folder_remove(onboarding_id: UUID) -> None:
    shutil.rmtree(onboarding_folder(onboarding_id), ignore_errors=True)


def object_path(digest: str) -> Path:
    path: Path = settings.ARTIFACTS_DIR / "objects" / digest[:2] / digest
    return path


def open_object(digest: str) -> BinaryIO:
    """Raises FileNotFoundError when the store has lost it."""
    return object_path(digest).open("rb")


def remove(digest: str) -> None:
    object_path(digest).unlink(missing_ok=True)
