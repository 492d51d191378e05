"""Inject one fault, wait for its alarms, undo it, wait until they clear; measure both times."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from tests.service.insync.api_client import AlarmSummary, ApiClient
from tests.service.insync.truth import CloudStates, ElementStates

TIMEOUT = 180.0
WELL = {"ACTIVE", "up", "IN_SERVICE", "UP", "ESTABLISHED"}


class SyncTestbed(Protocol):
    """Faults are injected here: the actual and the displayed states, of the cloud and of elements by name."""

    api: ApiClient

    def actual(self) -> tuple[CloudStates, Mapping[str, ElementStates]]: ...

    def displayed(self) -> tuple[CloudStates, Mapping[str, ElementStates]]: ...


@dataclass(frozen=True)
class Injection:
    expected: frozenset[AlarmSummary]
    undo: Callable[[], object]
    displayed: Callable[[CloudStates], CloudStates] = lambda truth: truth
    """The expected displayed state of the cloud, where it differs from the actual one, which is not observable."""
    at: float | None = None
    """When the fault started, by the monotonic clock, where that is later than its injection."""


@dataclass(frozen=True)
class Times:
    """Seconds. To raise: from the fault of cloud or element. To clear: from its end as they report it."""

    raised: float
    cleared: float


def drill(testbed: SyncTestbed, inject: Callable[[], Injection]) -> Times:
    """Fails when the displayed state does not follow the actual one, or when there was any other alarm."""
    before = set(testbed.api.alarms("merged"))
    started = time.monotonic()
    injection = inject()
    try:
        raised = _seconds_until(testbed, injection.expected, injection.displayed, injection.at or started)
    finally:
        injection.undo()
    _await_well(testbed)
    cleared = _seconds_until(testbed, frozenset(), lambda truth: truth, time.monotonic())
    alarms = {alarm_id: alarm for alarm_id, alarm in testbed.api.alarms("merged").items() if alarm_id not in before}
    assert _counted(alarms.values()) == _counted(injection.expected), "each alarm once, and no others"
    return Times(raised, cleared)


def _counted(alarms: Iterable[AlarmSummary]) -> Counter[tuple[str, str, str]]:
    return Counter((alarm.object_name, alarm.fault_type, alarm.resource) for alarm in alarms)


def _seconds_until(
    testbed: SyncTestbed,
    expected: frozenset[AlarmSummary],
    displayed: Callable[[CloudStates], CloudStates],
    started: float,
) -> float:
    """Until our API has exactly these alarms, and displays all actual states."""
    while True:
        alarms = frozenset(testbed.api.alarms().values())
        polled_at = time.monotonic()
        differences = _alarm_differences(alarms, expected) or _state_differences(testbed, displayed)
        if not differences:
            return polled_at - started
        if polled_at - started > TIMEOUT:
            raise AssertionError(f"after {TIMEOUT:.0f} s:\n" + "\n".join(differences))
        time.sleep(0.02)  # between two polls


def _alarm_differences(alarms: frozenset[AlarmSummary], expected: frozenset[AlarmSummary]) -> list[str]:
    missing = [f"missing: {alarm}" for alarm in sorted(expected - alarms)]
    return missing + [f"not expected: {alarm}" for alarm in sorted(alarms - expected)]


def _state_differences(testbed: SyncTestbed, to_displayed: Callable[[CloudStates], CloudStates]) -> list[str]:
    """`to_displayed` gives the states of the cloud as the VNFM has to display them."""
    actual_cloud, actual_elements = testbed.actual()
    displayed_cloud, displayed_elements = testbed.displayed()
    found = _differences("cloud", to_displayed(actual_cloud), displayed_cloud)
    for name, states in actual_elements.items():
        found += _differences(name, states, displayed_elements[name])
    return found


def _differences(name: str, expected: object, displayed: object) -> list[str]:
    """One line for each field."""
    found = []
    for field, value in vars(expected).items():
        shown = getattr(displayed, field)
        if value != shown:
            keys = value.keys() | shown.keys() if isinstance(value, dict) else ()
            parts = [
                f"{key}: {value.get(key)}, displayed {shown.get(key)}"
                for key in keys
                if value.get(key) != shown.get(key)
            ]
            found.append(f"{name} {field}: " + ("; ".join(parts) or f"{value}, displayed {shown}"))
    return found


def _await_well(testbed: SyncTestbed) -> None:
    deadline = time.monotonic() + TIMEOUT
    while not _well(*testbed.actual()):
        assert time.monotonic() < deadline, f"not undone: {testbed.actual()}"
        time.sleep(0.02)  # between two polls


def _well(cloud: CloudStates, elements: Mapping[str, ElementStates]) -> bool:
    states = [*cloud.servers.values(), *cloud.ports.values(), *cloud.hosts.values()]
    for element in elements.values():
        if not element.answers:
            return False
        states += [*element.hardware.values(), *element.interfaces.values(), *element.peers.values()]
    return set(states) <= WELL
