"""Floating IPs by Nova's API (os-floating-ips), which forwards every call to Neutron."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cloudsim.compute.common import bad, conflict, not_found
from cloudsim.core.errors import ApiFault, Reply

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.service import Request
    from cloudsim.core.store import Doc

DEFAULT_POOL = "public"
"""nova.conf's default_floating_pool, as DevStack sets it."""


class FloatingIps:
    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud

    async def _neutron(self, ctx: RequestContext, method: str, path: str, body: Doc | None = None) -> Any:
        """Return the reply's JSON. Raises ApiFault with Neutron's status and message."""
        reply = await self._cloud.dispatcher.call(ctx, "network", method, path, json=body)
        if reply.fault:
            raise ApiFault(reply.status, reply.fault.type, reply.fault.message)
        return reply.body

    async def pools(self, ctx: RequestContext, _request: Request) -> Reply:
        return Reply(200, {"floating_ip_pools": [{"name": net["name"]} for net in await self._pools(ctx)]})

    async def _pools(self, ctx: RequestContext) -> list[Doc]:
        found = (await self._neutron(ctx, "GET", "/networks"))["networks"]
        return [net for net in found if net["router:external"]]

    async def index(self, ctx: RequestContext, _request: Request) -> Reply:
        own = self._cloud.store.find("floatingip", "project", ctx.project_id)
        return Reply(200, {"floating_ips": [self._view(one) for one in own]})

    async def show(self, ctx: RequestContext, request: Request) -> Reply:
        return Reply(200, {"floating_ip": self._view(self._find(ctx, "id", request.params["id"]))})

    async def create(self, ctx: RequestContext, request: Request) -> Reply:
        wanted = request.object.get("pool") or DEFAULT_POOL
        for net in await self._pools(ctx):
            if wanted in (net["id"], net["name"]):
                body = {"floatingip": {"floating_network_id": net["id"]}}
                made = (await self._neutron(ctx, "POST", "/floatingips", body))["floatingip"]
                return Reply(200, {"floating_ip": self._view(made)})
        raise not_found("Floating IP pool not found.")

    async def delete(self, ctx: RequestContext, request: Request) -> Reply:
        doc = self._find(ctx, "id", request.params["id"])
        await self._neutron(ctx, "DELETE", f"/floatingips/{doc['id']}")
        return Reply(202)

    def _find(self, ctx: RequestContext, name: str, value: Any) -> Doc:
        for one in self._cloud.store.find("floatingip", "project", ctx.project_id):
            if one[name] == value:
                return one
        what = f"ID {value}" if name == "id" else f"address {value}"
        raise not_found(f"Floating IP not found for {what}.")

    def _view(self, doc: Doc) -> Doc:
        network = self._cloud.store.get("network", doc["floating_network_id"]) or {}
        port = self._cloud.store.get("port", doc["port_id"] or "") or {}
        return {
            "id": doc["id"],
            "ip": doc["floating_ip_address"],
            "pool": network.get("name"),
            "fixed_ip": doc["fixed_ip_address"],
            "instance_id": port.get("device_id") or None,
        }

    # Actions of a server

    async def add(self, ctx: RequestContext, _request: Request, server: Doc, argument: Any) -> Reply:
        """Add a floating IP to the first IPv4 address of the server, or to the named one."""
        given = argument if isinstance(argument, dict) else {}
        doc = self._find(ctx, "floating_ip_address", given.get("address"))
        ports = [port for ident in server["ports"] if (port := self._cloud.store.get("port", ident))]
        if not ports:
            raise bad("No nw_info cache associated with instance")
        wanted = given.get("fixed_address")
        for port in ports:
            for item in port["fixed_ips"]:
                if item["ip_address"] == wanted or (wanted is None and ":" not in item["ip_address"]):
                    return await self._associate(ctx, doc, port["id"], item["ip_address"])
        raise bad("No fixed IPs associated to instance")

    async def _associate(self, ctx: RequestContext, doc: Doc, port_id: str, address: str) -> Reply:
        body = {"floatingip": {"port_id": port_id, "fixed_ip_address": address}}
        try:
            await self._neutron(ctx, "PUT", f"/floatingips/{doc['id']}", body)
        except ApiFault as fault:
            problem = f"Unable to associate floating IP {doc['floating_ip_address']} to fixed IP {address}"
            raise bad(f"{problem}. Error: {fault.message}") from fault
        return Reply(202)

    async def remove(self, ctx: RequestContext, _request: Request, server: Doc, argument: Any) -> Reply:
        given = argument if isinstance(argument, dict) else {}
        doc = self._find(ctx, "floating_ip_address", given.get("address"))
        if doc["port_id"] not in server["ports"]:
            address = doc["floating_ip_address"]
            raise conflict(f"Floating IP {address} is not associated with instance {server['id']}.")
        await self._neutron(ctx, "PUT", f"/floatingips/{doc['id']}", {"floatingip": {"port_id": None}})
        return Reply(202)
