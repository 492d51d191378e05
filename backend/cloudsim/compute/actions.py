"""``POST /servers/{id}/action``."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from cloudsim.compute import views
from cloudsim.compute.common import bad, body_of, conflict, not_found, require_admin
from cloudsim.compute.create import check_image, check_metadata, check_name, check_user_data
from cloudsim.compute.microversion import version_of
from cloudsim.compute.quotas import refuse_over_quota
from cloudsim.compute.states import MOVES
from cloudsim.core.errors import ApiFault, Reply

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from cloudsim.compute.flavors import Flavors
    from cloudsim.compute.hosts import Fleet
    from cloudsim.compute.lifecycle import Lifecycle
    from cloudsim.compute.relocation import Relocation
    from cloudsim.compute.server_images import ServerImages
    from cloudsim.compute.servers import Servers
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.service import Request
    from cloudsim.core.store import Doc

    Action = Callable[[RequestContext, Request, Doc, Any], Awaitable[Reply]]

SIMPLE = frozenset({"os-start", "os-stop", "pause", "unpause", "suspend", "resume"})
CONSOLE = (
    "[    0.000000] Linux version 4.2.0 (cloudsim)",
    "[    1.204511] virtio_net virtio0: link is up",
    "cloud-init[612]: Cloud-init v. 0.7.6 finished",
    "login: ",
)


def _simulated_console(server: Doc) -> list[str]:
    """Return the lines that the control API has set, else those of a booted guest."""
    text = server.get("console")
    return [*CONSOLE] if text is None else text.replace("\r", "").splitlines()


REMOTE_CONSOLES = (2, 6)
"""The microversion since which a console is a resource and no longer an action."""


class Actions:
    def __init__(
        self,
        cloud: Cloud,
        *,
        servers: Servers,
        flavors: Flavors,
        lifecycle: Lifecycle,
        relocation: Relocation,
        fleet: Fleet,
        images: ServerImages,
    ) -> None:
        self._cloud = cloud
        self._servers = servers
        self._flavors = flavors
        self._lifecycle = lifecycle
        self._relocation = relocation
        self._fleet = fleet
        self._images = images
        self._table: dict[str, Action] = {
            "reboot": self._reboot,
            "rebuild": self._rebuild,
            "evacuate": self._evacuate,
            "resize": self._resize,
            "confirmResize": self._confirm_resize,
            "createImage": self._create_image,
            "os-getConsoleOutput": self._console,
            "os-getVNCConsole": self._vnc_console,
            "os-resetState": self._reset_state,
            "forceDelete": self._force_delete,
            "lock": self._lock,
            "unlock": self._unlock,
        }

    async def act(self, ctx: RequestContext, request: Request) -> Reply:
        body = request.object
        if len(body) != 1:
            raise bad("Malformed request body" if not body else "Multiple actions specified in one request body")
        name, argument = next(iter(body.items()))
        if name not in SIMPLE and name not in self._table:
            raise bad(f"There is no such action: {name}")
        server = self._servers.get(ctx, request.params["id"])
        if name in SIMPLE:
            self._begin(ctx, server, name)
            return Reply(202)
        return await self._table[name](ctx, request, server, argument)

    def _begin(self, ctx: RequestContext, server: Doc, action: str) -> None:
        self._admit(ctx, server, action)
        self._lifecycle.begin(server, action)

    def _admit(self, ctx: RequestContext, server: Doc, action: str) -> None:
        """Check that the action may start in the server's state, and record it. Raises ApiFault 409."""
        move = MOVES[action]
        if server["locked"] and not ctx.is_admin:
            raise conflict(f"Instance {server['id']} is locked")
        for kind, allowed in (
            ("vm_state", server["vm_state"] in move.allowed),
            ("task_state", self._idle(server, action)),
        ):
            if not allowed:
                state = server[kind]
                raise conflict(f"Cannot '{move.name}' instance {server['id']} while it is in {kind} {state}")
        if server["launched"] is None:
            raise conflict(f"Cannot '{move.name}' an instance which has never been active")
        self._lifecycle.record(ctx, server["id"], move.name)

    @staticmethod
    def _idle(server: Doc, action: str) -> bool:
        """Return whether the action may start now; only a hard reboot may interrupt another task, a soft reboot."""
        return server["task_state"] is None or (action == "hard" and server["task_state"] == "rebooting")

    async def _reboot(self, ctx: RequestContext, request: Request, server: Doc, argument: Any) -> Reply:
        kind = str(argument.get("type", "")).upper() if isinstance(argument, dict) else ""
        if kind not in {"SOFT", "HARD"}:
            raise bad("Argument 'type' for reboot is not HARD or SOFT")
        self._begin(ctx, server, kind.lower())
        return Reply(202)

    async def _rebuild(self, ctx: RequestContext, request: Request, server: Doc, argument: Any) -> Reply:
        given = argument if isinstance(argument, dict) else {}
        reference = str(given.get("imageRef") or "").rsplit("/", 1)[-1]
        if not reference:
            raise bad("Invalid input for field/attribute rebuild. Value: {}. 'imageRef' is a required property")
        if self._cloud.store.get("image", reference) is None:
            raise bad("Cannot find image for rebuild")
        image = check_image(self._cloud, ctx, reference, server["flavor"])
        name = check_name(given["name"]) if "name" in given else server["name"]
        metadata = check_metadata(self._cloud, ctx.project_id, given.get("metadata", server["metadata"]))
        user_data = check_user_data(given.get("user_data")) or server["user_data"]
        self._begin(ctx, server, "rebuild")
        server.update(image_id=image["id"], name=name, metadata=metadata, user_data=user_data)
        self._lifecycle.save(server)
        view = views.detail(self._cloud.store, server, ctx, request)
        password = given.get("adminPass") or secrets.token_urlsafe(9)
        return Reply(202, {"server": {**view, "adminPass": password}}, {"Location": view["links"][0]["href"]})

    async def _evacuate(self, ctx: RequestContext, request: Request, server: Doc, argument: Any) -> Reply:
        require_admin(ctx, "os_compute_api:os-evacuate")
        given = argument if isinstance(argument, dict) else {}
        if not isinstance(given.get("onSharedStorage"), bool | str):
            raise bad(
                f"Invalid input for field/attribute evacuate. Value: {given}. 'onSharedStorage' is a required property"
            )
        if self._fleet.is_up(server["host"] or ""):
            raise bad(f"Compute service of {server['host']} is still in use.")
        target = given.get("host")
        if target and not self._fleet.is_up(str(target)):
            raise bad(f"Compute host {target} could not be found.")
        if target == server["host"]:
            raise bad("The target host can't be the same one.")
        self._admit(ctx, server, "evacuate")
        self._relocation.evacuate(server, str(target) if target else None)
        return Reply(200, {"adminPass": given.get("adminPass") or secrets.token_urlsafe(9)})

    async def _resize(self, ctx: RequestContext, request: Request, server: Doc, argument: Any) -> Reply:
        reference = str(argument.get("flavorRef") or "") if isinstance(argument, dict) else ""
        if not reference:
            raise bad(
                f"Invalid input for field/attribute resize. Value: {argument}. 'flavorRef' is a required property"
            )
        try:
            flavor = self._flavors.find(reference.rsplit("/", 1)[-1])
        except ApiFault as fault:
            raise bad(f"Flavor {reference} could not be found.") from fault
        if flavor["id"] == server["flavor"]["id"]:
            raise bad("When resizing, instances must change flavor!")
        grown = {
            name: more
            for name, field in (("cores", "vcpus"), ("ram", "ram"))
            if (more := flavor[field] - server["flavor"][field]) > 0
        }
        refuse_over_quota(self._cloud, server["tenant_id"], grown)
        self._admit(ctx, server, "resize")
        self._relocation.resize(server, {**flavor, "extra_specs": dict(flavor["extra_specs"])})
        return Reply(202)

    async def _confirm_resize(self, ctx: RequestContext, request: Request, server: Doc, argument: Any) -> Reply:
        self._admit(ctx, server, "confirmResize")
        self._relocation.confirm(server)
        return Reply(204)

    async def _create_image(self, ctx: RequestContext, request: Request, server: Doc, argument: Any) -> Reply:
        return await self._images.create(ctx, request, server, argument, self._admit)

    async def _console(self, ctx: RequestContext, request: Request, server: Doc, argument: Any) -> Reply:
        if server["vm_state"] == "building" or not server["host"]:
            raise conflict(f"Instance {server['id']} is not ready")
        length = argument.get("length") if isinstance(argument, dict) else None
        if length is not None and not str(length).lstrip("-").isdigit():
            raise bad(f"Invalid input for field/attribute length. Value: {length}. {length!r} is not an integer")
        lines = self._lifecycle.guests.console(server) or _simulated_console(server)
        if length is not None and int(length) >= 0:
            lines = lines[max(0, len(lines) - int(length)) :]
        return Reply(200, {"output": "\n".join(lines)})

    async def _vnc_console(self, ctx: RequestContext, request: Request, server: Doc, argument: Any) -> Reply:
        if version_of(request) >= REMOTE_CONSOLES:
            raise not_found("The resource could not be found.")
        url = self._vnc_url(request, server, argument.get("type") if isinstance(argument, dict) else None)
        return Reply(200, {"console": {"type": "novnc", "url": url}})

    async def remote_console(self, ctx: RequestContext, request: Request) -> Reply:
        """``POST /servers/{id}/remote-consoles``."""
        if version_of(request) < REMOTE_CONSOLES:
            raise not_found("The resource could not be found.")
        given = body_of(request, "remote_console")
        server = self._servers.get(ctx, request.params["id"])
        if given.get("protocol") != "vnc":
            reason = f"'{given.get('protocol')}' is not one of ['vnc', 'spice', 'serial', 'rdp']"
            raise bad(f"Invalid input for field/attribute protocol. Value: {given.get('protocol')}. {reason}")
        url = self._vnc_url(request, server, given.get("type"))
        return Reply(200, {"remote_console": {"protocol": "vnc", "type": "novnc", "url": url}})

    @staticmethod
    def _vnc_url(request: Request, server: Doc, kind: Any) -> str:
        """Return the URL of a console proxy, which does not exist here. Raises ApiFault 400 or 409."""
        if kind != "novnc":
            raise bad(f"Unavailable console type {kind}.")
        if server["vm_state"] in {"building", "stopped"} or not server["host"]:
            raise conflict(f"Instance {server['id']} is not ready")
        return f"{request.base}/vnc_auto.html?token={secrets.token_urlsafe(24)}"

    async def _reset_state(self, ctx: RequestContext, request: Request, server: Doc, argument: Any) -> Reply:
        require_admin(ctx, "os_compute_api:os-admin-actions:reset_state")
        state = argument.get("state") if isinstance(argument, dict) else None
        if state not in {"active", "error"}:
            raise bad(
                f"Invalid input for field/attribute state. Value: {state}. '{state}' is not one of ['active', 'error']"
            )
        server.update(vm_state=state, task_state=None)
        self._lifecycle.save(server)
        return Reply(202)

    async def _force_delete(self, ctx: RequestContext, request: Request, server: Doc, argument: Any) -> Reply:
        self._lifecycle.record(ctx, server["id"], "delete")
        self._lifecycle.begin_delete(server)
        return Reply(202)

    async def _lock(self, ctx: RequestContext, request: Request, server: Doc, argument: Any) -> Reply:
        server["locked"] = True
        self._lifecycle.save(server)
        return Reply(202)

    async def _unlock(self, ctx: RequestContext, request: Request, server: Doc, argument: Any) -> Reply:
        server["locked"] = False
        self._lifecycle.save(server)
        return Reply(202)
