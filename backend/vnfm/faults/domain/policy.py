"""The effect of a policy on an alarm: its severity, whether it is debounced, when it is due again. Pure."""

from dataclasses import dataclass, fields
from datetime import datetime, timedelta

from vnfm.faults.domain.evaluation_result import earliest
from vnfm.faults.domain.fault_type import Severity

_LEVELS = (Severity.WARNING, Severity.MINOR, Severity.MAJOR, Severity.CRITICAL)
SEVERITY_ORDER = (Severity.INDETERMINATE, *_LEVELS)
"""Least severe first. INDETERMINATE has no rank: only an escalation changes it."""

KEEP_CLEARED = timedelta(days=30)
"""A cleared alarm stays in the list so long unless a policy says otherwise; then it moves to `telemetry`."""


@dataclass(frozen=True, slots=True)
class PolicySettings:
    """None inherits from the global policy; in the global policy None switches the setting off."""

    initial_severity: Severity | None = None
    """Replaces the severity that the dictionary's rule gives."""
    escalate_after: timedelta | None = None
    """Raise an alarm by one level when it stays unacknowledged for this long."""
    escalate_occurrences: int | None = None
    """Raise an alarm by one level when it occurred this often in 24 hours."""
    deescalate_after: timedelta | None = None
    """Lower an alarm by one level, at most to WARNING, this long after its acknowledgement."""
    debounce: timedelta | None = None
    """Publish an alarm only when it lasts this long."""
    auto_ack_on_clear: bool | None = None
    keep_cleared: timedelta | None = None

    def with_defaults(self, defaults: "PolicySettings") -> "PolicySettings":
        """These settings; `defaults` where they are None."""
        own = {field.name: getattr(self, field.name) for field in fields(self)}
        return PolicySettings(
            **{name: getattr(defaults, name) if value is None else value for name, value in own.items()}
        )


@dataclass(frozen=True, slots=True)
class AlarmTimeline:
    """The history of an alarm as far as policies depend on it."""

    evaluated: Severity
    detected_at: datetime
    promoted: Severity | None = None
    """The highest severity of the alarms that it has caused."""
    published: bool = False
    acked_at: datetime | None = None
    occurrences: int = 1
    """In the 24 hours before it was raised, this one included."""
    cleared_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class PolicyOutcome:
    severity: Severity
    debounced: bool
    """Not published yet: it may pass."""
    due_at: datetime | None
    """When time alone changes the outcome; None: never."""
    acknowledge: bool
    """It is cleared and is to be acknowledged automatically."""
    archive_at: datetime | None
    """When a cleared alarm moves to the history."""


def apply_policy(policy: PolicySettings, timeline: AlarmTimeline, now: datetime) -> PolicyOutcome:
    detected_at, acked_at, cleared = timeline.detected_at, timeline.acked_at, timeline.cleared_at is not None
    publish_at = detected_at + policy.debounce if policy.debounce and not timeline.published else None
    debounced = not cleared and publish_at is not None and now < publish_at
    up_at = detected_at + policy.escalate_after if policy.escalate_after and not acked_at else None
    down_at = acked_at + policy.deescalate_after if policy.deescalate_after and acked_at else None
    often = policy.escalate_occurrences is not None and timeline.occurrences >= policy.escalate_occurrences
    levels = (up_at is not None and now >= up_at) + often - (down_at is not None and now >= down_at)
    severity = _escalated(policy.initial_severity or timeline.evaluated, levels)
    pending = (publish_at if debounced else None, *(at for at in (up_at, down_at) if at is not None and at > now))
    return PolicyOutcome(
        severity=worst(severity, timeline.promoted),
        debounced=debounced,
        due_at=None if cleared else earliest(*pending),
        acknowledge=cleared and bool(policy.auto_ack_on_clear) and acked_at is None,
        archive_at=timeline.cleared_at + (policy.keep_cleared or KEEP_CLEARED) if timeline.cleared_at else None,
    )


def worst(one: Severity, other: Severity | None) -> Severity:
    """The more severe of the two."""
    return one if other is None else max(one, other, key=SEVERITY_ORDER.index)


def _escalated(severity: Severity, levels: int) -> Severity:
    if severity is Severity.INDETERMINATE:
        return _LEVELS[min(levels, len(_LEVELS)) - 1] if levels > 0 else severity
    return _LEVELS[max(0, min(_LEVELS.index(severity) + levels, len(_LEVELS) - 1))]
