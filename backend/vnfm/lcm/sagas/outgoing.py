"""A file on its way into a cloud: hashed and counted as it is read, never whole in memory."""

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

PIECE = 1024 * 1024
TOLD_EVERY = 2.0
"""Seconds between two words on how far it is: each is a row written and an event to every browser."""
LANES = 2
"""Uploads to one cloud at a time: a cloud that stalls holds so many threads of this process at most."""
ALL_LANES = 5
"""Uploads to all clouds together: about a third of a worker's 16 threads, the others are for all that is short."""
_ALGORITHMS = ("md5", "sha256", "sha512")
"""Of Glance's `checksum`, of our catalog, and of `os_hash_value` where nobody configured another."""

log = structlog.get_logger(__name__)

_under_way: Counter[UUID] = Counter()
_lock = threading.Lock()


@contextmanager
def lane(vim_id: UUID) -> Iterator[bool]:
    """Whether one more upload to the cloud may run in this process now; nobody queues in a thread."""
    with _lock:
        free = _under_way[vim_id] < LANES and _under_way.total() < ALL_LANES
        _under_way[vim_id] += free
    try:
        yield free
    finally:
        with _lock:
            _under_way[vim_id] -= free


class Outgoing:
    """What a cloud reads an image from."""

    def __init__(self, file: BinaryIO, tell: Callable[[int], None]) -> None:
        """`tell` hears now and then, and at the end, how many bytes have been read; what it raises breaks that off."""
        self._file, self._tell = file, tell
        self._size = file.seek(0, os.SEEK_END)
        file.seek(0)
        self._hashes = {name: hashlib.new(name, usedforsecurity=False) for name in _ALGORITHMS}
        self._told_at = time.monotonic()
        self.read_bytes = 0
        self.stopped_by: Exception | None = None
        """What `tell` raised: whoever calls through a cloud's client gets to see something else."""

    def __len__(self) -> int:
        return self._size

    def read(self, size: int = PIECE, /) -> bytes:
        """As of a file, but never more than a PIECE."""
        data = self._file.read(min(size, PIECE) if size >= 0 else PIECE)
        for digest in self._hashes.values():
            digest.update(data)
        self.read_bytes += len(data)
        if not data or time.monotonic() - self._told_at >= TOLD_EVERY:
            self._told_at = time.monotonic()
            self._told()
        return data

    def read_all(self) -> None:
        """Only to know its hashes."""
        while self.read():
            pass

    def hashes(self) -> Mapping[str, str]:
        """Of all that has been read, in hex, by algorithm."""
        return {name: digest.hexdigest() for name, digest in self._hashes.items()}

    def _told(self) -> None:
        try:
            self._tell(self.read_bytes)
        except DatabaseError:
            # A database that is being restarted costs a word, not an image of gigabytes.
            log.warning("upload.not_told", exc_info=True)
            connection.close()
        except Exception as error:
            self.stopped_by = error
            raise


def difference(image: Image, size: int, hashes: Mapping[str, str]) -> str:
    """What Glance has beside what it was sent, where that differs; "" where it does not."""
    pairs = [("bytes", str(size), str(image.size))]
    pairs += [("MD5", hashes["md5"], image.checksum)] if image.checksum else []
    if image.hash_algorithm in hashes:
        pairs.append((image.hash_algorithm.upper(), hashes[image.hash_algorithm], image.hash_value))
    return "; ".join(f"{what}: sent {sent}, Glance has {has}" for what, sent, has in pairs if sent != has)
