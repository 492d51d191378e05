"""Partitions by month: made ahead, dropped when their time is over. There is never a DEFAULT partition."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

import psycopg
import structlog

from vnfm.history.database import connection_parameters
from vnfm.history.days import maintain_days
from vnfm.history.names import PARTITIONED, SCHEMA
from vnfm.history.writers import release

AHEAD = 3
"""Months made in advance: maintenance may fail for that long before rows go to the quarantine."""
LEAST_AHEAD = 2
"""Fewer than this: maintenance does not run, find out why."""

_LOCK = 0x7E1E_0001
"""Advisory lock: one process maintains at a time."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, order=True)
class Month:
    year: int
    month: int

    @classmethod
    def of(cls, time: datetime) -> "Month":
        utc = time.astimezone(UTC)
        return cls(utc.year, utc.month)

    def plus(self, months: int) -> "Month":
        count = self.year * 12 + self.month - 1 + months
        return Month(count // 12, count % 12 + 1)

    @property
    def begin(self) -> datetime:
        return datetime(self.year, self.month, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Partition:
    name: str
    month: Month
    attached: bool
    detaching: bool
    """A concurrent detach was interrupted; it has to be finished before anything else."""


def partition_name(table: str, month: Month) -> str:
    return f"{table}_{month.year:04}_{month.month:02}"


def partitions(connection: psycopg.Connection, table: str) -> list[Partition]:
    """The partitions of `table`, and tables that were some until a crash between detaching and dropping."""
    query = """
        SELECT c.relname, i.inhrelid IS NOT NULL AS attached, coalesce(i.inhdetachpending, false) AS detaching
        FROM pg_class c
        JOIN pg_namespace n ON n.oid = c.relnamespace
        LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
        WHERE n.nspname = %(schema)s AND c.relkind = 'r' AND c.relname ~ %(pattern)s
        ORDER BY c.relname
    """
    rows = connection.execute(query, {"schema": SCHEMA, "pattern": rf"^{table}_\d{{4}}_\d{{2}}$"})
    return [Partition(name, _month(name), attached, detaching) for name, attached, detaching in rows]


def _month(name: str) -> Month:
    match = re.search(r"_(\d{4})_(\d{2})$", name)
    assert match is not None
    return Month(int(match[1]), int(match[2]))


def maintain(now: datetime) -> None:
    """Make partitions ahead, free what waited for one, drop what is older than its policy, and say when few remain.

    Safe at any time and in any number of processes. What a crash leaves half done, the next run finishes.
    """
    month = Month.of(now)
    with _exclusively() as connection:
        for table in PARTITIONED:
            _make_ahead(connection, table, month)
        released = release()
        dropped = [name for table in PARTITIONED for name in _drop_expired(connection, table, month)]
        dropped += maintain_days(connection, now)
        if released or dropped:
            log.info("telemetry.maintained", released=released, dropped=dropped)
        for table in PARTITIONED:
            if (left := months_left(connection, table, month)) < LEAST_AHEAD:
                log.error("telemetry.partitions_short", table=table, months_left=left)


def months_left(connection: psycopg.Connection, table: str, current: Month) -> int:
    """Return the number of months after the current one that have a partition."""
    return sum(1 for p in partitions(connection, table) if p.attached and p.month > current)


@contextmanager
def _exclusively() -> Iterator[psycopg.Connection]:
    """A connection of its own, which ends with the advisory lock that it has; in autocommit, which DETACH CONCURRENTLY
    needs.
    """
    with psycopg.connect(**connection_parameters(), autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
        connection.execute("SET lock_timeout = '10s'")
        yield connection


def _make_ahead(connection: psycopg.Connection, table: str, current: Month) -> None:
    """Created apart and attached, which takes no exclusive lock; CREATE … PARTITION OF would."""
    there = {p.month: p for p in partitions(connection, table)}
    for month in (current.plus(n) for n in range(AHEAD + 1)):
        name = partition_name(table, month)
        if month not in there:
            connection.execute(
                f"CREATE TABLE {SCHEMA}.{name} (LIKE {SCHEMA}.{table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)"
            )
        if month not in there or not there[month].attached:
            bounds = f"FROM ('{month.begin.isoformat()}') TO ('{month.plus(1).begin.isoformat()}')"
            connection.execute(f"ALTER TABLE {SCHEMA}.{table} ATTACH PARTITION {SCHEMA}.{name} FOR VALUES {bounds}")


def _drop_expired(connection: psycopg.Connection, table: str, current: Month) -> list[str]:
    query = "SELECT keep_months FROM telemetry.retention_policy WHERE table_name = %s"
    policy = connection.execute(query, [table]).fetchone()
    if policy is None:
        return []  # kept for ever
    (keep,) = policy
    expired = [p for p in partitions(connection, table) if p.month < current.plus(-keep)]
    for partition in expired:
        if partition.attached:
            how = "FINALIZE" if partition.detaching else "CONCURRENTLY"
            connection.execute(f"ALTER TABLE {SCHEMA}.{table} DETACH PARTITION {SCHEMA}.{partition.name} {how}")
        connection.execute(f"DROP TABLE {SCHEMA}.{partition.name}")
    return [partition.name for partition in expired]
