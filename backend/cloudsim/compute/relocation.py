"""Resize and evacuation, which move a server to another host.

During a resize, ``resize`` in the server's document is the other side: first the new size and host, and from
VERIFY_RESIZE until the confirmation the old ones. Both sides keep their claims.

Sentinels in the name of the new flavor or of the server: ``no-valid-host`` (refused), ``fail-boot`` (ERROR).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cloudsim.compute import scheduler as sched
from cloudsim.compute.common import bad
from cloudsim.compute.lifecycle import NO_VALID_HOST, sentinel_text
from cloudsim.compute.states import MOVES, POWER_OF
from cloudsim.compute.volumes import is_volume_backed

if TYPE_CHECKING:
    from cloudsim.compute.groups import Groups
    from cloudsim.compute.hosts import Fleet
    from cloudsim.compute.lifecycle import Lifecycle
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.store import Doc


class Relocation:
    def __init__(self, cloud: Cloud, *, fleet: Fleet, groups: Groups, lifecycle: Lifecycle) -> None:
        self._cloud = cloud
        self._store = cloud.store
        self._fleet = fleet
        self._groups = groups
        self._lifecycle = lifecycle
        for name in ("resized", "confirmed", "stayed"):
            cloud.timers.register(f"compute.{name}", getattr(self, name))

    def _claim(self, server: Doc, flavor: Doc, **policy: Any) -> sched.Choice:
        """Claim capacity for the server with this flavor and its NICs, by the policy of its group."""
        image = self._store.get("image", server["image_id"]) or {}
        needs = sched.needs_of(flavor, image, self._physnets(server))
        return self._fleet.claim(needs, **policy, **self._groups.policy(server))

    def _physnets(self, server: Doc) -> list[str]:
        found = []
        for ident in server["ports"]:
            port = self._store.get("port", ident)
            if port and port["binding:vnic_type"] in {"direct", "macvtap"}:
                network = self._store.get("network", port["network_id"]) or {}
                found.append(str(network.get("provider:physical_network")))
        return found

    def _bind(self, server: Doc) -> None:
        for ident in server["ports"]:
            port = self._store.get("port", ident)
            if port:
                port["binding:host_id"] = server["host"]
                self._store.put("port", ident, port)

    # Resize

    def resize(self, server: Doc, flavor: Doc) -> None:
        """Resize to another host, as Nova does by default. Raises ApiFault 400 if there is none."""
        text = sentinel_text(self._store, {**server, "flavor": flavor})
        choice = None if "no-valid-host" in text else self._claim(server, flavor, ignore=server["host"])
        if choice is None or choice.host is None:
            raise bad("No valid host was found. No valid host found for resize")
        other = {"flavor": flavor, "host": choice.host.name, "claim": choice.claim, "from": server["vm_state"]}
        server.update(resize=other, task_state=MOVES["resize"].task)
        self._lifecycle.save(server)
        seconds = self._lifecycle.boot_seconds(server)
        if seconds is not None:
            self._cloud.timers.after(seconds, "compute.resized", server_id=server["id"])

    async def resized(self, server_id: str) -> None:
        server = self._store.get("server", server_id)
        other = server and server.get("resize")
        if server is None or not other:
            return
        if server["task_state"] != MOVES["resize"].task:  # the state was reset
            self._lifecycle.release_resize(server)
            self._lifecycle.save(server)
        elif not self._fleet.is_up(server["host"]) or not self._fleet.is_up(other["host"]):
            return
        elif other["flavor"]["disk"] < server["flavor"]["disk"] and not is_volume_backed(server):
            # libvirt cannot shrink a disk, and reports that only in its log
            server["task_state"] = None
            self._lifecycle.release_resize(server)
            self._lifecycle.save(server)
        elif "fail-boot" in sentinel_text(self._store, {**server, "flavor": other["flavor"]}):
            self._lifecycle.fail(server, 500, f"Resize of instance {server_id} failed", "sentinel fail-boot")
        else:
            self._change_sides(server, other)
            if fault := await self._lifecycle.guests.act(server, "resize"):
                self._lifecycle.fail(server, 500, f"Failed to resize instance {server_id}: {fault}", fault)

    def _change_sides(self, server: Doc, other: Doc) -> None:
        sides = ("flavor", "host", "claim")
        before = {name: server[name] for name in sides}
        server.update({name: other[name] for name in sides}, vm_state="resized", task_state=None)
        server["resize"] = {**before, "from": other["from"]}
        server["power_state"] = POWER_OF[other["from"]]
        self._lifecycle.save(server)
        self._bind(server)

    def confirm(self, server: Doc) -> None:
        """Release the old size. Raises ApiFault 400 if another confirmation runs already."""
        if server["resize"].get("confirming"):
            raise bad("Instance has not been resized.")
        server["resize"]["confirming"] = True
        self._lifecycle.save(server)
        seconds = float(self._cloud.setting("action_seconds"))
        self._cloud.timers.after(seconds, "compute.confirmed", server_id=server["id"])

    async def confirmed(self, server_id: str) -> None:
        server = self._store.get("server", server_id)
        if server is None or not server.get("resize"):
            return
        was = server["resize"]["from"]
        self._lifecycle.release_resize(server)
        if server["vm_state"] == "resized":
            server.update(vm_state=was, fault=None)
            self._lifecycle.settle(server)
        else:  # the state was reset
            self._lifecycle.save(server)

    # Evacuation

    def evacuate(self, server: Doc, only: str | None) -> None:
        """Rebuild the server on another host; without one it stays, although Nova has accepted the request."""
        choice = self._claim(server, server["flavor"], only=only)
        if choice.host is None:
            server["task_state"] = MOVES["evacuate"].task
            self._lifecycle.save(server)
            seconds = float(self._cloud.setting("action_seconds"))
            trace = "; ".join(choice.trace)
            self._cloud.timers.after(seconds, "compute.stayed", server_id=server["id"], trace=trace)
            return
        self._fleet.release(server)
        server.update(host=choice.host.name, claim=choice.claim)
        self._bind(server)
        self._lifecycle.begin(server, "evacuate")

    async def stayed(self, server_id: str, trace: str) -> None:
        server = self._store.get("server", server_id)
        if server is None or server["task_state"] != MOVES["evacuate"].task:
            return
        fault = {"code": 500, "created": self._cloud.clock.stamp(), "message": NO_VALID_HOST, "details": trace}
        server.update(task_state=None, fault=fault)
        self._lifecycle.save(server)
