"""The counts of traffic probes through a VNF: numbered packets sent, lost, and the longest time without one."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from psycopg.errors import CheckViolation
from psycopg.rows import class_row

from vnfm.history.database import pool
from vnfm.history.samples import TrafficSample

LONGEST = timedelta(minutes=1)
"""One sample may cover as much."""


@dataclass(frozen=True, slots=True)
class TrafficTotal:
    """The counts of a path over a time; `gap` is the longest, in seconds."""

    path: str
    sent: int
    lost: int
    gap: float


class UnknownMonthError(Exception):
    """A sample is of a month that is not kept."""


_WRITE = """
    INSERT INTO telemetry.traffic_sample (vnf_instance_id, path, occurred_at, seconds, sent, lost, gap)
    VALUES (%s, %s, %s, %s, %s, %s, %s)
    ON CONFLICT DO NOTHING
"""
# The first lower bound is for the index and the partitions, the second is the exact one.
_FROM = """
    FROM telemetry.traffic_sample
    WHERE vnf_instance_id = %(instance)s AND occurred_at > %(since)s
        AND occurred_at + make_interval(secs => seconds) > %(begin)s AND occurred_at < %(end)s
"""
_READ = f"SELECT path, occurred_at AS at, seconds, sent, lost, gap {_FROM} ORDER BY path, occurred_at"
_TOTALS = f"""
    SELECT path, sum(sent)::bigint AS sent, sum(lost)::bigint AS lost, max(gap) AS gap {_FROM}
    GROUP BY path ORDER BY path
"""


def write(instance_id: UUID, samples: Iterable[TrafficSample]) -> None:
    """Store them; what is there already stays. Raises UnknownMonthError."""
    rows = [(instance_id, each.path, each.at, each.seconds, each.sent, each.lost, each.gap) for each in samples]
    try:
        with pool.connection() as connection:
            connection.cursor().executemany(_WRITE, rows)
    except CheckViolation as error:
        raise UnknownMonthError from error


def read(instance_id: UUID, begin: datetime, end: datetime) -> list[TrafficSample]:
    """Return what touches the time from `begin` to `end`, by path and time."""
    with pool.connection() as connection:
        cursor = connection.cursor(row_factory=class_row(TrafficSample))
        return cursor.execute(_READ, _within(instance_id, begin, end)).fetchall()


def totals(instance_id: UUID, begin: datetime, end: datetime) -> list[TrafficTotal]:
    """Return the total of each path with samples that touch the time."""
    with pool.connection() as connection:
        cursor = connection.cursor(row_factory=class_row(TrafficTotal))
        return cursor.execute(_TOTALS, _within(instance_id, begin, end)).fetchall()


def _within(instance_id: UUID, begin: datetime, end: datetime) -> dict[str, object]:
    return {"instance": instance_id, "since": begin - LONGEST, "begin": begin, "end": end}
