"""Serializers of the map."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from vnfm.faults.domain.fault_type import Severity
from vnfm.kit.web.shapes import answer
from vnfm.kit.web.wire import AnswerSerializer, JsonSerializer
from vnfm.topology.domain.build import SCOPES
from vnfm.topology.domain.fold import MapNode, NodeGroup
from vnfm.topology.domain.graph import LinkKind, NodeKind, State

KINDS = [kind.value for kind in NodeKind]
KINDS_LIST = f"^(({'|'.join(KINDS)})(,|$))*$"
SITE = "^(none|[0-9a-f-]{36})$"
LINK_KINDS = [kind.value for kind in LinkKind]
STATES = [state.value for state in State]
SEVERITIES = [severity.value for severity in Severity]


class ListField(serializers.Field[Any, Any, Any, Any]):
    """A query parameter with comma-separated values."""

    def to_internal_value(self, data: object) -> frozenset[str]:
        return frozenset(filter(None, str(data).split(",")))


class KindsField(ListField):
    def to_internal_value(self, data: object) -> frozenset[str]:
        kinds = super().to_internal_value(data)
        if unknown := kinds - set(KINDS):
            raise serializers.ValidationError(f"{', '.join(sorted(unknown))}: possible are {', '.join(KINDS)}.")
        return frozenset(NodeKind(kind) for kind in kinds)


class TopologyQuery(serializers.Serializer[None]):
    scope = serializers.ChoiceField(choices=SCOPES, default="all")
    site = serializers.RegexField(SITE, default="")
    instance = serializers.RegexField(r"^[0-9a-f-]{36}$", default="")  # type: ignore[assignment]  # not DRF's attribute
    kinds = KindsField(default=frozenset)
    expand = ListField(default=frozenset)


class TopologyNode(AnswerSerializer):
    id = serializers.CharField(source="node.id")
    kind = serializers.ChoiceField(source="node.kind", choices=KINDS)
    name = serializers.CharField(source="node.name")
    detail = serializers.CharField(source="node.detail")
    parentId = serializers.CharField(allow_null=True, help_text="The node of the answer that contains it.")
    objectId = serializers.CharField(allow_null=True, help_text="Its id in the rest of the API.")
    state = serializers.ChoiceField(source="node.status.state", choices=STATES)
    since = serializers.DateTimeField(
        source="node.status.since", allow_null=True, help_text="When the state last changed."
    )
    reason = serializers.CharField(source="node.status.reason", help_text="A stable word for programs.")
    message = serializers.CharField(source="node.status.message", help_text="A sentence for users.")
    alarms = serializers.IntegerField(help_text="Open alarms, those of all nodes in it included.")
    severity = serializers.ChoiceField(choices=SEVERITIES, allow_null=True, help_text="The worst.")
    group = answer(NodeGroup)(allow_null=True)

    def get_parentId(self, each: MapNode) -> str | None:
        return each.node.parent or None

    def get_objectId(self, each: MapNode) -> str | None:
        return each.node.object_id or None

    def get_severity(self, each: MapNode) -> str | None:
        return each.severity or None


class TopologyLink(AnswerSerializer):
    id = serializers.CharField(source="link.id")
    kind = serializers.ChoiceField(source="link.kind", choices=LINK_KINDS)
    source = serializers.CharField(source="link.source")  # type: ignore[assignment]  # a field named as DRF's attribute
    target = serializers.CharField(source="link.target")
    sourcePort = serializers.CharField(source="link.source_port")
    targetPort = serializers.CharField(source="link.target_port")
    state = serializers.ChoiceField(
        source="link.status.state",
        choices=STATES,
        help_text="Of a relation (placement, membership, management, chassis) UP: it exists; UNKNOWN: it last did.",
    )
    since = serializers.DateTimeField(source="link.status.since", allow_null=True)
    reason = serializers.CharField(source="link.status.reason")
    message = serializers.CharField(source="link.status.message")
    oneSided = serializers.BooleanField(
        source="link.one_sided", help_text="Only one end reports it, though both could."
    )
    detail = serializers.CharField(source="link.detail")
    utilisation = serializers.IntegerField(
        source="link.utilisation",
        allow_null=True,
        help_text="Percent of the interface's speed in its newest sample, of the busier direction and end. Of a bundle "
        "that of the busiest link. Null: unknown.",
    )
    count = serializers.IntegerField(help_text="Links of this kind that are folded into this one.")
    states = serializers.DictField(child=serializers.IntegerField())


class Topology(AnswerSerializer):
    nodes = TopologyNode(many=True)
    links = TopologyLink(many=True)
    totals = serializers.DictField(
        child=serializers.IntegerField(), help_text="Nodes by kind, before filtering and folding."
    )
    notes = serializers.ListField(child=serializers.CharField(), help_text="What could not be observed, and why.")


class PointSerializer(JsonSerializer):
    x = serializers.FloatField(min_value=-1e7, max_value=1e7)
    y = serializers.FloatField(min_value=-1e7, max_value=1e7)


@extend_schema_field(serializers.DictField(child=PointSerializer(allow_null=True)))
class PositionsField(serializers.DictField):
    child = PointSerializer(allow_null=True)


class TopologyPositions(JsonSerializer):
    positions = PositionsField(help_text="By node id; null returns a node to the layout.")
