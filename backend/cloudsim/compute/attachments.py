"""The attachments of volumes to a running server: os-volume_attachments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cloudsim.compute.common import bad, body_of, conflict, forbidden, not_found
from cloudsim.compute.volumes import attached, check_attachable, visible
from cloudsim.core.errors import Reply

if TYPE_CHECKING:
    from cloudsim.compute.servers import Servers
    from cloudsim.compute.volumes import Disks
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.service import Request
    from cloudsim.core.store import Doc

_CHANGEABLE = {"active", "paused", "stopped", "resized"}


class Attachments:
    """``/servers/{id}/os-volume_attachments``."""

    def __init__(self, cloud: Cloud, servers: Servers, disks: Disks) -> None:
        self._cloud = cloud
        self._servers = servers
        self._disks = disks
        for name in ("volume_attached", "volume_detached"):
            cloud.timers.register(f"compute.{name}", getattr(self, name))

    @staticmethod
    def _view(server: Doc, one: Doc) -> Doc:
        ident = one["volume_id"]
        return {"id": ident, "serverId": server["id"], "volumeId": ident, "device": one["device"]}

    async def index(self, ctx: RequestContext, request: Request) -> Reply:
        server = self._servers.get(ctx, request.params["id"])
        return Reply(200, {"volumeAttachments": [self._view(server, one) for one in attached(server)]})

    async def show(self, ctx: RequestContext, request: Request) -> Reply:
        server = self._servers.get(ctx, request.params["id"])
        return Reply(200, {"volumeAttachment": self._view(server, self._find(server, request.params["volume"]))})

    @staticmethod
    def _find(server: Doc, ident: str) -> Doc:
        for one in attached(server):
            if one["volume_id"] == ident:
                return one
        raise not_found(f"volume_id not found: {ident}")

    @staticmethod
    def _require_state(server: Doc, action: str) -> None:
        if server["locked"]:
            raise conflict(f"Instance {server['id']} is locked")
        if server["vm_state"] not in _CHANGEABLE:
            state = server["vm_state"]
            raise conflict(f"Cannot '{action}' instance {server['id']} while it is in vm_state {state}")

    async def create(self, ctx: RequestContext, request: Request) -> Reply:
        server = self._servers.get(ctx, request.params["id"])
        given = body_of(request, "volumeAttachment")
        ident = str(given.get("volumeId") or "")
        self._require_state(server, "attach_volume")
        volume = visible(self._cloud, ctx, ident)
        if volume is None:
            raise not_found(f"Volume {ident} could not be found.")
        check_attachable(volume)
        reply = await self._cloud.dispatcher.call(
            ctx, "volume", "POST", f"/volumes/{ident}/action", json={"os-reserve": {}}
        )
        if reply.fault:
            raise bad(reply.fault.message)
        one = self._disks.add(server, ident, given.get("device"))
        self._cloud.store.put("server", server["id"], server)
        self._later("volume_attached", server, ident)
        return Reply(200, {"volumeAttachment": self._view(server, one)})

    def _later(self, name: str, server: Doc, ident: str) -> None:
        seconds: Any = self._cloud.setting("action_seconds")
        self._cloud.timers.after(float(seconds), f"compute.{name}", server_id=server["id"], volume_id=ident)

    async def volume_attached(self, server_id: str, volume_id: str) -> None:
        server = self._cloud.store.get("server", server_id)
        one = next((one for one in attached(server or {}) if one["volume_id"] == volume_id), None)
        if server and one:
            await self._disks.attach(server, one)

    async def delete(self, ctx: RequestContext, request: Request) -> Reply:
        server, ident = self._servers.get(ctx, request.params["id"]), request.params["volume"]
        if visible(self._cloud, ctx, ident) is None:
            raise not_found(f"Volume {ident} could not be found.")
        if self._find(server, ident)["root"]:
            raise forbidden("Can't detach root device volume")
        self._require_state(server, "detach_volume")
        reply = await self._cloud.dispatcher.call(
            ctx, "volume", "POST", f"/volumes/{ident}/action", json={"os-begin_detaching": {}}
        )
        if reply.fault:
            raise bad(reply.fault.message)
        self._later("volume_detached", server, ident)
        return Reply(202)

    async def volume_detached(self, server_id: str, volume_id: str) -> None:
        server = self._cloud.store.get("server", server_id)
        one = next((one for one in attached(server or {}) if one["volume_id"] == volume_id), None)
        if server and one:
            await self._disks.detach(server, one)
            server["volumes"] = [other for other in attached(server) if other is not one]
            self._cloud.store.put("server", server_id, server)
