"""``createImage``: a snapshot of a server as an image (nova/compute/api.py: snapshot, snapshot_volume_backed).

The image of a server with its own disk is ``queued`` until the action ends, and until then the server has a task state.
It has the data of the server's image, as writes of guests are not simulated. For a server that boots from a volume Nova
creates a snapshot of each volume, and an image without data that refers to them.

With ``fail-image`` in its name or in the server's, an image is deleted again, as by Nova when the host fails.
"""

from __future__ import annotations

import json
import os
import uuid
from typing import TYPE_CHECKING, Any

from cloudsim.compute.common import bad, conflict
from cloudsim.compute.volumes import attached, is_volume_backed
from cloudsim.core.errors import Reply
from cloudsim.image.images import data_path, new_image

if TYPE_CHECKING:
    from collections.abc import Callable

    from cloudsim.compute.lifecycle import Lifecycle
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.service import Request
    from cloudsim.core.store import Doc

    Admit = Callable[[RequestContext, Doc, str], None]

MAX_NAME = 255
_VOLUME_BACKED = ("active", "stopped")


class ServerImages:
    def __init__(self, cloud: Cloud, lifecycle: Lifecycle) -> None:
        self._cloud = cloud
        self._store = cloud.store
        self._lifecycle = lifecycle
        cloud.timers.register("compute.imaged", self.imaged)

    async def create(self, ctx: RequestContext, request: Request, server: Doc, argument: Any, admit: Admit) -> Reply:
        name = argument.get("name") if isinstance(argument, dict) else None
        if not isinstance(name, str) or not 0 < len(name.strip()) <= MAX_NAME:
            raise bad(f"Invalid input for field/attribute name. Value: {name}. 'name' is a required property")
        metadata = {str(key): str(value) for key, value in (argument.get("metadata") or {}).items()}
        if is_volume_backed(server) and server["vm_state"] not in _VOLUME_BACKED:
            state = server["vm_state"]
            raise conflict(f"Cannot 'createImage' instance {server['id']} while it is in vm_state {state}")
        admit(ctx, server, "createImage")
        backed = is_volume_backed(server)
        image = await self._of_volumes(ctx, server, name) if backed else self._of_disk(ctx, server, name)
        image.update({key: value for key, value in metadata.items() if key not in image})
        self._store.put("image", image["id"], image)
        return Reply(202, None, {"Location": f"{request.base}/images/{image['id']}"})

    def _record(self, ctx: RequestContext, server: Doc, name: str, **more: Any) -> Doc:
        """Create the image without data, with the properties that Nova records of the server."""
        base = self._store.get("image", server["image_id"]) or {}
        noted = {"image_type": "snapshot", "instance_uuid": server["id"], "user_id": ctx.user_id}
        noted |= {"base_image_ref": server["image_id"]} if server["image_id"] else {}
        inherited = {"min_disk": server["flavor"]["disk"], "min_ram": base.get("min_ram", 0), "name": name}
        return new_image(self._cloud, str(uuid.uuid4()), ctx.project_id, {**noted, **inherited, **more})

    def _of_disk(self, ctx: RequestContext, server: Doc, name: str) -> Doc:
        image = self._record(ctx, server, name)
        server["task_state"] = "image_snapshot"
        self._lifecycle.save(server)
        seconds = float(self._cloud.setting("action_seconds"))
        self._cloud.timers.after(seconds, "compute.imaged", server_id=server["id"], image_id=image["id"])
        return image

    async def _of_volumes(self, ctx: RequestContext, server: Doc, name: str) -> Doc:
        mapping = []
        for one in attached(server):
            body = {"volume_id": one["volume_id"], "force": True, "name": f"snapshot for {name}"}
            reply = await self._cloud.dispatcher.call(ctx, "volume", "POST", "/snapshots", json={"snapshot": body})
            if reply.fault:
                raise reply.fault
            made = (reply.body or {})["snapshot"]
            mapping.append(
                {
                    "source_type": "snapshot",
                    "destination_type": "volume",
                    "snapshot_id": made["id"],
                    "volume_size": made["size"],
                    "boot_index": 0 if one["root"] else None,
                    "device_name": one["device"],
                    "delete_on_termination": one["delete"],
                }
            )
        properties = {"block_device_mapping": json.dumps(mapping), "bdm_v2": "True", "root_device_name": "/dev/vda"}
        return self._record(ctx, server, name, status="active", size=0, **properties)

    async def imaged(self, server_id: str, image_id: str) -> None:
        server, image = self._store.get("server", server_id), self._store.get("image", image_id)
        if server is not None and server["task_state"] == "image_snapshot":
            server["task_state"] = None
            self._lifecycle.save(server)
        if image is None:
            return
        if server is None or "fail-image" in f"{server['name']} {image['name']}":
            self._store.delete("image", image_id)
            return
        base = self._store.get("image", server["image_id"]) or {}
        same = {key: base.get(key) for key in ("size", "checksum", "disk_format", "container_format")}
        image.update(same, status="active", updated_at=self._cloud.clock.stamp())
        self._link_data(server["image_id"], image_id)
        self._store.put("image", image_id, image)

    def _link_data(self, base_id: str, image_id: str) -> None:
        source, target = data_path(self._cloud, base_id), data_path(self._cloud, image_id)
        if source and target and source.exists() and not target.exists():
            os.link(source, target)
