"""Counter history: series and top-N lists."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet

from vnfm.counters.domain.counters import COUNTERS, MAX_GAP_INTERVALS, SYSTEM, counter_value, share
from vnfm.counters.domain.series import CounterMean, Point, rates_by_step
from vnfm.counters.domain.top import MEASURES, Marker, Objects
from vnfm.counters.domain.traffic import TrafficStep, traffic_by_step
from vnfm.elements.models import NetworkElement
from vnfm.history import counters, ranking, traffic
from vnfm.kit import clock


def counted_objects(*, element_id: UUID) -> list[str]:
    """Objects with counters of late: interfaces by name, and SYSTEM."""
    return counters.objects(element_id, clock.now())


def counter_series(
    *, element_id: UUID, name: str, counter_names: Sequence[str], begin: datetime, end: datetime, step: float
) -> list[Point]:
    """Steps from `begin` to `end`; values by the counter's name in JSON."""
    requested = [COUNTERS[counter] for counter in counter_names]
    columns = list(dict.fromkeys(column for counter in requested for column in (counter.column, counter.of) if column))
    samples = counters.read(
        element_id, name, columns, begin=begin, end=end, coarse=step >= counters.ROLLUP.total_seconds()
    )
    found = rates_by_step(samples, columns, begin=begin.timestamp(), end=end.timestamp(), step=step)
    for each in found:
        each.values = {counter: share(COUNTERS[counter], each.values) for counter in counter_names}
    return found


def counter_means(*, element_id: UUID, name: str, counter: str, begin: datetime, end: datetime) -> list[CounterMean]:
    """Return them as they were read, in the order of time: those that touch the time from `begin` to `end`."""
    wanted = COUNTERS[counter]
    columns = [column for column in (wanted.column, wanted.of) if column]
    samples = counters.read(element_id, name, columns, begin=begin, end=end, coarse=False)
    return [
        CounterMean(utc(each.at), utc(each.at + each.length), counter_value(wanted, each.values, each.seconds))
        for each in samples
    ]


def utc(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


@dataclass(frozen=True, slots=True)
class TopRow:
    element_id: UUID
    element_name: str
    site_name: str
    """Empty: no site."""
    kind: NetworkElement.Kind
    object: str
    """The interface's name, or `(element)`."""
    seconds: float
    """The part of the window that has counters; 0: none."""
    counted_until: datetime | None
    """null: no counters in the window."""
    unknown_since: datetime | None
    """No counters since then; null: it has counters, or (`seconds` 0) never had any."""
    values: dict[str, float | None]
    """The mean of each measure over the part of the window with counters; null without counters.

    utilisationIn, utilisationOut, cpu and memory are in percent; octetsIn, octetsOut, errors and discards (both
    directions) are a second.
    """


def busiest(
    elements: QuerySet[NetworkElement],
    *,
    objects_of: Objects,
    window: timedelta,
    sort: str,
    text: str,
    marker: Marker | None,
    size: int,
) -> tuple[list[TopRow], Marker | None]:
    """A page of the busiest managed `elements` or their interfaces, and the marker of the next page.

    `sort`: one of `domain.top.MEASURES`, with a minus for descending order.
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
    after = ranking.RankingCursor(marker.rank, marker.element_id, marker.object) if marker else None
    found = ranking.ranked(question, after=after, limit=size + 1)
    rows, more = found[:size], found[size:]
    never = [row.element_id for row in rows if row.counted_until is None]
    before = ranking.last_counted(never, SYSTEM) if never else {}
    page = [_row(row, known[row.element_id], end, before.get(row.element_id)) for row in rows]
    last = rows[-1] if more else None
    return page, Marker(end, last.values[question.measure], last.element_id, last.object) if last else None


def _row(ranked: ranking.Ranked, element: Any, end: datetime, before: datetime | None) -> TopRow:
    late = timedelta(seconds=MAX_GAP_INTERVALS * settings.COUNTER_SECONDS)
    until = ranked.counted_until or before
    return TopRow(
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


@dataclass(frozen=True, slots=True)
class TrafficPath:
    path: str
    sent: int
    lost: int
    gap: float
    """Longest time without a packet, in seconds."""
    steps: list[TrafficStep]


@dataclass(frozen=True, slots=True)
class Traffic:
    step: float
    """Seconds."""
    paths: list[TrafficPath]


def traffic_series(*, instance_id: UUID, begin: datetime, end: datetime, step: float) -> list[TrafficPath]:
    """Each path with samples in the time, with its totals and its steps."""
    samples = traffic.read(instance_id, begin, end)
    found = {each.path: each for each in traffic.totals(instance_id, begin, end)}
    return [
        TrafficPath(path, int(total.sent), int(total.lost), total.gap, steps)
        for path, steps in traffic_by_step(samples, begin=begin, end=end, step=step)
        if (total := found.get(path))
    ]
