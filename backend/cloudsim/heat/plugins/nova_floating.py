"""OS::Nova::FloatingIP and its association, by Nova's API, which calls Neutron."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from cloudsim.heat.engine.client import CloudError
from cloudsim.heat.hot.properties import Prop, known
from cloudsim.heat.plugins.base import Plugin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cloudsim.heat.engine.handle import Handle
    from cloudsim.heat.hot.scope import Json


class FloatingIP(Plugin):
    type_name = "OS::Nova::FloatingIP"
    description = "A resource for managing Nova floating IPs."
    schema: Mapping[str, Prop] = {"pool": Prop("string", "Allocate a floating IP from a given floating IP pool.")}
    attributes: ClassVar[Mapping[str, str]] = {
        "pool": "Pool from which floating IP is allocated.",
        "ip": "Allocated floating IP address.",
    }

    async def create(self, res: Handle) -> None:
        await res.make("compute", "/os-floating-ips", {"pool": res.props["pool"]})

    async def delete(self, res: Handle) -> None:
        if res.physical:
            await res.client.remove("compute", f"/os-floating-ips/{res.physical}")

    async def show(self, res: Handle) -> dict[str, Json] | None:
        reply = await res.client.find("compute", f"/os-floating-ips/{res.physical}")
        return reply and dict(reply["floating_ip"])


class FloatingIPAssociation(Plugin):
    type_name = "OS::Nova::FloatingIPAssociation"
    description = "A resource associates Nova floating IP with Nova server resource."
    schema: Mapping[str, Prop] = {
        "server_id": Prop(
            "string", "Server to assign floating IP to.", required=True, update=True, constraints=known("nova.server")
        ),
        "floating_ip": Prop("string", "ID of the floating IP to assign to the server.", required=True, update=True),
    }

    async def create(self, res: Handle) -> None:
        props = res.props
        await self._act(res, "addFloatingIp", props["server_id"], props["floating_ip"])
        res.data.update(server=props["server_id"], floating=props["floating_ip"])
        res.adopt(res.record.uuid)

    @staticmethod
    async def _act(res: Handle, action: str, server: str, floating: str) -> None:
        found = (await res.client.get("compute", f"/os-floating-ips/{floating}"))["floating_ip"]
        await res.client.post("compute", f"/servers/{server}/action", {action: {"address": found["ip"]}})

    async def update(self, res: Handle, changed: dict[str, Json]) -> None:
        if "floating_ip" in changed:
            await self.delete(res)
        if changed:
            await self.create(res)

    async def delete(self, res: Handle) -> None:
        """Remove the association; server, floating IP and association may all be missing."""
        if not res.physical:
            return
        try:
            await self._act(res, "removeFloatingIp", res.data["server"], res.data["floating"])
        except CloudError as error:
            if error.kind not in ("NotFound", "Conflict"):
                raise

    def reference(self, res: Handle) -> Json:
        return res.physical_name() if res.physical else res.name


TYPES: list[type[Plugin]] = [FloatingIP, FloatingIPAssociation]
