"""Top-N lists: objects, windows, measures, and page markers."""

import base64
import binascii
import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Literal, NamedTuple, get_args
from uuid import UUID

from vnfm.kit.web import strict_json

Objects = Literal["interfaces", "elements"]
OBJECTS: tuple[Objects, ...] = get_args(Objects)

WINDOWS: Mapping[str, timedelta] = {
    "15m": timedelta(minutes=15),
    "1h": timedelta(hours=1),
    "24h": timedelta(hours=24),
}

MEASURES: Mapping[str, str] = {
    "utilisationIn": "utilisation_in",
    "utilisationOut": "utilisation_out",
    "octetsIn": "octets_in",
    "octetsOut": "octets_out",
    "errors": "errors",
    "discards": "discards",
    "cpu": "cpu",
    "memory": "memory",
}
"""Name in JSON → name in `history.ranking`."""

_FIRST = datetime(2000, 1, 1, tzinfo=UTC)
"""All windows end later."""


class Marker(NamedTuple):
    """A page begins after this row, in the window that ended at `end`."""

    end: datetime
    rank: float | None
    element_id: UUID
    object: str

    def encode(self) -> str:
        fields = [self.end.isoformat(), self.rank, str(self.element_id), self.object]
        return base64.urlsafe_b64encode(json.dumps(fields).encode()).decode().rstrip("=")

    @staticmethod
    def decode(text: str) -> "Marker":
        """Raises ValueError for a text that `encode` did not produce."""
        try:
            end, rank, element_id, name = strict_json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
            at = datetime.fromisoformat(end)
            if at.tzinfo is None or at < _FIRST or isinstance(rank, bool):
                raise ValueError(text)
            if not isinstance(name, str) or "\0" in name:
                raise ValueError(text)
            return Marker(at, None if rank is None else float(rank), UUID(element_id), name)
        except (TypeError, AttributeError, RecursionError, binascii.Error) as error:
            raise ValueError(text) from error
