"""The type OS::Nova::Server."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, ClassVar

from cloudsim.heat.engine.client import CloudError
from cloudsim.heat.engine.plugin import Plugin, expect
from cloudsim.heat.errors import (
    ResourceInError,
    ResourcePropertyConflict,
    ResourceUnknownStatus,
    StackValidationFailed,
    UpdateReplace,
)
from cloudsim.heat.plugins import nova_devices, nova_moves, nova_user_data
from cloudsim.heat.plugins.nova_networks import ServerNetworks, attach_all, detach_all
from cloudsim.heat.plugins.nova_schema import ATTRIBUTES, NAME_LIMIT, SCHEMA

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cloudsim.heat.engine.handle import Handle
    from cloudsim.heat.engine.stack import Stack
    from cloudsim.heat.hot.properties import Prop
    from cloudsim.heat.hot.template import Definition
    from hot.functions import Json

BUSY = ("BUILD", "REBUILD", "HARD_REBOOT", "REBOOT", "PASSWORD", "RESIZE", "REVERT_RESIZE", "MIGRATING", "RESUMING")


async def wait_for(res: Handle, *wanted: str, failure: str = "Server is not active") -> dict[str, Json]:
    """Wait until the server has a status of `wanted`.

    Raises ResourceInError with Nova's fault for ERROR, ResourceUnknownStatus for another final status.
    """
    began_in: str | None = None
    while True:
        server: dict[str, Json] = (await res.client.get("compute", f"/servers/{res.physical}"))["server"]
        status = server["status"]
        began_in = began_in or status
        if status in wanted:
            return server
        if status == "ERROR":
            raise ResourceInError(fault_text(server), status)
        if status not in BUSY and not server.get("OS-EXT-STS:task_state") and status != began_in:
            raise ResourceUnknownStatus(status, "Unknown", failure)
        await res.engine.cloud.bus.wait("server", res.physical, nova_moves.WAIT)


def fault_text(server: Mapping[str, Json]) -> str:
    """Return Heat's text of a server's fault, `Message: …, Code: 500`."""
    fault = server.get("fault") or {}
    return f"Message: {fault.get('message', 'Unknown')}, Code: {fault.get('code', 'Unknown')}"


def _check_network(server: str, network: Mapping[str, Json]) -> None:
    """Check that a network is identified, and not by both `uuid` and `network`."""
    if not any(network.get(name) for name in ("network", "port", "uuid", "subnet")):
        raise StackValidationFailed(
            'One of the properties "network", "port", "uuid" or "subnet" should be set for the specified network of '
            f'server "{server}".'
        )
    if network.get("uuid") and network.get("network"):
        raise StackValidationFailed(
            f'Properties "uuid" and "network" are both set to the network "{network["network"]}" for the server '
            f'"{server}". The "uuid" property is deprecated. Use only "network" property.'
        )


class Server(Plugin):
    type_name = "OS::Nova::Server"
    description = "A resource for managing Nova instances."
    schema: Mapping[str, Prop] = SCHEMA
    attributes: ClassVar[Mapping[str, str]] = ATTRIBUTES
    checks = True

    async def validate(self, stack: Stack, definition: Definition, values: Mapping[str, Json]) -> None:
        """Check for an image or boot volume, valid networks, and security groups only for ports that Nova creates."""
        bootable = nova_devices.has_boot_volume(values)
        if not values.get("image") and not bootable:
            raise StackValidationFailed(
                f"Neither image nor bootable volume is specified for instance {definition.name}"
            )
        networks = values.get("networks")
        maps = [one for one in networks if isinstance(one, dict)] if isinstance(networks, list) else []
        for network in maps:
            _check_network(definition.name, network)
        if values.get("security_groups") and any(network.get("port") for network in maps):
            raise ResourcePropertyConflict("security_groups", "networks/port")

    async def create(self, res: Handle) -> None:
        body = await self._body(res)
        hints = res.props["scheduler_hints"]
        payload: dict[str, Json] = {"server": body}
        if hints:
            payload["os:scheduler_hints"] = hints
        await res.make("compute", "/servers", payload)
        await wait_for(res, "ACTIVE")

    async def _body(self, res: Handle) -> dict[str, Json]:
        props, lookup = res.props, res.engine.lookup(res.client)
        body: dict[str, Json] = {
            "name": props["name"] or res.physical_name(NAME_LIMIT),
            "flavorRef": await lookup.flavor(props["flavor"]),
        }
        if props["image"]:
            body["imageRef"] = await lookup.image(props["image"])
        if props["networks"] is not None:
            body["networks"] = await ServerNetworks(res).requested(props["networks"])
        for name in ("key_name", "availability_zone", "config_drive"):
            if props[name] is not None:
                body[name] = props[name]
        user_data = nova_user_data.compose(res)
        if user_data:
            body["user_data"] = _b64(user_data)
        return {**body, **nova_devices.requested(props, body.get("imageRef")), **_optional(props)}

    async def update(self, res: Handle, changed: dict[str, Json]) -> None:
        path, props = f"/servers/{res.physical}", res.props
        if "image" in changed and props["image_update_policy"] == "REPLACE":
            raise UpdateReplace
        if "flavor" in changed and props["flavor_update_policy"] == "REPLACE":
            raise UpdateReplace
        if "metadata" in changed:
            await self._update_metadata(res, changed["metadata"] or {})
        if "name" in changed:
            name = changed["name"] or res.physical_name(NAME_LIMIT)
            await res.client.put("compute", path, {"server": {"name": name}})
        if "admin_pass" in changed:
            await nova_moves.act(res, "changePassword", {"adminPass": changed["admin_pass"]})
        if "flavor" in changed:
            await nova_moves.resize(res, changed["flavor"])
        if "image" in changed:
            await nova_moves.rebuild(res, changed["image"])
        if "networks" in changed:
            await ServerNetworks(res).change_to(changed["networks"] or [])

    async def _update_metadata(self, res: Handle, wanted: Mapping[str, Json]) -> None:
        path = f"/servers/{res.physical}/metadata"
        current = (await res.client.get("compute", path))["metadata"]
        for key in set(current) - set(wanted):
            await res.client.remove("compute", f"{path}/{key}")
        if wanted:
            await res.client.post("compute", path, {"metadata": metadata_text(wanted)})

    async def before_replace(self, res: Handle) -> None:
        """Detach the ports for the replacement, unless the server is in ERROR."""
        await detach_all(res)

    async def after_restore(self, res: Handle) -> None:
        await attach_all(res)

    async def delete(self, res: Handle) -> None:
        if res.physical and await res.client.remove("compute", f"/servers/{res.physical}"):
            await self._gone(res)
        await ServerNetworks(res).drop_own_ports()

    async def _gone(self, res: Handle) -> None:
        while True:
            reply = await res.client.find("compute", f"/servers/{res.physical}")
            if reply is None or reply["server"]["status"] in ("DELETED", "SOFT_DELETED"):
                return
            if reply["server"]["status"] == "ERROR" and not reply["server"].get("OS-EXT-STS:task_state"):
                raise ResourceInError(f"Server {reply['server']['name']} delete failed: {fault_text(reply['server'])}")
            await res.engine.cloud.bus.wait("server", res.physical, nova_moves.WAIT)

    async def check(self, res: Handle) -> None:
        server = (await res.client.get("compute", f"/servers/{res.physical}"))["server"]
        expect("status", server["status"], "ACTIVE")

    async def suspend(self, res: Handle) -> None:
        server = (await res.client.get("compute", f"/servers/{res.physical}"))["server"]
        if server["status"] != "SUSPENDED":
            await nova_moves.act(res, "suspend", None)
            await wait_for(res, "SUSPENDED", failure="Suspend of server failed")

    async def resume(self, res: Handle) -> None:
        server = (await res.client.get("compute", f"/servers/{res.physical}"))["server"]
        if server["status"] != "ACTIVE":
            await nova_moves.act(res, "resume", None)
            await wait_for(res, "ACTIVE", failure="Resume of server failed")

    async def attribute(self, res: Handle, name: str) -> Json:
        if name == "name":
            return res.props["name"] or res.physical_name(NAME_LIMIT)
        if name not in self.attributes and name != "show":
            return await super().attribute(res, name)
        server = await self.show(res)
        if server is None:
            return "" if name != "show" else None
        return await _live(res, server, name)

    async def show(self, res: Handle) -> dict[str, Json] | None:
        reply = await res.client.find("compute", f"/servers/{res.physical}")
        return reply and dict(reply["server"])


async def _live(res: Handle, server: dict[str, Json], name: str) -> Json:
    if name == "show":
        return server
    if name == "instance_name":
        return server.get("OS-EXT-SRV-ATTR:instance_name")
    if name == "first_address":
        addresses = [one for network in server["addresses"].values() for one in network]
        return addresses[0]["addr"] if addresses else ""
    if name == "console_urls":
        return await _console_urls(res)
    if name in ("networks", "addresses"):
        return await ServerNetworks(res).live(server, name)
    return server.get(name, "")


async def _console_urls(res: Handle) -> dict[str, str]:
    try:
        body = {"os-getVNCConsole": {"type": "novnc"}}
        reply = await res.client.post("compute", f"/servers/{res.physical}/action", body)
    except CloudError as error:
        return {"novnc": str(error)}
    return {"novnc": str(reply["console"]["url"])}


def _optional(props: Mapping[str, Json]) -> dict[str, Json]:
    """Return Nova's fields of properties that are empty by default."""
    files = props["personality"] or {}
    fields = {
        "metadata": metadata_text(props["metadata"] or {}),
        "security_groups": [{"name": name} for name in props["security_groups"]],
        "OS-DCF:diskConfig": props["diskConfig"],
        "adminPass": props["admin_pass"],
        "personality": [{"path": path, "contents": _b64(text)} for path, text in files.items()],
    }
    return {name: value for name, value in fields.items() if value}


def metadata_text(metadata: Mapping[str, Json]) -> dict[str, str]:
    """Return metadata as text, as Nova requires: other values as JSON, None as empty."""
    return {str(key): nova_user_data.as_text(value) for key, value in metadata.items()}


def _b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()
