"""Finds the threshold rules of a counted object. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from vnfm.counters.domain.counters import SYSTEM
from vnfm.counters.domain.crossing import ThresholdLimits, value_expires

Spot = tuple[UUID, str]
"""An element, and the name of its object."""

SYSTEM_COUNTERS = frozenset({"cpu", "memory"})
"""Counters of the element itself; all others are of interfaces."""
MAX_RULES = 200
MAX_KIND_RULES = 20
"""Rules of all elements of a kind: each is evaluated for all their ports."""
MAX_CROSSINGS = 1000
"""One rule may have as many alarms at a time: a limit that is wrong for all ports would bury all other alarms."""


@dataclass(frozen=True, slots=True)
class AppliedRule:
    """A threshold rule. It has one of `element_id`, `instance_id` and `kind`."""

    id: UUID
    version: int
    name: str
    severity: str
    counter: str
    object: str
    """An interface; "": the element itself, or each of its interfaces."""
    limits: ThresholdLimits
    element_id: UUID | None
    instance_id: UUID | None
    kind: str


@dataclass(frozen=True, slots=True)
class ElementScope:
    """The properties by which rules find an element."""

    kind: str
    instance_id: UUID | None


def covers(rule: AppliedRule, element_id: UUID, element: ElementScope) -> bool:
    """Return whether the rule holds for the element."""
    if rule.element_id is not None:
        return rule.element_id == element_id
    return rule.instance_id == element.instance_id if rule.instance_id is not None else rule.kind == element.kind


def counter_label(name: str, counter: str) -> str:
    """An object and its counter, for people."""
    return counter if name == SYSTEM else f"{name} {counter}"


@dataclass(frozen=True, slots=True)
class UnvaluedCounters:
    """`since`: when the first of them had its last value."""

    number: int = 0
    since: datetime | None = None


def unvalued_counters(
    valued: Mapping[Spot, datetime], elements: Mapping[UUID, datetime], interval: float, now: datetime
) -> UnvaluedCounters | None:
    """Return the counters of a rule that have had no value of late; None while that is not known yet.

    `valued`: when each counter had its last value; one that never had any does not exist. `elements`: the elements that
    are read, with since when values of them were waited for; one without any value counts as one counter.
    """
    known = {element_id for element_id, _ in valued}
    waiting = [since for element_id, since in elements.items() if element_id not in known]
    silent = [since for since in waiting if value_expires(since, interval) <= now]
    if len(silent) < len(waiting):
        return None
    old = (at for (element_id, _), at in valued.items() if element_id in elements)
    ends = [*silent, *(at for at in old if value_expires(at, interval) <= now)]
    return UnvaluedCounters(len(ends), min(ends, default=None))


class RuleIndex:
    """The rules of counted objects, each found once."""

    def __init__(self, rules: Iterable[AppliedRule], elements: Mapping[UUID, ElementScope]) -> None:
        self.rules = {rule.id: rule for rule in rules}
        self.elements = elements
        self._of_element: dict[UUID, list[AppliedRule]] = defaultdict(list)
        self._of_instance: dict[UUID | None, list[AppliedRule]] = defaultdict(list)
        self._of_kind: dict[str, list[AppliedRule]] = defaultdict(list)
        for rule in self.rules.values():
            if rule.element_id is not None:
                self._of_element[rule.element_id].append(rule)
            elif rule.instance_id is not None:
                self._of_instance[rule.instance_id].append(rule)
            else:
                self._of_kind[rule.kind].append(rule)
        self._found: dict[Spot, tuple[AppliedRule, ...]] = {}
        self._covered: dict[UUID, frozenset[UUID]] = {}

    def elements_of(self, rule: AppliedRule) -> frozenset[UUID]:
        """The elements that the rule is of."""
        if rule.id not in self._covered:
            found = (each for each, element in self.elements.items() if covers(rule, each, element))
            self._covered[rule.id] = frozenset(found)
        return self._covered[rule.id]

    def rules_of(self, element_id: UUID, name: str) -> tuple[AppliedRule, ...]:
        """Return the rules of an object, by its name in history; an element that is not known has none."""
        key = element_id, name
        if key not in self._found:
            self._found[key] = tuple(self._search(element_id, name))
        return self._found[key]

    def _search(self, element_id: UUID, name: str) -> Iterable[AppliedRule]:
        element = self.elements.get(element_id)
        if element is None:
            return
        of_instance = self._of_instance[element.instance_id] if element.instance_id is not None else []
        for rule in (*self._of_element[element_id], *of_instance, *self._of_kind[element.kind]):
            if (rule.counter in SYSTEM_COUNTERS) == (name == SYSTEM) and rule.object in ("", name):
                yield rule
