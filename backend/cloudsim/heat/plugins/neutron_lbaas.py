"""The OS::Neutron types for LBaaS v1, the only version that Liberty's Heat has.

Source: heat 5.0.0, heat/engine/resources/openstack/neutron/loadbalancer.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from cloudsim.heat.errors import ResourceInError, ResourceUnknownStatus, StackValidationFailed
from cloudsim.heat.hot.properties import Prop, between, known, one_of
from cloudsim.heat.plugins.base import Plugin
from cloudsim.heat.plugins.neutron import ADMIN_UP, NeutronPlugin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cloudsim.heat.engine.handle import Handle
    from cloudsim.heat.engine.stack import Stack
    from cloudsim.heat.hot.scope import Json
    from cloudsim.heat.hot.template import Definition

_WAIT = 60.0
_PORT = between(0, 65535)
_PERSISTENCE = {
    "type": Prop(
        "string", "Method of implementation of session persistence feature.", required=True,
        constraints=one_of("SOURCE_IP", "HTTP_COOKIE", "APP_COOKIE"),
    ),
    "cookie_name": Prop("string", "Name of the cookie, required if type is APP_COOKIE."),
}  # fmt: skip
_VIP = {
    "name": Prop("string", "Name of the vip."),
    "description": Prop("string", "Description of the vip."),
    "subnet": Prop("string", "Subnet of the vip.", constraints=known("neutron.subnet")),
    "address": Prop("string", "IP address of the vip.", constraints=known("ip_addr")),
    "connection_limit": Prop("integer", "The maximum number of connections per second."),
    "protocol_port": Prop("integer", "TCP port on which to listen for client traffic.", required=True),
    "session_persistence": Prop("map", "Configuration of session persistence.", schema=_PERSISTENCE),
    "admin_state_up": Prop("boolean", "The administrative state of this vip.", default=True),
}


class HealthMonitor(NeutronPlugin):
    type_name = "OS::Neutron::HealthMonitor"
    description = "A resource for managing health monitors for load balancers in Neutron."
    path, key = "/lb/health_monitors", "health_monitor"
    schema: Mapping[str, Prop] = {
        "delay": Prop("integer", "Seconds between connections of the member.", required=True, update=True),
        "type": Prop("string", "The type.", required=True, constraints=one_of("PING", "TCP", "HTTP", "HTTPS")),
        "max_retries": Prop("integer", "Permissible connection failures.", required=True, update=True),
        "timeout": Prop("integer", "Seconds to wait for a connection.", required=True, update=True),
        "admin_state_up": ADMIN_UP,
        "http_method": Prop("string", "The HTTP method used for requests.", update=True),
        "expected_codes": Prop("string", "The HTTP status codes of a healthy member.", update=True),
        "url_path": Prop("string", "The HTTP path used in the request.", update=True),
    }
    attributes: ClassVar[Mapping[str, str]] = {name: f"The monitor's {name}." for name in (*schema, "tenant_id")}


class PoolMember(NeutronPlugin):
    type_name = "OS::Neutron::PoolMember"
    description = "A resource to handle load balancer members."
    path, key = "/lb/members", "member"
    schema: Mapping[str, Prop] = {
        "pool_id": Prop("string", "The ID of the load balancing pool.", required=True, update=True),
        "address": Prop("string", "IP address of the member.", required=True, constraints=known("ip_addr")),
        "protocol_port": Prop("integer", "TCP port of the member.", required=True, constraints=_PORT),
        "weight": Prop("integer", "Weight of the member in the pool.", update=True, constraints=between(0, 256)),
        "admin_state_up": Prop("boolean", "The administrative state of the pool member.", default=True),
    }
    attributes: ClassVar[Mapping[str, str]] = {name: f"The member's {name}." for name in (*schema, "tenant_id")}

    async def post(self, res: Handle, body: dict[str, Json]) -> dict[str, Json]:
        """Create a member without waiting, as Liberty's Heat does."""
        return await res.make("network", self.path, {self.key: body})


class Pool(NeutronPlugin):
    """A pool with its vip, whose id is in the metadata, as in Heat."""

    type_name = "OS::Neutron::Pool"
    description = "A resource for managing load balancer pools in Neutron."
    path, key = "/lb/pools", "pool"
    aliases: ClassVar[Mapping[str, str]] = {"subnet_id": "subnet"}
    renamed: ClassVar[Mapping[str, str]] = {"subnet": "subnet_id"}
    references: ClassVar[Mapping[str, str]] = {"subnet": "subnet"}
    schema: Mapping[str, Prop] = {
        "protocol": Prop(
            "string", "Protocol for balancing.", required=True, constraints=one_of("TCP", "HTTP", "HTTPS")
        ),
        "subnet": Prop("string", "The subnet of the members.", required=True, constraints=known("neutron.subnet")),
        "lb_method": Prop(
            "string", "The algorithm used to distribute load.", required=True, update=True,
            constraints=one_of("ROUND_ROBIN", "LEAST_CONNECTIONS", "SOURCE_IP"),
        ),
        "name": Prop("string", "Name of the pool."),
        "description": Prop("string", "Description of the pool.", update=True),
        "admin_state_up": ADMIN_UP,
        "provider": Prop("string", "LBaaS provider to implement this load balancer instance."),
        "vip": Prop("map", "IP address and port of the pool.", required=True, schema=_VIP),
        "monitors": Prop("list", "Health monitors associated with the pool.", default=[], update=True),
    }  # fmt: skip
    attributes: ClassVar[Mapping[str, str]] = {
        name: f"The pool's {name}."
        for name in (
            "admin_state_up", "name", "protocol", "subnet_id", "lb_method", "description", "tenant_id", "vip",
            "provider",
        )
    }  # fmt: skip

    async def validate(self, stack: Stack, definition: Definition, values: Mapping[str, Json]) -> None:
        """Check that an application cookie has a name."""
        persistence = (values.get("vip") or {}).get("session_persistence") or {}
        if persistence.get("type") == "APP_COOKIE" and not persistence.get("cookie_name"):
            message = "Property cookie_name is required, when session_persistence type is set to APP_COOKIE."
            raise StackValidationFailed(message)

    async def body(self, res: Handle, values: Mapping[str, Json]) -> dict[str, Json]:
        return await super().body(res, {name: values[name] for name in values if name not in ("vip", "monitors")})

    async def post(self, res: Handle, body: dict[str, Json]) -> dict[str, Json]:
        pool = await res.make("network", self.path, {self.key: body})
        for monitor in res.props["monitors"]:
            await self._bind(res, monitor)
        vip = await res.client.post("network", "/lb/vips", {"vip": await self._vip(res, pool)})
        res.record.doc["metadata"] = {"vip": vip["vip"]["id"]}
        res.save()
        await self._active(res, "pool", res.physical)
        await self._active(res, "vip", vip["vip"]["id"])
        return pool

    async def _vip(self, res: Handle, pool: Mapping[str, Json]) -> dict[str, Json]:
        vip = {name: value for name, value in res.props["vip"].items() if value is not None}
        subnet = vip.pop("subnet", None)
        if subnet:
            subnet = await res.engine.lookup(res.client).neutron("subnet", subnet)
        if "session_persistence" in vip:
            vip["session_persistence"] = {k: v for k, v in vip["session_persistence"].items() if v is not None}
        vip.setdefault("name", f"{res.name}.vip")
        fixed = {"protocol": res.props["protocol"], "pool_id": pool["id"]}
        return {**vip, **fixed, "subnet_id": subnet or pool["subnet_id"]}

    async def _active(self, res: Handle, kind: str, ident: str) -> None:
        status = "PENDING_CREATE"
        while status == "PENDING_CREATE":
            status = (await res.client.get("network", f"/lb/{kind}s/{ident}"))[kind]["status"]
            if status == "PENDING_CREATE":
                await res.engine.cloud.bus.wait(kind, ident, _WAIT)
        if status == "ERROR":
            raise ResourceInError(status=status, reason=f"error in {kind}")
        if status != "ACTIVE":
            result = "Pool creation failed due to vip" if kind == "vip" else "Pool creation failed"
            raise ResourceUnknownStatus(status, result=result)

    async def _bind(self, res: Handle, monitor: str) -> None:
        await res.client.post("network", f"{self.path}/{res.physical}/health_monitors",
                              {"health_monitor": {"id": monitor}})  # fmt: skip

    async def update(self, res: Handle, changed: dict[str, Json]) -> None:
        if "monitors" in changed:
            wanted, bound = set(changed.pop("monitors") or []), set((await self.show(res) or {})["health_monitors"])
            for monitor in bound - wanted:
                await res.client.remove("network", f"{self.path}/{res.physical}/health_monitors/{monitor}")
            for monitor in wanted - bound:
                await self._bind(res, monitor)
        await super().update(res, changed)

    async def delete(self, res: Handle) -> None:
        vip = res.record.doc["metadata"].get("vip")
        if res.physical and vip:
            await res.client.remove("network", f"/lb/vips/{vip}")
        await super().delete(res)

    async def attribute(self, res: Handle, name: str) -> Json:
        if name != "vip":
            return await super().attribute(res, name)
        return (await res.client.get("network", f"/lb/vips/{res.record.doc['metadata']['vip']}"))["vip"]


class LoadBalancer(Plugin):
    """The members of a pool by their servers, without an id of its own."""

    type_name = "OS::Neutron::LoadBalancer"
    description = "A resource to link a neutron pool with servers."
    schema: Mapping[str, Prop] = {
        "pool_id": Prop("string", "The ID of the load balancing pool.", required=True, update=True),
        "protocol_port": Prop("integer", "Port of the servers.", required=True, constraints=_PORT),
        "members": Prop("list", "The list of Nova server IDs load balanced.", update=True),
    }

    async def create(self, res: Handle) -> None:
        await self._set(res, res.props["members"] or [])

    async def update(self, res: Handle, changed: dict[str, Json]) -> None:
        """Update members; as in Heat, a change of the pool alone does not move them."""
        if "members" in changed:
            await self._set(res, changed["members"] or [])

    async def delete(self, res: Handle) -> None:
        await self._set(res, [])

    async def _set(self, res: Handle, servers: list[str]) -> None:
        for server in [one for one in res.data if one not in servers]:
            await res.client.remove("network", f"/lb/members/{res.data.pop(server)}")
            res.save()
        for server in [one for one in servers if one not in res.data]:
            body = {"pool_id": res.props["pool_id"], "protocol_port": res.props["protocol_port"]}
            body["address"] = await _address(res, server)
            made = await res.client.post("network", "/lb/members", {"member": body})
            res.data[server] = made["member"]["id"]
            res.save()


async def _address(res: Handle, server: str) -> str | None:
    """Return the first address on the last of the server's networks by name, as Heat does."""
    networks = (await res.client.get("compute", f"/servers/{server}"))["server"]["addresses"]
    return next((networks[name][0]["addr"] for name in sorted(networks, reverse=True) if networks[name]), None)


TYPES: list[type[Plugin]] = [HealthMonitor, Pool, PoolMember, LoadBalancer]
