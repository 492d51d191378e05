"""`resourceChanges` of an operation (SOL003 5.5.2.13)."""

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from rest_framework import serializers

from vnfm.kit.web.wire import AnswerSerializer
from vnfm.lcm.domain.grant_request import VIM_KEY
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.wire.editions import Edition, EditionSerializer, Json

CHANGES = ("ADDED", "MODIFIED", "REMOVED")
Row = Mapping[str, Any]


class ResourceHandle(serializers.Serializer[Any]):
    vimConnectionId = serializers.CharField()
    resourceId = serializers.CharField()
    vimLevelResourceType = serializers.CharField()


def handle(resource_id: str, resource_type: str) -> dict[str, str]:
    """SOL003 4.4.1.7 ResourceHandle: something in the cloud of the instance."""
    return {"vimConnectionId": VIM_KEY, "resourceId": resource_id, "vimLevelResourceType": resource_type}


def with_connection_id(body: Any, connection_id: str) -> Any:
    """The body with the NFVO's own name of the VIM connection in all of its resource handles; "" leaves ours."""
    if not connection_id:
        return body
    if isinstance(body, list):
        return [with_connection_id(each, connection_id) for each in body]
    if not isinstance(body, dict):
        return body
    named = {"vimConnectionId": connection_id} if body.get("vimConnectionId") == VIM_KEY else {}
    return {name: with_connection_id(value, connection_id) for name, value in body.items()} | named


class AffectedVnfc(AnswerSerializer):
    getter = itemgetter

    id = serializers.UUIDField()
    vduId = serializers.CharField(source="vdu_id")
    vnfdId = serializers.UUIDField(source="vnfd_id", required=False)
    changeType = serializers.ChoiceField(source="change", choices=CHANGES)
    computeResource = ResourceHandle()
    affectedVnfcCpIds = serializers.ListField(source="external", child=serializers.CharField())
    metadata = serializers.DictField()

    def get_computeResource(self, row: Row) -> dict[str, str]:
        return handle(row["server_id"], "OS::Nova::Server")

    def get_metadata(self, row: Row) -> dict[str, str]:
        return {"slot": row["slot"], "name": row["name"]}


class AffectedVirtualLink(EditionSerializer):
    getter = itemgetter

    id = serializers.CharField()
    vnfVirtualLinkDescId = serializers.CharField(source="vl_id")
    vnfdId = serializers.UUIDField(source="vnfd_id", required=False)
    changeType = serializers.ChoiceField(source="change", choices=CHANGES)
    networkResource = ResourceHandle()

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        name = self.edition.link_descriptor
        return {name if field == "vnfVirtualLinkDescId" else field: each for field, each in fields.items()}

    def get_networkResource(self, row: Row) -> dict[str, str]:
        return handle(row["network_id"], "OS::Neutron::Net")


class AffectedExtLinkPort(AnswerSerializer):
    getter = itemgetter

    id = serializers.CharField()
    changeType = serializers.ChoiceField(source="change", choices=CHANGES)
    extCpInstanceId = serializers.CharField(source="id")
    resourceHandle = ResourceHandle()

    def get_resourceHandle(self, row: Row) -> dict[str, str]:
        return handle(row["id"], "OS::Neutron::Port")


class ResourceChanges(EditionSerializer):
    """The changes by the operation up to its last stop."""

    affectedVnfcs = AffectedVnfc(many=True, required=False)
    affectedVirtualLinks = AffectedVirtualLink(many=True, required=False)
    affectedExtLinkPorts = AffectedExtLinkPort(many=True, required=False)

    def get_affectedVnfcs(self, op: LcmOpOcc) -> list[Row] | None:
        return _changed(op, "vnfcs")

    def get_affectedVirtualLinks(self, op: LcmOpOcc) -> list[Row] | None:
        return _changed(op, "links")

    def get_affectedExtLinkPorts(self, op: LcmOpOcc) -> list[Row] | None:
        return _changed(op, "ports")


class ChangedLinkPort(AnswerSerializer):
    getter = itemgetter

    id = serializers.CharField()
    resourceHandle = ResourceHandle()
    cpInstanceId = serializers.CharField(source="id")

    def get_resourceHandle(self, row: Row) -> dict[str, str]:
        return handle(row["id"], "OS::Neutron::Port")


class ChangedExtVirtualLink(EditionSerializer):  # SOL003 5.5.3.2 ExtVirtualLinkInfo, as the operation left it
    getter = itemgetter

    id = serializers.CharField()
    resourceHandle = ResourceHandle()
    extLinkPorts = ChangedLinkPort(source="ports", many=True)
    currentVnfExtCpData = serializers.ListField(child=serializers.DictField())

    def get_resourceHandle(self, row: Row) -> dict[str, str]:
        return handle(row["network_id"], "OS::Neutron::Net")

    def get_currentVnfExtCpData(self, row: Row) -> list[Json]:
        ports = [(port["cp_id"], port["id"], port["mac_address"], port["ip_addresses"]) for port in row["ports"]]
        return ext_cp_data(self.edition, ports)


def ext_cp_data(edition: Edition, ports: Iterable[tuple[str, str, str, Sequence[str]]]) -> list[Json]:
    """SOL003 4.4.1.10 VnfExtCpData of (CPD id, port id, MAC address, IP addresses), as a request would ask for it."""
    configs: dict[str, dict[str, Json]] = {}
    for cp_id, port_id, mac, ips in ports:
        addresses = [{"type": address_type(ip), "fixedAddresses": [ip]} for ip in ips]
        layers = {"macAddress": mac, "ipAddresses": addresses}
        data = {"layerProtocol": "IP_OVER_ETHERNET", "ipOverEthernet": layers}
        configs.setdefault(cp_id, {})[port_id] = {"cpProtocolData": [data]}
    return [{"cpdId": cp, "cpConfig": edition.keyed(config)} for cp, config in configs.items()]


def address_type(address: str) -> str:
    return "IPV6" if ":" in address else "IPV4"


def _changed(op: LcmOpOcc, kind: str) -> list[Row] | None:
    """Return None for none. Only after a change of package they name the VNFD of a VDU or virtual link."""
    upgrade = op.operation == Operation.CHANGE_VNFPKG
    return [row if upgrade else row | {"vnfd_id": None} for row in (op.changed or {}).get(kind, ())] or None
