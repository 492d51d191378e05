"""/api/v1/vnf_instances: instances with desired and observed state, conditions and enabled actions."""

from datetime import datetime
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.inventory import selectors as inventory
from vnfm.inventory.domain.conditions import conditions, in_sync
from vnfm.inventory.domain.observation import UNKNOWN
from vnfm.inventory.domain.views import VimView
from vnfm.inventory.models import Vnfc, VnfInstance
from vnfm.kit import clock
from vnfm.kit.http import etag
from vnfm.kit.query import filtered, page
from vnfm.kit.wire import list_parameters
from vnfm.lcm.api.drift import DifferenceOut
from vnfm.lcm.api.outputs import ActionOut
from vnfm.lcm.domain.sizing import mates, rosters_from_json
from vnfm.lcm.domain.states import instance_actions, operation_summary
from vnfm.lcm.selectors.instance_status import InstanceStatus, instance_status, instance_statuses

FILTERS = {
    "id": "id",
    "name": "name",
    "vnfdId": "package__vnfd_id",
    "vimId": "vim_id",
    "instantiationState": "instantiation_state",
}


class ConditionOut(serializers.Serializer[Any]):
    type = serializers.CharField()
    status = serializers.ChoiceField(choices=["True", "False", "Unknown"])
    reason = serializers.CharField(help_text="One stable word, for programs.")
    message = serializers.CharField()
    lastTransitionTime = serializers.DateTimeField(source="last_transition_time")
    observedAt = serializers.DateTimeField(source="observed_at", allow_null=True)


class PortOut(serializers.Serializer[Any]):
    id = serializers.CharField()
    cpId = serializers.CharField()
    networkId = serializers.CharField()
    macAddress = serializers.CharField()
    ipAddresses = serializers.ListField(child=serializers.CharField())
    vnicType = serializers.CharField()
    status = serializers.CharField(help_text="Neutron's status; MISSING: it no longer has it; UNKNOWN: not observed.")


class VnfcOut(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    vduId = serializers.CharField()
    slot = serializers.CharField()
    mateSlot = serializers.CharField(
        allow_blank=True, help_text="Of the one that it comes and goes with (1+1); empty where it is not one of a pair."
    )
    name = serializers.CharField()
    serverId = serializers.CharField()
    status = serializers.CharField(help_text="Nova's status; MISSING: Nova no longer has it; UNKNOWN: not observed.")
    statusSince = serializers.DateTimeField()
    lastKnownStatus = serializers.CharField(help_text="The last status observed, also while `status` is UNKNOWN.")
    desired = serializers.ChoiceField(choices=Vnfc.Desired.choices)
    fault = serializers.CharField(help_text="Nova's words when the server is in ERROR.")
    host = serializers.CharField()
    flavor = serializers.CharField()
    observedAt = serializers.DateTimeField(allow_null=True)
    ports = PortOut(many=True)


class InstanceNetworkOut(serializers.Serializer[Any]):
    id = serializers.CharField()
    vlId = serializers.CharField()
    name = serializers.CharField()
    external = serializers.BooleanField(help_text="It was there before; not made by the instance's stack.")


class ScaleOut(serializers.Serializer[Any]):
    aspectId = serializers.CharField()
    name = serializers.CharField()
    level = serializers.IntegerField()
    maxLevel = serializers.IntegerField()


class StackOut(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    status = serializers.CharField()
    statusReason = serializers.CharField()
    observedAt = serializers.DateTimeField(allow_null=True)


class InstanceSummaryOut(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    description = serializers.CharField()
    vnfdId = serializers.UUIDField()
    instantiationState = serializers.ChoiceField(choices=VnfInstance.InstantiationState.choices)
    conditions = ConditionOut(many=True)
    vnfcCount = serializers.IntegerField()
    actions = ActionOut(many=True)
    runningOpOccId = serializers.UUIDField(allow_null=True)
    vimId = serializers.UUIDField(allow_null=True)
    createdAt = serializers.DateTimeField()
    version = serializers.IntegerField()


class InstanceDetailOut(InstanceSummaryOut):
    vnfcs = VnfcOut(many=True)
    networks = InstanceNetworkOut(many=True)
    scale = ScaleOut(many=True)
    settings = serializers.DictField(help_text="Values of the VNFD's settings; hidden ones are left out.")
    drift = DifferenceOut(many=True)
    stack = StackOut(allow_null=True)


class InstanceSummaryListApi(APIView):
    @extend_schema(
        operation_id="instance_summary_list",
        parameters=list_parameters(FILTERS),
        responses=InstanceSummaryOut(many=True),
    )
    def get(self, request: Request) -> Response:
        """All instances with their conditions and enabled actions, oldest first."""
        rows, headers = page(filtered(inventory.instance_list(), request, FILTERS), request)
        now = clock.now()
        body = [_summary(item, now) for item in instance_statuses(rows)]
        return Response(InstanceSummaryOut(body, many=True).data, headers=headers)


class InstanceDetailApi(APIView):
    @extend_schema(operation_id="instance_detail", responses=InstanceDetailOut)
    def get(self, request: Request, instance_id: UUID) -> Response:
        """One instance: its desired and observed state, and the actions that are possible now."""
        item = instance_status(instance_id=instance_id)
        body = _detail(item, clock.now())
        return Response(InstanceDetailOut(body).data, headers={"ETag": etag(item.instance.version)})


def _summary(item: InstanceStatus, now: datetime) -> dict[str, Any]:
    instance, running = item.instance, item.running
    described = operation_summary(running.operation, running.state) if running is not None else None
    return {
        "id": instance.id,
        "name": instance.name,
        "description": instance.description,
        "vnfdId": instance.package.vnfd_id,
        "instantiationState": instance.instantiation_state,
        "conditions": conditions(item.view, now),
        "vnfcCount": len(item.view.vnfcs),
        "actions": instance_actions(instance.instantiation_state, described),
        "runningOpOccId": running.id if running is not None else None,
        "vimId": instance.vim_id,
        "createdAt": instance.created_at,
        "version": instance.version,
    }


def _detail(item: InstanceStatus, now: datetime) -> dict[str, Any]:
    instance = item.instance
    _, drift = in_sync(item.view, now)
    mate = mates(item.vnfd, rosters_from_json(instance.member_slots))
    return _summary(item, now) | {
        "vnfcs": [
            _vnfc(row, item.view.vim, now) | {"mateSlot": mate.get((row.vdu_id, row.slot), "")}
            for row in _by_slot(instance)
        ],
        "networks": [
            {"id": link.network_id, "vlId": link.vl_id, "name": link.name, "external": not link.created_by_stack}
            for link in instance.virtual_links.all()
        ],
        "scale": _scale(item),
        "settings": instance.settings,
        "drift": drift,
        "stack": _stack(instance),
    }


def _by_slot(instance: VnfInstance) -> list[Vnfc]:
    """Control slots (A, B) before numbered ones, those by number."""
    return sorted(instance.vnfcs.all(), key=lambda row: (row.slot.isdigit(), row.slot.zfill(20), row.name))


def _vnfc(row: Vnfc, vim: VimView | None, now: datetime) -> dict[str, Any]:
    view = inventory.vnfc_view(row)
    status, since = view.status_at(vim, now) if vim is not None else (view.status, view.status_since)
    return {
        "id": row.id,
        "vduId": row.vdu_id,
        "slot": row.slot,
        "name": row.name,
        "serverId": row.server_id,
        "status": status,
        "statusSince": since,
        "lastKnownStatus": row.status,
        "desired": row.desired,
        "fault": row.fault,
        "host": row.host,
        "flavor": row.flavor,
        "observedAt": inventory.latest(row.observed_at, vim.servers_at if vim is not None else None),
        "ports": [
            {
                "id": port.port_id,
                "cpId": port.cp_id,
                "networkId": port.network_id,
                "macAddress": port.mac_address,
                "ipAddresses": port.ip_addresses,
                "vnicType": port.vnic_type,
                "status": UNKNOWN if status == UNKNOWN else port.status,
            }
            for port in row.ports.all()
        ],
    }


def _scale(item: InstanceStatus) -> list[dict[str, Any]]:
    if item.flavour is None or item.instance.instantiation_state != VnfInstance.InstantiationState.INSTANTIATED:
        return []
    levels = item.instance.scale_levels
    return [
        {"aspectId": a.id, "name": a.name, "level": levels.get(a.id, 0), "maxLevel": a.max_scale_level}
        for a in item.flavour.aspects
    ]


def _stack(instance: VnfInstance) -> dict[str, Any] | None:
    if not instance.stack_id:
        return None
    return {
        "id": instance.stack_id,
        "name": instance.stack_name,
        "status": instance.stack_status,
        "statusReason": instance.stack_status_reason,
        "observedAt": inventory.stack_observed_at(instance),
    }
