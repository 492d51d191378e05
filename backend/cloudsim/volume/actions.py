"""``POST /volumes/{id}/action``: the actions of Nova and of the owner on a volume."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from cloudsim.core.errors import Reply
from cloudsim.volume.common import bad, invalid_input, invalid_volume, require_admin
from cloudsim.volume.quotas import refuse_over_quota

if TYPE_CHECKING:
    from collections.abc import Callable

    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.service import Request
    from cloudsim.core.store import Doc
    from cloudsim.volume.types import Types
    from cloudsim.volume.volumes import Volumes

    Action = Callable[[RequestContext, Doc, Any], None]


class Actions:
    def __init__(self, cloud: Cloud, volumes: Volumes, types: Types) -> None:
        self._cloud = cloud
        self._volumes = volumes
        self._types = types
        cloud.timers.register("volume.extended", self.extended)
        self._table: dict[str, Action] = {
            "os-reserve": self._reserve,
            "os-unreserve": self._unreserve,
            "os-attach": self._attach,
            "os-begin_detaching": self._begin_detaching,
            "os-detach": self._detach,
            "os-extend": self._extend,
            "os-retype": self._retype,
            "os-reset_status": self._reset_status,
            "os-force_delete": self._force_delete,
            "os-set_bootable": self._set_bootable,
            "os-update_readonly_flag": self._set_read_only,
        }

    async def act(self, ctx: RequestContext, request: Request) -> Reply:
        ((name, given),) = request.object.items() if len(request.object) == 1 else (("", None),)
        if name not in self._table:
            raise bad(f"There is no such action: {name}")
        doc = self._volumes.get(ctx, request.params["id"])
        self._table[name](ctx, doc, given if isinstance(given, dict) else {})
        return Reply(200 if name == "os-set_bootable" else 202)

    def _set(self, doc: Doc, **changes: Any) -> None:
        doc.update(changes)
        self._volumes.save(doc)

    # Actions of Nova

    def _reserve(self, _ctx: RequestContext, doc: Doc, _given: Doc) -> None:
        if doc["status"] == "in-use":
            raise invalid_volume("Volume must be multiattachable to reserve again.")
        if doc["status"] != "available":
            raise invalid_volume("Volume status must be available to reserve.")
        self._set(doc, status="attaching")

    def _unreserve(self, _ctx: RequestContext, doc: Doc, _given: Doc) -> None:
        if doc["status"] == "attaching":
            self._set(doc, status="available")

    def _attach(self, _ctx: RequestContext, doc: Doc, given: Doc) -> None:
        if not given.get("instance_uuid"):
            raise bad("Invalid request to attach volume to an invalid target")
        attachment = {
            "attachment_id": str(uuid.uuid4()),
            "server_id": given["instance_uuid"],
            "host_name": None,
            "device": given.get("mountpoint"),
        }
        self._set(doc, status="in-use", attachments=[attachment])

    def _begin_detaching(self, _ctx: RequestContext, doc: Doc, _given: Doc) -> None:
        if doc["status"] != "in-use":
            attached = "attached" if doc["attachments"] else "detached"
            raise invalid_volume(
                "Unable to detach volume. Volume status must be 'in-use' and attach_status must be 'attached' to"
                f" detach. Currently: status: '{doc['status']}', attach_status: '{attached}.'"
            )
        self._set(doc, status="detaching")

    def _detach(self, _ctx: RequestContext, doc: Doc, _given: Doc) -> None:
        self._set(doc, status="available", attachments=[])

    # Actions of the owner

    def _extend(self, _ctx: RequestContext, doc: Doc, given: Doc) -> None:
        try:
            size = int(given["new_size"])
        except (KeyError, TypeError, ValueError):
            raise bad("New volume size must be specified as an integer.") from None
        if doc["status"] != "available":
            status = doc["status"]
            raise invalid_volume(
                f"Volume {doc['id']} status must be available to extend, but current status is: {status}."
            )
        if size <= doc["size"]:
            held = f"(current: {doc['size']}, extended: {size})"
            raise invalid_input(f"New size for extend must be greater than current size. {held}.")
        refuse_over_quota(self._cloud, doc["project_id"], volumes=0, gigabytes=size - doc["size"])
        self._set(doc, status="extending")
        seconds = float(self._cloud.setting("action_seconds"))
        self._cloud.timers.after(seconds, "volume.extended", volume_id=doc["id"], size=size)

    async def extended(self, volume_id: str, size: int) -> None:
        doc = self._cloud.store.get("volume", volume_id)
        if doc is not None and doc["status"] == "extending":
            self._set(doc, status="available", size=size)

    def _retype(self, _ctx: RequestContext, doc: Doc, given: Doc) -> None:
        if not given.get("new_type"):
            raise bad("New volume type must be specified.")
        kind = self._types.find(str(given["new_type"]))
        if kind["name"] == doc["volume_type"]:
            raise invalid_input(f"New volume_type same as original: {given['new_type']}.")
        self._set(doc, volume_type=kind["name"])

    def _reset_status(self, ctx: RequestContext, doc: Doc, given: Doc) -> None:
        require_admin(ctx, "volume_extension:volume_admin_actions:reset_status")
        self._set(doc, status=str(given.get("status") or doc["status"]))

    def _force_delete(self, ctx: RequestContext, doc: Doc, _given: Doc) -> None:
        require_admin(ctx, "volume_extension:volume_admin_actions:force_delete")
        self._volumes.discard(doc)

    def _set_bootable(self, _ctx: RequestContext, doc: Doc, given: Doc) -> None:
        if "bootable" not in given:
            raise bad("Must specify bootable in request.")
        self._set(doc, bootable=str(given["bootable"]).lower() in {"true", "1"})

    def _set_read_only(self, _ctx: RequestContext, doc: Doc, given: Doc) -> None:
        if "readonly" not in given:
            raise bad("Must specify readonly in request.")
        read_only = str(given["readonly"]).lower() in {"true", "1"}
        self._set(doc, metadata={**doc["metadata"], "readonly": str(read_only)})
