"""Elements and their parts in JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from vnfm.elements.domain.element_reachable import ElementReachable
from vnfm.elements.domain.parts import PARTS
from vnfm.elements.domain.snapshot import PrefixCounts
from vnfm.elements.models import (
    Adjacency,
    BgpPeer,
    Equipment,
    Interface,
    MediationPolicy,
    NetworkElement,
    Site,
)
from vnfm.elements.selectors import reachability
from vnfm.inventory.models import VnfInstance
from vnfm.kit.web.message import wire
from vnfm.kit.web.shapes import answer, as_answer
from vnfm.kit.web.wire import JsonSerializer


class ResyncSerializer(serializers.Serializer[NetworkElement]):
    state = serializers.ChoiceField(choices=NetworkElement.ResyncState.choices, source="resync_state")
    scope = serializers.ListField(
        child=serializers.ChoiceField(choices=PARTS), source="resync_scope", help_text="Empty: all of it."
    )
    progress = serializers.IntegerField(source="resync_progress", help_text="Percent.")
    problem = serializers.CharField(source="resync_problem")
    requestedAt = serializers.DateTimeField(source="resync_requested_at", allow_null=True)
    firstFullAt = serializers.DateTimeField(source="first_full_resync_at", allow_null=True)
    lastFullAt = serializers.DateTimeField(source="last_full_resync_at", allow_null=True)


class StalePartSerializer(serializers.Serializer[Any]):
    part = serializers.ChoiceField(choices=PARTS)
    since = serializers.DateTimeField()


class NetworkElementSerializer(serializers.Serializer[NetworkElement]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=NetworkElement.Kind.choices)
    driver = serializers.CharField(help_text="Empty until its sysObjectID was read.")
    managementAddress = serializers.CharField(source="management_address")
    state = serializers.ChoiceField(choices=NetworkElement.State.choices)
    conditions = serializers.SerializerMethodField()
    resync = ResyncSerializer(source="*")
    siteId = serializers.UUIDField(source="site_id", allow_null=True)
    siteName = serializers.CharField(source="site.name", default=None, allow_null=True)
    snmpPolicyId = serializers.UUIDField(source="snmp_policy_id", allow_null=True)
    sshPolicyId = serializers.UUIDField(source="ssh_policy_id", allow_null=True)
    netconfPolicyId = serializers.UUIDField(source="netconf_policy_id", allow_null=True)
    vnfInstanceId = serializers.UUIDField(source="vnf_instance_id", allow_null=True)
    vnfInstanceName = serializers.CharField(source="vnf_instance_name", allow_null=True)
    vnfcId = serializers.UUIDField(
        source="vnfc_id",
        allow_null=True,
        help_text="The VNFC that is all of the element; null where its cards are VNFCs.",
    )
    hostElementId = serializers.UUIDField(source="host_element_id", allow_null=True)
    hostElementName = serializers.CharField(source="host_element.name", default=None, allow_null=True)
    sysName = serializers.CharField(source="sys_name")
    sysDescr = serializers.CharField(source="sys_descr")
    sysObjectId = serializers.CharField(source="sys_object_id")
    location = serializers.CharField()
    chassisType = serializers.CharField(source="chassis_type")
    softwareVersion = serializers.CharField(source="software_version")
    upSince = serializers.DateTimeField(source="up_since", allow_null=True)
    observedAt = serializers.DateTimeField(source="observed_at", allow_null=True)
    omissionCount = serializers.IntegerField(
        source="omission_count",
        help_text="Of what it answers and is not shown as read: lines of /omissions, and those beyond these.",
    )
    staleParts = serializers.SerializerMethodField(
        help_text="Parts whose states it has not answered of late, though it answers: they are of before."
    )
    trapGapSince = serializers.DateTimeField(source="trap_gap_since", allow_null=True)
    sshHostKey = serializers.CharField(source="ssh_host_key", help_text="As pinned at the first contact.")
    netconfHostKey = serializers.CharField(source="netconf_host_key", help_text="As pinned at the first contact.")
    loginWarning = serializers.CharField(
        source="login_warning",
        help_text="What it said of our password at the last SSH login: that it expires in 5 days, for instance.",
    )
    createdAt = serializers.DateTimeField(source="created_at")
    version = serializers.IntegerField()

    @extend_schema_field(StalePartSerializer(many=True))
    def get_staleParts(self, element: NetworkElement) -> list[dict[str, str]]:
        return [{"part": part, "since": since} for part, since in sorted(element.stale_parts.items())]

    @extend_schema_field(answer(ElementReachable)(many=True))
    def get_conditions(self, element: NetworkElement) -> list[Any]:
        return [as_answer(reachability(element, self.context["now"]))]


class ElementWriteSerializer(JsonSerializer):
    """Unknown members are ignored, so that the answer of GET may be sent back."""

    name = serializers.CharField(max_length=100)
    kind = serializers.ChoiceField(choices=NetworkElement.Kind.choices)
    managementAddress = serializers.IPAddressField(source="management_address")
    siteId = serializers.PrimaryKeyRelatedField(
        queryset=Site.objects.all(), source="site", required=False, allow_null=True
    )
    snmpPolicyId = serializers.PrimaryKeyRelatedField(
        queryset=MediationPolicy.objects.all(), source="snmp_policy", required=False, allow_null=True
    )
    sshPolicyId = serializers.PrimaryKeyRelatedField(
        queryset=MediationPolicy.objects.all(), source="ssh_policy", required=False, allow_null=True
    )
    netconfPolicyId = serializers.PrimaryKeyRelatedField(
        queryset=MediationPolicy.objects.all(), source="netconf_policy", required=False, allow_null=True
    )
    vnfInstanceId = serializers.PrimaryKeyRelatedField(
        queryset=VnfInstance.objects.all(), source="vnf_instance", required=False, allow_null=True
    )
    hostElementId = serializers.PrimaryKeyRelatedField(
        queryset=NetworkElement.objects.all(), source="host_element", required=False, allow_null=True
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "vnf_instance" in attrs:
            instance = attrs.pop("vnf_instance")
            attrs["vnf_instance_id"] = instance.id if instance else None
        return attrs


class ResyncRequestSerializer(JsonSerializer):
    scope = serializers.ListField(
        child=serializers.ChoiceField(choices=PARTS), default=list, max_length=len(PARTS), help_text="Empty: all of it."
    )
    accept = serializers.BooleanField(
        default=False, help_text="Delete the parts that the element does not list any more."
    )


@dataclass(frozen=True)
class _OfElement:
    element_id: UUID
    element_name: str


@dataclass(frozen=True)
class _State:
    since: datetime
    unknown_since: datetime | None
    """Since when the state has been unknown; null while it is current."""


@dataclass(frozen=True, kw_only=True)
class EquipmentShape(_OfElement, _State):
    fdn: str
    """The form is that of 5620 SAM: network:ADDRESS:shelf-1:cardSlot-1:card …"""
    parent_fdn: str
    equipment_class: Equipment.Class
    slot: str
    name: str
    type: str
    serial_number: str
    software_version: str
    admin_state: Equipment.AdminState
    oper_state: Equipment.OperState = wire(source="current_oper")
    last_oper_state: Equipment.OperState = wire(source="oper_state")
    """The state that was observed last."""
    reason: str
    vnfc_id: UUID | None
    if_index: int | None
    extra: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class InterfaceShape(_OfElement, _State):
    if_index: int
    name: str
    alias: str
    admin_state: Interface.Status = wire(source="admin")
    oper_state: Interface.Status = wire(source="current_oper")
    last_oper_state: Interface.Status = wire(source="oper")
    """The state that was observed last."""
    speed: int | None
    """bit/s"""
    mac: str
    addresses: tuple[str, ...]
    mtu: int | None
    port_if_index: int | None
    """The port, or link aggregation, of a router interface; null where it is unknown, and for ports themselves."""


@dataclass(frozen=True, kw_only=True)
class BgpPeerShape(_OfElement, _State):
    vrf: str
    """Empty: the base instance."""
    peer_address: str
    if_indexes: tuple[int, ...]
    """Interfaces whose networks contain its address, and their ports; several where instances share networks."""
    remote_as: int | None
    admin_state: BgpPeer.AdminState
    state: BgpPeer.State = wire(source="current_state")
    last_state: BgpPeer.State = wire(source="state")
    """The state that was observed last."""
    flaps: int | None
    """Losses of established sessions; null where the element does not count."""
    last_error: str
    """Why the session ended last; empty where unknown."""
    families: tuple[PrefixCounts, ...]
    """Prefixes by address family; empty where unknown."""


@dataclass(frozen=True, kw_only=True)
class AdjacencyShape(_OfElement, _State):
    protocol: Adjacency.Protocol
    local_port: str
    if_index: int | None
    port_if_index: int | None
    """The port, or link aggregation, of a router interface; null where it is unknown, and for ports themselves."""
    remote_id: str
    """LLDP: chassis; OSPF: router id; BFD: address."""
    remote_port: str
    remote_name: str
    remote_address: str
    state: Adjacency.State = wire(source="current_state")
    """LLDP neighbours are FULL or LOST, BFD sessions UP, INIT, DOWN, ADMIN_DOWN or LOST."""
    last_state: Adjacency.State = wire(source="state")
    """The state that was observed last."""


@dataclass(frozen=True)
class ElementFactShape(_State):
    name: str
    subject: str
    """The part; empty: the whole element."""
    value: str
    polled: bool
    """True: read from its tables; false: from a trap."""


@dataclass(frozen=True)
class ElementOmissionShape(_OfElement):
    table: str
    """Name of the MIB's table or group."""
    index: str
    """Index of the row; empty: the table as a whole."""
    reason: str
    """A sentence, for people."""
    unread: bool
    """The table could not be read whole: what is shown of it may be of before."""
    since: datetime
