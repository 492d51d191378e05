"""A notification before it is addressed to subscribers."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from vnfm.notifications.domain.matching import FilterSubject


@dataclass(frozen=True, slots=True)
class Notification:
    """`body` and `links` have the attributes of its type; those common to all types are added per subscriber."""

    type: str
    subject_id: UUID
    body: dict[str, Any]
    links: dict[str, Any]
    subject: FilterSubject
    details: dict[str, Any] | None = None
    """Attributes for verbosity FULL; None where the interface has no verbosity (SOL003 5.5.2.15)."""
    only: UUID | None = None
    """The one subscription that it is for; None: all that match."""
