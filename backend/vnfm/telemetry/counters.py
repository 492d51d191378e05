"""What was counted of network elements: appended by COPY, rolled up to quarters of an hour, read by time."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import cast
from uuid import UUID

import psycopg
import structlog
from psycopg.errors import CheckViolation, UniqueViolation
from sqlalchemy import Table, func, select, text
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.exc import OperationalError

from vnfm.telemetry.engine import SCHEMA, engine
from vnfm.telemetry.tables import COUNTS, counter_rollup, counter_sample

ROLLUP = timedelta(minutes=15)
SETTLED = timedelta(minutes=5)
"""What began in a quarter is all written so long after its end."""
LATELY = timedelta(hours=1)

Row = tuple[UUID, str, datetime, float, Mapping[str, float | None]]
"""Element, object, when it begins, seconds, values by column."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Stretch:
    """`values` cover `seconds` of the `length` seconds from `at` on."""

    at: datetime
    seconds: float
    length: float
    values: dict[str, float | None]


class UnavailableError(Exception):
    """The database cannot be reached now; nothing was written."""


@contextmanager
def _available() -> Iterator[None]:
    try:
        yield
    except (OperationalError, psycopg.OperationalError) as error:
        raise UnavailableError(str(error).partition("\n")[0]) from error


def write(rows: Iterable[Row]) -> bool:
    """Append them, all or none; of several with one key the last. False: they belong to a day that has no partition, or
    are there already.

    Raises UnavailableError.
    """
    unique = {row[:3]: row for row in rows}
    columns = ", ".join(("element_id", "object", "occurred_at", "seconds", *COUNTS))
    copy_in = f"COPY {SCHEMA}.counter_sample ({columns}) FROM STDIN"
    with _available(), engine().connect() as connection, connection.begin() as transaction:
        own = cast("psycopg.Connection", connection.connection.driver_connection)  # the engine's driver is psycopg
        try:
            with own.cursor() as cursor, cursor.copy(copy_in) as copy:
                for element_id, name, at, seconds, values in unique.values():
                    copy.write_row((element_id, name, at, seconds, *(values.get(column) for column in COUNTS)))
        except (CheckViolation, UniqueViolation) as error:
            transaction.rollback()
            log.warning("telemetry.counters_not_written", error=str(error).partition("\n")[0])
            return False
    return True


def objects(element_id: UUID, now: datetime) -> list[str]:
    """What anything was counted of within the last hour."""
    since = now - LATELY
    table = counter_sample.c
    query = select(table.object).distinct().where(table.element_id == element_id, table.occurred_at > since)
    with engine().connect() as connection:
        return sorted(connection.execute(query).scalars())


def read(
    element_id: UUID, name: str, columns: Sequence[str], *, begin: datetime, end: datetime, coarse: bool
) -> list[Stretch]:
    """What touches the time from `begin` to `end`, in its order; `coarse`: quarters, and what is none yet."""
    found = _rows(counter_rollup, element_id, name, columns, begin=begin, end=end) if coarse else []
    length = ROLLUP.total_seconds()
    stretches = [Stretch(at, seconds, length, values) for at, seconds, values in found]
    fresh = stretches[-1].at + ROLLUP if stretches else begin
    samples = _rows(counter_sample, element_id, name, columns, begin=fresh, end=end)
    if stretches:
        samples = [row for row in samples if row[0] >= fresh]
    return stretches + [Stretch(at, seconds, seconds, values) for at, seconds, values in samples]


def _rows(
    table: Table, element_id: UUID, name: str, columns: Sequence[str], *, begin: datetime, end: datetime
) -> list[tuple[datetime, float, dict[str, float | None]]]:
    cells = table.c
    query = (
        select(cells.occurred_at, cells.seconds, *(cells[column] for column in columns))
        .where(cells.element_id == element_id, cells.object == name)
        .where(cells.occurred_at > begin - ROLLUP, cells.occurred_at < end)
        .order_by(cells.occurred_at)
    )
    with engine().connect() as connection:
        return [
            (at, seconds, dict(zip(columns, values, strict=True))) for at, seconds, *values in connection.execute(query)
        ]


Latest = dict[tuple[UUID, str], dict[str, float | None]]
"""Mean values by column, of an element's object."""
LATEST_INTERVALS = 3
"""A sample that ended longer ago says nothing about now."""


def latest(element_ids: Sequence[UUID], now: datetime, interval: float, name: str | None = None) -> Latest:
    """The means of the last sample of each object, or only of those named `name`; of samples every `interval` s."""
    cells = counter_sample.c
    query = (
        select(cells.element_id, cells.object, cells.seconds, *(cells[column] for column in COUNTS))
        .ext(distinct_on(cells.element_id, cells.object))
        .where(cells.occurred_at > now - timedelta(seconds=(LATEST_INTERVALS + 1) * interval))
        .where(cells.element_id.in_(element_ids))
        .order_by(cells.element_id, cells.object, cells.occurred_at.desc())
    )
    if name is not None:
        query = query.where(cells.object == name)
    with engine().connect() as connection:
        return {
            (element_id, found): {
                column: value / seconds if value is not None and seconds else None
                for column, value in zip(COUNTS, values, strict=True)
            }
            for element_id, found, seconds, *values in connection.execute(query)
        }


def roll_up(now: datetime) -> int:
    """Add up the quarters that are over; again for the last one that was, which changes nothing.

    Returns how many rows. Raises UnavailableError.
    """
    until = _quarter(now - SETTLED)
    with _available(), engine().begin() as connection:
        last = connection.execute(select(func.max(counter_rollup.c.occurred_at))).scalar()
        since = last or datetime(2000, 1, 1, tzinfo=UTC)
        done = connection.execute(text(_ROLL_UP), {"since": since, "until": until})
        return done.rowcount


def _quarter(at: datetime) -> datetime:
    seconds = ROLLUP.total_seconds()
    return datetime.fromtimestamp(at.timestamp() // seconds * seconds, UTC)


_SUMS = ", ".join(f"CASE WHEN count({name}) = count(*) THEN sum({name}) END" for name in COUNTS)
_ROLL_UP = f"""
INSERT INTO {SCHEMA}.counter_rollup (element_id, object, occurred_at, seconds, {", ".join(COUNTS)})
SELECT element_id, object, date_bin('15 minutes', occurred_at, '2000-01-01Z'), sum(seconds), {_SUMS}
FROM {SCHEMA}.counter_sample
WHERE occurred_at >= :since AND occurred_at < :until
GROUP BY 1, 2, 3
ON CONFLICT (element_id, object, occurred_at) DO UPDATE SET
    seconds = excluded.seconds, {", ".join(f"{name} = excluded.{name}" for name in COUNTS)}
"""  # noqa: S608 - our own names
