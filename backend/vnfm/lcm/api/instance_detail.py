"""/api/v1/vnf_instances: instances with desired and observed state, conditions and enabled actions."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.inventory import selectors as inventory
from vnfm.inventory.domain.conditions import InstanceCondition, conditions, in_sync
from vnfm.inventory.domain.drift import Difference
from vnfm.inventory.domain.observation import UNKNOWN
from vnfm.inventory.domain.views import VimView
from vnfm.inventory.models import Vnfc, VnfcPort, VnfInstance, VnfVirtualLink
from vnfm.kit import clock
from vnfm.kit.etsi.query import filtered, page
from vnfm.kit.web.http import etag
from vnfm.kit.web.wire import AnswerSerializer, list_parameters
from vnfm.lcm.api.drift import DifferenceOut
from vnfm.lcm.api.outputs import ActionOut
from vnfm.lcm.domain.sizing import mates, pair_roles, rosters_from_json
from vnfm.lcm.domain.states import Action, instance_actions, operation_summary
from vnfm.lcm.domain.vnfc_names import slot_name
from vnfm.lcm.selectors.instance_status import (
    InstanceStatus,
    instance_status,
    instance_statuses,
    management_addresses,
)

FILTERS = {
    "id": "id",
    "name": "name",
    "vnfdId": "package__vnfd_id",
    "vimId": "vim_id",
    "instantiationState": "instantiation_state",
}


class ConditionOut(AnswerSerializer):
    type = serializers.CharField()
    status = serializers.ChoiceField(choices=["True", "False", "Unknown"])
    reason = serializers.CharField(help_text="One stable word, for programs.")
    message = serializers.CharField()
    lastTransitionTime = serializers.DateTimeField(source="last_transition_time")
    observedAt = serializers.DateTimeField(source="observed_at", allow_null=True)


class _Port(NamedTuple):
    row: VnfcPort
    status: str


class PortOut(AnswerSerializer):
    id = serializers.CharField(source="row.port_id")
    cpId = serializers.CharField(source="row.cp_id")
    networkId = serializers.CharField(source="row.network_id")
    macAddress = serializers.CharField(source="row.mac_address")
    ipAddresses = serializers.ListField(source="row.ip_addresses", child=serializers.CharField())
    vnicType = serializers.CharField(source="row.vnic_type")
    status = serializers.CharField(help_text="Neutron's status; MISSING: it no longer has it; UNKNOWN: not observed.")


class _Vnfc(NamedTuple):
    """A VNFC as it is known now."""

    row: Vnfc
    title: str
    mate: str
    role: str
    status: str
    since: datetime
    observed_at: datetime | None


class VnfcOut(AnswerSerializer):
    id = serializers.UUIDField(source="row.id")
    vduId = serializers.CharField(source="row.vdu_id")
    slot = serializers.CharField(source="row.slot")
    title = serializers.CharField(help_text='What plans call it: "Slot 4 (Mobile gateway VM)".')
    mateSlot = serializers.CharField(
        source="mate",
        allow_blank=True,
        help_text="Of the one that it comes and goes with (1+1); empty where it is not one of a pair.",
    )
    pairRole = serializers.ChoiceField(
        source="role",
        choices=["working", "protect", ""],
        help_text="Of a VNFC in pairs (1+1), as it was created; empty where it is in none.",
    )
    name = serializers.CharField(source="row.name")
    serverId = serializers.CharField(source="row.server_id")
    status = serializers.CharField(help_text="Nova's status; MISSING: Nova no longer has it; UNKNOWN: not observed.")
    statusSince = serializers.DateTimeField(source="since")
    lastKnownStatus = serializers.CharField(
        source="row.status", help_text="The last status observed, also while `status` is UNKNOWN."
    )
    desired = serializers.ChoiceField(source="row.desired", choices=Vnfc.Desired.choices)
    fault = serializers.CharField(source="row.fault", help_text="Nova's words when the server is in ERROR.")
    host = serializers.CharField(source="row.host")
    flavor = serializers.CharField(source="row.flavor")
    observedAt = serializers.DateTimeField(source="observed_at", allow_null=True)
    ports = PortOut(many=True)

    def get_ports(self, vnfc: _Vnfc) -> list[_Port]:
        return [_Port(port, UNKNOWN if vnfc.status == UNKNOWN else port.status) for port in vnfc.row.ports.all()]


class InstanceNetworkOut(AnswerSerializer):
    id = serializers.CharField(source="network_id")
    vlId = serializers.CharField(source="vl_id")
    name = serializers.CharField()
    external = serializers.BooleanField(help_text="It was there before; not made by the instance's stack.")

    def get_external(self, link: VnfVirtualLink) -> bool:
        return not link.created_by_stack


class ScaleOut(serializers.Serializer[Any]):
    aspectId = serializers.CharField()
    name = serializers.CharField()
    level = serializers.IntegerField()
    maxLevel = serializers.IntegerField()


class StackOut(AnswerSerializer):
    id = serializers.CharField(source="stack_id")
    name = serializers.CharField(source="stack_name")
    status = serializers.CharField(source="stack_status")
    statusReason = serializers.CharField(source="stack_status_reason")
    observedAt = serializers.DateTimeField(allow_null=True)

    def get_observedAt(self, instance: VnfInstance) -> datetime | None:
        return inventory.stack_observed_at(instance)


class InstanceSummaryOut(AnswerSerializer):
    id = serializers.UUIDField(source="instance.id")
    name = serializers.CharField(source="instance.name")
    description = serializers.CharField(source="instance.description")
    vnfdId = serializers.UUIDField(source="instance.package.vnfd_id")
    instantiationState = serializers.ChoiceField(
        source="instance.instantiation_state", choices=VnfInstance.InstantiationState.choices
    )
    conditions = ConditionOut(many=True)
    vnfcCount = serializers.IntegerField()
    flavourId = serializers.CharField(
        source="instance.flavour_id", help_text="The deployment flavour; empty until it is instantiated."
    )
    scale = ScaleOut(many=True)
    managementAddresses = serializers.ListField(child=serializers.CharField(), help_text="Of its network elements.")
    actions = ActionOut(many=True)
    runningOpOccId = serializers.UUIDField(allow_null=True)
    vimId = serializers.UUIDField(source="instance.vim_id", allow_null=True)
    createdAt = serializers.DateTimeField(source="instance.created_at")
    version = serializers.IntegerField(source="instance.version")

    @cached_property
    def now(self) -> datetime:
        """One time for the whole answer."""
        return clock.now()

    def get_conditions(self, item: InstanceStatus) -> list[InstanceCondition]:
        return conditions(item.view, self.now)

    def get_vnfcCount(self, item: InstanceStatus) -> int:
        return len(item.view.vnfcs)

    def get_managementAddresses(self, item: InstanceStatus) -> Sequence[str]:
        addresses: Mapping[UUID, Sequence[str]] = self.context["addresses"]
        return addresses.get(item.instance.id, ())

    def get_scale(self, item: InstanceStatus) -> list[dict[str, Any]]:
        if item.flavour is None or item.instance.instantiation_state != VnfInstance.InstantiationState.INSTANTIATED:
            return []
        levels = item.instance.scale_levels
        return [
            {"aspectId": a.id, "name": a.name, "level": levels.get(a.id, 0), "maxLevel": a.max_scale_level}
            for a in item.flavour.aspects
        ]

    def get_actions(self, item: InstanceStatus) -> list[Action]:
        running = operation_summary(item.running.operation, item.running.state) if item.running is not None else None
        return instance_actions(item.instance.instantiation_state, running)

    def get_runningOpOccId(self, item: InstanceStatus) -> UUID | None:
        return item.running.id if item.running is not None else None


class InstanceDetailOut(InstanceSummaryOut):
    vnfcs = VnfcOut(many=True)
    networks = InstanceNetworkOut(source="instance.virtual_links", many=True)
    settings = serializers.DictField(
        source="instance.settings", help_text="Values of the VNFD's settings; hidden ones are left out."
    )
    drift = DifferenceOut(many=True)
    stack = StackOut(allow_null=True)

    def get_vnfcs(self, item: InstanceStatus) -> list[_Vnfc]:
        """Control slots (A, B) before numbered ones, those by number."""
        rows = sorted(item.instance.vnfcs.all(), key=lambda row: (row.slot.isdigit(), row.slot.zfill(20), row.name))
        rosters = rosters_from_json(item.instance.member_slots)
        mate, role = mates(item.vnfd, rosters), pair_roles(item.vnfd, rosters)
        titles = {vdu.id: vdu.name for vdu in item.vnfd.vdus}
        vim = item.view.vim

        def vnfc(row: Vnfc) -> _Vnfc:
            key, title = (row.vdu_id, row.slot), slot_name(titles.get(row.vdu_id, row.vdu_id), row.slot)
            return self._vnfc(row, vim, title, mate.get(key, ""), role.get(key, ""))

        return list(map(vnfc, rows))

    def _vnfc(self, row: Vnfc, vim: VimView | None, title: str, mate: str, role: str) -> _Vnfc:
        view = inventory.vnfc_view(row)
        status, since = view.status_at(vim, self.now) if vim is not None else (view.status, view.status_since)
        observed_at = inventory.latest(row.observed_at, vim.servers_at if vim is not None else None)
        return _Vnfc(row, title, mate, role, status, since, observed_at)

    def get_drift(self, item: InstanceStatus) -> Sequence[Difference]:
        return in_sync(item.view, self.now)[1]

    def get_stack(self, item: InstanceStatus) -> VnfInstance | None:
        return item.instance if item.instance.stack_id else None


class InstanceSummaryListApi(APIView):
    @extend_schema(
        operation_id="instance_summary_list",
        parameters=list_parameters(FILTERS),
        responses=InstanceSummaryOut(many=True),
    )
    def get(self, request: Request) -> Response:
        """All instances with their conditions and enabled actions, oldest first."""
        rows, headers = page(filtered(inventory.instance_list(), request, FILTERS), request)
        context = {"addresses": management_addresses(rows)}
        found = InstanceSummaryOut(instance_statuses(rows), many=True, context=context)
        return Response(found.data, headers=headers)


class InstanceDetailApi(APIView):
    @extend_schema(operation_id="instance_detail", responses=InstanceDetailOut)
    def get(self, request: Request, instance_id: UUID) -> Response:
        """One instance: its desired and observed state, and the actions that are possible now."""
        item = instance_status(instance_id=instance_id)
        context = {"addresses": management_addresses([item.instance])}
        return Response(InstanceDetailOut(item, context=context).data, headers={"ETag": etag(item.instance.version)})
