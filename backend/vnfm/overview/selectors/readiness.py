"""Check that the manager can do its work: database, schema, broker, each process, disks; each with since when."""

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from vnfm.kit import clock
from vnfm.kit.disk import DiskLevel, watched_disks
from vnfm.kit.disk_quota import quotas
from vnfm.kit.durable.heartbeat import expected_processes, latest_heartbeats

BROKER_SECONDS = 1.0
"""The broker may take this time to answer."""
CACHED_SECONDS = 2.0
"""Anyone may request it; the parts are not checked more often."""


@dataclass(frozen=True, slots=True)
class ReadinessCheck:
    name: str
    """database, schema, broker, the name of a process, or disk and its name."""
    ok: bool
    since: datetime | None
    """When it became so; of a silent process its last heartbeat; null: it never ran."""
    message: str = ""
    """The fault, or the resource that it waits for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Readiness:
    """Anyone may read this."""

    ready: bool
    """True if all checks are ok."""
    checks: tuple[ReadinessCheck, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallationReadiness(Readiness):
    """Users may read this."""

    version: str
    """Release of the manager."""
    on_hold_from: datetime | None
    """When the backup was taken that was restored, while automation and notifications are on hold: see
    /api/v1/restoration. Null: they are not."""


class _Memory:
    """The last result of a part, and since when it is so, as far as this process has observed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._since: dict[str, tuple[bool, datetime]] = {}
        self._last: Readiness | None = None
        self._checked_at = float("-inf")

    def readiness(self) -> Readiness:
        with self._lock:
            if self._last is None or time.monotonic() - self._checked_at > CACHED_SECONDS:
                checks = tuple(self._checks())
                self._last = Readiness(ready=all(check.ok for check in checks), checks=checks)
                self._checked_at = time.monotonic()
            return self._last

    def _checks(self) -> Iterator[ReadinessCheck]:
        database = self._check("database", _database())
        yield database
        if database.ok:
            yield self._check("schema", _schema())
            yield from _processes()
        yield self._check("broker", _broker())
        for name, space in watched_disks().items():
            low = "" if space.level == DiskLevel.OK else f"Only {space.free_share:.0%} is free."
            yield self._check(f"disk {name}", low)
        for quota in quotas():
            yield self._check(f"quota {quota.name}", "" if quota.level == DiskLevel.OK else quota.words)

    def _check(self, name: str, problem: str) -> ReadinessCheck:
        before = self._since.get(name)
        if before is None or before[0] != (not problem):
            self._since[name] = (not problem, clock.now())
        return ReadinessCheck(name, not problem, self._since[name][1], problem)


@cache
def _memory() -> _Memory:
    return _Memory()


def readiness() -> Readiness:
    """The answer is at most two seconds old."""
    return _memory().readiness()


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "The database does not answer."
    return ""


def _schema() -> str:
    try:
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return "The database does not answer."
    return f"{len(missing)} migrations are missing: run manage.py upgrade_schema." if missing else ""


def _broker() -> str:
    try:
        with redis.Redis.from_url(
            settings.REDIS_URL, socket_timeout=BROKER_SECONDS, socket_connect_timeout=BROKER_SECONDS
        ) as client:
            client.ping()
    except redis.RedisError:
        return "The broker does not answer: operations go on by the sweepers only when it is back."
    return ""


def _processes() -> Iterator[ReadinessCheck]:
    try:
        beats = {beat.name: beat for beat in latest_heartbeats()}
    except DatabaseError:
        return
    for name in expected_processes():
        beat = beats.get(name)
        if beat is None:
            yield ReadinessCheck(name, False, None, "It has never run.")
        elif beat.silent_seconds > settings.PROCESS_SILENT_SECONDS:
            yield ReadinessCheck(name, False, beat.at, "It does not answer.")
        else:
            waits = f"It waits for: {beat.waiting_for}." if beat.waiting_for else ""
            yield ReadinessCheck(name, True, beat.started_at, waits)
