"""Reading what was counted."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet

from vnfm.elements.models import NetworkElement
from vnfm.kit import clock
from vnfm.performance.domain.counters import COUNTERS, FARTHEST, SYSTEM, share
from vnfm.performance.domain.series import Span, Step, steps
from vnfm.performance.domain.top import MEASURES, Marker, Objects, Row
from vnfm.telemetry import counters, ranking


def objects(*, element_id: UUID) -> list[str]:
    """What anything was counted of lately: interfaces by name, and `system`."""
    return counters.objects(element_id, clock.now())


def series(
    *, element_id: UUID, name: str, counter_names: Sequence[str], begin: datetime, end: datetime, step: float
) -> list[Step]:
    """Step by step from `begin` to `end`; each value by its counter's name on the wire."""
    wanted = [COUNTERS[counter] for counter in counter_names]
    columns = list(dict.fromkeys(column for counter in wanted for column in (counter.column, counter.of) if column))
    rows = counters.read(
        element_id, name, columns, begin=begin, end=end, coarse=step >= counters.ROLLUP.total_seconds()
    )
    spans = [Span(row.at.timestamp(), row.seconds, row.values, row.length) for row in rows]
    found = steps(spans, columns, begin=begin.timestamp(), end=end.timestamp(), step=step)
    for one in found:
        one.values = {counter: share(COUNTERS[counter], one.values) for counter in counter_names}
    return found


def moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def top(
    elements: QuerySet[NetworkElement],
    *,
    objects_of: Objects,
    window: timedelta,
    sort: str,
    text: str,
    marker: Marker | None,
    size: int,
) -> tuple[list[Row], Marker | None]:
    """A page of the busiest of managed `elements`, and where the next one begins.

    `sort` is one of `domain.top.MEASURES`, with a minus before it for the highest first.
    """
    managed = elements.filter(state=NetworkElement.State.MANAGED)
    known = {row.id: row for row in managed.values_list("id", "name", "kind", "site__name", named=True)}
    named = [row.id for row in known.values() if text.lower() in row.name.lower()]
    whole = objects_of == "elements"
    end = marker.end if marker else clock.now()
    question = ranking.Question(
        elements=named if whole else list(known),
        begin=end - window,
        end=end,
        system=SYSTEM,
        whole=whole,
        measure=MEASURES[sort.removeprefix("-")],
        descending=sort.startswith("-"),
        named=named,
        words=text,
    )
    after = ranking.Place(marker.rank, marker.element_id, marker.object) if marker else None
    found = ranking.ranked(question, after=after, limit=size + 1)
    rows, more = found[:size], found[size:]
    never = [row.element_id for row in rows if row.counted_until is None]
    before = ranking.last_counted(never, SYSTEM) if never else {}
    shown = [_row(row, known[row.element_id], end, before.get(row.element_id)) for row in rows]
    last = rows[-1] if more else None
    return shown, Marker(end, last.values[question.measure], last.element_id, last.object) if last else None


def _row(ranked: ranking.Ranked, element: Any, end: datetime, before: datetime | None) -> Row:
    late = timedelta(seconds=FARTHEST * settings.COUNTER_SECONDS)
    until = ranked.counted_until or before
    return Row(
        element_id=element.id,
        element_name=element.name,
        site_name=element.site__name or "",
        kind=element.kind,
        object=ranked.object,
        seconds=ranked.seconds,
        counted_until=ranked.counted_until,
        unknown_since=until if until is not None and until < end - late else None,
        values={name: ranked.values[measure] for name, measure in MEASURES.items()},
    )
