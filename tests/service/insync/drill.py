"""One fault: struck, seen, undone, seen to be over; and how long each took."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from tests.service.insync.ours import Ours, Told
from tests.service.insync.truth import CloudStates, ElementStates

PATIENCE = 180.0
WELL = {"ACTIVE", "up", "IN_SERVICE", "UP", "ESTABLISHED"}


class Scene(Protocol):
    """Where faults are struck: what is so, and what is shown of it, of the cloud and of elements by name."""

    ours: Ours

    def truth(self) -> tuple[CloudStates, Mapping[str, ElementStates]]: ...

    def shown(self) -> tuple[CloudStates, Mapping[str, ElementStates]]: ...


@dataclass(frozen=True)
class Struck:
    expected: frozenset[Told]
    undo: Callable[[], object]
    shown: Callable[[CloudStates], CloudStates] = lambda truth: truth
    """What is to be shown of the cloud, where that is not how it is: it cannot be seen."""
    at: float | None = None
    """By the monotonic clock, when it was so, where that is later than when it was asked for."""


@dataclass(frozen=True)
class Times:
    """Seconds. To raise: from when cloud or element is at fault. To clear: from when they say that it is over."""

    raised: float
    cleared: float


def drill(scene: Scene, strike: Callable[[], Struck]) -> Times:
    """Fails when what is shown does not become what is so, or when anything was told that is not so."""
    before = set(scene.ours.alarms("merged"))
    began = time.monotonic()
    struck = strike()
    try:
        raised = _seconds_until(scene, struck.expected, struck.shown, struck.at or began)
    finally:
        struck.undo()
    _await_well(scene)
    cleared = _seconds_until(scene, frozenset(), lambda truth: truth, time.monotonic())
    told = {alarm_id: alarm for alarm_id, alarm in scene.ours.alarms("merged").items() if alarm_id not in before}
    assert _counted(told.values()) == _counted(struck.expected), "each is told once, and nothing else"
    return Times(raised, cleared)


def _counted(alarms: Iterable[Told]) -> Counter[tuple[str, str, str]]:
    return Counter((alarm.object_name, alarm.fault_type, alarm.resource) for alarm in alarms)


def _seconds_until(
    scene: Scene, expected: frozenset[Told], shown: Callable[[CloudStates], CloudStates], began: float
) -> float:
    """Until our API tells these alarms and no others, and shows all states as they are."""
    while True:
        alarms = frozenset(scene.ours.alarms().values())
        seen_at = time.monotonic()
        differences = _alarm_differences(alarms, expected) or _state_differences(scene, shown)
        if not differences:
            return seen_at - began
        if seen_at - began > PATIENCE:
            raise AssertionError(f"after {PATIENCE:.0f} s:\n" + "\n".join(differences))
        time.sleep(0.02)  # the rhythm of looking


def _alarm_differences(alarms: frozenset[Told], expected: frozenset[Told]) -> list[str]:
    missing = [f"not told: {alarm}" for alarm in sorted(expected - alarms)]
    return missing + [f"told, and not so: {alarm}" for alarm in sorted(alarms - expected)]


def _state_differences(scene: Scene, shown: Callable[[CloudStates], CloudStates]) -> list[str]:
    cloud, elements = scene.truth()
    ours, our_elements = scene.shown()
    found = _between("cloud", shown(cloud), ours)
    for name, states in elements.items():
        found += _between(name, states, our_elements[name])
    return found


def _between(name: str, truth: object, ours: object) -> list[str]:
    """Field by field."""
    found = []
    for field, so in vars(truth).items():
        is_shown = getattr(ours, field)
        if so != is_shown:
            keys = so.keys() | is_shown.keys() if isinstance(so, dict) else ()
            parts = [
                f"{key}: {so.get(key)}, shown {is_shown.get(key)}" for key in keys if so.get(key) != is_shown.get(key)
            ]
            found.append(f"{name} {field}: " + ("; ".join(parts) or f"{so}, shown {is_shown}"))
    return found


def _await_well(scene: Scene) -> None:
    deadline = time.monotonic() + PATIENCE
    while not _well(*scene.truth()):
        assert time.monotonic() < deadline, f"not undone: {scene.truth()}"
        time.sleep(0.02)  # the rhythm of looking


def _well(cloud: CloudStates, elements: Mapping[str, ElementStates]) -> bool:
    states = [*cloud.servers.values(), *cloud.ports.values(), *cloud.hosts.values()]
    for element in elements.values():
        if not element.answers:
            return False
        states += [*element.hardware.values(), *element.interfaces.values(), *element.peers.values()]
    return set(states) <= WELL
