"""``POST /servers``: all checks that Nova does before it answers 202."""

from __future__ import annotations

import base64
import binascii
import secrets
import uuid
from typing import TYPE_CHECKING, Any

from cloudsim.compute import nics
from cloudsim.compute.common import bad, body_of, forbidden, links, objects, whole
from cloudsim.compute.hosts import forced_host
from cloudsim.compute.quotas import limits_of, refuse_over_quota
from cloudsim.compute.volumes import devices_of
from cloudsim.core.errors import ApiFault, Reply

if TYPE_CHECKING:
    from cloudsim.compute.flavors import Flavors
    from cloudsim.compute.groups import Groups
    from cloudsim.compute.keypairs import Keypairs
    from cloudsim.compute.lifecycle import Lifecycle
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.service import Request
    from cloudsim.core.store import Doc

MAX_USER_DATA = 65535
MAX_NAME = 255


class Creator:
    def __init__(
        self, cloud: Cloud, *, flavors: Flavors, groups: Groups, keypairs: Keypairs, lifecycle: Lifecycle
    ) -> None:
        self._cloud = cloud
        self._flavors = flavors
        self._groups = groups
        self._keypairs = keypairs
        self._lifecycle = lifecycle

    async def create(self, ctx: RequestContext, request: Request) -> Reply:
        given = body_of(request, "server")
        hints = request.object.get("os:scheduler_hints") or given.get("os:scheduler_hints") or {}
        lowest, highest = whole(given, "min_count", 1, 1), whole(given, "max_count", 1, given.get("min_count") or 1)
        if lowest > highest:
            raise bad("min_count must be <= max_count")
        name = check_name(given.get("name"))
        flavor = self._flavor(given)
        devices = devices_of(self._cloud, ctx, given)
        image = self._image(ctx, given, flavor, devices)
        metadata = check_metadata(self._cloud, ctx.project_id, given.get("metadata"))
        zone = self._zone(ctx, given.get("availability_zone"))
        key = self._keypairs.get_for_boot(ctx, given["key_name"]) if given.get("key_name") else None
        group = self._groups.find_hint(ctx, hints.get("group"))
        names = [str(one.get("name")) for one in objects(given, "security_groups") or [{"name": "default"}]]
        groups = self._security_groups(ctx, names)
        wanted = await nics.resolve(self._cloud, ctx, given.get("networks"), groups)
        if highest > 1 and any(nic["port_id"] for nic in wanted):
            raise bad("Unable to launch multiple instances with a single configured port ID.")
        if highest > 1 and any(one["source"] == "volume" for one in devices):
            raise bad("Cannot attach one or more volumes to multiple instances")
        amounts = {"instances": highest, "cores": flavor["vcpus"] * highest, "ram": flavor["ram"] * highest}
        refuse_over_quota(self._cloud, ctx.project_id, amounts)
        facts = self._facts(ctx, given, flavor=flavor, image=image, names=names)
        facts.update(devices=devices, metadata=metadata, zone=zone, key_name=key["name"] if key else None)
        facts["group_id"] = group["id"] if group else None
        made = []
        for place in range(highest):
            numbered = name if highest == 1 else f"{name}-{place + 1}"
            server = self._store(ctx, numbered, place, facts)
            if group:
                self._groups.join(group, server)
            made.append(server)
            await self._lifecycle.build(ctx, server, wanted)
        if given.get("return_reservation_id"):
            return Reply(202, {"reservation_id": facts["reservation_id"]})
        view = _accepted(request, made[0], given)
        return Reply(202, {"server": view}, {"Location": view["links"][0]["href"]})

    def _facts(self, ctx: RequestContext, given: Doc, *, flavor: Doc, image: Doc | None, names: list[str]) -> Doc:
        """Return the fields that all servers of one request share."""
        return {
            "flavor": {**flavor, "extra_specs": dict(flavor["extra_specs"])},
            "image_id": image["id"] if image else "",
            "config_drive": "True" if str(given.get("config_drive")).lower() in {"true", "1"} else "",
            "user_data": check_user_data(given.get("user_data")),
            "personality": self._personality(ctx, objects(given, "personality")),
            "security_groups": names,
            "access_ipv4": str(given.get("accessIPv4") or ""),
            "access_ipv6": str(given.get("accessIPv6") or ""),
            "reservation_id": f"r-{secrets.token_hex(4)}",
        }

    def _store(self, ctx: RequestContext, name: str, place: int, facts: Doc) -> Doc:
        counter = self._cloud.store.get("counter", "server") or {"value": 0}
        counter["value"] += 1
        self._cloud.store.put("counter", "server", counter)
        stamp = self._cloud.clock.stamp()
        server = {
            "id": str(uuid.uuid4()),
            "number": counter["value"],
            "name": name,
            "tenant_id": ctx.project_id,
            "user_id": ctx.user_id,
            **facts,
            "metadata": dict(facts["metadata"]),
            "launch_index": place,
            "vm_state": "building",
            "task_state": "scheduling",
            "power_state": 0,
            "host": None,
            "claim": None,
            "resize": None,
            "ports": [],
            "own_ports": [],
            "fault": None,
            "locked": False,
            "created": stamp,
            "updated": stamp,
            "updated_at": self._cloud.clock.time(),
            "launched": None,
            "terminated": None,
        }
        self._lifecycle.guests.mark(server)
        self._cloud.store.put("server", server["id"], server)
        self._lifecycle.record(ctx, server["id"], "create")
        return server

    def _flavor(self, given: Doc) -> Doc:
        reference = str(given.get("flavorRef") or "").rstrip("/").rsplit("/", 1)[-1]
        if not reference:
            reason = "'flavorRef' is a required property"
            raise bad(f"Invalid input for field/attribute server. Value: {given}. {reason}")
        try:
            return self._flavors.find(reference)
        except ApiFault as fault:
            raise bad("Invalid flavorRef provided.") from fault

    def _image(self, ctx: RequestContext, given: Doc, flavor: Doc, devices: list[Doc]) -> Doc | None:
        """Return the image of the server's own disk; None if it boots from a volume."""
        root = next((one for one in devices if one["root"]), None)
        if root and root["source"] == "image":
            check_image(self._cloud, ctx, root["uuid"], flavor, root["size"])
        reference = str(given.get("imageRef") or "").rstrip("/").rsplit("/", 1)[-1]
        if not reference:
            if devices:
                return None
            raise bad("Missing imageRef attribute")
        return check_image(self._cloud, ctx, reference, flavor)

    def _zone(self, ctx: RequestContext, zone: Any) -> str | None:
        if zone and forced_host(str(zone)) and not ctx.is_admin:
            raise forbidden("Policy doesn't allow os_compute_api:servers:create:forced_host to be performed.")
        return str(zone) if zone else None

    def _security_groups(self, ctx: RequestContext, names: list[str]) -> list[str]:
        """Return the ids of groups by name or id; none for ``default``, which Neutron adds itself."""
        if names == ["default"]:
            return []
        found = []
        own = [*self._cloud.store.find("security_group", "project", ctx.project_id)]
        for name in names:
            match = next((doc["id"] for doc in own if name in {doc["id"], doc["name"]}), None)
            if match is None:
                raise bad(f"Security group {name} not found.")
            found.append(match)
        return found

    def _personality(self, ctx: RequestContext, files: list[Doc]) -> list[Doc]:
        limits = limits_of(self._cloud, ctx.project_id)
        if len(files) > limits["injected_files"] >= 0:
            raise forbidden("Quota exceeded, too many injected files")
        for one in files:
            try:
                content = base64.b64decode(str(one.get("contents", "")), validate=True)
            except binascii.Error as error:
                raise bad(f"Personality content for {one.get('path')} cannot be decoded") from error
            if len(content) > limits["injected_file_content_bytes"] >= 0:
                raise forbidden("Personality file content too long")
        return files


def _accepted(request: Request, server: Doc, given: Doc) -> Doc:
    """Return the few fields with which Nova answers 202 for a new server."""
    return {
        "id": server["id"],
        "links": links(request, f"servers/{server['id']}"),
        "OS-DCF:diskConfig": "MANUAL",
        "security_groups": [{"name": one} for one in server["security_groups"]],
        "adminPass": given.get("adminPass") or secrets.token_urlsafe(9),
    }


def check_image(cloud: Cloud, ctx: RequestContext, ident: str, flavor: Doc, volume_gib: int = 0) -> Doc:
    """Return an active image that fits the flavor, or the volume to be created from it. Raises ApiFault 400."""
    image = cloud.store.get("image", ident)
    seen = image and (ctx.is_admin or image["visibility"] == "public" or image["owner"] == ctx.project_id)
    if image is None or not seen:
        raise bad("Can not find requested image")
    if image["status"] != "active":
        raise bad(f"Image {ident} is not active.")
    if image["min_ram"] > flavor["ram"]:
        raise bad("Flavor's memory is too small for requested image.")
    if volume_gib:
        if image["min_disk"] > volume_gib:
            sizes = f"Volume size is {volume_gib << 30} bytes, minimum size is {image['min_disk'] << 30} bytes."
            raise bad(f"Volume is smaller than the minimum size specified in image metadata. {sizes}")
        return image
    if flavor["disk"] and image["min_disk"] > flavor["disk"]:
        raise bad("Flavor's disk is smaller than the minimum size specified in image metadata.")
    if flavor["disk"] and (image["size"] or 0) > flavor["disk"] << 30:
        raise bad("Flavor's disk is too small for requested image.")
    return image


def check_name(name: Any) -> str:
    if not isinstance(name, str):
        raise bad(f"Invalid input for field/attribute name. Value: {name}. {name!r} is not of type 'string'")
    if not name.strip() or len(name) > MAX_NAME:
        fault = "long" if len(name) > MAX_NAME else "short"
        raise bad(f"Invalid input for field/attribute name. Value: {name}. {name!r} is too {fault}")
    return name.strip()


def check_metadata(cloud: Cloud, project_id: str, requested: Any) -> dict[str, str]:
    """Return the metadata. Raises ApiFault 400 for values other than strings, 403 for too many items."""
    metadata = requested or {}
    if not isinstance(metadata, dict):
        raise bad(
            f"Invalid input for field/attribute metadata. Value: {requested}. {requested!r} is not of type 'object'"
        )
    for key, value in metadata.items():
        if not isinstance(value, str) or not 1 <= len(key) <= MAX_NAME or len(value) > MAX_NAME:
            raise bad(f"Invalid input for field/attribute {key}. Value: {value}. {value!r} is not of type 'string'")
    limit = limits_of(cloud, project_id)["metadata_items"]
    if 0 <= limit < len(metadata):
        raise forbidden(f"Maximum number of metadata items exceeds {limit}")
    return dict(metadata)


def check_user_data(data: Any) -> str | None:
    """Return base64 user data of at most 64 KiB. Raises ApiFault 400."""
    if not data:
        return None
    if len(str(data)) > MAX_USER_DATA:
        raise bad(f"User data too large. User data must be no larger than {MAX_USER_DATA} bytes once base64 encoded.")
    try:
        base64.b64decode(str(data).replace("\n", ""), validate=True)
    except binascii.Error as error:
        raise bad("Invalid userdata: it is not base64 encoded") from error
    return str(data)
