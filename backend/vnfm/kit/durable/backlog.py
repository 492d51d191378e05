"""The number of rows that wait in a queue, and since when."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Min, QuerySet


@dataclass(frozen=True, slots=True)
class Backlog:
    length: int
    """The number of rows that wait to be worked on."""
    oldest: datetime | None
    """Since when the oldest of them waits; None: no row waits."""


def backlog_of(rows: QuerySet[Any], since: str) -> Backlog:
    """Count the rows that wait; the column `since` says since when each does."""
    return Backlog(**rows.aggregate(length=Count("pk"), oldest=Min(since)))
