"""The ports towards an NFVO that grants lifecycle operations (SOL003 clause 9), and a foreign EM that coordinates them
(SOL002 clause 10); their methods raise `NfvoError`s only.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol


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


CoordinationResult = Literal["CONTINUE", "ABORT", "CANCELLED"]
"""SOL002 clause 10: go on; or fail temporarily, as the EM says so or as we cancelled it."""


@dataclass(frozen=True, slots=True)
class CoordinationPending:
    """The EM works on the coordination."""

    coordination_id: str
    retry_after: float | None = None
    """Seconds to wait (Retry-After); None when the EM does not say."""


@dataclass(frozen=True, slots=True)
class Coordinated:
    """The coordination has ended (LcmCoord, SOL002 clause 10)."""

    coordination_id: str
    result: CoordinationResult
    warnings: str = ""
    error: str = ""
    """Title and detail of its ProblemDetails; "" without one."""


CoordinationAnswer = CoordinationPending | Coordinated


class ElementManager(Protocol):
    """Raises EmUnreachable where a retry may help, else CoordinationRejected."""

    def coordinate(self, request: Mapping[str, Any]) -> CoordinationAnswer:
        """Send an LcmCoordRequest (SOL002 clause 10)."""

    def get_coordination(self, coordination_id: str) -> CoordinationAnswer:
        """Raises CoordinationUnknown when the EM has none with this id."""

    def find_coordination(self, op_id: str, action: str, known: Collection[str]) -> CoordinationAnswer | None:
        """Return that of an LCM operation occurrence whose id is unknown; None also where the EM has no such search."""

    def cancel_coordination(self, coordination_id: str) -> None:
        """Have it end as CANCELLED (SOL002 clause 10)."""
