"""Evaluates threshold rules by the readings that the collector has just stored: no number is read again.

One process at a time does it: the collector's. Which counters are beyond a threshold is in the database, so a restart
loses no hysteresis; what a lost pass has missed the next reading decides.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import F, QuerySet

from vnfm.counters.domain.counters import COUNTERS, SYSTEM, counter_value, object_names
from vnfm.counters.domain.crossing import ThresholdDirection, value_expires
from vnfm.counters.domain.threshold_rules import (
    MAX_CROSSINGS,
    AppliedRule,
    ElementScope,
    RuleIndex,
    Spot,
    counter_label,
    covers,
    unvalued_counters,
)
from vnfm.counters.models import ThresholdRule
from vnfm.counters.services.threshold_rules import CROSSED_TOPIC
from vnfm.elements.selectors import element_list, interface_names
from vnfm.faults.models import ThresholdCrossing
from vnfm.faults.services.crossings import crossings_record, crossings_withdraw
from vnfm.history import counters
from vnfm.kit import clock
from vnfm.kit.durable import outbox

RELOAD_SECONDS = 10.0
_STATISTICS = ("evaluated_at", "evaluated_counters", "unrecorded", "unvalued", "unvalued_since")
"""Columns of a rule that are about its counters."""

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class _Changes:
    """The changes of one pass."""

    raised: dict[tuple[UUID, Spot], ThresholdCrossing] = field(default_factory=dict)
    """New crossings by rule and spot."""
    cleared: dict[int, UUID] = field(default_factory=dict)
    """Crossing → rule."""
    valued: dict[int, ThresholdCrossing] = field(default_factory=dict)
    returned: set[UUID] = field(default_factory=set)
    """Elements with a value again where there was none."""
    crossings: Counter[UUID] = field(default_factory=Counter)
    """The number of crossings of each rule, also by values that are within again."""


class ThresholdEvaluator:
    """`interval`: seconds between two readings of an element; `reload_seconds`: between two readings of the rules."""

    def __init__(
        self, *, interval: float, reload_seconds: float = RELOAD_SECONDS, max_crossings: int = MAX_CROSSINGS
    ) -> None:
        self._interval, self._reload_seconds, self._max_crossings = interval, reload_seconds, max_crossings
        self._index = RuleIndex((), {})
        self._crossings: dict[tuple[UUID, Spot], ThresholdCrossing] = {}
        self._count: Counter[UUID] = Counter()
        self._unrecorded: dict[UUID, set[Spot]] = defaultdict(set)
        self._valued: dict[UUID, dict[Spot, datetime]] = defaultdict(dict)
        self._read_since: dict[UUID, datetime] = {}
        """Elements that are read → since when their values are waited for."""
        self._reread: set[UUID] = set()
        """Rules whose crossings in the database may be others than `_crossings`."""
        self._reread_all = True
        self._reload_at = float("-inf")

    def evaluate(self, rows: Sequence[counters.ElementSample]) -> None:
        """Evaluate rows of history, in the order of time, and store what changed. Raises no error."""
        try:
            rules: list[ThresholdRule] = []
            if time.monotonic() >= self._reload_at:
                rules = self._reload(clock.now())
                self._reload_at = time.monotonic() + self._reload_seconds
            if self._index.rules and rows:
                self._save(self._changes(rows))
            if rules:  # after the rows, which are the latest values
                self._store_statistics(rules, clock.now())
        except Exception:  # an error here must not end the reading of counters
            self._reload_at, self._reread_all = float("-inf"), True
            log.exception("counters.thresholds_not_evaluated", rows=len(rows))

    def _changes(self, rows: Sequence[counters.ElementSample]) -> _Changes:
        changes = _Changes()
        for element_id, name, at, seconds, values in sorted(rows, key=lambda row: row[2]):
            for rule in self._index.rules_of(element_id, name):
                value = counter_value(COUNTERS[rule.counter], values, seconds)
                if value is not None:
                    self._evaluate(rule, (element_id, name), at + timedelta(seconds=seconds), value, changes)
        return changes

    def _evaluate(self, rule: AppliedRule, spot: Spot, at: datetime, value: float, changes: _Changes) -> None:
        self._valued[rule.id][spot] = at
        key, unrecorded = (rule.id, spot), self._unrecorded[rule.id]
        known = self._crossings.get(key)
        beyond = rule.limits.beyond(known is not None or spot in unrecorded, value)
        if known is not None and beyond:
            if known.expires_at <= at:
                changes.returned.add(known.element_id)
            known.latest_value, known.valued_at = value, at
            known.expires_at = value_expires(at, self._interval)
            if known.pk is not None:
                changes.valued[known.pk] = known
        elif known is not None:
            del self._crossings[key]
            self._count[rule.id] -= 1
            changes.raised.pop(key, None)
            if known.pk is not None:
                changes.cleared[known.pk] = rule.id
                changes.valued.pop(known.pk, None)
        elif beyond and self._count[rule.id] < self._max_crossings:
            unrecorded.discard(spot)
            self._count[rule.id] += 1
            changes.crossings[rule.id] += 1
            changes.raised[key] = self._crossings[key] = self._crossing(rule, spot, at, value)
        elif beyond:
            unrecorded.add(spot)
        else:
            unrecorded.discard(spot)

    def _crossing(self, rule: AppliedRule, spot: Spot, at: datetime, value: float) -> ThresholdCrossing:
        return ThresholdCrossing(
            rule_id=rule.id,
            rule_name=rule.name,
            element_id=spot[0],
            object=spot[1],
            label=counter_label(spot[1], rule.counter),
            counter=rule.counter,
            unit=COUNTERS[rule.counter].unit,
            below=rule.limits.direction is ThresholdDirection.BELOW,
            threshold=rule.limits.threshold,
            clear=rule.limits.clear,
            severity=rule.severity,
            since=at,
            value=value,
            latest_value=value,
            valued_at=at,
            expires_at=value_expires(at, self._interval),
        )

    def _save(self, changes: _Changes) -> None:
        """A rule that was changed or deleted since it was loaded changes nothing: its next reading decides."""
        rules = {*changes.crossings, *changes.cleared.values()}
        with transaction.atomic():
            locked = ThresholdRule.objects.select_for_update(no_key=True).filter(id__in=rules).order_by("id")
            current = {row.id for row in (locked if rules else ()) if row.version == self._index.rules[row.id].version}
            crossings_record(
                raised=[row for (rule_id, _), row in changes.raised.items() if rule_id in current],
                cleared=[crossing for crossing, rule_id in changes.cleared.items() if rule_id in current],
                valued=list(changes.valued.values()),
                returned=changes.returned,
            )
            for rule_id in current:
                number = changes.crossings[rule_id]
                crossed = {"crossings": F("crossings") + number, "crossed_at": clock.now()} if number else {}
                if crossed:
                    ThresholdRule.objects.filter(id=rule_id).update(**crossed)
                outbox.publish(CROSSED_TOPIC, rule_id, self._index.rules[rule_id].version)
        if rules:
            self._reread |= rules  # for the keys of the new rows
            self._reload_at = float("-inf")

    def _reload(self, now: datetime) -> list[ThresholdRule]:
        """Read and return the rules, and read what is beyond those that changed."""
        rules = list(ThresholdRule.objects.all())
        columns = ("id", "kind", "vnf_instance_id", "state")
        rows = list(element_list().values_list(*columns)) if rules or self._crossings else []
        elements = {element_id: ElementScope(kind, instance_id) for element_id, kind, instance_id, _ in rows}
        read = {element_id for element_id, _, _, state in rows if state == "MANAGED"}
        self._read_since = {element_id: self._read_since.get(element_id, now) for element_id in read}
        applied = {row.id: _applied(row) for row in rules}
        if applied != self._index.rules or elements != self._index.elements:
            self._reread |= {rule_id for rule_id, rule in applied.items() if self._index.rules.get(rule_id) != rule}
            self._index = RuleIndex(applied.values(), elements)
        for spots in (self._unrecorded, self._valued):
            for rule_id in spots.keys() - applied.keys():
                del spots[rule_id]
        self._read_crossings(elements, now)
        self._forget_removed(now)
        return rules

    def _read_crossings(self, elements: Mapping[UUID, ElementScope], now: datetime) -> None:
        """Read crossings of rules that changed; all at the start, and after an error. Nothing else changes them."""
        rows = ThresholdCrossing.objects.all() if self._reread_all else self._crossings_of(self._reread)
        known = list(rows)
        self._crossings = {
            **{
                key: row
                for key, row in self._crossings.items()
                if not self._reread_all and row.rule_id not in self._reread and row.element_id in elements
            },
            **{(row.rule_id, (row.element_id, row.object)): row for row in known},
        }
        self._reread, self._reread_all = set(), False
        self._withdraw_uncovered(now)
        self._count = Counter(rule_id for rule_id, _ in self._crossings)

    @staticmethod
    def _crossings_of(rules: Collection[UUID]) -> QuerySet[ThresholdCrossing]:
        rows = ThresholdCrossing.objects
        return rows.filter(rule_id__in=rules) if rules else rows.none()

    def _withdraw_uncovered(self, now: datetime) -> None:
        """The rule was deleted with its VNF instance, or the element belongs to another one now."""
        for row in list(self._crossings.values()):
            rule, element = self._index.rules.get(row.rule_id), self._index.elements.get(row.element_id)
            if rule is None or (element is not None and not covers(rule, row.element_id, element)):
                words = f"The threshold rule “{row.rule_name}” is no longer of this element."
                crossings_withdraw(rows=ThresholdCrossing.objects.filter(id=row.id), reason=words, by="", now=now)
                del self._crossings[row.rule_id, (row.element_id, row.object)]

    def _forget_removed(self, now: datetime) -> None:
        """Interfaces that their element no longer has, of elements whose others have values."""
        spots = {spot: at for valued in self._valued.values() for spot, at in valued.items()}
        old = {spot for spot, at in spots.items() if spot[1] != SYSTEM and value_expires(at, self._interval) <= now}
        answering = {element_id for element_id, _ in spots.keys() - old}
        names = interface_names({element_id for element_id, _ in old} & answering) if old else {}
        present = {element_id: {*object_names(each).values()} for element_id, each in names.items()}
        for element_id, name in old:
            if element_id in answering and name not in present.get(element_id, ()):
                for valued in self._valued.values():
                    valued.pop((element_id, name), None)

    def _store_statistics(self, rules: Sequence[ThresholdRule], now: datetime) -> None:
        changed = []
        for rule in rules:
            before = [getattr(rule, name) for name in _STATISTICS]
            if valued := self._valued.get(rule.id, {}):
                fresh = [at for at in valued.values() if value_expires(at, self._interval) > now]
                rule.evaluated_at, rule.evaluated_counters = max(valued.values()), len(fresh)
                rule.unrecorded = len(self._unrecorded[rule.id])
            covered = self._index.elements_of(self._index.rules[rule.id]) & self._read_since.keys()
            elements = {element_id: self._read_since[element_id] for element_id in covered}
            if unvalued := unvalued_counters(valued, elements, self._interval, now):
                rule.unvalued, rule.unvalued_since = unvalued.number, unvalued.since
            if before != [getattr(rule, name) for name in _STATISTICS]:
                changed.append(rule)
        ThresholdRule.objects.bulk_update(changed, _STATISTICS)


def _applied(row: ThresholdRule) -> AppliedRule:
    return AppliedRule(
        id=row.id,
        version=row.version,
        name=row.name,
        severity=row.severity,
        counter=row.counter,
        object=row.object,
        limits=row.limits,
        element_id=row.element_id,
        instance_id=row.instance_id,
        kind=row.element_kind,
    )
