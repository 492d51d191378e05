"""Leases in PostgreSQL: one worker at a time works on one thing; the lease of a dead worker expires.

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
from django.conf import settings
from django.db import DatabaseError, connection, connections, transaction
from django.db.models.functions import Now

from vnfm.kit.models import Lease

TTL = timedelta(seconds=settings.LEASE_SECONDS)
"""See `settings.LEASE_SECONDS`."""

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
class ActiveLease:
    """A lease that this process holds. `fence` grows with every holder, so it tells this one from all earlier ones."""

    key: str
    owner: str
    fence: int
    ttl: timedelta

    def is_current(self) -> bool:
        """Whether no other holder has taken over; check before a write that only the holder may make.

        Inside a transaction, the check keeps the lease from changing hands until that commits.
        """
        mine = Lease.objects.filter(key=self.key, owner=self.owner, fence=self.fence)
        if connection.in_atomic_block:
            mine = mine.select_for_update(no_key=True)
        return mine.first() is not None


@contextmanager
def hold(key: str, ttl: timedelta = TTL) -> Iterator[ActiveLease | None]:
    """Hold `key` for the length of the block, renewing in the background; yields None when another holds it.

    Not inside a transaction: others could not see the lease before it commits.
    """
    owner = f"{socket.gethostname()}:{os.getpid()}:{uuid4().hex[:8]}"
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute(_TAKE, {"key": key, "owner": owner, "ttl": ttl.total_seconds()})
        row = cursor.fetchone()
    if row is None:
        yield None
        return
    lease = ActiveLease(key, owner, row[0], ttl)
    _renewer.add(lease)
    try:
        yield lease
    finally:
        _renewer.remove(lease)
        _release(lease)


def _release(lease: ActiveLease) -> None:
    try:
        # The row stays, for a higher fence of the next holder; without an owner, so that a renewal under way misses it.
        Lease.objects.filter(key=lease.key, owner=lease.owner, fence=lease.fence).update(owner="", expires_at=Now())
    except DatabaseError:
        # It expires anyway; raising here would hide how the block ended.
        log.warning("lease.not_released", key=lease.key, exc_info=True)


def prune(keep: timedelta) -> int:
    """Delete leases that expired longer ago than `keep`; returns how many. No holding lasts that long unrenewed."""
    deleted, _ = Lease.objects.filter(expires_at__lt=Now() - keep).delete()
    return deleted


class _Renewer:
    """Renews everything that this process holds, in one thread with one connection, however many threads work."""

    def __init__(self) -> None:
        self._due: dict[ActiveLease, float] = {}
        """When to renew, by the monotonic clock."""
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def add(self, lease: ActiveLease) -> None:
        with self._changed:
            self._due[lease] = time.monotonic() + lease.ttl.total_seconds() / 3
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, daemon=True, name="lease renewer")
                self._thread.start()
            self._changed.notify()

    def remove(self, lease: ActiveLease) -> None:
        with self._changed:
            self._due.pop(lease, None)

    def _run(self) -> None:
        while True:
            if due := self._take_due():
                self._retry_soon(_renew(due))

    def _retry_soon(self, missed: list[ActiveLease]) -> None:
        with self._changed:
            for lease in missed:
                if lease in self._due:
                    self._due[lease] = time.monotonic() + lease.ttl.total_seconds() / 15

    def _take_due(self) -> list[ActiveLease]:
        """The leases to renew now; waits until one is due, or a new one is added."""
        with self._changed:
            now = time.monotonic()
            due = [lease for lease, at in self._due.items() if at <= now]
            for lease in due:
                self._due[lease] = now + lease.ttl.total_seconds() / 3
            if not due:
                next_at = min(self._due.values(), default=None)
                self._changed.wait(None if next_at is None else next_at - now)
            return due


def _renew(leases: list[ActiveLease]) -> list[ActiveLease]:
    """Renew each by itself, so that no row stays locked; returns those whose row is locked, or another holder's."""
    missed = []
    try:
        with connection.cursor() as cursor:
            for lease in leases:
                cursor.execute(
                    _RENEW,
                    {"key": lease.key, "owner": lease.owner, "fence": lease.fence, "ttl": lease.ttl.total_seconds()},
                )
                if not cursor.rowcount:
                    missed.append(lease)
    except DatabaseError:
        # Tried again at the next turn; if that is too late, the holder notices by `is_current`.
        log.warning("lease.not_renewed", keys=[lease.key for lease in leases], exc_info=True)
    finally:
        connections.close_all()
    return missed


_renewer = _Renewer()
