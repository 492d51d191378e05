"""The port towards an NFVO that grants lifecycle operations (SOL003 clause 9); its methods raise `NfvoError`s only."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Pending:
    """The NFVO has taken the request and not decided yet."""

    grant_id: str
    retry_after: float | None = None
    """Seconds that the NFVO asks us to wait; None when it does not say how long."""


@dataclass(frozen=True, slots=True)
class Given:
    """The grant as the NFVO wrote it (SOL003 9.5.2.3): not checked, and it may hold credentials."""

    grant_id: str
    body: Mapping[str, Any]


Answer = Pending | Given


class Nfvo(Protocol):
    def ask(self, request: Mapping[str, Any]) -> Answer:
        """Send a GrantRequest (SOL003 9.5.2.2); raises Denied when the NFVO says no at once."""

    def look(self, grant_id: str) -> Answer:
        """What became of a request; raises Denied when the NFVO has said no."""

    def find(self, op_id: str) -> Given | None:
        """The grant of that LCM operation occurrence; None also where the NFVO does not let us search.

        SOL003 9.4.2.3.2 has no such search: it helps with an NFVO that has more than it must.
        """

    def address(self, grant_id: str) -> str:
        """The URI of a grant."""
