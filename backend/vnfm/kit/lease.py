"""Leases in PostgreSQL: one worker at a time on one thing, given back by expiry when the worker dies.

Only the database's clock counts, so the clocks of the machines may differ.
"""

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from uuid import uuid4

import structlog
from django.db import DatabaseError, connection, connections, transaction
from django.db.models.functions import Now

from vnfm.kit.models import Lease

TTL = timedelta(seconds=15)
"""A dead worker's operation is picked up after at most this long plus one sweep; a live one renews at a third of it."""

PROCESS = f"{socket.gethostname()}:{os.getpid()}"

_TAKE = """
INSERT INTO kit_lease (key, owner, fence, expires_at)
VALUES (%(key)s, %(owner)s, 1, clock_timestamp() + make_interval(secs => %(ttl)s))
ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, fence = kit_lease.fence + 1, expires_at = excluded.expires_at
WHERE kit_lease.expires_at <= clock_timestamp()
RETURNING fence
"""
_RENEW = """
UPDATE kit_lease SET expires_at = clock_timestamp() + make_interval(secs => %(ttl)s)
WHERE key = (
    SELECT key FROM kit_lease WHERE key = %(key)s AND owner = %(owner)s AND fence = %(fence)s
    FOR NO KEY UPDATE SKIP LOCKED
)
"""
"""Waits for no row: one that its holder has locked cannot change hands, and all others must not wait for it."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Held:
    """Proof of holding: `fence` distinguishes this holding from every earlier one."""

    key: str
    owner: str
    fence: int
    ttl: timedelta

    def is_current(self) -> bool:
        """Whether nobody has taken over; ask before writing what only the holder may write.

        Asked inside the transaction that writes, it keeps the lease from changing hands until that commits.
        """
        mine = Lease.objects.filter(key=self.key, owner=self.owner, fence=self.fence)
        if connection.in_atomic_block:
            mine = mine.select_for_update(no_key=True)
        return mine.first() is not None


@contextmanager
def hold(key: str, ttl: timedelta = TTL) -> Iterator[Held | None]:
    """Hold `key` for the length of the block, renewing in the background; yields None when another holds it.

    Not inside a transaction: others could not see the lease before it commits.
    """
    owner = f"{PROCESS}:{uuid4().hex[:8]}"
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute(_TAKE, {"key": key, "owner": owner, "ttl": ttl.total_seconds()})
        row = cursor.fetchone()
    if row is None:
        yield None
        return
    held = Held(key, owner, row[0], ttl)
    _renewer.add(held)
    try:
        yield held
    finally:
        _renewer.remove(held)
        _release(held)


def _release(held: Held) -> None:
    try:
        # The row stays, for a higher fence of the next holder; without an owner, so that a renewal under way misses it.
        Lease.objects.filter(key=held.key, owner=held.owner, fence=held.fence).update(owner="", expires_at=Now())
    except DatabaseError:
        # Expiry gives it back as well; raising here would hide how the block ended.
        log.warning("lease.not_released", key=held.key, exc_info=True)


def prune(keep: timedelta) -> int:
    """Delete leases that expired longer ago than `keep`; returns how many. No holding lasts that long unrenewed."""
    deleted, _ = Lease.objects.filter(expires_at__lt=Now() - keep).delete()
    return deleted


class _Renewer:
    """Renews everything that this process holds, in one thread with one connection, however many threads work."""

    def __init__(self) -> None:
        self._due: dict[Held, float] = {}
        """When to renew, by the monotonic clock."""
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def add(self, held: Held) -> None:
        with self._changed:
            self._due[held] = time.monotonic() + held.ttl.total_seconds() / 3
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, daemon=True, name="lease renewer")
                self._thread.start()
            self._changed.notify()

    def remove(self, held: Held) -> None:
        with self._changed:
            self._due.pop(held, None)

    def _run(self) -> None:
        while True:
            if due := self._take_due():
                self._soon(_renew(due))

    def _soon(self, missed: list[Held]) -> None:
        with self._changed:
            for held in missed:
                if held in self._due:
                    self._due[held] = time.monotonic() + held.ttl.total_seconds() / 15

    def _take_due(self) -> list[Held]:
        """What is to be renewed now; waits for the next time, or for a newcomer that may be due earlier."""
        with self._changed:
            now = time.monotonic()
            due = [held for held, at in self._due.items() if at <= now]
            for held in due:
                self._due[held] = now + held.ttl.total_seconds() / 3
            if not due:
                next_at = min(self._due.values(), default=None)
                self._changed.wait(None if next_at is None else next_at - now)
            return due


def _renew(leases: list[Held]) -> list[Held]:
    """Each by itself, so that no row stays locked meanwhile; returns those whose row is locked, or no longer theirs."""
    missed = []
    try:
        with connection.cursor() as cursor:
            for held in leases:
                cursor.execute(
                    _RENEW,
                    {"key": held.key, "owner": held.owner, "fence": held.fence, "ttl": held.ttl.total_seconds()},
                )
                if not cursor.rowcount:
                    missed.append(held)
    except DatabaseError:
        # Tried again at the next turn; who holds them finds out by `is_current` if that is too late.
        log.warning("lease.not_renewed", keys=[held.key for held in leases], exc_info=True)
    finally:
        connections.close_all()
    return missed


_renewer = _Renewer()
