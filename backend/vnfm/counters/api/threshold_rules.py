"""/api/v1/threshold_rules: alarms by counters."""

from typing import Any

from django.conf import settings
from rest_framework import serializers

from vnfm.counters.domain.counters import COUNTERS
from vnfm.counters.domain.crossing import ThresholdDirection, value_expires
from vnfm.counters.models import ThresholdRule
from vnfm.counters.selectors.threshold_rules import rule_list
from vnfm.counters.services.threshold_rules import rule_create, rule_delete, rule_update
from vnfm.elements.models import NetworkElement
from vnfm.kit import clock
from vnfm.kit.web.resource import Resource, Sentences
from vnfm.kit.web.wire import AnswerSerializer, StrictSerializer

KINDS = NetworkElement.Kind.values
COUNTER_NAMES = list(COUNTERS)
DIRECTIONS = [each.value for each in ThresholdDirection]
SEVERITIES = ThresholdRule.Severity.values
STATES = ["CROSSED", "WITHIN", "UNKNOWN"]
OBJECT = "An interface by its name; null: the element itself for cpu and memory, each interface for all other counters."
CLEAR = "The alarm clears when a value is at it or farther within; between it and the threshold it stays as it is."
EVALUATED = "The end of the last reading with a value, of any of its counters; null: there was none yet."
UNKNOWN = "UNKNOWN: none of its counters is beyond the threshold, and some have had no value of late."
UNVALUED = "Counters without a value of late; an element without any counts as one."
BEYOND = "Counters that are beyond the threshold and have no alarm, as the rule has too many already."


class ThresholdRuleWrite(StrictSerializer):
    """Exactly one of elementId, vnfInstanceId and elementKind."""

    name = serializers.CharField(max_length=100)
    elementId = serializers.UUIDField(source="element_id", required=False, allow_null=True)
    vnfInstanceId = serializers.UUIDField(
        source="instance_id", required=False, allow_null=True, help_text="All network elements of the VNF instance."
    )
    elementKind = serializers.ChoiceField(
        source="element_kind", choices=KINDS, required=False, allow_null=True, help_text="All network elements of it."
    )
    object = serializers.CharField(max_length=300, required=False, allow_null=True, help_text=OBJECT)
    counter = serializers.ChoiceField(choices=COUNTER_NAMES)
    direction = serializers.ChoiceField(choices=DIRECTIONS)
    threshold = serializers.FloatField(
        help_text="Raises the alarm. In the counter's unit: a rate a second, or percent."
    )
    clearValue = serializers.FloatField(source="clear", help_text=CLEAR)
    severity = serializers.ChoiceField(choices=SEVERITIES)


class CrossedCounterSerializer(serializers.Serializer[Any]):
    elementId = serializers.UUIDField()
    elementName = serializers.CharField()
    object = serializers.CharField()
    since = serializers.DateTimeField()
    value = serializers.FloatField(help_text="When it crossed the threshold.")
    latestValue = serializers.FloatField()
    noValueSince = serializers.DateTimeField(allow_null=True, help_text="Null while values come.")


class ThresholdRuleOut(AnswerSerializer):
    id = serializers.UUIDField()
    name = serializers.CharField()
    elementId = serializers.UUIDField(source="element_id", allow_null=True)
    elementName = serializers.CharField(allow_null=True)
    vnfInstanceId = serializers.UUIDField(source="instance_id", allow_null=True)
    vnfInstanceName = serializers.CharField(allow_null=True)
    elementKind = serializers.ChoiceField(choices=KINDS, allow_null=True)
    object = serializers.CharField(allow_null=True, help_text=OBJECT)
    counter = serializers.ChoiceField(choices=COUNTER_NAMES)
    unit = serializers.CharField()
    direction = serializers.ChoiceField(choices=DIRECTIONS)
    threshold = serializers.FloatField()
    clearValue = serializers.FloatField(source="clear", help_text=CLEAR)
    severity = serializers.ChoiceField(choices=SEVERITIES)
    state = serializers.ChoiceField(choices=STATES, help_text=UNKNOWN)
    crossedCount = serializers.IntegerField(source="crossed", help_text="Counters beyond the threshold, with an alarm.")
    crossedCounters = CrossedCounterSerializer(
        source="crossed_counters", many=True, help_text="The latest of them, 20 at most."
    )
    unrecordedCount = serializers.IntegerField(source="unrecorded", help_text=BEYOND)
    crossings = serializers.IntegerField(help_text="How often it was crossed, by any counter.")
    crossedAt = serializers.DateTimeField(source="crossed_at", allow_null=True, help_text="The last time.")
    evaluatedAt = serializers.DateTimeField(source="evaluated_at", allow_null=True, help_text=EVALUATED)
    evaluatedCounters = serializers.IntegerField(
        source="evaluated_counters", help_text="Counters that had a value at the last readings."
    )
    unvaluedCount = serializers.IntegerField(source="unvalued", help_text=UNVALUED)
    unvaluedSince = serializers.DateTimeField(
        source="unvalued_since", allow_null=True, help_text="When the first of them had its last value."
    )
    createdAt = serializers.DateTimeField(source="created_at")
    createdBy = serializers.CharField(source="created_by")
    changedAt = serializers.DateTimeField(source="changed_at")
    changedBy = serializers.CharField(source="changed_by")
    version = serializers.IntegerField()

    def get_elementName(self, row: ThresholdRule) -> str | None:
        return row.element.name if row.element is not None else None

    def get_vnfInstanceName(self, row: ThresholdRule) -> str | None:
        return row.instance.name if row.instance is not None else None

    def get_elementKind(self, row: ThresholdRule) -> str | None:
        return row.element_kind or None

    def get_object(self, row: ThresholdRule) -> str | None:
        return row.object or None

    def get_unit(self, row: ThresholdRule) -> str:
        return COUNTERS[row.counter].unit

    def get_state(self, row: Any) -> str:
        if row.crossed:
            return "CROSSED"
        expired = row.evaluated_at is None or value_expires(row.evaluated_at, settings.COUNTER_SECONDS) <= clock.now()
        return "UNKNOWN" if expired or row.unvalued else "WITHIN"


def _columns(body: dict[str, Any]) -> dict[str, Any]:
    """Null is "" in these columns."""
    return body | {name: body[name] or "" for name in ("element_kind", "object") if name in body}


RULES = Resource(
    name="threshold_rule",
    noun="threshold rule",
    key="rule_id",
    rows=rule_list,
    filters={
        "id": "id",
        "name": "name",
        "elementId": "element_id",
        "vnfInstanceId": "instance_id",
        "elementKind": "element_kind",
        "counter": "counter",
        "severity": "severity",
    },
    shape=ThresholdRuleOut,
    creates=ThresholdRuleWrite,
    changes=ThresholdRuleWrite,
    create=lambda values, user: rule_create(values=_columns(values), by=user.username, now=clock.now()),
    change=lambda rule, values, user: rule_update(
        rule=rule, changes=_columns(values), by=user.username, now=clock.now()
    ),
    delete=lambda rule, user: rule_delete(rule=rule, by=user.username, now=clock.now()),
    sentences=Sentences(
        list="All threshold rules, oldest first.",
        create="Raise an alarm while a counter is beyond a value. A reading is evaluated when it is stored.",
        view="One threshold rule.",
        change="Change name, value, clear value and severity; open alarms follow at once. Honours If-Match.",
        delete="Delete a rule; its open alarms are cleared with a note that says so. Honours If-Match.",
    ),
)
