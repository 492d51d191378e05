"""Faults for which facts of a network element (`elements.ElementFact`) stand. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from vnfm.elements.domain.part_states import FactState
from vnfm.faults.domain.dictionary import DICTIONARY
from vnfm.faults.domain.fault_type import Severity
from vnfm.kit.patterns import Pattern, pattern

CHASSIS = "1.3.6.1.4.1.6527.3.1.3.2.1.0."
SYSTEM = "1.3.6.1.4.1.6527.3.1.3.1.0."
"""TIMETRA-CHASSIS-MIB's and TIMETRA-SYSTEM-MIB's notifications."""


@dataclass(frozen=True, slots=True)
class ReportedFault:
    fault_type: str
    severity: Severity


_UNKNOWN = frozenset({"", "unknown"})
"""Values by which the element does not say the state."""


def _unless(*good: str) -> Callable[[str], bool]:
    return lambda value: value not in {*_UNKNOWN, *good}


def _when(*bad: str) -> Callable[[str], bool]:
    return lambda value: value in bad


_STATES: Mapping[str, tuple[str, Callable[[str], bool]]] = {
    "licence": ("LicenceInvalid", _unless("valid", "ok", "none")),
    "licence_expiry": ("LicenceExpiring", _unless("ok", "none")),
    "redundancy": ("RedundancyLost", _when("redundantsplit", "redundantsynching", "coldstandby", "notready")),
    "redundancy_sync": ("RedundancyLost", _when("configfail", "bootenvfail")),
}
"""Name of a fact with a state → fault type, and whether a value, in small letters, is a fault."""

_NOTIFICATIONS: Mapping[str, str] = {
    f"{CHASSIS}2": "Overheated",
    f"{CHASSIS}10": "WrongCard",
    f"{CHASSIS}17": "OutOfMemory",
    f"{SYSTEM}59": "LicenceInvalid",
    f"{SYSTEM}60": "LicenceExpiring",
}
"""Notification that raised an alarm in the element's own alarm list (ALARM-MIB) → fault type."""

_WORDS: tuple[tuple[Pattern, str], ...] = (
    (pattern(r"fib.{0,40}(overload|suspend|full)|(overload|exceed).{0,40}\bfib\b"), "FibOverload"),
    (pattern(r"(route|prefix|fib).{0,40}(threshold|limit|max)"), "RoutesNearLimit"),
    (pattern(r"temperature|overheat"), "Overheated"),
    (pattern(r"out of memory|memory.{0,40}(threshold|overload|exhaust)"), "OutOfMemory"),
    (pattern(r"licen[cs]e.{0,40}expir"), "LicenceExpiring"),
)
"""The same for elements that give only a text."""

_IN_TABLES = pattern(
    r"card|board|slot|cpm|mda|port\b|link|interface|peer|bgp|neighbo|fan|power|redundan|standby|switchover|licen[cs]e"
)
"""The element's own alarms of what is polled from tables: the polled state has a fault type of its own."""

_SEVERITIES: Mapping[str, Severity] = {severity.lower(): severity for severity in Severity}
RAISED = "raised"


def unknown_fault_type(fact: FactState) -> str | None:
    """Return the fault type of a fact with a state that the element does not say; None for any other fact."""
    return _STATES[fact.name][0] if fact.name in _STATES and fact.value.lower() in _UNKNOWN else None


def fault_of(fact: FactState) -> ReportedFault | None:
    """Return the fault for which the fact stands; None where it is none, and where its state is unknown."""
    value = fact.value.lower()
    if fact.name in _STATES:
        name, is_fault = _STATES[fact.name]
        return _of_dictionary(name) if is_fault(value) else None
    if fact.name == "active_alarm":
        return _active_alarm(fact)
    severity = _SEVERITIES.get(value)
    if severity is None and value != RAISED:
        return None
    if fact.name in DICTIONARY:
        return ReportedFault(fact.name, severity or DICTIONARY[fact.name].severity)
    return ReportedFault("ElementReport", severity or Severity.INDETERMINATE)


def _of_dictionary(name: str) -> ReportedFault:
    return ReportedFault(name, DICTIONARY[name].severity)


def _active_alarm(fact: FactState) -> ReportedFault | None:
    words = fact.subject.lower()
    name = _NOTIFICATIONS.get(fact.value)
    if name is None:
        name = next((known for pattern, known in _WORDS if pattern.search(words)), None)
    if name is not None:
        return None if name == "LicenceInvalid" else _of_dictionary(name)
    if _IN_TABLES.search(words):
        return None
    return ReportedFault("ElementReport", _SEVERITIES.get(words.partition(":")[0].strip(), Severity.INDETERMINATE))
