"""Threshold rules, with what is beyond them now."""

from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Case, Count, F, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce, JSONObject, Now

from vnfm.counters.domain.counters import SYSTEM
from vnfm.counters.domain.threshold_rules import SYSTEM_COUNTERS
from vnfm.counters.models import ThresholdRule
from vnfm.elements.models import NetworkElement
from vnfm.faults.models import ThresholdCrossing
from vnfm.kit.problem import not_found

LISTED_CROSSINGS = 20
"""A rule shows as many crossings, the latest."""


def rule_list() -> QuerySet[ThresholdRule]:
    """Each with `crossed`, the number of counters beyond its threshold that have an alarm, and the latest of them."""
    rows = ThresholdCrossing.objects.filter(rule_id=OuterRef("pk")).order_by()
    count = rows.values("rule_id").annotate(number=Count("id")).values("number")
    latest = rows.order_by("-since", "-id").values(
        json=JSONObject(
            elementId="element_id",
            elementName="element__name",
            object="object",
            since="since",
            value="value",
            latestValue="latest_value",
            noValueSince=Case(When(expires_at__lte=Now(), then=F("valued_at"))),
        )
    )
    return ThresholdRule.objects.select_related("element", "instance").annotate(
        crossed=Coalesce(Subquery(count), 0), crossed_counters=ArraySubquery(latest[:LISTED_CROSSINGS])
    )


def rule_get(*, rule_id: UUID) -> ThresholdRule:
    """Return the rule as the list has it. Raises a 404 problem when there is none."""
    row = rule_list().filter(id=rule_id).first()
    if row is None:
        raise not_found("threshold rule", rule_id)
    return row


def rules_on(element: NetworkElement, name: str) -> QuerySet[ThresholdRule]:
    """The rules of an object of an element: an interface by name, or SYSTEM."""
    scope = Q(element=element) | Q(element_kind=element.kind)
    if element.vnf_instance_id is not None:
        scope |= Q(instance=element.vnf_instance_id)
    own = Q(counter__in=SYSTEM_COUNTERS)
    return ThresholdRule.objects.filter(scope, own if name == SYSTEM else ~own, object__in=("", name)).order_by(
        "created_at"
    )
