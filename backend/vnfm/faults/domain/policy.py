"""What the operator's policies make of an alarm: how severe, told or held back, when looked at again. One function."""

from dataclasses import dataclass, fields
from datetime import datetime, timedelta

from vnfm.faults.domain.fault_type import Severity
from vnfm.faults.domain.verdict import earliest

_LADDER = (Severity.WARNING, Severity.MINOR, Severity.MAJOR, Severity.CRITICAL)
ORDER = (Severity.INDETERMINATE, *_LADDER)
"""Least severe first. Indeterminate is no level: it stays what it is, unless something escalates it."""

KEEP_CLEARED = timedelta(days=30)
"""How long a cleared alarm stays in the list where no policy says otherwise; then it is history in `telemetry`."""


@dataclass(frozen=True, slots=True)
class Policy:
    """None: as the global policy has it; there, not at all."""

    initial_severity: Severity | None = None
    """Instead of what the dictionary's rule gives."""
    escalate_after: timedelta | None = None
    """One level more severe when nobody acknowledges it for so long."""
    escalate_occurrences: int | None = None
    """One level more severe when it was raised so often in 24 hours."""
    deescalate_after: timedelta | None = None
    """One level less severe when it has been acknowledged for so long; never below a warning."""
    debounce: timedelta | None = None
    """Told only when it lasts so long."""
    auto_ack_on_clear: bool | None = None
    keep_cleared: timedelta | None = None

    def over(self, other: "Policy") -> "Policy":
        """What it says, and where it says nothing what the other says."""
        chosen = {
            field.name: getattr(other, field.name) if getattr(self, field.name) is None else getattr(self, field.name)
            for field in fields(self)
        }
        return Policy(**chosen)


@dataclass(frozen=True, slots=True)
class Course:
    """What became of an alarm so far."""

    evaluated: Severity
    detected_at: datetime
    promoted: Severity | None = None
    """The highest severity of the alarms that it has caused."""
    heard: bool = False
    """People have been told of it."""
    acked_at: datetime | None = None
    occurrences: int = 1
    """In the 24 hours before it was raised, this time included."""
    cleared_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Ruling:
    severity: Severity
    held: bool
    """Not yet told: it may pass."""
    again_at: datetime | None
    """When time alone changes the ruling; None: never."""
    acknowledge: bool
    """It is cleared, and nobody needs to acknowledge it."""
    forget_at: datetime | None
    """When a cleared alarm becomes history."""


def rule(policy: Policy, course: Course, now: datetime) -> Ruling:
    """Apply the policy. Says nothing of alarms that are cleared but for what becomes of them."""
    told_at = course.detected_at + policy.debounce if policy.debounce and not course.heard else None
    held = course.cleared_at is None and told_at is not None and now < told_at
    up_at = course.detected_at + policy.escalate_after if policy.escalate_after and not course.acked_at else None
    down_at = course.acked_at + policy.deescalate_after if policy.deescalate_after and course.acked_at else None
    often = policy.escalate_occurrences is not None and course.occurrences >= policy.escalate_occurrences
    steps = (up_at is not None and now >= up_at) + often - (down_at is not None and now >= down_at)
    severity = _moved(policy.initial_severity or course.evaluated, steps)
    over = course.cleared_at is not None
    waiting = (told_at if held else None, *(at for at in (up_at, down_at) if at is not None and at > now))
    return Ruling(
        severity=worst(severity, course.promoted),
        held=held,
        again_at=None if over else earliest(*waiting),
        acknowledge=over and bool(policy.auto_ack_on_clear) and course.acked_at is None,
        forget_at=None if course.cleared_at is None else course.cleared_at + (policy.keep_cleared or KEEP_CLEARED),
    )


def worst(one: Severity, other: Severity | None) -> Severity:
    """The more severe of the two."""
    return one if other is None else max(one, other, key=ORDER.index)


def _moved(severity: Severity, steps: int) -> Severity:
    if severity is Severity.INDETERMINATE:
        return _LADDER[min(steps, len(_LADDER)) - 1] if steps > 0 else severity
    return _LADDER[max(0, min(_LADDER.index(severity) + steps, len(_LADDER) - 1))]
