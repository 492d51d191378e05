"""The port towards an NFVO that grants lifecycle operations (SOL003 clause 9); its methods raise `NfvoError`s only."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Pending:
    """The NFVO has accepted the request and not decided yet."""

    grant_id: str
    retry_after: float | None = None
    """Seconds to wait (Retry-After); None when the NFVO does not say."""


@dataclass(frozen=True, slots=True)
class Granted:
    """The Grant as the NFVO sent it (SOL003 9.5.2.3): not validated, and it may hold credentials."""

    grant_id: str
    body: Mapping[str, Any]


Answer = Pending | Granted


class Nfvo(Protocol):
    def request_grant(self, request: Mapping[str, Any]) -> Answer:
        """Send a GrantRequest (SOL003 9.5.2.2); raises Denied when the NFVO denies it at once."""

    def get_grant(self, grant_id: str) -> Answer:
        """The outcome of a request; raises Denied when the NFVO has denied it."""

    def find_grant(self, op_id: str) -> Granted | None:
        """The grant of that LCM operation occurrence; None also where the NFVO has no such search.

        SOL003 9.4.2.3.2 has no such search: it helps with an NFVO that has more than it must.
        """

    def grant_uri(self, grant_id: str) -> str:
        """The URI of a grant."""
