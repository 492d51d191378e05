"""What traffic probes counted through a VNF: numbered packets sent, lost, and the longest time without one."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from psycopg.errors import CheckViolation
from sqlalchemy import ColumnElement, and_, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError

from vnfm.telemetry.engine import engine
from vnfm.telemetry.tables import traffic_sample

LONGEST = timedelta(minutes=1)
"""That one sample may cover."""


@dataclass(frozen=True, slots=True)
class TrafficSample:
    """On a path, such as `customer-1 → customer-2`, in `seconds` from `at` on. `gap` in seconds."""

    path: str
    at: datetime
    seconds: float
    sent: int
    lost: int
    gap: float


@dataclass(frozen=True, slots=True)
class TrafficTotal:
    """Of a path over a time; `gap` is the longest, in seconds."""

    path: str
    sent: int
    lost: int
    gap: float


class UnknownMonthError(Exception):
    """A sample is of a month that is not kept."""


def write(instance_id: UUID, samples: Iterable[TrafficSample]) -> None:
    """Store them; what is there already stays. Raises UnknownMonthError."""
    rows = [
        {
            "vnf_instance_id": instance_id,
            "path": each.path,
            "occurred_at": each.at,
            "seconds": each.seconds,
            "sent": each.sent,
            "lost": each.lost,
            "gap": each.gap,
        }
        for each in samples
    ]
    if not rows:
        return
    try:
        with engine().begin() as connection:
            connection.execute(insert(traffic_sample).on_conflict_do_nothing(), rows)
    except IntegrityError as error:
        if isinstance(error.orig, CheckViolation):
            raise UnknownMonthError from error
        raise


def read(instance_id: UUID, begin: datetime, end: datetime) -> list[TrafficSample]:
    """What touches the time from `begin` to `end`, by path and time."""
    cells = traffic_sample.c
    query = (
        select(cells.path, cells.occurred_at, cells.seconds, cells.sent, cells.lost, cells.gap)
        .where(_within(instance_id, begin, end))
        .order_by(cells.path, cells.occurred_at)
    )
    with engine().connect() as connection:
        return [TrafficSample(*row) for row in connection.execute(query)]


def totals(instance_id: UUID, begin: datetime, end: datetime) -> list[TrafficTotal]:
    """Of each path with samples that touch the time."""
    cells = traffic_sample.c
    query = (
        select(cells.path, func.sum(cells.sent), func.sum(cells.lost), func.max(cells.gap))
        .where(_within(instance_id, begin, end))
        .group_by(cells.path)
        .order_by(cells.path)
    )
    with engine().connect() as connection:
        return [TrafficTotal(*row) for row in connection.execute(query)]


def _within(instance_id: UUID, begin: datetime, end: datetime) -> ColumnElement[bool]:
    cells = traffic_sample.c
    over = cells.occurred_at + func.make_interval(0, 0, 0, 0, 0, 0, cells.seconds)
    # The first lower bound is for the index and the partitions, the second is the exact one.
    lately = and_(cells.occurred_at > begin - LONGEST, over > begin)
    return and_(cells.vnf_instance_id == instance_id, lately, cells.occurred_at < end)
