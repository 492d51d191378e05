"""The life of a server after a request was accepted: schedule, plug, boot, act, delete.

It survives a restart, as every deadline is a stored timer.

Sentinels in the name of a server, its flavor or its image: ``fail-boot`` (ERROR after the boot time), ``no-valid-host``
(ERROR at once), ``slow-boot-30`` (boots in 30 s), ``stuck-build`` (BUILD for ever), ``fail-delete`` (ERROR on delete).
Metadata ``cloudsim:boot_seconds`` sets the boot time of one server.
"""

from __future__ import annotations

import asyncio
import re
import uuid
from typing import TYPE_CHECKING, Any

from cloudsim.compute import notifications
from cloudsim.compute import scheduler as sched
from cloudsim.compute.hosts import forced_host
from cloudsim.compute.states import MOVES, POWER_OF
from cloudsim.network.ports import set_device_status

if TYPE_CHECKING:
    from cloudsim.compute.groups import Groups
    from cloudsim.compute.guests import Guests
    from cloudsim.compute.hosts import Fleet
    from cloudsim.compute.volumes import Disks
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.store import Doc

GONE_SECONDS = 3600.0
"""Seconds for which ``changes-since`` still lists a deleted server."""

DISK_SECONDS = 0.2
"""The interval in seconds at which a boot checks whether Cinder has created its volumes."""

NO_VALID_HOST = "No valid host was found. There are not enough hosts available."
ADMIN_ROLES = frozenset({"admin"})


class Lifecycle:
    def __init__(self, cloud: Cloud, fleet: Fleet, groups: Groups, disks: Disks, guests: Guests) -> None:
        self._cloud = cloud
        self._store = cloud.store
        self._fleet = fleet
        self._groups = groups
        self._disks = disks
        self.guests = guests
        self._following: set[asyncio.Task[None]] = set()
        self._notified_states: dict[str, notifications.State] = {}
        """The state in the last notification, by server."""
        for name in ("booted", "moved", "deleted"):
            cloud.timers.register(f"compute.{name}", getattr(self, name))

    # Times

    def boot_seconds(self, server: Doc) -> float | None:
        """Return the seconds until a server is up; None if it stays in BUILD."""
        text = sentinel_text(self._store, server)
        if "stuck-build" in text:
            return None
        slow = re.search(r"slow-boot-(\d+)", text)
        if slow:
            return float(slow[1])
        wished = server["metadata"].get("cloudsim:boot_seconds")
        usual = 0.0 if server.get("guest") else float(self._cloud.setting("boot_seconds"))
        try:
            return float(wished) if wished is not None else usual
        except ValueError:
            return usual

    def save(self, server: Doc) -> None:
        server["updated_at"] = self._cloud.clock.time()
        server["updated"] = self._cloud.clock.stamp()
        self._store.put("server", server["id"], server)
        before = self._notified_states.get(server["id"], (None, None))
        self._notified_states[server["id"]] = notifications.state_of(server)
        for event_type, payload, priority in notifications.events(before, server):
            self._cloud.notifier.notify("nova", event_type, payload, priority)

    # Creation

    async def build(self, ctx: RequestContext, server: Doc, nics: list[Doc]) -> None:
        """Choose a host, plug the NICs, prepare the disks, start the boot; a failure sets the server to ERROR."""
        if not await self._schedule(server, nics):
            return
        server["task_state"] = "spawning"
        fault = await self.plug(ctx, server, nics) or await self._disks.prepare(server)
        if fault:
            self.fail(server, 500, f"Build of instance {server['id']} aborted: {fault}", fault)
            return
        self.save(server)
        seconds = self.boot_seconds(server)
        if seconds is not None:
            self._cloud.timers.after(seconds, "compute.booted", server_id=server["id"])

    async def _schedule(self, server: Doc, nics: list[Doc]) -> bool:
        image = self._store.get("image", server["image_id"]) or {}
        try:
            needs = sched.needs_of(server["flavor"], image, [nic["physnet"] for nic in nics if nic["physnet"]])
        except ValueError as error:
            self.fail(server, 500, str(error), str(error))
            return False
        if "no-valid-host" in sentinel_text(self._store, server):
            self.fail(server, 500, NO_VALID_HOST, "asked for by the sentinel no-valid-host")
            return False
        policy: dict[str, Any] = self._groups.policy(server)
        choice = self._fleet.place(server, needs, only=forced_host(server["zone"]), **policy)
        if choice.host is None:
            self.fail(server, 500, NO_VALID_HOST, "; ".join(choice.trace))
            return False
        return True

    async def plug(self, ctx: RequestContext, server: Doc, nics: list[Doc]) -> str:
        """Create the ports or bind existing ones; return "" or Neutron's error."""
        call = self._cloud.dispatcher.call
        for nic in nics:
            binding = {
                "device_id": server["id"],
                "device_owner": "compute:nova",
                "binding:host_id": server["host"],
            }
            if nic["port_id"]:
                reply = await call(ctx.elevated(), "network", "PUT", f"/ports/{nic['port_id']}", json={"port": binding})
            else:
                port = {**binding, "network_id": nic["network_id"], "tenant_id": server["tenant_id"]}
                if nic["fixed_ip"]:
                    port["fixed_ips"] = [{"ip_address": nic["fixed_ip"]}]
                if nic["security_groups"]:
                    port["security_groups"] = nic["security_groups"]
                reply = await call(ctx.elevated(), "network", "POST", "/ports", json={"port": port})
            if reply.fault:
                return reply.fault.message
            made = (reply.body or {})["port"]["id"]
            server["ports"].append(made)
            if not nic["port_id"]:
                server["own_ports"].append(made)
        return ""

    async def booted(self, server_id: str) -> None:
        server = self._store.get("server", server_id)
        if server is None or server["vm_state"] != "building" or server["task_state"] == "deleting":
            return
        if not self._fleet.is_up(server["host"]):
            return
        if "fail-boot" in sentinel_text(self._store, server):
            message = "Exceeded maximum number of retries. Exceeded max scheduling attempts 3 for instance"
            cause = "Last exception: internal error: process exited while connecting to monitor"
            self.fail(server, 500, f"{message} {server_id}. {cause}", cause)
            return
        fault = await self._disks.connect(server)
        if fault is None:
            self._cloud.timers.after(DISK_SECONDS, "compute.booted", server_id=server_id)
            return
        if fault:
            self.fail(server, 500, f"Build of instance {server_id} aborted: {fault}", fault)
            return
        await self._power_on(server)

    async def _power_on(self, server: Doc) -> None:
        fault = await self.guests.act(server, "os-start")
        if server["task_state"] == "deleting" or self._store.get("server", server["id"]) is None:
            await self.guests.kill(server)
        elif fault:
            self.fail(server, 500, f"Build of instance {server['id']} aborted: {fault}", fault)
        else:
            server.update(vm_state="active", task_state=None, launched=self._cloud.clock.stamp()[:-1] + ".000000")
            self.settle(server)

    # Actions and states

    def begin(self, server: Doc, action: str) -> None:
        """Enter an action's task state, and set the timer for its end."""
        move = MOVES[action]
        server["task_state"] = move.task
        self.save(server)
        seconds = self.boot_seconds(server) if move.boots else float(self._cloud.setting("action_seconds"))
        if seconds is not None:
            self._cloud.timers.after(seconds, "compute.moved", server_id=server["id"], action=action)

    async def moved(self, server_id: str, action: str) -> None:
        server, move = self._store.get("server", server_id), MOVES[action]
        if server is None or server["task_state"] != move.task or not self._fleet.is_up(server["host"]):
            return
        if move.boots and "fail-boot" in sentinel_text(self._store, server):
            self.fail(server, 500, f"Build of instance {server_id} aborted", "sentinel fail-boot")
            return
        fault = await self.guests.act(server, action)
        if server["task_state"] != move.task:  # a deletion or another reboot has replaced the action
            return
        if fault:
            self.fail(server, 500, f"Failed to {move.name} instance {server_id}: {fault}", fault)
            return
        was_off = move.boots and server["vm_state"] == "stopped"
        server.update(vm_state=move.to, task_state=None, fault=None)
        self.settle(server)
        if was_off:  # as in Nova, a rebuilt server first runs and is then stopped
            self.begin(server, "os-stop")

    def settle(self, server: Doc) -> None:
        """Set the power state and the port states by the vm_state."""
        server["power_state"] = POWER_OF[server["vm_state"]]
        self.save(server)
        alive = server["vm_state"] in {"active", "paused"}
        set_device_status(self._cloud, server["id"], "ACTIVE" if alive else "DOWN")

    def release_resize(self, server: Doc) -> None:
        """Release the other side of a resize; the document is changed, not stored."""
        if server.get("resize"):
            self._fleet.release(server["resize"])
            server["resize"] = None

    async def host_back(self, name: str, *, keep_guests: bool) -> None:
        """Run the actions that waited for a host which is up again; its guests did not survive the crash."""
        for server in [*self._store.find("server", "host", name)]:
            if server["vm_state"] == "building":
                seconds = self.boot_seconds(server)
                if seconds is not None:
                    self._cloud.timers.after(seconds, "compute.booted", server_id=server["id"])
                continue
            if not keep_guests and server["vm_state"] in {"active", "paused", "suspended"}:
                self.force(server, "stopped")
            else:
                await self.guests.follow(server)

    def force(self, server: Doc, vm_state: str) -> None:
        """Set a state without an action, for the control API and the power sync."""
        self.release_resize(server)
        server.update(vm_state=vm_state, task_state=None)
        self.settle(server)
        if server.get("guest"):
            task = asyncio.ensure_future(self.guests.follow(server))
            self._following.add(task)
            task.add_done_callback(self._following.discard)

    def fail(self, server: Doc, code: int, message: str, details: str) -> None:
        """Set the server to ERROR with a fault, as ``nova show`` shows it."""
        fault = {"code": code, "created": self._cloud.clock.stamp(), "message": message, "details": details}
        self.release_resize(server)
        server.update(vm_state="error", task_state=None, power_state=0, fault=fault)
        self.save(server)
        set_device_status(self._cloud, server["id"], "DOWN")

    # Deletion

    def begin_delete(self, server: Doc) -> None:
        if server["task_state"] == "deleting":
            return
        server["task_state"] = "deleting"
        self.save(server)
        self._cloud.timers.after(
            float(self._cloud.setting("action_seconds")), "compute.deleted", server_id=server["id"]
        )

    async def deleted(self, server_id: str) -> None:
        server = self._store.get("server", server_id)
        if server is None:
            return
        if "fail-delete" in sentinel_text(self._store, server):
            self.fail(server, 500, f"Failed to terminate process on {server['host']}", "sentinel fail-delete")
            return
        await self.discard(server)

    async def discard(self, server: Doc) -> None:
        """Remove the server: release its claim, delete its own ports, unbind other ports and volumes."""
        ctx = self._cloud.dispatcher.trusted_context(server["tenant_id"], server["user_id"], ADMIN_ROLES)
        for ident in server["ports"]:
            if ident in server["own_ports"]:
                await self._cloud.dispatcher.call(ctx, "network", "DELETE", f"/ports/{ident}")
            else:
                await self.unplug(ctx, ident)
        await self.guests.erase(server)
        await self._disks.release(server)
        self._fleet.release(server)
        self._groups.leave(server)
        self._store.delete("server", server["id"])
        self._notified_states.pop(server["id"], None)
        self._cloud.notifier.notify("nova", *notifications.deleted(server))
        now = self._cloud.clock.time()
        gone = {**server, "vm_state": "deleted", "task_state": None, "power_state": 0, "updated_at": now, "ports": []}
        gone.update(
            updated=self._cloud.clock.stamp(), terminated=self._cloud.clock.stamp()[:-1] + ".000000", claim=None
        )
        self._store.put("server_gone", server["id"], gone)
        for old in self._store.list("server_gone"):
            if old["updated_at"] > now - GONE_SECONDS:
                break
            self._store.delete("server_gone", old["id"])
            for action in [*self._store.find("instance_action", "server", old["id"])]:
                self._store.delete("instance_action", action["id"])

    async def unplug(self, ctx: RequestContext, port_id: str) -> None:
        """Unbind a port that the owner created."""
        unbound = {"device_id": "", "device_owner": "", "binding:host_id": ""}
        await self._cloud.dispatcher.call(ctx.elevated(), "network", "PUT", f"/ports/{port_id}", json={"port": unbound})

    def record(self, ctx: RequestContext, server_id: str, action: str) -> None:
        """Record an entry of os-instance-actions."""
        ident = str(uuid.uuid4())
        doc = {
            "id": ident,
            "instance_uuid": server_id,
            "action": action,
            "request_id": ctx.request_id,
            "user_id": ctx.user_id,
            "project_id": ctx.project_id,
            "start_time": self._cloud.clock.now().strftime("%Y-%m-%dT%H:%M:%S.000000"),
            "message": None,
        }
        self._store.put("instance_action", ident, doc)


def sentinel_text(store: Any, server: Doc) -> str:
    """Return the text that may contain sentinels: the names of server, flavor and image."""
    image = store.get("image", server["image_id"]) or {}
    return f"{server['name']} {server['flavor']['name']} {image.get('name') or ''}"
