"""Records what a poll could not show: lines for people, and the parts that are not current."""

from datetime import datetime
from typing import Any

from vnfm.elements.domain.parts import PARTS
from vnfm.elements.domain.snapshot import Omission
from vnfm.elements.models import ElementOmission, NetworkElement
from vnfm.elements.reconcilers.element_poll import PollResult
from vnfm.elements.reconcilers.last_rows import store_last_rows

MAX_OMISSIONS = 200
"""Lines that are stored of an element; all are counted."""
_MAX_TABLE, _MAX_INDEX, _MAX_REASON = 100, 500, 500

_Line = tuple[str, str, str, bool]
"""Table, index, reason and whether the table itself is unread."""


def record_omissions(element: NetworkElement, result: PollResult, now: datetime) -> dict[str, Any]:
    """Columns of the element that follow. A poll of some parts adds lines, and only one of all parts removes any."""
    if result.snapshot is None:
        return {}
    store_last_rows(element.id, {**result.columns, **result.scalars})
    known: dict[_Line, datetime] = {
        (row.table, row.index, row.reason, row.unread): row.since
        for row in ElementOmission.objects.filter(element=element)
    }
    since = {(table, index, unread): at for (table, index, _, unread), at in known.items()}
    lines = dict.fromkeys(
        [_line(each, unread=True) for each in result.unread]
        + [_line(each, unread=False) for each in result.snapshot.omissions]
    )
    places = {(table, index) for table, index, *_ in lines}
    if not result.parts.issuperset(PARTS):
        lines |= dict.fromkeys(line for line in known if line[:2] not in places)
    stored = list(lines)[:MAX_OMISSIONS]
    if set(stored) != known.keys():
        ElementOmission.objects.filter(element=element).delete()
        ElementOmission.objects.bulk_create(
            ElementOmission(
                element=element,
                table=table,
                index=index,
                reason=reason,
                unread=unread,
                since=since.get((table, index, unread), now),
            )
            for table, index, reason, unread in stored
        )
    return {"omission_count": len(lines), "stale_parts": _stale_parts(element, result, now)}


def _line(omission: Omission, *, unread: bool) -> _Line:
    return omission.table[:_MAX_TABLE], omission.index[:_MAX_INDEX], omission.reason[:_MAX_REASON], unread


def _stale_parts(element: NetworkElement, result: PollResult, now: datetime) -> dict[str, str]:
    others = {part: at for part, at in element.stale_parts.items() if part not in result.parts}
    return others | {part: element.stale_parts.get(part, now.isoformat()) for part in sorted(result.stale)}
