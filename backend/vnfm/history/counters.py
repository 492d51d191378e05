"""Counters of network elements: appended by COPY, rolled up to quarters of an hour, read by time."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from uuid import UUID

import psycopg
import structlog
from psycopg import sql
from psycopg.errors import CheckViolation, UniqueViolation

from vnfm.history.database import pool
from vnfm.history.names import COUNTS, SCHEMA
from vnfm.history.samples import CounterSample

ROLLUP = timedelta(minutes=15)
SETTLED = timedelta(minutes=5)
"""All that began in a quarter is written by then after its end."""
LATELY = timedelta(hours=1)

ElementSample = tuple[UUID, str, datetime, float, Mapping[str, float | None]]
"""Element, object, when it begins, seconds, values by column."""

log = structlog.get_logger(__name__)


class UnavailableError(Exception):
    """The database cannot be reached now; nothing was written."""


@contextmanager
def _available() -> Iterator[None]:
    try:
        yield
    except psycopg.OperationalError as error:
        raise UnavailableError(str(error).partition("\n")[0]) from error


def write(rows: Iterable[ElementSample]) -> bool:
    """Append them, all or none; of several with one key the last. False: they belong to a day that has no partition, or
    are there already.

    Raises UnavailableError.
    """
    unique = {row[:3]: row for row in rows}
    columns = ", ".join(("element_id", "object", "occurred_at", "seconds", *COUNTS))
    copy_in = f"COPY {SCHEMA}.counter_sample ({columns}) FROM STDIN"
    try:
        with _available(), pool.connection() as connection, connection.cursor().copy(copy_in) as copy:
            for element_id, name, at, seconds, values in unique.values():
                copy.write_row((element_id, name, at, seconds, *(values.get(column) for column in COUNTS)))
    except (CheckViolation, UniqueViolation) as error:
        log.warning("telemetry.counters_not_written", error=str(error).partition("\n")[0])
        return False
    return True


def objects(element_id: UUID, now: datetime) -> list[str]:
    """Return the objects of which anything was counted within the last hour."""
    query = "SELECT DISTINCT object FROM telemetry.counter_sample WHERE element_id = %s AND occurred_at > %s"
    with pool.connection() as connection:
        return sorted(name for (name,) in connection.execute(query, [element_id, now - LATELY]))


def read(
    element_id: UUID, name: str, columns: Sequence[str], *, begin: datetime, end: datetime, coarse: bool
) -> list[CounterSample]:
    """Return what touches the time from `begin` to `end`, in its order; `coarse`: quarters, then samples."""
    length = ROLLUP.total_seconds()
    quarters = _rows("counter_rollup", element_id, name, columns, begin=begin, end=end) if coarse else []
    fresh = quarters[-1][0] + ROLLUP if quarters else begin
    samples = _rows("counter_sample", element_id, name, columns, begin=fresh, end=end)
    if quarters:
        samples = [row for row in samples if row[0] >= fresh]
    return [
        *(CounterSample(at.timestamp(), seconds, values, length) for at, seconds, values in quarters),
        *(CounterSample(at.timestamp(), seconds, values, seconds) for at, seconds, values in samples),
    ]


def _rows(
    table: str, element_id: UUID, name: str, columns: Sequence[str], *, begin: datetime, end: datetime
) -> list[tuple[datetime, float, dict[str, float | None]]]:
    statement = sql.SQL("""
        SELECT {} FROM {} WHERE element_id = %s AND object = %s AND occurred_at > %s AND occurred_at < %s
        ORDER BY occurred_at
    """)
    wanted = sql.SQL(", ").join(map(sql.Identifier, ("occurred_at", "seconds", *columns)))
    query = statement.format(wanted, sql.Identifier(SCHEMA, table))
    with pool.connection() as connection:
        rows = connection.execute(query, [element_id, name, begin - ROLLUP, end])
        return [(at, seconds, dict(zip(columns, values, strict=True))) for at, seconds, *values in rows]


Latest = dict[tuple[UUID, str], dict[str, float | None]]
"""Mean values by column, of an element's object."""
LATEST_INTERVALS = 3
"""A sample that ended longer ago says nothing about now."""


def latest(element_ids: Sequence[UUID], now: datetime, interval: float, name: str | None = None) -> Latest:
    """The means of the last sample of each object, or only of those named `name`; of samples every `interval` s."""
    named = "" if name is None else "AND object = %(name)s"
    query = f"""
        SELECT DISTINCT ON (element_id, object) element_id, object, seconds, {", ".join(COUNTS)}
        FROM {SCHEMA}.counter_sample
        WHERE occurred_at > %(since)s AND element_id = ANY(%(elements)s) {named}
        ORDER BY element_id, object, occurred_at DESC
    """  # noqa: S608 - our own names
    since = now - timedelta(seconds=(LATEST_INTERVALS + 1) * interval)
    with pool.connection() as connection:
        rows = connection.execute(query, {"since": since, "elements": list(element_ids), "name": name})
        return {
            (element_id, found): {
                column: value / seconds if value is not None and seconds else None
                for column, value in zip(COUNTS, values, strict=True)
            }
            for element_id, found, seconds, *values in rows
        }


MAP_SECONDS = 2
"""A map waits as long for its loads, which it can do without."""


def utilisation(ends: Sequence[tuple[UUID, str]], now: datetime, interval: float) -> dict[tuple[UUID, str], float]:
    """Percent of its speed that each interface (element, object) carried in its newest sample, in the busier direction.

    Without those that have no such sample of late, and those of unknown speed. Each is one probe of an index. Raises
    UnavailableError.
    """
    if not ends:
        return {}
    given = {
        "elements": [element for element, _ in ends],
        "objects": [name for _, name in ends],
        "since": now - timedelta(seconds=(LATEST_INTERVALS + 1) * interval),
    }
    with _available(), pool.connection(timeout=MAP_SECONDS) as connection:
        connection.execute(f"SET LOCAL statement_timeout = '{MAP_SECONDS}s'")
        return {(element, name): share for element, name, share in connection.execute(_UTILISATION, given)}


_UTILISATION = f"""
SELECT asked.element_id, asked.object, 100 * greatest(newest.octets_in, newest.octets_out) / newest.capacity
FROM unnest(CAST(%(elements)s AS uuid[]), CAST(%(objects)s AS text[])) AS asked (element_id, object)
CROSS JOIN LATERAL (
    SELECT octets_in, octets_out, capacity FROM {SCHEMA}.counter_sample
    WHERE element_id = asked.element_id AND object = asked.object AND occurred_at > %(since)s
    ORDER BY occurred_at DESC LIMIT 1
) AS newest
WHERE newest.capacity > 0 AND coalesce(newest.octets_in, newest.octets_out) IS NOT NULL
"""  # noqa: S608 - our own names


def roll_up(now: datetime) -> int:
    """Add up the quarters that are over; again for the last one that was, which changes nothing.

    Returns how many rows. Raises UnavailableError.
    """
    until = _quarter(now - SETTLED)
    with _available(), pool.connection() as connection:
        since = newest_roll_up(connection, before=now) or datetime(2000, 1, 1, tzinfo=UTC)
        return connection.execute(_ROLL_UP, {"since": since, "until": until}).rowcount


def newest_roll_up(connection: psycopg.Connection, before: datetime) -> datetime | None:
    """When the last quarter begins that was added up, of those that begin before a time."""
    query = "SELECT max(occurred_at) FROM telemetry.counter_rollup WHERE occurred_at < %s"
    newest: datetime | None
    ((newest,),) = connection.execute(query, [before])
    return newest


def _quarter(at: datetime) -> datetime:
    seconds = ROLLUP.total_seconds()
    return datetime.fromtimestamp(at.timestamp() // seconds * seconds, UTC)


_SUMS = ", ".join(f"CASE WHEN count({name}) = count(*) THEN sum({name}) END" for name in COUNTS)
_ROLL_UP = f"""
INSERT INTO {SCHEMA}.counter_rollup (element_id, object, occurred_at, seconds, {", ".join(COUNTS)})
SELECT element_id, object, date_bin('15 minutes', occurred_at, '2000-01-01Z'), sum(seconds), {_SUMS}
FROM {SCHEMA}.counter_sample
WHERE occurred_at >= %(since)s AND occurred_at < %(until)s
GROUP BY 1, 2, 3
ON CONFLICT (element_id, object, occurred_at) DO UPDATE SET
    seconds = excluded.seconds, {", ".join(f"{name} = excluded.{name}" for name in COUNTS)}
"""  # noqa: S608 - our own names
