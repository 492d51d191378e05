"""Automation policies, as values."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

HOUR = timedelta(hours=1)


class PolicyKind(StrEnum):
    HEAL = "HEAL"
    SCALE = "SCALE"


class LoadSourceKind(StrEnum):
    """The sources of load values."""

    CLOUD_ALARM = "CLOUD_ALARM"
    """Alarms of the cloud's telemetry (Aodh, Ceilometer): 1 while one is raised, 0 while it is not."""
    ELEMENT_COUNTER = "ELEMENT_COUNTER"
    """Counters of the instance's network elements; of several the mean."""


@dataclass(frozen=True, slots=True)
class LoadThreshold:
    """The load is beyond `threshold` for `lasting`."""

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
    out: LoadThreshold | None
    """Scale out above it; None: never."""
    back: LoadThreshold | None
    """Scale in below it; None: never."""


@dataclass(frozen=True, slots=True)
class Policy:
    rule: HealRule | ScaleRule
    cool_down: timedelta
    """No further action on a VNFC or an aspect for so long after one has ended."""
    per_hour: int
    """Actions on one VNF instance within any hour."""
    dry_run: bool
    paused: bool
