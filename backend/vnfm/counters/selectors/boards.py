"""Boards that a user may see, and the values of all series of a board."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Q, QuerySet

from vnfm.counters.domain.boards import SeriesRef, SourceType
from vnfm.counters.domain.traffic import TrafficStep
from vnfm.counters.models import Board
from vnfm.counters.selectors.series import counter_series, traffic_series
from vnfm.elements.selectors import element_names
from vnfm.inventory.selectors import instance_names
from vnfm.kit.etsi.query import one

Names = dict[tuple[SourceType, UUID], str]
"""The names of sources that exist."""


def board_list(*, user_id: UUID) -> QuerySet[Board]:
    """The user's own, and those that others share."""
    return Board.objects.select_related("owner").filter(Q(owner=user_id) | Q(shared=True))


def board_get(*, user_id: UUID, board_id: UUID) -> Board:
    """Raises a 404 problem when there is none that the user may see."""
    return one(board_list(user_id=user_id), "board", board_id)


def series_of(boards: Iterable[Board]) -> list[SeriesRef]:
    """All series of all charts."""
    return [SeriesRef.from_json(each) for board in boards for chart in board.charts for each in chart["series"]]


def source_names(series: Iterable[SeriesRef]) -> Names:
    """Present names of their sources; those that do not exist any more are missing."""
    wanted = {(each.source_type, each.source_id) for each in series}
    ids = {kind: [source for of, source in wanted if of == kind] for kind in SourceType}
    read = {SourceType.ELEMENT: element_names, SourceType.INSTANCE: instance_names}
    return {(kind, key): name for kind in SourceType for key, name in read[kind](ids[kind]).items()}


@dataclass(frozen=True, slots=True)
class SeriesValues:
    """Values of a series, one for each step; None: unknown."""

    ref: SeriesRef
    unit: str
    values: list[float | None]


def board_series(
    *, board: Board, begin: datetime, end: datetime, step: float
) -> tuple[list[datetime], list[SeriesValues]]:
    """The begin of each step, and the values of each different series whose source exists."""
    refs = {each.key: each for each in series_of([board])}
    exist = source_names(refs.values())
    objects: dict[tuple[SourceType, UUID, str], list[SeriesRef]] = {}
    for ref in refs.values():
        if (ref.source_type, ref.source_id) in exist:
            objects.setdefault((ref.source_type, ref.source_id, ref.object), []).append(ref)
    count = round((end - begin).total_seconds() / step)
    at = [begin + timedelta(seconds=number * step) for number in range(count)]
    found = []
    for (kind, source_id, name), of_object in objects.items():
        read = _probe_values if kind == SourceType.INSTANCE else _element_values
        values = read(source_id, name, [ref.counter for ref in of_object], begin=begin, end=end, step=step)
        found += [SeriesValues(ref, ref.unit, (values[ref.counter] + [None] * count)[:count]) for ref in of_object]
    return at, found


Values = dict[str, list[float | None]]
"""The values of each counter."""


def _element_values(
    element_id: UUID, name: str, counters: list[str], *, begin: datetime, end: datetime, step: float
) -> Values:
    steps = counter_series(element_id=element_id, name=name, counter_names=counters, begin=begin, end=end, step=step)
    return {counter: [each.values[counter] for each in steps] for counter in counters}


def _probe_values(
    instance_id: UUID, path: str, counters: list[str], *, begin: datetime, end: datetime, step: float
) -> Values:
    paths = traffic_series(instance_id=instance_id, begin=begin, end=end, step=step)
    steps = next((each.steps for each in paths if each.path == path), ())
    of_step: dict[str, Callable[[TrafficStep], float]] = {
        "sent": lambda each: each.sent / each.seconds,
        "lost": lambda each: each.lost / each.seconds,
        "gap": lambda each: each.gap,
    }
    return {counter: [of_step[counter](each) if each.seconds else None for each in steps] for counter in counters}
