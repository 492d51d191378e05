"""Resize and rebuild of a server in an update, waited for as Liberty's Nova plugin does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.heat.errors import Error, ResourceUnknownStatus

if TYPE_CHECKING:
    from cloudsim.heat.engine.handle import Handle
    from cloudsim.heat.hot.scope import Json

WAIT = 300.0
"""Longest wait for one change notice; after that Heat looks again, in case one was lost."""


async def act(res: Handle, action: str, body: Json) -> None:
    """`POST /servers/{id}/action`."""
    await res.client.post("compute", f"/servers/{res.physical}/action", {action: body})


async def resize(res: Handle, flavor: str) -> None:
    """Resize and confirm.

    ACTIVE counts as "not begun yet", so a resize that Nova takes back (a disk that would shrink) is waited for until
    the stack's own time is over. A server that was off is resized, but Heat does not call SHUTOFF a success.
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
    """Rebuild; whatever it is afterwards, unless ERROR, is a success."""
    image_id = await res.engine.lookup(res.client).image(image)
    body: dict[str, Json] = {"imageRef": image_id}
    if res.props["image_update_policy"] == "REBUILD_PRESERVE_EPHEMERAL":
        body["preserve_ephemeral"] = True
    await act(res, "rebuild", body)
    status = await _left(res, "REBUILD")
    if status == "ERROR":
        raise Error(f"Rebuilding server failed, status '{status}'")


async def _left(res: Handle, *waiting: str) -> str:
    """The server's status, once it is none of `waiting`."""
    while True:
        status = str((await res.client.get("compute", f"/servers/{res.physical}"))["server"]["status"])
        if status not in waiting:
            return status
        await res.engine.cloud.bus.wait("server", res.physical, WAIT)
