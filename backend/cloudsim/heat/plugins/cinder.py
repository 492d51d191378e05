"""OS::Cinder::Volume and VolumeAttachment."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, ClassVar

from cloudsim.heat.engine.client import CloudError
from cloudsim.heat.engine.plugin import Plugin, expect
from cloudsim.heat.errors import (
    Error,
    NotSupported,
    ResourceInError,
    ResourcePropertyConflict,
    ResourceUnknownStatus,
    StackValidationFailed,
)
from cloudsim.heat.hot.properties import Prop, between, known

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cloudsim.heat.engine.handle import Handle
    from cloudsim.heat.engine.stack import Stack
    from cloudsim.heat.hot.template import Definition
    from hot.functions import Json

_WAIT = 30.0
_SOURCES = ("snapshot_id", "source_volid", "image", "imageRef")
_MAKING = ("creating", "restoring-backup", "downloading")


async def _status(res: Handle, volume: str) -> str:
    return str((await res.client.get("volume", f"/volumes/{volume}"))["volume"]["status"])


async def _settled(res: Handle, volume: str, *under_way: str) -> str:
    """Wait until the volume's status is not in `under_way`, and return it."""
    while (status := await _status(res, volume)) in under_way:
        await res.engine.cloud.bus.wait("volume", volume, _WAIT)
    return status


async def attach(res: Handle, server: str, volume: str, device: str | None) -> str:
    """Attach a volume and wait for it; return the attachment's id, which is the volume's."""
    body = {"volumeAttachment": {"volumeId": volume, **({"device": device} if device else {})}}
    try:
        made = await res.client.post("compute", f"/servers/{server}/os-volume_attachments", body)
    except CloudError as error:
        raise Error(f"Failed to attach volume {volume} to server {server} - {error}") from error
    status = await _settled(res, volume, "available", "attaching")
    if status != "in-use":
        raise ResourceUnknownStatus(status, result="Volume attachment failed")
    return str(made["volumeAttachment"]["id"])


async def detach(res: Handle, server: str, volume: str) -> None:
    """Detach a volume, if attached, and wait for Cinder and Nova."""
    path = f"/servers/{server}/os-volume_attachments/{volume}"
    try:
        await res.client.call("DELETE", "compute", path)
    except CloudError as error:
        if error.kind not in ("NotFound", "BadRequest"):
            raise Error(f"Could not detach attachment {volume} from server {server}.") from error
    if await res.client.find("volume", f"/volumes/{volume}"):
        status = await _settled(res, volume, "in-use", "detaching")
        if status not in ("available", "deleting"):
            raise ResourceUnknownStatus(status, result="Volume detachment failed")
    while await res.client.find("compute", path):
        await res.engine.cloud.bus.wait("server", server, _WAIT)


class Volume(Plugin):
    type_name = "OS::Cinder::Volume"
    description = "A resource that implements Cinder volumes."
    checks = True
    schema: Mapping[str, Prop] = {
        "availability_zone": Prop("string", "The availability zone in which the volume will be created."),
        "size": Prop("integer", "The size of the volume in GB; on update it can only grow.", update=True,
                     constraints=between(1)),
        "snapshot_id": Prop("string", "The snapshot to create the volume from.", constraints=known("cinder.snapshot")),
        "backup_id": Prop("string", "The backup to create the volume from.", update=True,
                          constraints=known("cinder.backup")),
        "name": Prop("string", "A name used to distinguish the volume.", update=True),
        "description": Prop("string", "A description of the volume.", update=True),
        "volume_type": Prop("string", "The type of volume to use, mapping to a specific backend.", update=True,
                            constraints=known("cinder.vtype")),
        "metadata": Prop("map", "Key/value pairs to associate with the volume.", update=True),
        "imageRef": Prop("string", "The ID of the image to create the volume from."),
        "image": Prop("string", "The name or ID of the image to create the volume from.",
                      constraints=known("glance.image")),
        "source_volid": Prop("string", "The volume to use as source.", constraints=known("cinder.volume")),
        "scheduler_hints": Prop("map", "Arbitrary key-value pairs to help the Cinder scheduler."),
        "read_only": Prop("boolean", "Enables or disables read-only access mode of volume.", update=True),
    }  # fmt: skip
    attributes: ClassVar[Mapping[str, str]] = {
        "availability_zone": "The availability zone in which the volume is located.",
        "size": "The size of the volume in GB.",
        "snapshot_id": "The snapshot the volume was created from, if any.",
        "display_name": "Name of the volume.",
        "display_description": "Description of the volume.",
        "volume_type": "The type of the volume mapping to a backend, if any.",
        "metadata": "Key/value pairs associated with the volume.",
        "source_volid": "The volume used as source, if any.",
        "status": "The current status of the volume.",
        "created_at": "The timestamp indicating volume creation.",
        "bootable": "Whether the volume can be booted or not.",
        "metadata_values": "Key/value pairs associated with the volume in raw dict form.",
        "encrypted": "Whether the volume is encrypted or not.",
        "attachments": "The list of attachments of the volume.",
    }

    async def validate(self, stack: Stack, definition: Definition, values: Mapping[str, Json]) -> None:
        """Check that there is a size or exactly one source."""
        if values.get("image") and values.get("imageRef"):
            raise ResourcePropertyConflict("image", "imageRef")
        given = [name for name in _SOURCES if values.get(name)]
        size = values.get("size")
        choice = '"image", "imageRef", "source_volid", "snapshot_id"'
        if values.get("backup_id"):
            return
        if size is None and len(given) != 1:
            raise StackValidationFailed(
                f'If neither "backup_id" nor "size" is provided, one and only one of {choice} must be specified, but'
                f" currently specified options: {given}."
            )
        if size and len(given) > 1:
            raise StackValidationFailed(
                f'If "size" is provided, only one of {choice} can be specified, but currently specified options:'
                f" {given}."
            )

    async def create(self, res: Handle) -> None:
        props = res.props
        made_up = res.physical_name()
        body = {"size": props["size"], "availability_zone": props["availability_zone"]}
        body |= {name: props[name] for name in ("volume_type", "source_volid", "metadata") if props[name]}
        body |= {"name": props["name"] or made_up, "description": props["description"] or made_up}
        if props["image"]:
            body["imageRef"] = await res.engine.lookup(res.client).image(props["image"])
        elif props["imageRef"]:
            body["imageRef"] = props["imageRef"]
        await res.make("volume", "/volumes", {"volume": body})
        if props["read_only"] is not None:
            await self._act(res, "os-update_readonly_flag", readonly=props["read_only"])
        status = await _settled(res, res.physical, *_MAKING)
        if status == "error":
            raise ResourceInError(status=status)
        if status != "available":
            raise ResourceUnknownStatus(status, result="Volume create failed")

    @staticmethod
    async def _act(res: Handle, action: str, **given: Json) -> None:
        await res.client.post("volume", f"/volumes/{res.physical}/action", {action: given})

    async def update(self, res: Handle, changed: dict[str, Json]) -> None:
        path = f"/volumes/{res.physical}"
        named = {name: value for name in ("name", "description") if (value := changed.get(name))}
        if named:
            await res.client.put("volume", path, {"volume": named})
        if "metadata" in changed:
            await res.client.put("volume", f"{path}/metadata", {"metadata": changed["metadata"] or {}})
        if "volume_type" in changed:
            await self._act(res, "os-retype", new_type=changed["volume_type"], migration_policy="never")
        if "read_only" in changed:
            await self._act(res, "os-update_readonly_flag", readonly=changed["read_only"])
        if "size" in changed:
            await self._resize(res, changed["size"])

    async def _resize(self, res: Handle, size: int) -> None:
        """Extend the volume; it is detached and attached again, as Cinder extends only detached ones."""
        volume = (await res.client.get("volume", f"/volumes/{res.physical}"))["volume"]
        if size < volume["size"]:
            raise NotSupported("Shrinking volume")
        if size == volume["size"]:
            return
        for one in volume["attachments"][:1]:
            await detach(res, one["server_id"], res.physical)
        try:
            await self._act(res, "os-extend", new_size=size)
        except CloudError as error:
            raise Error(f"Failed to extend volume {res.physical} - {error}") from error
        status = await _settled(res, res.physical, "extending")
        if status != "available":
            raise ResourceUnknownStatus(status, result="Volume resize failed")
        for one in volume["attachments"][:1]:
            await attach(res, one["server_id"], res.physical, one["device"])

    async def delete(self, res: Handle) -> None:
        shown = await self.show(res) if res.physical else None
        if shown is None:
            return
        if shown["status"] == "in-use":
            raise Error("Volume in use")
        if shown["status"] != "deleting":
            await res.client.remove("volume", f"/volumes/{res.physical}")
        while (shown := await self.show(res)) is not None:
            if shown["status"] == "error_deleting":
                raise ResourceInError("delete", shown["status"])
            await res.engine.cloud.bus.wait("volume", res.physical, _WAIT)

    async def check(self, res: Handle) -> None:
        expect("status", await _status(res, res.physical), "available", "in-use")

    async def attribute(self, res: Handle, name: str) -> Json:
        if name == "show" or name not in self.attributes:
            return await super().attribute(res, name)
        volume = (await res.client.get("volume", f"/volumes/{res.physical}"))["volume"]
        if name in ("metadata", "metadata_values"):
            return json.dumps(volume["metadata"]) if name == "metadata" else volume["metadata"]
        if name.startswith("display_"):
            return volume[name.removeprefix("display_")]
        return str(volume[name])

    async def show(self, res: Handle) -> dict[str, Json] | None:
        reply = await res.client.find("volume", f"/volumes/{res.physical}")
        return reply and dict(reply["volume"])


class VolumeAttachment(Plugin):
    type_name = "OS::Cinder::VolumeAttachment"
    description = "Resource for associating volume to instance."
    schema: Mapping[str, Prop] = {
        "instance_uuid": Prop("string", "The ID of the server to which the volume attaches.", required=True,
                              update=True),
        "volume_id": Prop("string", "The ID of the volume to be attached.", required=True, update=True,
                          constraints=known("cinder.volume")),
        "mountpoint": Prop("string", "The location where the volume is exposed on the instance.", update=True),
    }  # fmt: skip

    async def create(self, res: Handle) -> None:
        props = res.props
        res.adopt(await attach(res, props["instance_uuid"], props["volume_id"], props["mountpoint"]))
        res.data["server"] = props["instance_uuid"]

    async def update(self, res: Handle, changed: dict[str, Json]) -> None:
        if changed:
            await detach(res, res.data["server"], res.physical)
            await self.create(res)

    async def delete(self, res: Handle) -> None:
        if res.physical:
            await detach(res, res.data["server"], res.physical)


TYPES: list[type[Plugin]] = [Volume, VolumeAttachment]
