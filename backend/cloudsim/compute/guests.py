"""Servers with a guest: calls the hypervisor for each action, as Nova's compute service does.

A server has a guest (``guest`` in its document) if the cloud runs guests and its image has contents; all others are
simulated. A guest that ends by itself makes its server SHUTOFF, as Nova's power sync does. Guests end with this
process; those that ran are started again with it, as with ``resume_guests_state_on_host_boot``.
"""

from __future__ import annotations

import ipaddress
import logging
import struct
from typing import TYPE_CHECKING

from cloudsim.guests.config_drive import drive_files
from cloudsim.guests.model import Guest, GuestError, GuestImage, GuestNic
from cloudsim.image.images import data_path

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from cloudsim.core.cloud import Cloud
    from cloudsim.core.store import Doc
    from cloudsim.guests.ports import Hypervisor

log = logging.getLogger("cloudsim.guests")

SHUTDOWN_SECONDS = 60
"""Nova's shutdown_timeout; an image sets its own as ``os_shutdown_timeout``."""
FORMATS = ("qcow2", "raw")
RUNNING = frozenset({"active", "paused", "suspended"})


class Guests:
    """Connects servers with the hypervisor, if there is one."""

    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud
        self._store = cloud.store
        self._actions: dict[str, Callable[[Doc], Awaitable[None]]] = {
            "os-start": self._start,
            "os-stop": self._stop,
            "soft": self._soft_reboot,
            "hard": self._hard_reboot,
            "pause": self._pause,
            "unpause": self._resume,
            "suspend": self._pause,
            "resume": self._resume,
            "rebuild": self._rebuild,
            "evacuate": self._rebuild,
            "resize": self._resized,
        }

    @property
    def _hypervisor(self) -> Hypervisor | None:
        found: Hypervisor | None = self._cloud.parts.get("hypervisor")
        return found

    def mark(self, server: Doc) -> None:
        """Decide whether the new server has a guest."""
        image = self._store.get("image", server["image_id"])
        path = data_path(self._cloud, server["image_id"]) if image else None
        server["guest"] = bool(self._hypervisor and image and path and is_real(image, path))

    async def open(self, force: Callable[[Doc, str], None], fail: Callable[[Doc, int, str, str], None]) -> None:
        """Start the guests that ran when the last process ended."""
        if self._hypervisor is None:
            return

        async def ended(ident: str, output: str) -> None:
            server = self._store.get("server", ident)
            if server and server["vm_state"] in RUNNING and server["task_state"] in (None, "powering-off"):
                log.warning("guest %s ended by itself%s", ident, f": {output}" if output else "")
                force(server, "stopped")

        self._hypervisor.on_exit = ended
        for server in self._store.list("server"):
            if server.get("guest") and server["vm_state"] in RUNNING:
                if fault := await self.act(server, "os-start"):
                    fail(server, 500, fault, fault)
                elif server["vm_state"] != "active":
                    await self.act(server, "pause")

    async def close(self) -> None:
        if self._hypervisor:
            for server in self._store.list("server"):
                await self.kill(server)

    async def act(self, server: Doc, action: str) -> str:
        """Run an action on the guest; return "" on success or without a guest, else the error."""
        if not server.get("guest") or self._hypervisor is None:
            return ""
        try:
            await self._actions[action](server)
        except (GuestError, OSError) as error:
            return str(error)
        return ""

    async def follow(self, server: Doc) -> None:
        """Bring the guest into the server's state, after the control API has forced a state."""
        state = server["vm_state"]
        if state == "active" and self.runs(server):
            await self.act(server, "resume")
        elif state in RUNNING:
            await self.act(server, "os-start")
            if state != "active":
                await self.act(server, "pause")
        else:
            await self.kill(server)

    async def kill(self, server: Doc) -> None:
        """Kill the guest, as when its host loses power."""
        if server.get("guest") and self._hypervisor:
            await self._hypervisor.kill(server["id"])

    async def erase_all(self) -> None:
        for server in self._store.list("server"):
            await self.erase(server)

    async def erase(self, server: Doc) -> None:
        if server.get("guest") and self._hypervisor:
            await self._hypervisor.erase(server["id"])

    async def plug(self, server: Doc, port_id: str) -> str:
        """Add a NIC to a running guest; return "" or the error."""
        if server.get("guest") and self._hypervisor and (nic := self._nic(port_id)):
            try:
                await self._hypervisor.plug(server["id"], nic)
            except GuestError as error:
                return str(error)
        return ""

    async def unplug(self, server: Doc, port_id: str) -> None:
        if server.get("guest") and self._hypervisor and (nic := self._nic(port_id)):
            try:
                await self._hypervisor.unplug(server["id"], nic)
            except GuestError as error:
                log.warning("guest %s: %s", server["id"], error)

    async def set_link(self, port: Doc, *, up: bool) -> None:
        """Set the link of a port up or down; the guest's NIC loses or gets its carrier."""
        server = self._store.get("server", port["device_id"])
        if server and server.get("guest") and self._hypervisor and (nic := self._nic(port["id"])):
            await self._hypervisor.set_link(server["id"], nic, up=up)

    def runs(self, server: Doc) -> bool:
        return bool(self._hypervisor and self._hypervisor.runs(server["id"]))

    def console(self, server: Doc) -> list[str] | None:
        """Return the lines of the guest's serial console; None without a guest."""
        if not server.get("guest") or self._hypervisor is None:
            return None
        return self._hypervisor.console(server["id"]).decode(errors="replace").replace("\r", "").splitlines()

    # Actions

    def _present(self) -> Hypervisor:
        if self._hypervisor is None:
            raise GuestError("this cloud runs no guests any more")
        return self._hypervisor

    async def _start(self, server: Doc) -> None:
        await self._present().start(self.guest_of(server))

    async def _stop(self, server: Doc) -> None:
        if not await self._present().shut_down(server["id"], self._patience(server)):
            await self._present().kill(server["id"])

    async def _soft_reboot(self, server: Doc) -> None:
        await self._stop(server)
        await self._start(server)

    async def _hard_reboot(self, server: Doc) -> None:
        await self._present().kill(server["id"])
        await self._start(server)

    async def _pause(self, server: Doc) -> None:
        await self._present().pause(server["id"])

    async def _resume(self, server: Doc) -> None:
        await self._present().resume(server["id"])

    async def _rebuild(self, server: Doc) -> None:
        await self._present().erase(server["id"])
        await self._start(server)

    async def _resized(self, server: Doc) -> None:
        """Restart a running guest after its flavor has changed."""
        if self.runs(server):
            await self._stop(server)
            await self._start(server)

    def _patience(self, server: Doc) -> float:
        image = self._store.get("image", server["image_id"]) or {}
        given = str(image.get("os_shutdown_timeout", ""))
        return float(given) if given.isdigit() else SHUTDOWN_SECONDS

    # Parts of a guest

    def guest_of(self, server: Doc) -> Guest:
        """Return the guest of a server. Raises GuestError if its image is deleted, as images are not cached."""
        image = self._store.get("image", server["image_id"])
        path = data_path(self._cloud, server["image_id"])
        if image is None or path is None or not path.exists():
            raise GuestError(f"Image {server['image_id']} could not be found.")
        flavor = server["flavor"]
        nics = [nic for ident in server["ports"] if (nic := self._nic(ident, managed=ident == server["ports"][0]))]
        return Guest(
            ident=server["id"],
            name=server["name"],
            image=GuestImage(path, image["disk_format"], image["checksum"] or image["id"]),
            memory=flavor["ram"],
            cpus=flavor["vcpus"],
            disk=flavor["disk"],
            nics=tuple(nics),
            drive=drive_files(self._store, server),
        )

    def _nic(self, port_id: str, *, managed: bool = False) -> GuestNic | None:
        """Return the NIC of a port; with `managed`, this machine has the gateway's address unless a router has it."""
        port = self._store.get("port", port_id)
        if port is None:
            return None
        addresses, gateway, host_address = [], "", ""
        for fixed in port["fixed_ips"]:
            subnet = self._store.get("subnet", fixed["subnet_id"])
            if subnet:
                length = ipaddress.ip_network(subnet["cidr"]).prefixlen
                addresses.append(f"{fixed['ip_address']}/{length}")
                gateway = gateway or subnet["gateway_ip"] or ""
                if managed and gateway and not self._has_router(subnet["id"], gateway):
                    host_address = f"{gateway}/{length}"
        return GuestNic(port_id, port["network_id"], port["mac_address"], tuple(addresses), gateway, host_address)

    def _has_router(self, subnet_id: str, gateway: str) -> bool:
        ports = self._store.find("port", "subnet", subnet_id)
        return any(fixed["ip_address"] == gateway for port in ports for fixed in port["fixed_ips"])


def is_real(image: Doc, path: Path) -> bool:
    """Return whether the image can boot; placeholders of catalogs and of the seed are empty disks."""
    if image["disk_format"] not in FORMATS or "simulated" in image["tags"] or not path.exists():
        return False
    return image["disk_format"] == "raw" or not _is_empty_qcow2(path)


def _is_empty_qcow2(path: Path) -> bool:
    """Return whether no cluster is allocated, so that the L1 table is empty (QEMU, docs/interop/qcow2.txt)."""
    with path.open("rb") as file:
        head = file.read(48)
        if len(head) < 48 or head[:4] != b"QFI\xfb":  # noqa: PLR2004 - the header up to l1_table_offset
            return False
        entries, offset = struct.unpack(">IQ", head[36:48])
        if offset > path.stat().st_size:
            return False
        file.seek(offset)
        return not any(file.read(min(entries, 1 << 16) * 8))
