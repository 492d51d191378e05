"""What the facts of a network element (see `elements.ElementFact`) say of faults. A table before branches; pure."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from vnfm.faults.domain.dictionary import DICTIONARY
from vnfm.faults.domain.element import ObservedFact
from vnfm.faults.domain.fault_type import Severity

CHASSIS = "1.3.6.1.4.1.6527.3.1.3.2.1.0."
SYSTEM = "1.3.6.1.4.1.6527.3.1.3.1.0."
"""TIMETRA-CHASSIS-MIB's and TIMETRA-SYSTEM-MIB's notifications."""


@dataclass(frozen=True, slots=True)
class Reported:
    fault_type: str
    severity: Severity


def _unless(*well: str) -> Callable[[str], bool]:
    return lambda value: value not in {"", "unknown", *well}


def _when(*ill: str) -> Callable[[str], bool]:
    return lambda value: value in ill


_STATES: Mapping[str, tuple[str, Callable[[str], bool]]] = {
    "licence": ("LicenceInvalid", _unless("valid", "ok", "none")),
    "licence_expiry": ("LicenceExpiring", _unless("ok", "none")),
    "redundancy": ("RedundancyLost", _when("redundantsplit", "redundantsynching", "coldstandby", "notready")),
    "redundancy_sync": ("RedundancyLost", _when("configfail", "bootenvfail")),
}
"""Facts that say how something is, to the fault type and whether a value, in small letters, means it."""

_NOTIFICATIONS: Mapping[str, str] = {
    f"{CHASSIS}2": "Overheated",
    f"{CHASSIS}10": "WrongCard",
    f"{CHASSIS}17": "OutOfMemory",
    f"{SYSTEM}59": "LicenceInvalid",
    f"{SYSTEM}60": "LicenceExpiring",
}
"""Alarms that an element has open itself, by the notification that raised them (ALARM-MIB)."""

_WORDS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"fib.{0,40}(overload|suspend|full)|(overload|exceed).{0,40}\bfib\b"), "FibOverload"),
    (re.compile(r"(route|prefix|fib).{0,40}(threshold|limit|max)"), "RoutesNearLimit"),
    (re.compile(r"temperature|overheat"), "Overheated"),
    (re.compile(r"out of memory|memory.{0,40}(threshold|overload|exhaust)"), "OutOfMemory"),
    (re.compile(r"licen[cs]e.{0,40}expir"), "LicenceExpiring"),
)
"""The same where the element gives words alone."""

_IN_TABLES = re.compile(
    r"card|board|slot|cpm|mda|port\b|link|interface|peer|bgp|neighbo|fan|power|redundan|standby|switchover|licen[cs]e"
)
"""An alarm of the element of something whose state we read ourselves: told by its own fault type, not once more."""

_SEVERITIES: Mapping[str, Severity] = {severity.lower(): severity for severity in Severity}
RAISED = "raised"


def reported(fact: ObservedFact) -> Reported | None:
    """The fault that a fact stands for, if any."""
    value = fact.value.lower()
    if fact.name in _STATES:
        name, ill = _STATES[fact.name]
        return _as_known(name) if ill(value) else None
    if fact.name == "active_alarm":
        return _own_alarm(fact)
    severity = _SEVERITIES.get(value)
    if severity is None and value != RAISED:
        return None
    if fact.name in DICTIONARY:
        return Reported(fact.name, severity or DICTIONARY[fact.name].severity)
    return Reported("ElementReport", severity or Severity.INDETERMINATE)


def _as_known(name: str) -> Reported:
    return Reported(name, DICTIONARY[name].severity)


def _own_alarm(fact: ObservedFact) -> Reported | None:
    words = fact.subject.lower()
    name = _NOTIFICATIONS.get(fact.value)
    if name is None:
        name = next((known for pattern, known in _WORDS if pattern.search(words)), None)
    if name is not None:
        return None if name == "LicenceInvalid" else _as_known(name)
    if _IN_TABLES.search(words):
        return None
    return Reported("ElementReport", _SEVERITIES.get(words.partition(":")[0].strip(), Severity.INDETERMINATE))
