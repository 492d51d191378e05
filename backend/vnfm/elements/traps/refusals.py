"""Count datagrams that were refused, by sender and reason; bounded, as any host can send datagrams."""

from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from vnfm.elements.traps.senders import Sender

MAX_LISTED = 100
"""Senders and reasons that are listed of elements, and as many of other addresses: those that sent last."""


@dataclass(slots=True)
class _Refusal:
    element: Sender | None
    count: int
    at: datetime


class RefusalCounts:
    """Counts since the receiver's start. Other addresses cannot push elements out of the list."""

    def __init__(self) -> None:
        self._by_kind: dict[bool, OrderedDict[tuple[str, str], _Refusal]] = {True: OrderedDict(), False: OrderedDict()}

    def add(self, source: str, reason: str, element: Sender | None, at: datetime, count: int = 1) -> None:
        listed = self._by_kind[element is not None]
        known = listed.get((source, reason))
        total = count + (known.count if known is not None else 0)
        listed[source, reason] = _Refusal(element, total, at)
        listed.move_to_end((source, reason))
        if len(listed) > MAX_LISTED:
            listed.popitem(last=False)

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows of `TrapReceiver.refusals`: those of elements first, the last ones first."""
        return [
            {
                "source": source,
                "element_id": str(refusal.element.element_id) if refusal.element is not None else None,
                "element_name": refusal.element.name if refusal.element is not None else None,
                "reason": reason,
                "count": refusal.count,
                "last_at": refusal.at.isoformat(),
            }
            for listed in self._by_kind.values()
            for (source, reason), refusal in reversed(listed.items())
        ]
