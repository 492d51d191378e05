"""Boards of charts: create, change, arrange, delete."""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.db.models import F

from vnfm.counters.domain.boards import MAX_BOARDS, MAX_CHARTS, SeriesRef, moved
from vnfm.counters.models import Board
from vnfm.counters.selectors.boards import series_of, source_names
from vnfm.kit.durable import outbox
from vnfm.kit.etsi.query import one
from vnfm.kit.problem import FieldError, Problem, ProblemError, conflict, not_found, unprocessable

Chart = dict[str, Any]
"""A requested chart: `title`, `series` (of SeriesRef) and, of one that the board has already, `id`."""


@transaction.atomic
def board_create(*, owner_id: UUID, name: str, shared: bool = False, charts: Sequence[Chart] = ()) -> Board:
    """A board after the user's others. Raises 409 for a name in use or too many boards, 422 for unknown sources."""
    get_user_model().objects.select_for_update().get(id=owner_id)
    boards = Board.objects.filter(owner=owner_id)
    if boards.count() >= MAX_BOARDS:
        raise conflict("TOO_MANY_BOARDS", f"You have {MAX_BOARDS} boards already.", "Delete one first.")
    last = boards.order_by("-position").first()
    position = 0 if last is None else last.position + 1
    stored = _stored(_new(charts), ())
    try:
        with transaction.atomic():
            board = Board.objects.create(owner_id=owner_id, name=name, shared=shared, charts=stored, position=position)
    except IntegrityError as error:
        raise _name_conflict(name) from error
    _publish(board)
    return board


@transaction.atomic
def board_update(*, board: Board, user_id: UUID, changes: Mapping[str, Any]) -> Board:
    """Change `name`, `shared`, `position` or all `charts`. Raises 403 for another user's board, 409 STALE when it was
    changed since it was read, 409 for a name in use, 422 for unknown sources or charts, and a chart that comes twice.
    """
    _require_owner(board, user_id)
    columns = {name: changes[name] for name in ("name", "shared") if name in changes}
    if "charts" in changes:
        _require_charts(changes["charts"], {chart["id"] for chart in board.charts})
        columns["charts"] = _stored(changes["charts"], series_of([board]))
    if "position" in changes:
        _arrange(board, changes["position"])
    return _write(board, columns)


def chart_add(*, board: Board, user_id: UUID, chart: Chart) -> Board:
    """The board with one chart more, whatever else was changed; the chart is new, so its `id` does not count.

    Raises 403, 422 as `board_update`; 404 when the board has been deleted, 409 if it is full.
    """
    _require_owner(board, user_id)
    with transaction.atomic():
        rows = Board.objects.select_for_update(of=("self",)).select_related("owner")
        current = one(rows, "board", board.id)
        if len(current.charts) >= MAX_CHARTS:
            raise conflict("BOARD_FULL", f"The board {board.name} has {MAX_CHARTS} charts.", "Remove one first.")
        return _write(current, {"charts": [*current.charts, *_stored(_new([chart]), ())]})


@transaction.atomic
def board_delete(*, board: Board, user_id: UUID) -> None:
    """Raises 403 for another user's board."""
    _require_owner(board, user_id)
    board_id, version = board.id, board.version + 1
    board.delete()
    outbox.publish("board.changed", board_id, version)


def _require_owner(board: Board, user_id: UUID) -> None:
    if board.owner_id != user_id:
        words = f"The board {board.name} belongs to {board.owner.username}; you may only read it."
        raise ProblemError(Problem(403, "NOT_OWNER", "Forbidden", words, "Make a board of your own."))


def _new(charts: Iterable[Chart]) -> list[Chart]:
    """Without ids, which only charts of a board may have."""
    return [{**chart, "id": None} for chart in charts]


def _require_charts(charts: Sequence[Chart], known: AbstractSet[str]) -> None:
    """Raises 422 for ids that are not among the known ones, or come twice."""
    ids = [str(chart.get("id") or "") for chart in charts]
    for number, chart_id in enumerate(ids):
        if chart_id and (chart_id not in known or chart_id in ids[:number]):
            words = f"The chart {chart_id} comes twice." if chart_id in known else f"There is no chart {chart_id}."
            raise unprocessable(
                "UNKNOWN_CHART", words, [FieldError(f"/charts/{number}/id", words)], "Leave out the id of a new chart."
            )


def _stored(charts: Iterable[Chart], known: Iterable[SeriesRef]) -> list[dict[str, Any]]:
    """Return charts as they are stored.

    A series of `known` may outlive its source. Raises 422 for other missing sources.
    """
    charts = list(charts)
    names = source_names(ref for chart in charts for ref in chart["series"])
    former = {(ref.source_type, ref.source_id): ref.source_name for ref in known}
    return [
        {
            "id": str(chart.get("id") or uuid.uuid4()),
            "title": chart.get("title", ""),
            "series": [
                _named(ref, names, former, f"/charts/{number}/series/{place}/sourceId").as_json()
                for place, ref in enumerate(chart["series"])
            ],
        }
        for number, chart in enumerate(charts)
    ]


def _named(ref: SeriesRef, names: Mapping[Any, str], former: Mapping[Any, str], pointer: str) -> SeriesRef:
    source = (ref.source_type, ref.source_id)
    name = names.get(source, former.get(source))
    if name is None:
        words = f"There is no {ref.source_type.value.replace('_', ' ').lower()} {ref.source_id}."
        raise unprocessable("UNKNOWN_SOURCE", words, [FieldError(pointer, words)], "Leave this series out.")
    return replace(ref, source_name=name)


def _arrange(board: Board, to: int) -> None:
    """Move it among the boards of its owner, whose places are without gaps then."""
    rows = list(Board.objects.select_for_update().filter(owner=board.owner_id).order_by("position", "id"))
    row = next((each for each in rows if each.id == board.id), None)
    if row is None:
        raise not_found("board", board.id)
    for place, each in enumerate(moved(rows, row, to)):
        if each.position != place:
            Board.objects.filter(id=each.id).update(position=place)


def _write(board: Board, columns: Mapping[str, Any]) -> Board:
    rows = Board.objects.filter(id=board.id, version=board.version)
    try:
        with transaction.atomic():
            updated = rows.update(**columns, version=F("version") + 1)
    except IntegrityError as error:
        raise _name_conflict(columns["name"]) from error
    if not updated:
        raise conflict(
            "STALE", f"The board {board.name} was changed by someone else.", "Reload it and repeat your change."
        )
    board.refresh_from_db()
    _publish(board)
    return board


def _publish(board: Board) -> None:
    outbox.publish("board.changed", board.id, board.version)


def _name_conflict(name: str) -> ProblemError:
    detail = f"You have a board named {name} already."
    return ProblemError(
        Problem(409, "NAME_TAKEN", "Conflict", detail, "Choose another name.", errors=(FieldError("/name", detail),))
    )
