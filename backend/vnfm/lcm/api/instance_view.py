"""VnfInstance (SOL003 5.5.2.2); what is not selected is not read, and need not be fetched."""

from functools import lru_cache
from typing import Any

from rest_framework import serializers

from vnfm.inventory.models import Vnfc, VnfcPort, VnfInstance, VnfVirtualLink
from vnfm.kit.etsi.links import link
from vnfm.kit.web.wire import AnswerSerializer, LinkSerializer
from vnfm.lcm.api.instance_rows import Cp, ExternalLink, InstantiatedRow, VnfcRow, VnfInstanceRow
from vnfm.lcm.domain.grant_request import VIM_KEY
from vnfm.lcm.domain.states import Operation, instance_actions
from vnfm.lcm.wire.editions import EditionSerializer, Json
from vnfm.lcm.wire.resource_changes import ResourceHandle, address_type, ext_cp_data, handle, with_connection_id
from vnfm.vims.selectors import project_of

INFO = "instantiatedVnfInfo"
VNFCS, NETWORKS, EXTERNAL = (
    f"{INFO}/vnfcResourceInfo",
    f"{INFO}/vnfVirtualLinkResourceInfo",
    f"{INFO}/extVirtualLinkInfo",
)
SCALE, MAX_SCALE = f"{INFO}/scaleStatus", f"{INFO}/maxScaleLevels"
VIM = "vimConnectionInfo"

DEFAULT = ("vnfConfigurableProperties", VIM, INFO, "metadata", "extensions")
"""Attributes that a list leaves out by default (SOL003 5.4.2.3.2)."""
OPTIONAL = (*DEFAULT, SCALE, MAX_SCALE, EXTERNAL, VNFCS, f"{VNFCS}/vnfcCpInfo", f"{VNFCS}/metadata", NETWORKS)


class ScaleStatus(serializers.Serializer[Any]):
    aspectId = serializers.CharField()
    scaleLevel = serializers.IntegerField()


class ExtCpInfo(EditionSerializer):  # SOL003 5.5.3.9: the port of a VNFC as an external CP, under the port's id
    id = serializers.CharField(source="port_id")
    cpdId = serializers.CharField(source="cp_id")
    cpConfigId = serializers.CharField(source="port_id")
    cpProtocolInfo = serializers.ListField(child=serializers.DictField())
    extLinkPortId = serializers.CharField(source="port_id")
    associatedVnfcCpId = serializers.CharField(source="port_id")

    def get_cpProtocolInfo(self, port: VnfcPort) -> list[Json]:
        return [_protocol(port)]


class VnfcCpInfo(AnswerSerializer):
    id = serializers.CharField(source="port.port_id")
    cpdId = serializers.CharField(source="port.cp_id")
    vnfExtCpId = serializers.CharField(required=False)
    cpProtocolInfo = serializers.ListField(child=serializers.DictField())

    def get_vnfExtCpId(self, cp: Cp) -> str | None:
        return cp.port.port_id if cp.external else None

    def get_cpProtocolInfo(self, cp: Cp) -> list[Json]:
        return [_protocol(cp.port)]


class VnfcResourceInfo(EditionSerializer):  # SOL003 5.5.3.5
    paths = {"vnfcCpInfo": f"{VNFCS}/vnfcCpInfo", "metadata": f"{VNFCS}/metadata"}  # noqa: RUF012

    id = serializers.UUIDField(source="vnfc.id")
    vduId = serializers.CharField(source="vnfc.vdu_id")
    computeResource = ResourceHandle()
    vnfcCpInfo = VnfcCpInfo(source="cps", many=True, required=False)
    metadata = serializers.DictField(required=False)

    def get_computeResource(self, row: VnfcRow) -> Json:
        return handle(row.vnfc.server_id, "OS::Nova::Server")

    def get_metadata(self, row: VnfcRow) -> Json:
        return {"slot": row.vnfc.slot, "name": row.vnfc.name}


class VirtualLinkResourceInfo(AnswerSerializer):  # SOL003 5.5.3.6
    id = serializers.CharField()
    vnfVirtualLinkDescId = serializers.CharField(source="vl_id")
    networkResource = ResourceHandle()

    def get_id(self, link: VnfVirtualLink) -> str:
        return str(link.id)

    def get_networkResource(self, link: VnfVirtualLink) -> Json:
        return handle(link.network_id, "OS::Neutron::Net")


class ExtLinkPortInfo(AnswerSerializer):
    id = serializers.CharField(source="port_id")
    resourceHandle = ResourceHandle()
    cpInstanceId = serializers.CharField(source="port_id")

    def get_resourceHandle(self, port: VnfcPort) -> Json:
        return handle(port.port_id, "OS::Neutron::Port")


class ExtVirtualLinkInfo(EditionSerializer):  # SOL003 5.5.3.2
    id = serializers.CharField()
    resourceHandle = ResourceHandle()
    extLinkPorts = ExtLinkPortInfo(source="ports", many=True)
    currentVnfExtCpData = serializers.ListField(child=serializers.DictField())

    def get_id(self, row: ExternalLink) -> str:
        return row.link.external_id or str(row.link.id)

    def get_resourceHandle(self, row: ExternalLink) -> Json:
        return handle(row.link.network_id, "OS::Neutron::Net")

    def get_currentVnfExtCpData(self, row: ExternalLink) -> list[Json]:
        ports = [(port.cp_id, port.port_id, port.mac_address, port.ip_addresses) for port in row.ports]
        return ext_cp_data(self.edition, ports)


class VnfLinkPortInfo(EditionSerializer):  # SOL003 5.5.3.8: the port of a VNFC, under the port's id
    id = serializers.CharField(source="port_id")
    resourceHandle = ResourceHandle()
    cpInstanceId = serializers.CharField(source="port_id")

    def get_resourceHandle(self, port: VnfcPort) -> Json:
        return handle(port.port_id, "OS::Neutron::Port")


class ExtManagedVirtualLinkInfo(EditionSerializer):  # SOL003 5.5.3.3
    id = serializers.CharField(source="link.external_id")
    vnfVirtualLinkDescId = serializers.CharField(source="link.vl_id")
    networkResource = ResourceHandle()
    vnfLinkPorts = VnfLinkPortInfo(source="ports", many=True)

    def get_networkResource(self, row: ExternalLink) -> Json:
        return handle(row.link.network_id, "OS::Neutron::Net")


class InstantiatedVnfInfo(EditionSerializer):
    paths = {  # noqa: RUF012
        "scaleStatus": SCALE,
        "maxScaleLevels": MAX_SCALE,
        "extVirtualLinkInfo": EXTERNAL,
        "vnfcResourceInfo": VNFCS,
        "vnfVirtualLinkResourceInfo": NETWORKS,
    }

    flavourId = serializers.CharField(source="instance.flavour_id")
    vnfState = serializers.ChoiceField(source="state", choices=Vnfc.Desired.choices)
    scaleStatus = ScaleStatus(many=True, required=False)
    maxScaleLevels = ScaleStatus(many=True, required=False)
    extCpInfo = ExtCpInfo(source="external_ports", many=True)
    extVirtualLinkInfo = ExtVirtualLinkInfo(source="external_links", many=True, required=False)
    extManagedVirtualLinkInfo = ExtManagedVirtualLinkInfo(many=True, required=False)
    vnfcResourceInfo = VnfcResourceInfo(source="vnfcs", many=True, required=False)
    vnfVirtualLinkResourceInfo = VirtualLinkResourceInfo(source="internal_links", many=True, required=False)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        if networks := fields.pop("vnfVirtualLinkResourceInfo", None):
            fields[self.edition.networks] = networks
        return fields

    def get_extManagedVirtualLinkInfo(self, row: InstantiatedRow) -> list[ExternalLink] | None:
        return row.managed_links or None

    def get_scaleStatus(self, row: InstantiatedRow) -> list[Json]:
        levels = row.instance.scale_levels
        return [{"aspectId": a.id, "scaleLevel": levels.get(a.id, 0)} for a in row.aspects]

    def get_maxScaleLevels(self, row: InstantiatedRow) -> list[Json]:
        return [{"aspectId": a.id, "scaleLevel": a.max_scale_level} for a in row.aspects]


class VnfInstanceOut(EditionSerializer):
    """SOL003 5.5.2.2 VnfInstance; lists leave out optional attributes by default."""

    paths = {VIM: VIM, INFO: INFO, "metadata": "metadata"}  # noqa: RUF012

    id = serializers.UUIDField(source="instance.id")
    vnfInstanceName = serializers.CharField(source="instance.name")
    vnfInstanceDescription = serializers.CharField(source="instance.description")
    vnfdId = serializers.UUIDField(source="package.vnfd_id")
    vnfProvider = serializers.CharField(source="package.provider")
    vnfProductName = serializers.CharField(source="package.product_name")
    vnfSoftwareVersion = serializers.CharField(source="package.software_version")
    vnfdVersion = serializers.CharField(source="package.vnfd_version")
    vimConnectionInfo = serializers.DictField(child=serializers.DictField(), required=False)
    instantiationState = serializers.ChoiceField(
        source="instance.instantiation_state", choices=VnfInstance.InstantiationState.choices
    )
    instantiatedVnfInfo = InstantiatedVnfInfo(required=False)
    metadata = serializers.DictField(source="instance.metadata", required=False)
    _links = serializers.DictField(child=LinkSerializer())

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        if self.edition.package_id:
            fields["vnfPkgId"] = serializers.UUIDField(source="package.id")
        return fields

    def to_representation(self, instance: VnfInstanceRow) -> Json:
        shown = super().to_representation(instance)
        if "instantiatedVnfInfo" in shown:
            own = instance.instance.vim_connection_id
            shown["instantiatedVnfInfo"] = with_connection_id(shown["instantiatedVnfInfo"], own)
        return shown

    def get_vimConnectionInfo(self, row: VnfInstanceRow) -> Any:
        vim = row.instance.vim
        connection = vim and {
            "vimId": str(vim.id),
            "vimType": vim.vim_type,
            "interfaceInfo": {"endpoint": vim.auth_url},
            "accessInfo": {
                "username": vim.username,
                "project": project_of(vim).label,
                "region": vim.region,
            },
        }
        key = row.instance.vim_connection_id or VIM_KEY
        return self.edition.keyed({key: connection} if connection else {}, key="id")

    def get_instantiatedVnfInfo(self, row: VnfInstanceRow) -> InstantiatedRow | None:
        instantiated = row.instance.instantiation_state == VnfInstance.InstantiationState.INSTANTIATED
        return InstantiatedRow(row.instance) if instantiated else None

    def get__links(self, row: VnfInstanceRow) -> Json:
        path = f"{self.edition.instances}/{row.instance.id}"
        possible = _possible(row.instance.instantiation_state, busy=row.busy, tasks=self.edition.tasks)
        return {"self": link(path)} | {name: link(f"{path}/{task}") for name, task in possible}


@lru_cache(maxsize=16)
def _possible(state: str, *, busy: bool, tasks: tuple[Operation, ...]) -> tuple[tuple[str, str], ...]:
    """Names of the links and their tasks that are possible now."""
    possible = {action.action for action in instance_actions(state, "busy" if busy else None) if action.enabled}
    return tuple((_link_name(task), task.task) for task in tasks if task.task in possible)


def _link_name(operation: Operation) -> str:
    if operation == Operation.CHANGE_VNFPKG:
        return "changeCurrentVnfPkg"
    first, *rest = operation.task.split("_")
    return first + "".join(word.title() for word in rest)


def _protocol(port: VnfcPort) -> Json:
    """SOL003 5.5.3.9b CpProtocolInfo: the addresses that a port has."""
    addresses = [{"type": address_type(ip), "addresses": [ip]} for ip in port.ip_addresses]
    return {
        "layerProtocol": "IP_OVER_ETHERNET",
        "ipOverEthernet": {"macAddress": port.mac_address, "ipAddresses": addresses},
    }
