"""Elements and their parts in JSON."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from vnfm.elements.domain.element_reachable import ElementReachable
from vnfm.elements.domain.links import Links
from vnfm.elements.domain.parts import PARTS
from vnfm.elements.models import (
    Adjacency,
    BgpPeer,
    ElementFact,
    ElementOmission,
    Equipment,
    Interface,
    MediationPolicy,
    NetworkElement,
    Site,
)
from vnfm.elements.selectors import reachability
from vnfm.inventory.models import VnfInstance
from vnfm.kit.web.shapes import answer, as_answer
from vnfm.kit.web.wire import JsonSerializer

UNKNOWN_SINCE = "Since when the state has been unknown; null while it is current."
PORT_IF_INDEX = (
    "Of the port, or link aggregation, of a router interface; null where it is unknown, and for ports themselves."
)


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


class ElementOmissionSerializer(serializers.Serializer[ElementOmission]):
    elementId = serializers.UUIDField(source="element_id")
    elementName = serializers.CharField(source="element_name")
    table = serializers.CharField(help_text="Name of the MIB's table or group.")
    index = serializers.CharField(help_text="Of the row; empty: the table as a whole.")
    reason = serializers.CharField(help_text="A sentence, for people.")
    unread = serializers.BooleanField(
        help_text="The table could not be read whole: what is shown of it may be of before."
    )
    since = serializers.DateTimeField()


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


class ResyncRequestSerializer(JsonSerializer):
    scope = serializers.ListField(
        child=serializers.ChoiceField(choices=PARTS), default=list, max_length=len(PARTS), help_text="Empty: all of it."
    )
    accept = serializers.BooleanField(
        default=False, help_text="Delete the parts that the element does not list any more."
    )


class EquipmentSerializer(serializers.Serializer[Equipment]):
    fdn = serializers.CharField(help_text="As in 5620 SAM: network:ADDRESS:shelf-1:cardSlot-1:card …")
    parentFdn = serializers.CharField(source="parent_fdn")
    elementId = serializers.UUIDField(source="element_id")
    elementName = serializers.CharField(source="element_name")
    equipmentClass = serializers.ChoiceField(choices=Equipment.Class.choices, source="equipment_class")
    slot = serializers.CharField()
    name = serializers.CharField()
    type = serializers.CharField()
    serialNumber = serializers.CharField(source="serial_number")
    softwareVersion = serializers.CharField(source="software_version")
    adminState = serializers.ChoiceField(choices=Equipment.AdminState.choices, source="admin_state")
    operState = serializers.ChoiceField(choices=Equipment.OperState.choices, source="current_oper")
    lastOperState = serializers.ChoiceField(
        choices=Equipment.OperState.choices, source="oper_state", help_text="As last observed."
    )
    reason = serializers.CharField()
    since = serializers.DateTimeField()
    unknownSince = serializers.DateTimeField(source="unknown_since", allow_null=True, help_text=UNKNOWN_SINCE)
    vnfcId = serializers.UUIDField(source="vnfc_id", allow_null=True)
    ifIndex = serializers.IntegerField(source="if_index", allow_null=True)
    extra = serializers.DictField()


class InterfaceSerializer(serializers.Serializer[Interface]):
    elementId = serializers.UUIDField(source="element_id")
    elementName = serializers.CharField(source="element_name")
    ifIndex = serializers.IntegerField(source="if_index")
    name = serializers.CharField()
    alias = serializers.CharField()
    adminState = serializers.ChoiceField(choices=Interface.Status.choices, source="admin")
    operState = serializers.ChoiceField(choices=Interface.Status.choices, source="current_oper")
    lastOperState = serializers.ChoiceField(
        choices=Interface.Status.choices, source="oper", help_text="As last observed."
    )
    speed = serializers.IntegerField(allow_null=True, help_text="bit/s")
    mac = serializers.CharField()
    addresses = serializers.ListField(child=serializers.CharField())
    mtu = serializers.IntegerField(allow_null=True)
    portIfIndex = serializers.IntegerField(source="port_if_index", allow_null=True, help_text=PORT_IF_INDEX)
    since = serializers.DateTimeField()
    unknownSince = serializers.DateTimeField(source="unknown_since", allow_null=True, help_text=UNKNOWN_SINCE)


class PrefixCountsSerializer(serializers.Serializer[Any]):
    family = serializers.CharField(help_text="As IPv6 unicast.")
    received = serializers.IntegerField(allow_null=True, help_text="null: the element does not say.")
    accepted = serializers.IntegerField(allow_null=True, help_text="By its import policy.")
    advertised = serializers.IntegerField(allow_null=True)


class BgpPeerSerializer(serializers.Serializer[BgpPeer]):
    elementId = serializers.UUIDField(source="element_id")
    elementName = serializers.CharField(source="element_name")
    vrf = serializers.CharField(help_text="Empty: the base instance.")
    peerAddress = serializers.CharField(source="peer_address")
    ifIndexes = serializers.SerializerMethodField(
        help_text="Of the interfaces whose networks contain its address, and of their ports; several where "
        "routing instances use the same networks."
    )
    remoteAs = serializers.IntegerField(source="remote_as", allow_null=True)
    adminState = serializers.ChoiceField(choices=BgpPeer.AdminState.choices, source="admin_state")
    state = serializers.ChoiceField(choices=BgpPeer.State.choices, source="current_state")
    lastState = serializers.ChoiceField(choices=BgpPeer.State.choices, source="state", help_text="As last observed.")
    flaps = serializers.IntegerField(
        allow_null=True, help_text="How often an established session was lost; null where the element does not count."
    )
    lastError = serializers.CharField(source="last_error", help_text="Why the session ended last; empty where unknown.")
    families = PrefixCountsSerializer(many=True, help_text="Prefixes by address family; empty where unknown.")
    since = serializers.DateTimeField()
    unknownSince = serializers.DateTimeField(source="unknown_since", allow_null=True, help_text=UNKNOWN_SINCE)

    def get_ifIndexes(self, peer: BgpPeer) -> list[int]:
        links: Links = self.context["links"]
        return links.behind(peer.peer_address)


class AdjacencySerializer(serializers.Serializer[Adjacency]):
    elementId = serializers.UUIDField(source="element_id")
    elementName = serializers.CharField(source="element_name")
    protocol = serializers.ChoiceField(choices=Adjacency.Protocol.choices)
    localPort = serializers.CharField(source="local_port")
    ifIndex = serializers.IntegerField(source="if_index", allow_null=True)
    portIfIndex = serializers.IntegerField(source="port_if_index", allow_null=True, help_text=PORT_IF_INDEX)
    remoteId = serializers.CharField(source="remote_id", help_text="LLDP: chassis; OSPF: router id; BFD: address.")
    remotePort = serializers.CharField(source="remote_port")
    remoteName = serializers.CharField(source="remote_name")
    remoteAddress = serializers.CharField(source="remote_address")
    state = serializers.ChoiceField(
        choices=Adjacency.State.choices,
        source="current_state",
        help_text="LLDP neighbours are FULL or LOST, BFD sessions UP, INIT, DOWN, ADMIN_DOWN or LOST.",
    )
    lastState = serializers.ChoiceField(choices=Adjacency.State.choices, source="state", help_text="As last observed.")
    since = serializers.DateTimeField()
    unknownSince = serializers.DateTimeField(source="unknown_since", allow_null=True, help_text=UNKNOWN_SINCE)


class ElementFactSerializer(serializers.Serializer[ElementFact]):
    name = serializers.CharField()
    subject = serializers.CharField(help_text="The part; empty: the whole element.")
    value = serializers.CharField()
    polled = serializers.BooleanField(help_text="True: read from its tables; false: from a trap.")
    since = serializers.DateTimeField()
    unknownSince = serializers.DateTimeField(source="unknown_since", allow_null=True, help_text=UNKNOWN_SINCE)
