"""Uploads of images: a stream that hashes and counts what is read, and a limit of concurrent uploads."""

import hashlib
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import BinaryIO
from uuid import UUID

import structlog
from django.db import DatabaseError, connection

from vnfm.clouds.types import Image

CHUNK = 1024 * 1024
REPORT_EVERY = 2.0
"""Seconds between progress reports: each writes a row and sends an event to every browser."""
UPLOADS_PER_CLOUD = 2
"""Concurrent uploads to one cloud: a stalled cloud blocks at most this many threads of the process."""
UPLOADS_AT_ONCE = 5
"""Concurrent uploads to all clouds: about a third of a worker's 16 threads, which leaves the others for short work."""
_ALGORITHMS = ("md5", "sha256", "sha512")
"""Glance's `checksum`, our catalog, and `os_hash_value` by default have these."""

log = structlog.get_logger(__name__)

_under_way: Counter[UUID] = Counter()
_lock = threading.Lock()


@contextmanager
def upload_slot(vim_id: UUID) -> Iterator[bool]:
    """Yields whether one more upload to the cloud may run in this process now; never blocks."""
    with _lock:
        free = _under_way[vim_id] < UPLOADS_PER_CLOUD and _under_way.total() < UPLOADS_AT_ONCE
        _under_way[vim_id] += free
    try:
        yield free
    finally:
        with _lock:
            _under_way[vim_id] -= free


class UploadStream:
    """A file that hashes and counts what is read from it; the cloud's client reads an image from it."""

    def __init__(self, file: BinaryIO, report: Callable[[int], None]) -> None:
        """`report` gets the number of bytes read, every REPORT_EVERY and at the end; its exceptions stop it."""
        self._file, self._report = file, report
        self._size = file.seek(0, os.SEEK_END)
        file.seek(0)
        self._hashes = {name: hashlib.new(name, usedforsecurity=False) for name in _ALGORITHMS}
        self._reported_at = time.monotonic()
        self.read_bytes = 0
        self.stopped_by: Exception | None = None
        """The exception of `report`, which a cloud's client would wrap in its own."""

    def __len__(self) -> int:
        return self._size

    def read(self, size: int = CHUNK, /) -> bytes:
        """Read as from a file, but at most CHUNK bytes."""
        data = self._file.read(min(size, CHUNK) if size >= 0 else CHUNK)
        for digest in self._hashes.values():
            digest.update(data)
        self.read_bytes += len(data)
        if not data or time.monotonic() - self._reported_at >= REPORT_EVERY:
            self._reported_at = time.monotonic()
            self._report_progress()
        return data

    def read_all(self) -> None:
        """Read to the end, for the hashes only."""
        while self.read():
            pass

    def hashes(self) -> Mapping[str, str]:
        """Hex digests of what has been read, by algorithm."""
        return {name: digest.hexdigest() for name, digest in self._hashes.items()}

    def _report_progress(self) -> None:
        try:
            self._report(self.read_bytes)
        except DatabaseError:
            # A restart of the database loses a progress report, not an upload of gigabytes.
            log.warning("upload.progress_not_reported", exc_info=True)
            connection.close()
        except Exception as error:
            self.stopped_by = error
            raise


def difference(image: Image, size: int, hashes: Mapping[str, str]) -> str:
    """Differences between what was sent and what Glance has, as text; "" for none."""
    pairs = [("bytes", str(size), str(image.size))]
    pairs += [("MD5", hashes["md5"], image.checksum)] if image.checksum else []
    if image.hash_algorithm in hashes:
        pairs.append((image.hash_algorithm.upper(), hashes[image.hash_algorithm], image.hash_value))
    return "; ".join(f"{what}: sent {sent}, Glance has {has}" for what, sent, has in pairs if sent != has)
