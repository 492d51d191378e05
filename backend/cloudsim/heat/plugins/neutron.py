"""The OS::Neutron types for networks, subnets and ports."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from cloudsim.heat.engine.plugin import Plugin
from cloudsim.heat.errors import ResourceInError, ResourceUnknownStatus
from cloudsim.heat.hot.properties import Prop, known, one_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cloudsim.heat.engine.handle import Handle
    from hot.functions import Json

VALUE_SPECS = Prop("map", "Extra parameters to include in the request.", default={}, update=True)
FIXED_SPECS = Prop("map", "Extra parameters to include in the request.", default={})
NAME = Prop("string", "The name; made up when not given.", update=True)
ADMIN_UP = Prop("boolean", "The administrative status.", default=True, update=True)
_WAIT = 60.0


class NeutronPlugin(Plugin):
    """A Neutron resource whose properties are the API's own fields, with the listed exceptions."""

    path: ClassVar[str]
    key: ClassVar[str]
    renamed: ClassVar[Mapping[str, str]] = {}
    references: ClassVar[Mapping[str, str]] = {}

    async def body(self, res: Handle, values: Mapping[str, Json]) -> dict[str, Json]:
        """Return the API fields of property values, with ids for names and without empty ones."""
        body: dict[str, Json] = {}
        lookup = res.engine.lookup(res.client)
        for name, value in values.items():
            if value is None or name == "value_specs":
                continue
            if name in self.references:
                value = await lookup.neutron(self.references[name], value)  # noqa: PLW2901
            body[self.renamed.get(name, name)] = value
        return {**body, **(values.get("value_specs") or {})}

    async def create(self, res: Handle) -> None:
        body = await self.body(res, res.props)
        if "name" in self.schema:
            body.setdefault("name", res.physical_name())
        await self.post(res, body)

    async def post(self, res: Handle, body: dict[str, Json]) -> dict[str, Json]:
        """Create the resource, and wait until Neutron has built it."""
        made = await res.make("network", self.path, {self.key: body})
        await self._built(res, made)
        return made

    async def _built(self, res: Handle, made: Mapping[str, Json]) -> None:
        status = made.get("status", "ACTIVE")
        while status in ("BUILD", "PENDING_CREATE"):
            await res.engine.cloud.bus.wait(self.key, res.physical, _WAIT)
            status = ((await self.show(res)) or {}).get("status", "ERROR")
        if status in ("ERROR", "DEGRADED"):
            raise ResourceInError(status=status)
        if status not in ("ACTIVE", "DOWN", None):
            raise ResourceUnknownStatus(status, result="Resource is not built")

    async def update(self, res: Handle, changed: dict[str, Json]) -> None:
        body = await self.body(res, changed)
        if "name" in changed and changed["name"] is None:
            body["name"] = res.physical_name()
        if body:
            await res.client.put("network", f"{self.path}/{res.physical}", {self.key: body})

    async def delete(self, res: Handle) -> None:
        if res.physical:
            await res.client.remove("network", f"{self.path}/{res.physical}")

    async def show(self, res: Handle) -> dict[str, Json] | None:
        reply = await res.client.find("network", f"{self.path}/{res.physical}")
        shown: dict[str, Json] | None = reply and reply[self.key]
        return shown


class Net(NeutronPlugin):
    type_name = "OS::Neutron::Net"
    description = "A resource for managing Neutron net."
    path, key = "/networks", "network"
    schema: Mapping[str, Prop] = {
        "name": NAME,
        "value_specs": VALUE_SPECS,
        "admin_state_up": ADMIN_UP,
        "tenant_id": Prop("string", "The ID of the tenant which will own the network."),
        "shared": Prop("boolean", "Whether this network should be shared.", default=False, update=True),
        "dhcp_agent_ids": Prop("list", "The IDs of the DHCP agents to schedule the network.", update=True),
        "port_security_enabled": Prop("boolean", "Default port security of the network.", update=True),
    }
    attributes: ClassVar[Mapping[str, str]] = {
        name: f"The network's {name}."
        for name in ("status", "name", "subnets", "admin_state_up", "tenant_id", "port_security_enabled", "mtu")
    }

    async def body(self, res: Handle, values: Mapping[str, Json]) -> dict[str, Json]:
        body = await super().body(res, values)
        body.pop("dhcp_agent_ids", None)
        if not body.get("shared") and not res.physical:
            body.pop("shared", None)
        return body


class ProviderNet(Net):
    type_name = "OS::Neutron::ProviderNet"
    description = "A resource for managing Neutron provider networks."
    renamed: ClassVar[Mapping[str, str]] = {
        "network_type": "provider:network_type",
        "physical_network": "provider:physical_network",
        "segmentation_id": "provider:segmentation_id",
    }
    schema: Mapping[str, Prop] = {
        "name": NAME,
        "admin_state_up": ADMIN_UP,
        "shared": Prop("boolean", "Whether this network should be shared.", default=True, update=True),
        "network_type": Prop("string", "vlan or flat.", required=True, update=True, constraints=one_of("vlan", "flat")),
        "physical_network": Prop("string", "Physical network name.", required=True, update=True),
        "segmentation_id": Prop("string", "VLAN.", update=True),
    }
    attributes: ClassVar[Mapping[str, str]] = {name: f"The network's {name}." for name in ("status", "subnets")}


_ADDRESS = Prop("string", required=True, constraints=known("ip_addr"))
_POOL = {"start": _ADDRESS, "end": _ADDRESS}
_ROUTE = {"destination": Prop("string", required=True), "nexthop": _ADDRESS}


class Subnet(NeutronPlugin):
    type_name = "OS::Neutron::Subnet"
    description = "A resource for managing Neutron subnets."
    path, key = "/subnets", "subnet"
    aliases: ClassVar[Mapping[str, str]] = {"network_id": "network"}
    renamed: ClassVar[Mapping[str, str]] = {"network": "network_id", "subnetpool": "subnetpool_id"}
    references: ClassVar[Mapping[str, str]] = {"network": "network"}
    schema: Mapping[str, Prop] = {
        "network": Prop(
            "string", "The ID of the attached network.", required=True, constraints=known("neutron.network")
        ),
        "cidr": Prop("string", "The CIDR.", required=True, constraints=known("net_cidr")),
        "value_specs": VALUE_SPECS,
        "name": NAME,
        "ip_version": Prop("integer", "The IP version, which is 4 or 6.", default=4, constraints=one_of(4, 6)),
        "dns_nameservers": Prop("list", "DNS name servers.", default=[], update=True),
        "gateway_ip": Prop("string", "The gateway address; empty for none.", update=True),
        "enable_dhcp": Prop("boolean", "Whether DHCP is on.", default=True, update=True),
        "allocation_pools": Prop("list", "The start and end addresses for the pools.", items=Prop("map", schema=_POOL)),
        "tenant_id": Prop("string", "The ID of the tenant which will own the subnet."),
        "host_routes": Prop("list", "Static host routes.", update=True, items=Prop("map", schema=_ROUTE)),
        "ipv6_ra_mode": Prop(
            "string", "IPv6 RA mode.", constraints=one_of("dhcpv6-stateful", "dhcpv6-stateless", "slaac")
        ),
        "ipv6_address_mode": Prop(
            "string", "IPv6 address mode.", constraints=one_of("dhcpv6-stateful", "dhcpv6-stateless", "slaac")
        ),
    }
    attributes: ClassVar[Mapping[str, str]] = {
        name: f"The subnet's {name}."
        for name in (
            "name", "network_id", "tenant_id", "allocation_pools", "gateway_ip", "host_routes", "ip_version", "cidr",
            "dns_nameservers", "enable_dhcp",
        )
    }  # fmt: skip

    async def body(self, res: Handle, values: Mapping[str, Json]) -> dict[str, Json]:
        body = await super().body(res, values)
        if values.get("gateway_ip") == "":
            body["gateway_ip"] = None
        return body


_FIXED_IP = {
    "subnet": Prop("string", "Subnet in which to allocate the IP address.", constraints=known("neutron.subnet")),
    "ip_address": Prop("string", "IP address desired in the subnet.", constraints=known("ip_addr")),
}
_PAIR = {
    "mac_address": Prop("string", constraints=known("mac_addr")),
    "ip_address": Prop("string", required=True, constraints=known("net_cidr")),
}


class Port(NeutronPlugin):
    type_name = "OS::Neutron::Port"
    description = "A resource for managing Neutron ports."
    path, key = "/ports", "port"
    aliases: ClassVar[Mapping[str, str]] = {"network_id": "network"}
    renamed: ClassVar[Mapping[str, str]] = {"network": "network_id"}
    references: ClassVar[Mapping[str, str]] = {"network": "network"}
    schema: Mapping[str, Prop] = {
        "network": Prop("string", "Network this port belongs to.", required=True, constraints=known("neutron.network")),
        "device_id": Prop("string", "Device ID of this port.", default="", update=True),
        "device_owner": Prop("string", "Name of the network owning the port.", default="", update=True),
        "fixed_ips": Prop(
            "list", "Desired IPs for this port.", update=True,
            items=Prop("map", schema=_FIXED_IP, old_names={"subnet_id": "subnet"}),
        ),
        "security_groups": Prop("list", "Security group IDs to associate with this port.", update=True),
        "name": NAME,
        "value_specs": FIXED_SPECS,
        "admin_state_up": ADMIN_UP,
        "allowed_address_pairs": Prop(
            "list", "Additional MAC/IP address pairs allowed to pass through the port.",
            items=Prop("map", schema=_PAIR),
        ),
        "mac_address": Prop("string", "MAC address to give to this port.", constraints=known("mac_addr")),
        "binding:vnic_type": Prop(
            "string", "The vnic type to be bound on the neutron port.", update=True,
            constraints=one_of("normal", "direct", "macvtap"),
        ),
        "port_security_enabled": Prop("boolean", "Whether to enable port security on the port.", update=True),
        "replacement_policy": Prop(
            "string", "Whether each update of the stack replaces the port.", default="AUTO", update=True,
            constraints=one_of("REPLACE_ALWAYS", "AUTO"),
        ),
    }  # fmt: skip
    attributes: ClassVar[Mapping[str, str]] = {
        name: f"The port's {name}."
        for name in (
            "admin_state_up", "device_id", "device_owner", "fixed_ips", "mac_address", "name", "network_id",
            "security_groups", "status", "tenant_id", "allowed_address_pairs", "subnets", "port_security_enabled",
        )
    }  # fmt: skip

    def replaced_by(self, values: Mapping[str, Json]) -> bool:
        return bool(values["replacement_policy"] == "REPLACE_ALWAYS")

    async def body(self, res: Handle, values: Mapping[str, Json]) -> dict[str, Json]:
        body = await super().body(res, values)
        body.pop("replacement_policy", None)
        lookup = res.engine.lookup(res.client)
        if "fixed_ips" in body:
            body["fixed_ips"] = [await self._fixed_ip(lookup, item) for item in body["fixed_ips"]]
        if "security_groups" in body:
            body["security_groups"] = [await lookup.neutron("security_group", one) for one in body["security_groups"]]
        for pair in body.get("allowed_address_pairs") or []:
            if pair.get("mac_address") is None:
                pair.pop("mac_address", None)
        for empty in ("device_id", "device_owner"):
            if body.get(empty) == "" and not res.physical:
                del body[empty]
        return body

    @staticmethod
    async def _fixed_ip(lookup: Json, item: Mapping[str, Json]) -> dict[str, Json]:
        wanted = {}
        if item.get("ip_address"):
            wanted["ip_address"] = item["ip_address"]
        if item.get("subnet"):
            wanted["subnet_id"] = await lookup.neutron("subnet", item["subnet"])
        return wanted

    async def show(self, res: Handle) -> dict[str, Json] | None:
        port = await super().show(res)
        if port is not None:
            port["subnets"] = []
            for item in port["fixed_ips"]:
                reply = await res.client.find("network", f"/subnets/{item['subnet_id']}")
                port["subnets"] += [reply["subnet"]] if reply else []
        return port

    async def before_replace(self, res: Handle) -> None:
        """Free the addresses for the replacement."""
        port = await super().show(res)
        if port is not None:
            res.data["port_fip"] = port["fixed_ips"]
            await res.client.put("network", f"/ports/{res.physical}", {"port": {"fixed_ips": []}})

    async def after_restore(self, res: Handle) -> None:
        kept = res.data.pop("port_fip", None)
        if kept and await super().show(res):
            await res.client.put("network", f"/ports/{res.physical}", {"port": {"fixed_ips": kept}})


TYPES: list[type[Plugin]] = [Net, ProviderNet, Subnet, Port]
