"""Disks from Cinder: block_device_mapping_v2 of a new server, and os-volume_attachments of a running one.

A server's ``volumes`` are its attachments in order: ``volume_id``, ``device``, ``delete`` (with the server), ``root``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.compute.common import bad, objects
from cloudsim.core.errors import Reply

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.store import Doc

INVALID = "Block Device Mapping is Invalid"
_UNFINISHED = ("creating", "downloading")
_READY = ("available", "attaching")
_OVER_LIMIT = 413
_ADMIN = frozenset({"admin"})


def attached(server: Doc) -> list[Doc]:
    found: list[Doc] = server.get("volumes") or []
    return found


def is_volume_backed(server: Doc) -> bool:
    return any(one["root"] for one in attached(server))


# The devices of a request


def devices_of(cloud: Cloud, ctx: RequestContext, body: Doc) -> list[Doc]:
    """Return the requested volumes of a new server, with the checks of Nova's API. Raises ApiFault 400.

    ``source`` is volume, image or blank; ``uuid`` of the first two; ``size`` in GiB of the last two; ``root``.
    """
    asked = objects(body, "block_device_mapping_v2")
    legacy = objects(body, "block_device_mapping")
    if asked and legacy:
        raise bad("Using different block_device_mapping syntaxes is not allowed in the same request.")
    has_image = bool(body.get("imageRef"))
    mappings = asked or [_from_legacy(one, has_image=has_image) for one in legacy if one.get("volume_id")]
    for one in mappings:
        _check_format(one, has_image=has_image)
    if mappings and not (legacy and has_image):
        _check_boot_order(mappings)
    return [_device(cloud, ctx, one) for one in mappings if one.get("destination_type") != "local"]


def _from_legacy(one: Doc, *, has_image: bool) -> Doc:
    boots = not has_image and str(one.get("device_name", "")).endswith("a")
    kept: Doc = {name: one[name] for name in ("device_name", "delete_on_termination") if name in one}
    return {
        "source_type": "volume",
        "uuid": one["volume_id"],
        "destination_type": "volume",
        "boot_index": 0 if boots else -1,
        **kept,
    }


def _check_format(one: Doc, *, has_image: bool) -> None:
    source = one.get("source_type")
    if source not in ("volume", "image", "snapshot", "blank"):
        raise bad(f"{INVALID}: Invalid source_type field.")
    if source == "blank" and one.get("uuid"):
        raise bad(f"{INVALID}: Invalid device UUID.")
    if source != "blank" and not one.get("uuid"):
        raise bad(f"{INVALID}: Missing device UUID.")
    if source == "image" and one.get("destination_type") == "local" and not (has_image and _boot_index(one) == 0):
        raise bad(f"{INVALID}: Mapping image to local is not supported.")


def _boot_index(one: Doc) -> int:
    try:
        return int(one.get("boot_index", -1) if one.get("boot_index") is not None else -1)
    except (TypeError, ValueError):
        raise bad(f"{INVALID}: Boot index is invalid.") from None


def _check_boot_order(mappings: list[Doc]) -> None:
    """Raise ApiFault 400 unless there is one boot disk with index 0 and no gap after it."""
    order = sorted(index for one in mappings if (index := _boot_index(one)) >= 0)
    if order != [*range(len(order))] or not order:
        reason = "Boot sequence for the instance and image/block device mapping combination is not valid."
        raise bad(f"{INVALID}: {reason}")


def _device(cloud: Cloud, ctx: RequestContext, one: Doc) -> Doc:
    source, size, root = one["source_type"], int(one.get("volume_size") or 0), _boot_index(one) == 0
    uuid = str(one.get("uuid") or "")
    if source == "volume":
        _check_volume(cloud, ctx, uuid, root=root)
    elif source == "snapshot":
        raise bad(f"{INVALID}: failed to get snapshot {uuid}.")
    elif source == "image":
        if cloud.store.get("image", uuid) is None:
            raise bad(f"{INVALID}: failed to get image {uuid}.")
        if not size:
            raise bad("Images with destination_type 'volume' need to have a non-zero size specified")
    elif not size:
        raise bad("Blank volumes (source: 'blank', dest: 'volume') need to have non-zero size")
    delete = str(one.get("delete_on_termination")).lower() in {"true", "1"}
    return {
        "source": source, "uuid": uuid, "size": size, "root": root, "delete": delete, "device": one.get("device_name"),
    }  # fmt: skip


def visible(cloud: Cloud, ctx: RequestContext, ident: str) -> Doc | None:
    volume = cloud.store.get("volume", ident)
    return volume if volume and (ctx.is_admin or volume["project_id"] == ctx.project_id) else None


def _check_volume(cloud: Cloud, ctx: RequestContext, ident: str, *, root: bool) -> None:
    volume = visible(cloud, ctx, ident)
    if volume is None:
        raise bad(f"{INVALID}: failed to get volume {ident}.")
    if root and not volume["bootable"]:
        raise bad(f"Block Device {ident} is not bootable.")
    check_attachable(volume)


def check_attachable(volume: Doc) -> None:
    if volume["status"] != "available":
        status = volume["status"]
        raise bad(f"Invalid volume: volume '{volume['id']}' status must be 'available'. Currently in '{status}'")


# The volumes on the compute host


class Disks:
    """The work of the compute host on a server's volumes; it calls Cinder as the owner with elevated rights."""

    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud

    async def _cinder(self, server: Doc, method: str, path: str, body: Doc | None = None) -> Reply:
        ctx = self._cloud.dispatcher.trusted_context(server["tenant_id"], server["user_id"], _ADMIN)
        return await self._cloud.dispatcher.call(ctx, "volume", method, path, json=body)

    async def _act(self, server: Doc, ident: str, action: str, given: Doc | None = None) -> Reply:
        return await self._cinder(server, "POST", f"/volumes/{ident}/action", {action: given or {}})

    async def prepare(self, server: Doc) -> str:
        """Create new volumes and reserve existing ones; return "" or Nova's error."""
        for device in server.get("devices") or []:
            if device["source"] == "volume":
                ident, reply = device["uuid"], await self._act(server, device["uuid"], "os-reserve")
            else:
                body = {"size": device["size"], "name": ""}
                body |= {"imageRef": device["uuid"]} if device["source"] == "image" else {}
                reply = await self._cinder(server, "POST", "/volumes", {"volume": body})
                ident = (reply.body or {}).get("volume", {}).get("id")
            if reply.fault:
                return "Volume resource quota exceeded" if reply.status == _OVER_LIMIT else f"{INVALID}."
            self.add(server, ident, device["device"], delete=device["delete"], root=device["root"])
        return ""

    def add(self, server: Doc, ident: str, device: str | None, *, delete: bool = False, root: bool = False) -> Doc:
        """Record an attachment, by default with the next free device name."""
        held = attached(server)
        taken = {one["device"] for one in held} | (set() if root or is_volume_backed(server) else {"/dev/vda"})
        free = next(name for letter in "abcdefghijklmnopqrstuvwxyz" if (name := f"/dev/vd{letter}") not in taken)
        name = free if not device else device if device.startswith("/dev/") else f"/dev/{device}"
        one = {"volume_id": ident, "device": name, "delete": delete, "root": root}
        server["volumes"] = [*held, one]
        return one

    async def connect(self, server: Doc) -> str | None:
        """Attach the volumes; return "" when done, None while Cinder still creates one, or Nova's error."""
        states = [
            (one, (self._cloud.store.get("volume", one["volume_id"]) or {}).get("status")) for one in attached(server)
        ]
        if any(status in _UNFINISHED for _, status in states):
            return None
        for one, status in states:
            if status not in _READY:
                return f"{INVALID}."
            await self.attach(server, one)
        return ""

    async def attach(self, server: Doc, one: Doc) -> None:
        await self._act(
            server, one["volume_id"], "os-attach", {"instance_uuid": server["id"], "mountpoint": one["device"]}
        )

    async def detach(self, server: Doc, one: Doc) -> None:
        await self._act(server, one["volume_id"], "os-detach")

    async def release(self, server: Doc) -> None:
        """Detach the volumes of a deleted server, and delete those with ``delete``."""
        for one in attached(server):
            volume = self._cloud.store.get("volume", one["volume_id"])
            if volume is None:
                continue
            if volume["status"] not in _UNFINISHED and volume["status"] != "error":
                await self.detach(server, one)
            if one["delete"]:
                await self._cinder(server, "DELETE", f"/volumes/{one['volume_id']}")
