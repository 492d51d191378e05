"""Limit and use of one resource of a cloud."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class QuotaUse:
    """A quota of the cloud's project."""

    limit: int | None
    """-1: unlimited; null: the cloud does not say."""
    used: int | None
