"""The map as JSON. It may have thousands of nodes: plain dictionaries, which the serializers only describe."""

from datetime import datetime
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from vnfm.faults.domain.fault_type import Severity
from vnfm.topology.domain.build import SCOPES
from vnfm.topology.domain.fold import MapLink, MapNode, TopologyMap
from vnfm.topology.domain.graph import LinkKind, NodeKind, State, Status

KINDS = [kind.value for kind in NodeKind]
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
    site = serializers.RegexField(r"^(none|[0-9a-f-]{36})$", default="")
    instance = serializers.RegexField(r"^[0-9a-f-]{36}$", default="")  # type: ignore[assignment]  # not DRF's attribute
    kinds = KindsField(default=frozenset)
    expand = ListField(default=frozenset)


class TopologyGroup(serializers.Serializer[Any]):
    open = serializers.BooleanField(help_text="Its members are nodes of the answer; else they are folded into it.")
    members = serializers.DictField(child=serializers.IntegerField(), help_text="By kind, at any depth.")
    states = serializers.DictField(child=serializers.IntegerField(), help_text="Elements, VMs and hosts by state.")
    links = serializers.DictField(child=serializers.IntegerField(), help_text="Links that carry traffic, by state.")


class TopologyNode(serializers.Serializer[Any]):
    id = serializers.CharField()
    kind = serializers.ChoiceField(choices=KINDS)
    name = serializers.CharField()
    detail = serializers.CharField()
    parentId = serializers.CharField(allow_null=True, help_text="The node of the answer that contains it.")
    objectId = serializers.CharField(allow_null=True, help_text="Its id in the rest of the API.")
    state = serializers.ChoiceField(choices=STATES)
    since = serializers.DateTimeField(allow_null=True, help_text="When the state last changed.")
    reason = serializers.CharField(help_text="A stable word for programs.")
    message = serializers.CharField(help_text="A sentence for users.")
    alarms = serializers.IntegerField(help_text="Open alarms, those of all nodes in it included.")
    severity = serializers.ChoiceField(choices=SEVERITIES, allow_null=True, help_text="The worst.")
    group = TopologyGroup(allow_null=True)


class TopologyLink(serializers.Serializer[Any]):
    id = serializers.CharField()
    kind = serializers.ChoiceField(choices=LINK_KINDS)
    source = serializers.CharField()  # type: ignore[assignment]  # a field named as DRF's attribute
    target = serializers.CharField()
    sourcePort = serializers.CharField()
    targetPort = serializers.CharField()
    state = serializers.ChoiceField(
        choices=STATES,
        help_text="Of a relation (placement, membership, management, chassis) UP: it exists; UNKNOWN: it last did.",
    )
    since = serializers.DateTimeField(allow_null=True)
    reason = serializers.CharField()
    message = serializers.CharField()
    oneSided = serializers.BooleanField(help_text="Only one end reports it, though both could.")
    detail = serializers.CharField()
    count = serializers.IntegerField(help_text="Links of this kind that are folded into this one.")
    states = serializers.DictField(child=serializers.IntegerField())


class Topology(serializers.Serializer[Any]):
    nodes = TopologyNode(many=True)
    links = TopologyLink(many=True)
    totals = serializers.DictField(
        child=serializers.IntegerField(), help_text="Nodes by kind, before filtering and folding."
    )
    notes = serializers.ListField(child=serializers.CharField(), help_text="What could not be observed, and why.")


class PointSerializer(serializers.Serializer[None]):
    x = serializers.FloatField(min_value=-1e7, max_value=1e7)
    y = serializers.FloatField(min_value=-1e7, max_value=1e7)


@extend_schema_field(serializers.DictField(child=PointSerializer(allow_null=True)))
class PositionsField(serializers.DictField):
    child = PointSerializer(allow_null=True)


class TopologyPositions(serializers.Serializer[Any]):
    positions = PositionsField(help_text="By node id; null returns a node to the layout.")


def map_json(found: TopologyMap) -> dict[str, Any]:
    return {
        "nodes": [_node(node) for node in found.nodes],
        "links": [_link(link) for link in found.links],
        "totals": found.totals,
        "notes": list(found.notes),
    }


def _status(status: Status) -> dict[str, Any]:
    return {
        "state": status.state.value,
        "since": _time(status.since),
        "reason": status.reason,
        "message": status.message,
    }


def _time(at: datetime | None) -> str | None:
    return at.isoformat().replace("+00:00", "Z") if at is not None else None


def _node(each: MapNode) -> dict[str, Any]:
    node, group = each.node, each.group
    return {
        "id": node.id,
        "kind": node.kind.value,
        "name": node.name,
        "detail": node.detail,
        "parentId": node.parent or None,
        "objectId": node.object_id or None,
        **_status(node.status),
        "alarms": each.alarms,
        "severity": each.severity or None,
        "group": group and {"open": group.open, "members": group.members, "states": group.states, "links": group.links},
    }


def _link(each: MapLink) -> dict[str, Any]:
    link = each.link
    return {
        "id": link.id,
        "kind": link.kind.value,
        "source": link.source,
        "target": link.target,
        "sourcePort": link.source_port,
        "targetPort": link.target_port,
        **_status(link.status),
        "oneSided": link.one_sided,
        "detail": link.detail,
        "count": each.count,
        "states": each.states,
    }
