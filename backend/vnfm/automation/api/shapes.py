"""Automation policies and their decisions on the wire."""

from typing import Any

from rest_framework import serializers

from vnfm.automation.domain.evaluate import AutomationAction, DecisionOutcome
from vnfm.automation.domain.policy import LoadSourceKind, PolicyKind
from vnfm.automation.domain.policy_condition import PolicyCondition
from vnfm.automation.domain.policy_input import Reason
from vnfm.automation.models import AutomationDecision, AutomationPolicy
from vnfm.automation.selectors.policies import condition_of
from vnfm.kit.web.shapes import answer
from vnfm.kit.web.wire import AnswerSerializer, StrictSerializer

DAY_SECONDS = 86_400
KINDS = [kind.value for kind in PolicyKind]
SOURCES = [source.value for source in LoadSourceKind]
STATES = ["ENABLED", "PAUSED"]
OUTCOMES = [outcome.value for outcome in DecisionOutcome]
REASONS = [reason.value for reason in Reason]
ACTIONS = [action.value for action in AutomationAction]


def _seconds(**options: Any) -> serializers.IntegerField:
    return serializers.IntegerField(min_value=0, max_value=DAY_SECONDS, **options)


class HealRuleShape(StrictSerializer):
    forSeconds = _seconds(help_text="A VNFC is healed when it has been down for so long.")


class OutShape(StrictSerializer):
    above = serializers.FloatField()
    forSeconds = _seconds()


class InShape(StrictSerializer):
    below = serializers.FloatField()
    forSeconds = _seconds()


class ScaleRuleShape(StrictSerializer):
    aspectId = serializers.CharField(max_length=100)
    source = serializers.ChoiceField(  # type: ignore[assignment]  # a field named as DRF's attribute
        choices=SOURCES,
        help_text="CLOUD_ALARM: alarms of the cloud's telemetry, 1 while one is raised and else 0. "
        "ELEMENT_COUNTER: counters of the instance's network elements, of several the mean.",
    )
    metric = serializers.CharField(
        max_length=255,
        help_text="Its name at the source: for CLOUD_ALARM the name of an alarm; for ELEMENT_COUNTER cpu or memory in "
        "percent, or a counter and an interface: utilisationOut 1/1/1.",
    )
    out = OutShape(required=False, allow_null=True, help_text="One step out; null: never.")


ScaleRuleShape._declared_fields["in"] = InShape(  # noqa: SLF001 - a word of Python cannot be declared in a class
    required=False, allow_null=True, help_text="One step in; null: never."
)


class AutomationPolicyWrite(StrictSerializer):
    """Exactly one of vnfInstanceId and vnfPkgId; `heal` or `scale`, as `kind` says."""

    name = serializers.CharField(max_length=100)
    description = serializers.CharField(max_length=500, required=False, allow_blank=True)
    kind = serializers.ChoiceField(choices=KINDS)
    vnfInstanceId = serializers.UUIDField(required=False, allow_null=True)
    vnfPkgId = serializers.UUIDField(required=False, allow_null=True)
    state = serializers.ChoiceField(choices=STATES, required=False)
    dryRun = serializers.BooleanField(required=False, help_text="Record what would be done, and do nothing.")
    coolDownSeconds = _seconds(help_text="Nothing more is done to a VNFC or an aspect for so long after an action.")
    actionsPerHour = serializers.IntegerField(
        min_value=1, max_value=60, help_text="On one VNF instance. A policy that heals stops when it has reached it."
    )
    heal = HealRuleShape(required=False, allow_null=True)
    scale = ScaleRuleShape(required=False, allow_null=True)


class AutomationPolicyOut(AnswerSerializer):
    id = serializers.UUIDField()
    name = serializers.CharField()
    description = serializers.CharField()
    kind = serializers.ChoiceField(choices=KINDS)
    vnfInstanceId = serializers.UUIDField(source="instance_id", allow_null=True)
    vnfInstanceName = serializers.CharField(allow_null=True)
    vnfPkgId = serializers.UUIDField(source="package_id", allow_null=True)
    vnfProductName = serializers.CharField(allow_null=True)
    state = serializers.ChoiceField(choices=STATES)
    dryRun = serializers.BooleanField(source="dry_run")
    coolDownSeconds = serializers.IntegerField(source="cool_down_seconds")
    actionsPerHour = serializers.IntegerField(source="actions_per_hour")
    heal = HealRuleShape(allow_null=True)
    scale = ScaleRuleShape(allow_null=True)
    conditions = answer(PolicyCondition)(many=True)
    createdAt = serializers.DateTimeField(source="created_at")
    createdBy = serializers.CharField(source="created_by")
    changedAt = serializers.DateTimeField(source="changed_at")
    version = serializers.IntegerField()

    def get_vnfInstanceName(self, row: AutomationPolicy) -> str | None:
        return row.instance.name if row.instance is not None else None

    def get_vnfProductName(self, row: AutomationPolicy) -> str | None:
        return row.package.product_name if row.package is not None else None

    def get_state(self, row: AutomationPolicy) -> str:
        return "PAUSED" if row.paused else "ENABLED"

    def get_heal(self, row: AutomationPolicy) -> dict[str, Any] | None:
        return {"forSeconds": row.heal_after_seconds} if row.kind == PolicyKind.HEAL else None

    def get_scale(self, row: AutomationPolicy) -> dict[str, Any] | None:
        if row.kind != PolicyKind.SCALE:
            return None
        out = None if row.out_above is None else {"above": row.out_above, "forSeconds": row.out_after_seconds}
        back = None if row.in_below is None else {"below": row.in_below, "forSeconds": row.in_after_seconds}
        return {"aspectId": row.aspect_id, "source": row.source, "metric": row.metric, "out": out, "in": back}

    def get_conditions(self, row: AutomationPolicy) -> list[PolicyCondition]:
        return [condition_of(row)]


class AutomationEvidenceOut(serializers.Serializer[Any]):
    cause = serializers.CharField(help_text="Id of the alarm, or since when the load is beyond the threshold.")
    subject = serializers.CharField(help_text="Id of the VNFC, or of the aspect.")
    words = serializers.CharField()
    since = serializers.DateTimeField()


class AutomationDecisionOut(serializers.ModelSerializer[AutomationDecision]):
    vnfInstanceId = serializers.UUIDField(source="instance_id")
    vnfInstanceName = serializers.CharField(source="instance.name")
    outcome = serializers.ChoiceField(choices=OUTCOMES)
    reason = serializers.ChoiceField(choices=REASONS)
    seen = AutomationEvidenceOut(source="evidence", many=True)
    actionType = serializers.ChoiceField(
        source="action", choices=[*ACTIONS, ""], help_text='"" when nothing was to be done.'
    )
    request = serializers.DictField(
        allow_null=True, help_text="Of the operation that was, or would have been, started."
    )
    vnfLcmOpOccId = serializers.UUIDField(source="op_id", allow_null=True)

    class Meta:
        model = AutomationDecision
        fields = (
            "id", "at", "vnfInstanceId", "vnfInstanceName", "rule", "outcome", "reason", "message", "seen",
            "actionType", "request", "vnfLcmOpOccId",
        )  # fmt: skip
        read_only_fields = fields


_PLAIN = {
    "name": "name",
    "description": "description",
    "kind": "kind",
    "vnfInstanceId": "instance_id",
    "vnfPkgId": "package_id",
    "dryRun": "dry_run",
    "coolDownSeconds": "cool_down_seconds",
    "actionsPerHour": "actions_per_hour",
}


def values_of(body: dict[str, Any]) -> dict[str, Any]:
    """From what was sent to the model's fields; what was not sent stays out, `heal` and `scale` come whole."""
    values = {field: body[name] for name, field in _PLAIN.items() if name in body}
    if "state" in body:
        values["paused"] = body["state"] == "PAUSED"
    if "heal" in body:
        values["heal_after_seconds"] = (body["heal"] or {}).get("forSeconds")
    if "scale" in body:
        values |= _scale_values(body["scale"] or {})
    return values


def _scale_values(scale: dict[str, Any]) -> dict[str, Any]:
    out, back = scale.get("out") or {}, scale.get("in") or {}
    return {
        "aspect_id": scale.get("aspectId", ""),
        "source": scale.get("source", ""),
        "metric": scale.get("metric", ""),
        "out_above": out.get("above"),
        "out_after_seconds": out.get("forSeconds"),
        "in_below": back.get("below"),
        "in_after_seconds": back.get("forSeconds"),
    }
