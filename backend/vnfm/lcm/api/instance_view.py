"""VnfInstance (SOL003 5.5.2.2) from its rows; what is not selected is not read, and need not be fetched."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.catalog.models import VnfPackage
from vnfm.inventory.models import Vnfc, VnfcPort, VnfInstance, VnfVirtualLink
from vnfm.kit.selection import EVERYTHING, Selection
from vnfm.lcm.domain.chains import link_at
from vnfm.lcm.domain.grant_request import VIM_KEY
from vnfm.lcm.domain.states import Operation, instance_actions
from vnfm.lcm.wire.editions import Edition, Json
from vnfm.lcm.wire.resource_changes import handle

INFO = "instantiatedVnfInfo"
VNFCS, NETWORKS, EXTERNAL = (
    f"{INFO}/vnfcResourceInfo",
    f"{INFO}/vnfVirtualLinkResourceInfo",
    f"{INFO}/extVirtualLinkInfo",
)
SCALE, MAX_SCALE = f"{INFO}/scaleStatus", f"{INFO}/maxScaleLevels"
VIM = "vimConnectionInfo"

DEFAULT = ("vnfConfigurableProperties", VIM, INFO, "metadata", "extensions")
"""What a list leaves out unless asked (SOL003 5.4.2.3.2)."""
OPTIONAL = (*DEFAULT, SCALE, MAX_SCALE, EXTERNAL, VNFCS, f"{VNFCS}/vnfcCpInfo", f"{VNFCS}/metadata", NETWORKS)

_INSTANTIATED = VnfInstance.InstantiationState.INSTANTIATED


def vnf_instance(instance: VnfInstance, edition: Edition, chosen: Selection = EVERYTHING, *, busy: bool) -> Json:
    """`busy`: it has an operation under way, so no task is possible."""
    body = brief(instance, instance.package, edition, busy=busy)
    if chosen.wants("metadata"):
        body["metadata"] = instance.metadata
    if chosen.wants(VIM):
        body[VIM] = edition.keyed(_vim_connections(instance), key="id")
    if instance.instantiation_state == _INSTANTIATED and chosen.wants(INFO):
        body[INFO] = edition.without_missing(_instantiated(instance, edition, chosen))
    return body


def brief(row: Any, package: VnfPackage, edition: Edition, *, busy: bool) -> Json:
    """The mandatory attributes; `row` is an instance, or a tuple with the columns that are read here."""
    path = f"{edition.instances}/{row.id}"
    links = {"self": {"href": path}}
    for name, task in _possible(row.instantiation_state, busy=busy, tasks=edition.tasks):
        links[name] = {"href": f"{path}/{task}"}
    body: Json = {
        "id": str(row.id),
        "vnfInstanceName": row.name,
        "vnfInstanceDescription": row.description,
        "vnfdId": str(package.vnfd_id),
        "vnfProvider": package.provider,
        "vnfProductName": package.product_name,
        "vnfSoftwareVersion": package.software_version,
        "vnfdVersion": package.vnfd_version,
        "instantiationState": row.instantiation_state,
        "_links": links,
    }
    if edition.package_id:
        body["vnfPkgId"] = str(package.id)
    return body


def _vim_connections(instance: VnfInstance) -> Mapping[str, Json]:
    vim = instance.vim
    if vim is None:
        return {}
    return {
        VIM_KEY: {
            "vimId": str(vim.id),
            "vimType": vim.vim_type,
            "interfaceInfo": {"endpoint": vim.auth_url},
            "accessInfo": {"username": vim.username, "project": vim.project_name, "region": vim.region},
        }
    }


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


def _instantiated(instance: VnfInstance, edition: Edition, chosen: Selection) -> Json:
    """`vnfState` is what the VNF is meant to be: STARTED while any VNFC is; `extCpInfo` is mandatory."""
    vnfd = catalog.vnfd_of(instance.package)
    flavour = vnfd.flavour(instance.flavour_id)
    aspects = flavour.aspects if flavour else ()
    vnfcs = list(instance.vnfcs.all())
    links = _External(vnfd, instance, vnfcs)
    started = any(v.desired == Vnfc.Desired.STARTED for v in vnfcs)
    info: Json = {
        "flavourId": instance.flavour_id,
        "vnfState": Vnfc.Desired.STARTED if started else Vnfc.Desired.STOPPED,
        "extCpInfo": [edition.without_missing(_ext_cp(port)) for port in links.ports],
    }
    if chosen.wants(SCALE):
        info["scaleStatus"] = [{"aspectId": a.id, "scaleLevel": instance.scale_levels.get(a.id, 0)} for a in aspects]
    if chosen.wants(MAX_SCALE):
        info["maxScaleLevels"] = [{"aspectId": a.id, "scaleLevel": a.max_scale_level} for a in aspects]
    if chosen.wants(EXTERNAL):
        outer = (link for link in instance.virtual_links.all() if link.vl_id in links.names)
        info["extVirtualLinkInfo"] = [edition.without_missing(links.describe(link, edition)) for link in outer]
    if chosen.wants(VNFCS):
        info["vnfcResourceInfo"] = [_vnfc(vnfc, links, chosen) for vnfc in vnfcs]
    if chosen.wants(NETWORKS):
        inner = (link for link in instance.virtual_links.all() if link.vl_id not in links.names)
        info[edition.networks] = [_network(link) for link in inner]
    return info


class _External:
    """External virtual links of an instance, by its VNFD, and their ports."""

    def __init__(self, vnfd: Vnfd, instance: VnfInstance, vnfcs: list[Vnfc]) -> None:
        self.names = {vl.id for vl in vnfd.virtual_links if not vl.internal}
        # Only in a chain does the network say more than the connection point.
        networks = {link.vl_id: link.network_id for link in instance.virtual_links.all()} if vnfd.chains else {}
        ports = [port for v in vnfcs for port in v.ports.all()]
        self._vl_of = {port.port_id: link_at(vnfd, port.cp_id, port.network_id, networks) for port in ports}
        self.ports = [port for port in ports if self.faces(port)]

    def faces(self, port: VnfcPort) -> bool:
        return self._vl_of[port.port_id] in self.names

    def describe(self, link: VnfVirtualLink, edition: Edition) -> Json:
        """SOL003 5.5.3.2 ExtVirtualLinkInfo."""
        ports = [port for port in self.ports if self._vl_of[port.port_id] == link.vl_id]
        configs: dict[str, dict[str, Json]] = {}
        for port in ports:
            configs.setdefault(port.cp_id, {})[port.port_id] = {"cpProtocolData": [_protocol_data(port)]}
        return {
            "id": str(link.id),
            "resourceHandle": handle(link.network_id, "OS::Neutron::Net"),
            "extLinkPorts": [
                {
                    "id": port.port_id,
                    "resourceHandle": handle(port.port_id, "OS::Neutron::Port"),
                    "cpInstanceId": port.port_id,
                }
                for port in ports
            ],
            "currentVnfExtCpData": [{"cpdId": cp, "cpConfig": edition.keyed(config)} for cp, config in configs.items()],
        }


def _vnfc(vnfc: Vnfc, links: _External, chosen: Selection) -> Json:
    """SOL003 5.5.3.5 VnfcResourceInfo."""
    body: Json = {
        "id": str(vnfc.id),
        "vduId": vnfc.vdu_id,
        "computeResource": handle(vnfc.server_id, "OS::Nova::Server"),
    }
    if chosen.wants(f"{VNFCS}/vnfcCpInfo"):
        body["vnfcCpInfo"] = [
            {"id": port.port_id, "cpdId": port.cp_id, "cpProtocolInfo": [_protocol(port)]}
            | ({"vnfExtCpId": port.port_id} if links.faces(port) else {})
            for port in vnfc.ports.all()
        ]
    if chosen.wants(f"{VNFCS}/metadata"):
        body["metadata"] = {"slot": vnfc.slot, "name": vnfc.name}
    return body


def _network(link: VnfVirtualLink) -> Json:
    """SOL003 5.5.3.6 VnfVirtualLinkResourceInfo."""
    return {
        "id": str(link.id),
        "vnfVirtualLinkDescId": link.vl_id,
        "networkResource": handle(link.network_id, "OS::Neutron::Net"),
    }


def _ext_cp(port: VnfcPort) -> Json:
    """SOL003 5.5.3.9 VnfExtCpInfo: the port of a VNFC as an external CP, under the port's id."""
    return {
        "id": port.port_id,
        "cpdId": port.cp_id,
        "cpConfigId": port.port_id,
        "cpProtocolInfo": [_protocol(port)],
        "extLinkPortId": port.port_id,
        "associatedVnfcCpId": port.port_id,
    }


def _protocol(port: VnfcPort) -> Json:
    """SOL003 5.5.3.9b CpProtocolInfo: the addresses that a port has."""
    addresses = [{"type": _family(ip), "addresses": [ip]} for ip in port.ip_addresses]
    return {
        "layerProtocol": "IP_OVER_ETHERNET",
        "ipOverEthernet": {"macAddress": port.mac_address, "ipAddresses": addresses},
    }


def _protocol_data(port: VnfcPort) -> Json:
    """SOL003 4.4.1.10b CpProtocolData: the same, as a request would ask for it."""
    addresses = [{"type": _family(ip), "fixedAddresses": [ip]} for ip in port.ip_addresses]
    return {
        "layerProtocol": "IP_OVER_ETHERNET",
        "ipOverEthernet": {"macAddress": port.mac_address, "ipAddresses": addresses},
    }


def _family(address: str) -> str:
    return "IPV6" if ":" in address else "IPV4"
