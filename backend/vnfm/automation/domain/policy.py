"""What an operator wants done without being asked, as values."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

HOUR = timedelta(hours=1)


class Kind(StrEnum):
    HEAL = "HEAL"
    SCALE = "SCALE"


class Source(StrEnum):
    """Where load values come from."""

    CLOUD_ALARM = "CLOUD_ALARM"
    """Alarms of the cloud's telemetry (Aodh, Ceilometer): 1 while one is raised, 0 while it is not."""
    ELEMENT_COUNTER = "ELEMENT_COUNTER"
    """Counters of network elements."""


@dataclass(frozen=True, slots=True)
class Trigger:
    """A load beyond `threshold` for as long as `lasting`."""

    threshold: float
    lasting: timedelta


@dataclass(frozen=True, slots=True)
class HealRule:
    """Heal a VNFC that has been down for as long as `lasting`."""

    lasting: timedelta


@dataclass(frozen=True, slots=True)
class ScaleRule:
    """Scale an aspect by one step. The two thresholds lie apart: between them nothing is done (hysteresis)."""

    aspect_id: str
    out: Trigger | None
    """Scale out above it; None: never."""
    back: Trigger | None
    """Scale in below it; None: never."""


@dataclass(frozen=True, slots=True)
class Policy:
    rule: HealRule | ScaleRule
    cool_down: timedelta
    """After an action on a VNFC or an aspect has ended, so long nothing more is done to it."""
    per_hour: int
    """Actions on one VNF instance within any hour."""
    dry_run: bool
    paused: bool
