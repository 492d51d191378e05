"""Resize and rebuild of a server in an update, with the waits of Liberty's Nova plugin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.heat.errors import Error, ResourceUnknownStatus

if TYPE_CHECKING:
    from cloudsim.heat.engine.handle import Handle
    from hot.functions import Json

WAIT = 300.0
"""Seconds after which Heat reads the server even without a change notice."""


async def act(res: Handle, action: str, body: Json) -> None:
    """Start an action of the server (`POST /servers/{id}/action`)."""
    await res.client.post("compute", f"/servers/{res.physical}/action", {action: body})


async def resize(res: Handle, flavor: str) -> None:
    """Resize a server and confirm it.

    ACTIVE counts as "not started yet", so Heat waits for a resize that Nova reverts (a disk that would shrink) until
    the stack's timeout. A stopped server is resized, but for Heat its status SHUTOFF is not a success.
    """
    flavor_id = await res.engine.lookup(res.client).flavor(flavor)
    await act(res, "resize", {"flavorRef": flavor_id})
    status = await _left(res, "RESIZE", "ACTIVE")
    if status != "VERIFY_RESIZE":
        raise Error(f"Resizing to '{flavor}' failed, status '{status}'")
    await act(res, "confirmResize", None)
    status = await _left(res, "VERIFY_RESIZE")
    if status != "ACTIVE":
        raise ResourceUnknownStatus(status, result=f"Confirm resize for server {res.physical} failed")


async def rebuild(res: Handle, image: str) -> None:
    """Rebuild a server; any status other than ERROR afterwards is a success."""
    image_id = await res.engine.lookup(res.client).image(image)
    body: dict[str, Json] = {"imageRef": image_id}
    if res.props["image_update_policy"] == "REBUILD_PRESERVE_EPHEMERAL":
        body["preserve_ephemeral"] = True
    await act(res, "rebuild", body)
    status = await _left(res, "REBUILD")
    if status == "ERROR":
        raise Error(f"Rebuilding server failed, status '{status}'")


async def _left(res: Handle, *waiting: str) -> str:
    """Wait until the server's status is not in `waiting`, and return it."""
    while True:
        status = str((await res.client.get("compute", f"/servers/{res.physical}"))["server"]["status"])
        if status not in waiting:
            return status
        await res.engine.cloud.bus.wait("server", res.physical, WAIT)
