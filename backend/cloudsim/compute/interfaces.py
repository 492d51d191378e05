"""os-interface: NICs of a running server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.compute import nics, views
from cloudsim.compute.common import bad, body_of, conflict, not_found, objects
from cloudsim.core.errors import ApiFault, Reply
from cloudsim.network.ports import set_device_status

if TYPE_CHECKING:
    from cloudsim.compute.lifecycle import Lifecycle
    from cloudsim.compute.servers import Servers
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.service import Request
    from cloudsim.core.store import Doc


class Interfaces:
    def __init__(self, cloud: Cloud, servers: Servers, lifecycle: Lifecycle) -> None:
        self._cloud = cloud
        self._servers = servers
        self._lifecycle = lifecycle

    @staticmethod
    def _view(port: Doc) -> Doc:
        return {
            "port_state": port["status"],
            "fixed_ips": port["fixed_ips"],
            "port_id": port["id"],
            "net_id": port["network_id"],
            "mac_addr": port["mac_address"],
        }

    async def index(self, ctx: RequestContext, request: Request) -> Reply:
        server = self._servers.get(ctx, request.params["id"])
        ports = views.ports_of(self._cloud.store, server)
        return Reply(200, {"interfaceAttachments": [self._view(port) for port in ports]})

    async def show(self, ctx: RequestContext, request: Request) -> Reply:
        server = self._servers.get(ctx, request.params["id"])
        return Reply(200, {"interfaceAttachment": self._view(self._port(server, request.params["port"]))})

    async def attach(self, ctx: RequestContext, request: Request) -> Reply:
        server = self._servers.get(ctx, request.params["id"])
        given = body_of(request, "interfaceAttachment")
        if given.get("port_id") and given.get("net_id"):
            raise bad("Must not input both network_id and port_id")
        self._require_state(server, "attach_interface")
        fixed = (objects(given, "fixed_ips") or [{}])[0].get("ip_address")
        wish = {"port": given["port_id"]} if given.get("port_id") else {"uuid": given.get("net_id"), "fixed_ip": fixed}
        wanted = await nics.resolve(self._cloud, ctx, [wish], [])
        fault = await self._lifecycle.plug(ctx, server, wanted)
        fault = fault or await self._lifecycle.guests.plug(server, server["ports"][-1])
        if fault:
            raise ApiFault(500, "InterfaceAttachFailed", f"Failed to attach network adapter device: {fault}")
        self._lifecycle.save(server)
        if server["vm_state"] == "active":
            set_device_status(self._cloud, server["id"], "ACTIVE")
        return Reply(200, {"interfaceAttachment": self._view(self._port(server, server["ports"][-1]))})

    async def detach(self, ctx: RequestContext, request: Request) -> Reply:
        server = self._servers.get(ctx, request.params["id"])
        port = self._port(server, request.params["port"])
        self._require_state(server, "detach_interface")
        await self._lifecycle.guests.unplug(server, port["id"])
        server["ports"].remove(port["id"])
        if port["id"] in server["own_ports"]:
            server["own_ports"].remove(port["id"])
            await self._cloud.dispatcher.call(ctx.elevated(), "network", "DELETE", f"/ports/{port['id']}")
        else:
            await self._lifecycle.unplug(ctx, port["id"])
        self._lifecycle.save(server)
        return Reply(202)

    @staticmethod
    def _require_state(server: Doc, action: str) -> None:
        for kind, allowed in (
            ("vm_state", server["vm_state"] in {"active", "paused", "stopped"}),
            ("task_state", server["task_state"] is None),
        ):
            if not allowed:
                raise conflict(f"Cannot '{action}' instance {server['id']} while it is in {kind} {server[kind]}")

    def _port(self, server: Doc, ident: str) -> Doc:
        port = self._cloud.store.get("port", ident)
        if port is None or ident not in server["ports"]:
            raise not_found(f"Port {ident} could not be found.")
        return port
