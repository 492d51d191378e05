"""Find routers that may go without loss, and tell when they carry nothing any more."""

from collections.abc import Collection, Hashable

FALL_SECONDS = 60.0
"""A drained router may still carry traffic for this time; RFC 8326 leaves it to the operator, minutes at most."""
NOISE = 12_500.0
"""Octets a second of routing protocols, LLDP and the like: 100 kbit/s."""
SHARE = 0.01
"""A drained router is quiet below this share of its first rate after the drain: only its protocols speak."""


def is_quiet(rate: float | None, first: float) -> bool:
    """True if a router that carried `first` and now `rate` octets a second carries nothing; None is unknown."""
    return rate is not None and rate <= max(NOISE, first * SHARE)


def peers_without_path(leaving: Collection[Hashable], staying: Collection[Hashable]) -> list[Hashable]:
    """The peers that only leaving routers have a session with, in order of first sight."""
    return [peer for peer in dict.fromkeys(leaving) if peer not in set(staying)]
