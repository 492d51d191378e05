"""A notification before it is known who gets it."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from vnfm.notifications.domain.matching import Subject


@dataclass(frozen=True, slots=True)
class Notice:
    """`body` and `links` are those of its type; what all types have in common is added when it is addressed."""

    type: str
    subject_id: UUID
    body: dict[str, Any]
    links: dict[str, Any]
    subject: Subject
    details: dict[str, Any] | None = None
    """More of the body, for those who want all of it; None where nobody can choose (SOL003 5.5.2.15, verbosity)."""
