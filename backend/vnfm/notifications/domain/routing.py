"""Criteria of alarm routes, and groups of alarms that become few messages. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args
from zoneinfo import ZoneInfo

SEVERITIES = ("CRITICAL", "MAJOR", "MINOR", "WARNING", "INDETERMINATE")
"""The most severe first (X.733)."""
DAYS = ("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN")
MAX_LISTED = 50
"""Alarms of one group that a message lists; of the others only the number."""
AlarmEvent = Literal["raised", "changed", "cleared"]
EVENTS: Sequence[AlarmEvent] = get_args(AlarmEvent)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutedAlarm:
    """An event of an alarm, as stored with its delivery."""

    id: str
    event: str
    """One of EVENTS."""
    severity: str
    """CLEARED after its end."""
    highest: str
    """The highest severity that it had."""
    object_type: str
    object_id: str
    object_name: str
    site_id: str
    site_name: str
    resource: str
    fault_type: str
    event_type: str
    probable_cause: str
    details: Sequence[str]
    remedy: str
    raised_at: str
    at: str
    url: str
    tried: bool = False
    """A message with it has failed before: half-way, perhaps, so that the receiver has it."""

    @property
    def text(self) -> str:
        """One line for people: "CRITICAL pe-1: LinkDown 1/1/2"."""
        return " ".join(
            f"{self.severity} {self.object_name or self.object_id}: {self.fault_type} {self.resource}".split()
        )


@dataclass(frozen=True, slots=True)
class TimeWindow:
    """Local time of day from `begin` to before `end` on these days; over midnight where `end` is not later."""

    days: Sequence[str]
    begin: str
    """As 08:00."""
    end: str
    zone: str
    """Its name in the IANA database, such as Europe/Berlin."""

    def covers(self, at: datetime) -> bool:
        local = at.astimezone(ZoneInfo(self.zone))
        time, today = f"{local:%H:%M}", DAYS[local.weekday()]
        if self.begin < self.end:
            return today in self.days and self.begin <= time < self.end
        yesterday = DAYS[local.weekday() - 1]
        return (today in self.days and time >= self.begin) or (yesterday in self.days and time < self.end)


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteCriteria:
    """Empty lists match all."""

    min_severity: str = "INDETERMINATE"
    object_types: Sequence[str] = ()
    object_ids: Sequence[str] = ()
    site_ids: Sequence[str] = ()
    fault_types: Sequence[str] = ()
    cleared: bool = True
    """Whether the end of an alarm is sent, too."""
    window: TimeWindow | None = None

    @staticmethod
    def from_json(stored: Mapping[str, Any]) -> "RouteCriteria":
        window = stored.get("window")
        return RouteCriteria(**{**stored, "window": TimeWindow(**window) if window else None})

    def match(self, alarm: RoutedAlarm, at: datetime, *, has_sent: Callable[[], bool] = lambda: False) -> bool:
        """By the highest severity for an end, and outside the window if `has_sent`: who got the alarm gets its end."""
        severity = alarm.highest if alarm.event == "cleared" else alarm.severity
        return (
            (self.cleared or alarm.event != "cleared")
            and SEVERITIES.index(severity) <= SEVERITIES.index(self.min_severity)
            and _has(self.object_types, alarm.object_type)
            and _has(self.object_ids, alarm.object_id)
            and _has(self.site_ids, alarm.site_id)
            and _has(self.fault_types, alarm.fault_type)
            and (self.window is None or self.window.covers(at) or (alarm.event == "cleared" and has_sent()))
        )


def _has(values: Sequence[str], value: str) -> bool:
    return not values or value in values


@dataclass(frozen=True, slots=True)
class AlarmGroup:
    """The alarms of one message. `listed`: the last event of each alarm, the most severe first."""

    listed: Sequence[RoutedAlarm]
    unlisted: int
    """Further alarms."""
    passed: int
    """Alarms that were raised and cleared before anything was sent of them: not listed."""

    @property
    def total(self) -> int:
        return len(self.listed) + self.unlisted

    @property
    def subject(self) -> str:
        """One line for the whole group."""
        if self.total == 1:
            return self.listed[0].text
        if not self.total:
            return f"{_alarms(self.passed)} came and went"
        return f"{_alarms(self.total)}, the most severe: {self.listed[0].text}"


def _alarms(number: int) -> str:
    return f"{number} alarm" if number == 1 else f"{number} alarms"


def group_of(events: Sequence[RoutedAlarm], listed: int = MAX_LISTED) -> AlarmGroup:
    """`events` in their order; of an alarm with several only the last counts."""
    first: dict[str, RoutedAlarm] = {}
    last: dict[str, RoutedAlarm] = {}
    for event in events:
        first.setdefault(event.id, event)
        last[event.id] = event
    new = {key for key, begin in first.items() if begin.event == "raised" and not begin.tried}
    passed = {key for key in new if last[key].event == "cleared"}
    rest = [event for key, event in last.items() if key not in passed]
    rest.sort(key=lambda event: (event.event == "cleared", SEVERITIES.index(_weight(event))))
    return AlarmGroup(rest[:listed], len(rest[listed:]), len(passed))


def _weight(event: RoutedAlarm) -> str:
    return event.highest if event.event == "cleared" else event.severity
