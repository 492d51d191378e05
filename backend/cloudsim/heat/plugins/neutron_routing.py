"""The OS::Neutron types for routers, floating IPs and security groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from cloudsim.heat.engine.client import CloudError
from cloudsim.heat.engine.plugin import Plugin
from cloudsim.heat.errors import Error, PropertyUnspecifiedError, ResourcePropertyConflict, ResourcePropertyDependency
from cloudsim.heat.hot.properties import Prop, between, known, one_of
from cloudsim.heat.plugins.neutron import ADMIN_UP, FIXED_SPECS, NAME, VALUE_SPECS, NeutronPlugin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cloudsim.heat.engine.handle import Handle
    from cloudsim.heat.engine.stack import Stack
    from cloudsim.heat.hot.template import Definition
    from hot.functions import Json


class Router(NeutronPlugin):
    type_name = "OS::Neutron::Router"
    description = "A resource that implements Neutron router."
    path, key = "/routers", "router"
    schema: Mapping[str, Prop] = {
        "name": NAME,
        "external_gateway_info": Prop(
            "map", "External network gateway configuration for a router.", update=True,
            schema={
                "network": Prop("string", required=True),
                "enable_snat": Prop("boolean"),
            },
        ),
        "value_specs": VALUE_SPECS,
        "admin_state_up": ADMIN_UP,
        "l3_agent_id": Prop("string", "ID of the L3 agent.", update=True),
        "l3_agent_ids": Prop("list", "IDs of the L3 agents, the first the primary one.", update=True),
        "distributed": Prop("boolean", "Whether a distributed router."),
        "ha": Prop("boolean", "Whether a highly available router."),
    }  # fmt: skip
    attributes: ClassVar[Mapping[str, str]] = {
        name: f"The router's {name}."
        for name in ("status", "external_gateway_info", "name", "admin_state_up", "tenant_id")
    }

    async def body(self, res: Handle, values: Mapping[str, Json]) -> dict[str, Json]:
        body = await super().body(res, values)
        for name in ("l3_agent_id", "l3_agent_ids"):  # Heat schedules by another API; there is one agent here
            body.pop(name, None)
        gateway = body.get("external_gateway_info")
        if gateway:
            network = await res.engine.lookup(res.client).neutron("network", gateway["network"])
            info: dict[str, Json] = {"network_id": network}
            if gateway.get("enable_snat") is not None:
                info["enable_snat"] = gateway["enable_snat"]
            body["external_gateway_info"] = info
        return body


class RouterInterface(NeutronPlugin):
    type_name = "OS::Neutron::RouterInterface"
    description = "A resource for managing Neutron router interfaces."
    aliases: ClassVar[Mapping[str, str]] = {"router_id": "router", "subnet_id": "subnet", "port_id": "port"}
    schema: Mapping[str, Prop] = {
        "router": Prop("string", "The router.", required=True, constraints=known("neutron.router")),
        "subnet": Prop("string", "The subnet, either subnet or port.", constraints=known("neutron.subnet")),
        "port": Prop("string", "The port, either subnet or port.", constraints=known("neutron.port")),
    }

    async def validate(self, stack: Stack, definition: Definition, values: Mapping[str, Json]) -> None:
        """Check that there is either a subnet or a port."""
        given = [name for name in ("subnet", "port") if values.get(name)]
        if len(given) > 1:
            raise ResourcePropertyConflict("subnet", "port")
        if not given:
            raise PropertyUnspecifiedError("subnet", "port")

    async def create(self, res: Handle) -> None:
        router, body = await self._target(res)
        await res.client.put("network", f"/routers/{router}/add_router_interface", body)
        ((kind, ident),) = body.items()
        res.adopt(f"{router}:{kind}={ident}")

    async def _target(self, res: Handle) -> tuple[str, dict[str, str]]:
        lookup, props = res.engine.lookup(res.client), res.props
        kind = "subnet" if props["subnet"] else "port"
        router = await lookup.neutron("router", props["router"])
        return router, {f"{kind}_id": await lookup.neutron(kind, props[kind])}

    async def delete(self, res: Handle) -> None:
        router, _, target = res.physical.partition(":")
        kind, _, ident = target.partition("=")
        if not ident:
            return
        try:
            await res.client.put("network", f"/routers/{router}/remove_router_interface", {kind: ident})
        except CloudError as error:
            if not error.gone:
                raise

    async def show(self, res: Handle) -> dict[str, Json] | None:
        return None


class RouterGateway(NeutronPlugin):
    type_name = "OS::Neutron::RouterGateway"
    description = "Deprecated: use external_gateway_info of the router."
    aliases: ClassVar[Mapping[str, str]] = {"network_id": "network"}
    schema: Mapping[str, Prop] = {
        "router_id": Prop("string", "ID of the router.", required=True, constraints=known("neutron.router")),
        "network": Prop("string", "External network.", required=True, constraints=known("neutron.network")),
    }

    async def create(self, res: Handle) -> None:
        lookup = res.engine.lookup(res.client)
        router = await lookup.neutron("router", res.props["router_id"])
        network = await lookup.neutron("network", res.props["network"])
        await self._set(res, router, {"network_id": network})
        res.adopt(f"{router}:{network}")

    async def _set(self, res: Handle, router: str, info: dict[str, Json]) -> None:
        await res.client.put("network", f"/routers/{router}", {"router": {"external_gateway_info": info}})

    async def delete(self, res: Handle) -> None:
        router = res.physical.partition(":")[0]
        if router and await res.client.find("network", f"/routers/{router}"):
            await self._set(res, router, {})

    async def show(self, res: Handle) -> dict[str, Json] | None:
        return None


class FloatingIP(NeutronPlugin):
    type_name = "OS::Neutron::FloatingIP"
    description = "A resource for managing Neutron floating ip."
    path, key = "/floatingips", "floatingip"
    aliases: ClassVar[Mapping[str, str]] = {"floating_network_id": "floating_network"}
    renamed: ClassVar[Mapping[str, str]] = {"floating_network": "floating_network_id"}
    references: ClassVar[Mapping[str, str]] = {"floating_network": "network"}
    schema: Mapping[str, Prop] = {
        "floating_network": Prop(
            "string", "Network to allocate floating IP from.", required=True, constraints=known("neutron.network")
        ),
        "value_specs": FIXED_SPECS,
        "port_id": Prop("string", "Port to associate with.", update=True, constraints=known("neutron.port")),
        "fixed_ip_address": Prop("string", "IP address to use.", update=True, constraints=known("ip_addr")),
        "floating_ip_address": Prop("string", "The floating IP wanted.", constraints=known("ip_addr")),
    }
    attributes: ClassVar[Mapping[str, str]] = {
        name: f"The floating IP's {name}."
        for name in (
            "router_id", "tenant_id", "floating_network_id", "fixed_ip_address", "floating_ip_address", "port_id",
        )
    }  # fmt: skip

    async def validate(self, stack: Stack, definition: Definition, values: Mapping[str, Json]) -> None:
        """Check that a fixed address has a port."""
        if values.get("fixed_ip_address") is not None and values.get("port_id") is None:
            raise ResourcePropertyDependency("fixed_ip_address", "port_id")

    async def update(self, res: Handle, changed: dict[str, Json]) -> None:
        if changed:
            body = {name: res.props[name] for name in ("port_id", "fixed_ip_address")}
            await res.client.put("network", f"/floatingips/{res.physical}", {"floatingip": body})


class FloatingIPAssociation(NeutronPlugin):
    type_name = "OS::Neutron::FloatingIPAssociation"
    description = "A resource for associating floating ips and ports."
    schema: Mapping[str, Prop] = {
        "floatingip_id": Prop("string", "ID of the floating IP to associate.", required=True, update=True),
        "port_id": Prop(
            "string", "ID of an existing port to associate with this floating IP.", required=True, update=True,
            constraints=known("neutron.port"),
        ),
        "fixed_ip_address": Prop(
            "string", "IP address to use if the port has several.", update=True, constraints=known("ip_addr")
        ),
    }  # fmt: skip

    async def create(self, res: Handle) -> None:
        await self._point(res, res.props["floatingip_id"], res.props["port_id"], res.props["fixed_ip_address"])
        res.adopt(res.record.uuid)
        res.data["floatingip"] = res.props["floatingip_id"]

    @staticmethod
    async def _point(res: Handle, floating: str, port: str | None, address: str | None = None) -> None:
        body = {"port_id": port} | ({"fixed_ip_address": address} if address else {})
        await res.client.put("network", f"/floatingips/{floating}", {"floatingip": body})

    async def update(self, res: Handle, changed: dict[str, Json]) -> None:
        if "floatingip_id" in changed:
            await self._point(res, res.data["floatingip"], None)
        if changed:
            await self.create(res)

    async def delete(self, res: Handle) -> None:
        floating = res.data.get("floatingip")
        if res.physical and floating and await res.client.find("network", f"/floatingips/{floating}"):
            await self._point(res, floating, None)

    async def show(self, res: Handle) -> dict[str, Json] | None:
        return None


class ExtraRoute(NeutronPlugin):
    type_name = "OS::Neutron::ExtraRoute"
    description = "A static route of a router."
    schema: Mapping[str, Prop] = {
        "router_id": Prop("string", "The router id.", required=True, constraints=known("neutron.router")),
        "destination": Prop("string", "Network in CIDR notation.", required=True),
        "nexthop": Prop("string", "Nexthop IP address.", required=True),
    }

    async def create(self, res: Handle) -> None:
        route = {name: res.props[name] for name in ("destination", "nexthop")}
        router = res.props["router_id"]
        routes = await self._routes(res, router) or []
        if route in routes:
            raise Error("Route duplicates an existing route.")
        await self._set(res, router, [*routes, route])
        res.data.update(route=route, router=router)
        res.adopt(f"{router}:{route['destination']}:{route['nexthop']}")

    @staticmethod
    async def _routes(res: Handle, router: str) -> list[dict[str, str]] | None:
        reply = await res.client.find("network", f"/routers/{router}")
        return list(reply["router"].get("routes") or []) if reply else None

    @staticmethod
    async def _set(res: Handle, router: str, routes: list[dict[str, str]]) -> None:
        await res.client.put("network", f"/routers/{router}", {"router": {"routes": routes}})

    async def delete(self, res: Handle) -> None:
        routes = await self._routes(res, res.data["router"]) if res.physical else None
        if routes is not None:
            await self._set(res, res.data["router"], [one for one in routes if one != res.data["route"]])

    async def show(self, res: Handle) -> dict[str, Json] | None:
        return None


_RULE = {
    "direction": Prop("string", default="ingress", constraints=one_of("ingress", "egress")),
    "ethertype": Prop("string", default="IPv4", constraints=one_of("IPv4", "IPv6")),
    "port_range_min": Prop("integer", constraints=between(0, 65535)),
    "port_range_max": Prop("integer", constraints=between(0, 65535)),
    "protocol": Prop("string"),
    "remote_mode": Prop(
        "string", default="remote_ip_prefix", constraints=one_of("remote_ip_prefix", "remote_group_id")
    ),
    "remote_group_id": Prop("string"),
    "remote_ip_prefix": Prop("string", constraints=known("net_cidr")),
}
_EGRESS = [{"direction": "egress", "ethertype": "IPv4"}, {"direction": "egress", "ethertype": "IPv6"}]


class SecurityGroup(NeutronPlugin):
    type_name = "OS::Neutron::SecurityGroup"
    description = "A resource for managing Neutron security groups."
    path, key = "/security-groups", "security_group"
    schema: Mapping[str, Prop] = {
        "name": NAME,
        "description": Prop("string", "Description of the security group.", update=True),
        "rules": Prop(
            "list", "List of security group rules.", default=[], update=True, items=Prop("map", schema=_RULE)
        ),
    }

    async def create(self, res: Handle) -> None:
        props = res.props
        body = {"name": props["name"] or res.physical_name()}
        if props["description"]:
            body["description"] = props["description"]
        await res.make("network", self.path, {self.key: body})
        await self._add_rules(res, props["rules"])

    async def _add_rules(self, res: Handle, rules: list[dict[str, Json]]) -> None:
        if any(rule["direction"] == "egress" for rule in rules):
            await self._drop_rules(res, "egress")
        for rule in rules:
            body = {name: value for name, value in rule.items() if value is not None and name != "remote_mode"}
            body["security_group_id"] = res.physical
            if rule.get("remote_mode") == "remote_group_id":
                body.pop("remote_ip_prefix", None)
                body.setdefault("remote_group_id", res.physical)
            else:
                body.pop("remote_group_id", None)
            try:
                await res.client.post("network", "/security-group-rules", {"security_group_rule": body})
            except CloudError as error:
                if error.kind != "Conflict":
                    raise

    async def _drop_rules(self, res: Handle, direction: str | None = None) -> None:
        shown = await self.show(res)
        for rule in (shown or {}).get("security_group_rules", []):
            if direction in (None, rule["direction"]):
                await res.client.remove("network", f"/security-group-rules/{rule['id']}")

    async def update(self, res: Handle, changed: dict[str, Json]) -> None:
        rules = changed.pop("rules", None)
        if rules is not None:
            await self._drop_rules(res)
            await self._add_rules(res, rules or [dict(rule) for rule in _EGRESS])
        await super().update(res, changed)

    async def delete(self, res: Handle) -> None:
        if res.physical:
            await self._drop_rules(res)
        await super().delete(res)


TYPES: list[type[Plugin]] = [
    Router, RouterInterface, RouterGateway, ExtraRoute, FloatingIP, FloatingIPAssociation, SecurityGroup,
]  # fmt: skip
