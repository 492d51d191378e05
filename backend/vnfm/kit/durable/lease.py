"""Leases in PostgreSQL: one worker at a time works on one thing; the lease of a dead worker expires.

Only the database's clock counts, so the clocks of the machines may differ.
"""

import os
import socket
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import uuid4

import structlog
from django.conf import settings
from django.db import DatabaseError, connection, connections, transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from vnfm.kit.models import Lease
from vnfm.kit.problem import Problem

TTL = timedelta(seconds=settings.LEASE_SECONDS)
"""See `settings.LEASE_SECONDS`."""

MOST_DEATHS = 2
"""Workers that may die of one thing. Between them passes the time of the lease."""

_TAKE = """
INSERT INTO kit_lease (key, owner, fence, expires_at, deaths)
VALUES (%(key)s, %(owner)s, 1, clock_timestamp() + make_interval(secs => %(ttl)s), 0)
ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, fence = kit_lease.fence + 1, expires_at = excluded.expires_at,
    deaths = CASE WHEN kit_lease.owner = '' THEN 0 ELSE kit_lease.deaths + 1 END
WHERE kit_lease.expires_at <= clock_timestamp()
RETURNING fence, deaths
"""
_RENEW = """
WITH mine AS (
    SELECT * FROM unnest(%(keys)s::text[], %(owners)s::text[], %(fences)s::bigint[], %(ttls)s::float8[])
        AS mine (key, owner, fence, ttl)
), free AS (
    SELECT lease.key, mine.ttl FROM kit_lease AS lease JOIN mine USING (key, owner, fence)
    FOR NO KEY UPDATE OF lease SKIP LOCKED
)
UPDATE kit_lease AS lease SET expires_at = clock_timestamp() + make_interval(secs => free.ttl)
FROM free WHERE lease.key = free.key RETURNING lease.key, lease.fence
"""
"""Waits for no row: one that its holder has locked cannot change hands, and all others must not wait for it."""
_RELEASE = """
UPDATE kit_lease SET owner = '', expires_at = statement_timestamp() WHERE key = %s AND owner = %s AND fence = %s
"""
_CURRENT = "SELECT 1 FROM kit_lease WHERE key = %s AND owner = %s AND fence = %s"
_ALL_CURRENT = """
SELECT key, fence FROM kit_lease
JOIN unnest(%(keys)s::text[], %(owners)s::text[], %(fences)s::bigint[]) AS mine (key, owner, fence)
    USING (key, owner, fence)
"""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ActiveLease:
    """A lease that this process holds. `fence` grows with every holder, so it tells this one from all earlier ones."""

    key: str
    owner: str
    fence: int
    ttl: timedelta
    deaths: int = 0
    """Holders before this one, in a row, that let it expire: they died or hung at their work."""

    @property
    def is_deadly(self) -> bool:
        """True if the work is to end with `worker_died`, instead of being taken up once more."""
        return self.deaths >= MOST_DEATHS

    def row(self) -> QuerySet[Lease]:
        """The lease's row, or nothing once another holder has taken over: a condition of the holder's writes."""
        return Lease.objects.filter(key=self.key, owner=self.owner, fence=self.fence)

    def is_current(self) -> bool:
        """True if no other holder has taken over; check before a write that only the holder may make.

        Inside a transaction, the check keeps the lease from changing hands until that commits.
        """
        lock = " FOR NO KEY UPDATE" if connection.in_atomic_block else ""
        with connection.cursor() as cursor:
            cursor.execute(_CURRENT + lock, [self.key, self.owner, self.fence])
            return cursor.fetchone() is not None


def worker_died(activity: str) -> Problem:
    """The problem of work that is set aside; `activity` names it, as in "The backup of pe1"."""
    words = f"{activity} was taken up twice, and each time its worker died or hung, so it is not taken up again."
    return Problem(500, "GIVEN_UP", "Given up", words, "See the workers' logs for why; then try again.")


def deadly(prefix: str, within: timedelta) -> set[str]:
    """Return the keys with this prefix, without it, whose last holder within that time found them deadly."""
    found = Lease.objects.filter(
        key__startswith=prefix, owner="", deaths__gte=MOST_DEATHS, expires_at__gt=Now() - within
    )
    return {key.removeprefix(prefix) for key in found.values_list("key", flat=True)}


def current(leases: Collection[ActiveLease]) -> set[ActiveLease]:
    """Return the leases that no other holder has taken over, by one query."""
    return _matched(leases, _ALL_CURRENT)


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
    lease = ActiveLease(key, owner, row[0], ttl, row[1])
    _renewer.add(lease)
    try:
        yield lease
    finally:
        _renewer.remove(lease)
        _release(lease)


@contextmanager
def slot(name: str, number: int) -> Iterator[bool]:
    """Hold one of `number` leases for the length of the block; yields whether one was free."""
    for index in range(number):
        with hold(f"{name} {index}") as held:
            if held is not None:
                yield True
                return
    yield False


def _release(lease: ActiveLease) -> None:
    try:
        # The row stays, for a higher fence of the next holder; without an owner, so that a renewal under way misses it.
        with connection.cursor() as cursor:
            cursor.execute(_RELEASE, [lease.key, lease.owner, lease.fence])
    except DatabaseError:
        # It expires anyway; raising here would hide how the block ended.
        log.warning("lease.not_released", key=lease.key, exc_info=True)


def current_keys() -> list[str]:
    """The keys of all leases that any process holds now."""
    return list(Lease.objects.filter(expires_at__gt=Now()).values_list("key", flat=True))


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

    def _retry_soon(self, missed: Collection[ActiveLease]) -> None:
        with self._changed:
            for lease in missed:
                if lease in self._due:
                    self._due[lease] = time.monotonic() + lease.ttl.total_seconds() / 15

    def _take_due(self) -> list[ActiveLease]:
        """The leases to renew now; waits until one is due, or a new one is added."""
        with self._changed:
            now = time.monotonic()
            due = [lease for lease, at in self._due.items() if at <= now]
            if due:  # in the same statement those that would be due soon
                due = [lease for lease, at in self._due.items() if at <= now + lease.ttl.total_seconds() / 6]
            for lease in due:
                self._due[lease] = now + lease.ttl.total_seconds() / 3
            if not due:
                next_at = min(self._due.values(), default=None)
                self._changed.wait(None if next_at is None else next_at - now)
            return due


def _renew(leases: Collection[ActiveLease]) -> set[ActiveLease]:
    """Renew all by one statement; returns those whose row is locked, or another holder's."""
    try:
        return {*leases} - _matched(leases, _RENEW)
    except DatabaseError:
        # Tried again at the next turn; if that is too late, the holder notices by `is_current`.
        log.warning("lease.not_renewed", keys=[lease.key for lease in leases], exc_info=True)
        return set()
    finally:
        connections.close_all()


def _matched(leases: Collection[ActiveLease], statement: str) -> set[ActiveLease]:
    """The leases whose key and fence the statement returns."""
    mine: dict[str, Any] = {
        "keys": [lease.key for lease in leases],
        "owners": [lease.owner for lease in leases],
        "fences": [lease.fence for lease in leases],
        "ttls": [lease.ttl.total_seconds() for lease in leases],
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, mine)
        found = set(cursor.fetchall())
    return {lease for lease in leases if (lease.key, lease.fence) in found}


_renewer = _Renewer()
