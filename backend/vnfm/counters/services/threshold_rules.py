"""Threshold rules: create, change, delete."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.db import IntegrityError, transaction

from vnfm.counters.domain.counters import SYSTEM, object_names
from vnfm.counters.domain.threshold_rules import MAX_KIND_RULES, MAX_RULES, SYSTEM_COUNTERS
from vnfm.counters.models import ThresholdRule
from vnfm.counters.selectors.threshold_rules import rule_get
from vnfm.elements.selectors import element_names, interface_names
from vnfm.elements.services.versioned_rows import elements_touch
from vnfm.faults.models import ThresholdCrossing
from vnfm.faults.services.crossings import crossings_withdraw
from vnfm.inventory.selectors import instance_names
from vnfm.kit.durable import outbox
from vnfm.kit.problem import FieldError, Problem, ProblemError, conflict, unprocessable

TOPIC = "threshold_rule.changed"
CROSSED_TOPIC = "threshold_rule.crossed"

_FIXED = {
    "element_id": "/elementId",
    "instance_id": "/vnfInstanceId",
    "element_kind": "/elementKind",
    "counter": "/counter",
    "object": "/object",
    "direction": "/direction",
}


@transaction.atomic
def rule_create(*, values: Mapping[str, Any], by: str, now: datetime) -> ThresholdRule:
    """`values` by field of the model. The next reading of each counter is evaluated.

    Raises 409 for a taken name and where there are too many rules, and 422 at the field for what cannot be evaluated.
    """
    rule = ThresholdRule(id=uuid4(), created_by=by, changed_by=by, changed_at=now, **values)
    _require_room(rule)
    _require_scope(rule)
    _require_limits(rule)
    _save(rule)
    outbox.publish(TOPIC, rule.id, rule.version)
    return rule_get(rule_id=rule.id)


@transaction.atomic
def rule_update(*, rule: ThresholdRule, changes: Mapping[str, Any], by: str, now: datetime) -> ThresholdRule:
    """Change a rule; its scope, counter and direction stay. Open alarms follow at once, by their last values.

    Raises as `rule_create`, and 409 when another change came first.
    """
    fixed = [
        FieldError(path, "A rule keeps it; make another rule.")
        for name, path in _FIXED.items()
        if name in changes and changes[name] != getattr(rule, name)
    ]
    if fixed:
        raise unprocessable("FIXED", "This cannot be changed.", fixed, "Delete the rule and make another.")
    known = ThresholdRule.objects.select_for_update(no_key=True).filter(id=rule.id, version=rule.version).first()
    if known is None:
        raise conflict("STALE", "The threshold rule was changed by someone else.", "Reload it and repeat your change.")
    limits = known.limits
    for name, value in changes.items():
        setattr(known, name, value)
    if known.limits != limits:
        known.evaluated_at = None
    known.version, known.changed_at, known.changed_by = known.version + 1, now, by
    _require_limits(known)
    _save(known)
    _follow(known, by, now)
    outbox.publish(TOPIC, known.id, known.version)
    return rule_get(rule_id=known.id)


@transaction.atomic
def rule_delete(*, rule: ThresholdRule, by: str, now: datetime) -> None:
    """Its open alarms are cleared, with a note that says why."""
    ThresholdRule.objects.select_for_update().filter(id=rule.id).first()
    rows = ThresholdCrossing.objects.filter(rule_id=rule.id)
    crossings_withdraw(rows=rows, reason=f"The threshold rule “{rule.name}” was deleted.", by=by, now=now)
    ThresholdRule.objects.filter(id=rule.id).delete()
    outbox.publish(TOPIC, rule.id, rule.version + 1)


def _follow(rule: ThresholdRule, by: str, now: datetime) -> None:
    """Withdraw the crossings whose present value is within the new limits; the others get the new limits.

    A value between both limits, or an old one, says nothing: the alarm stays.
    """
    rows = list(ThresholdCrossing.objects.filter(rule_id=rule.id))
    within = [row.id for row in rows if row.expires_at > now and not rule.limits.beyond(True, row.latest_value)]
    words = f"The threshold rule “{rule.name}” was changed: the last value is within its new limits."
    crossings_withdraw(rows=ThresholdCrossing.objects.filter(id__in=within), reason=words, by=by, now=now)
    left = {row.id: row.element_id for row in rows if row.id not in set(within)}
    if left:
        elements_touch(set(left.values()))
        ThresholdCrossing.objects.filter(id__in=left).update(
            rule_name=rule.name, threshold=rule.threshold, clear=rule.clear, severity=rule.severity
        )


def _require_room(rule: ThresholdRule) -> None:
    rules = ThresholdRule.objects.all()
    if rules.count() >= MAX_RULES:
        raise conflict("TOO_MANY_RULES", f"There are {MAX_RULES} threshold rules already.", "Delete one first.")
    if rule.element_kind and rules.exclude(element_kind="").count() >= MAX_KIND_RULES:
        words = f"There are {MAX_KIND_RULES} threshold rules of all elements of a kind already."
        raise conflict("TOO_MANY_RULES", words, "Delete one of them, or name an element or a VNF instance.")


def _require_scope(rule: ThresholdRule) -> None:
    if sum((rule.element_id is not None, rule.instance_id is not None, bool(rule.element_kind))) != 1:
        words = "Name exactly one of elementId, vnfInstanceId and elementKind."
        raise unprocessable("SCOPE_NEEDED", words, [FieldError("/elementId", words)], "Name one.")
    if rule.element_id is not None and not element_names([rule.element_id]):
        raise _missing("/elementId", f"There is no network element {rule.element_id}.")
    if rule.instance_id is not None and not instance_names([rule.instance_id]):
        raise _missing("/vnfInstanceId", f"There is no VNF instance {rule.instance_id}.")
    if rule.object and rule.counter in SYSTEM_COUNTERS:
        raise _missing("/object", f"{rule.counter} is of the element itself: leave the object out.")
    if rule.object == SYSTEM:
        raise _missing("/object", f"{rule.counter} is counted of interfaces: name one, or none for all of them.")
    if rule.object and rule.element_id is not None and rule.object not in _interfaces(rule.element_id):
        raise _missing("/object", f"The element has no interface {rule.object}.")


def _interfaces(element_id: UUID) -> set[str]:
    return set(object_names(interface_names([element_id]).get(element_id, {})).values())


def _missing(field: str, words: str) -> ProblemError:
    return unprocessable("NOTHING_TO_EVALUATE", words, [FieldError(field, words)], "Correct it.")


def _require_limits(rule: ThresholdRule) -> None:
    if not rule.limits.ordered:
        side = "above" if rule.direction == "ABOVE" else "below"
        words = f"The clear value must not be {side} the threshold: the alarm would clear before it is raised."
        raise unprocessable("CLEAR_VALUE_BEYOND", words, [FieldError("/clearValue", words)], "Correct one of them.")


def _save(rule: ThresholdRule) -> None:
    try:
        with transaction.atomic():
            rule.save(force_insert=rule._state.adding)  # noqa: SLF001 - Django documents it
    except IntegrityError as error:
        words = f"There is already a threshold rule named {rule.name}."
        errors = (FieldError("/name", words),)
        raise ProblemError(
            Problem(409, "NAME_TAKEN", "Conflict", words, "Choose another name.", errors=errors)
        ) from error
