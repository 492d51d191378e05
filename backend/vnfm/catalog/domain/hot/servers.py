"""The servers of a template: their NICs in order, with ports and networks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hot.language import is_call
from vnfm.catalog.domain.documents import Path
from vnfm.catalog.domain.hot.template import ResourceDefinition, Template

SERVER = "OS::Nova::Server"
PORT = "OS::Neutron::Port"
SRIOV = ("direct", "macvtap", "direct-physical")
"""Values of `binding:vnic_type` for functions of a physical NIC."""
_NETWORK_KEYS = ("network", "uuid", "subnet")


@dataclass(frozen=True, slots=True)
class Nic:
    where: Path
    port: str
    """The OS::Neutron::Port in the server's template; "" where the NIC names none."""
    attachment: Any
    """The port or network to which the NIC is attached, as written."""


def servers_of(template: Template) -> Iterator[ResourceDefinition]:
    return (use for use in template.resources_defined if use.type == SERVER)


def nics_of(template: Template, server: ResourceDefinition) -> list[Nic] | None:
    """The NICs in the guest's order; None when they are known only at deployment."""
    networks = server.properties.get("networks")
    if networks is None:
        return []
    if is_call(networks) or not isinstance(networks, list):
        return None
    where = (*server.where, "properties", "networks")
    return [_nic(template, (*where, i), entry) for i, entry in enumerate(networks) if isinstance(entry, Mapping)]


def _nic(template: Template, where: Path, entry: Mapping[str, Any]) -> Nic:
    port = entry.get("port")
    named = port.get("get_resource") if isinstance(port, Mapping) else ""
    known = isinstance(named, str) and template.resource_types.get(named) == PORT
    network = next((entry[key] for key in _NETWORK_KEYS if entry.get(key) is not None), None)
    return Nic(where, str(named) if known else "", port if port is not None else network)


def port_network(properties: Mapping[str, Any]) -> Any:
    """The network of a port, as written: `network`, or the older `network_id`."""
    return properties.get("network", properties.get("network_id"))


def vnic_type(properties: Mapping[str, Any]) -> Any:
    return properties.get("binding:vnic_type", "normal")


def reference_text(value: Any) -> str:
    """A reference as text for messages: get_param net_id."""
    if is_call(value):
        function, argument = next(iter(value.items()))
        names = argument if isinstance(argument, list) else [argument]
        return f"{function} {'.'.join(str(name) for name in names)}"
    return str(value)
