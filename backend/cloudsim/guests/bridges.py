"""Networks as Linux bridges, which QEMU joins by tap devices and namespaces by veth pairs. Needs root.

This machine has the gateway's address on the bridge of a management network, so that the manager reaches guests.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import logging
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from cloudsim.guests.model import GuestError
from cloudsim.guests.processes import output_of

if TYPE_CHECKING:
    from cloudsim.guests.links import Links
    from cloudsim.guests.model import GuestNic

log = logging.getLogger("cloudsim.guests")

DEVICES = Path("/sys/class/net")


class Bridges:
    """`Segments` for QEMU and for namespaces. A bridge is removed with its last port, and with it its address."""

    def __init__(self, links: Links) -> None:
        self._links = links
        self._turn = asyncio.Lock()
        """The lock that keeps a new bridge from being removed before its first port joins."""

    async def open(self) -> None:
        if os.geteuid() != 0:
            raise GuestError("bridges need root")
        await self._links.clear()

    async def close(self) -> None:
        await self._links.clear()

    async def netdev(self, nic: GuestNic) -> str:
        name = self._links.name("p", nic.port_id)
        await self.release(nic.port_id)
        await output_of("ip", "tuntap", "add", "dev", name, "mode", "tap")
        await self.join(name, nic)
        return f"tap,ifname={name},script=no,downscript=no"

    async def release(self, port_id: str) -> None:
        name = self._links.name("p", port_id)
        async with self._turn:
            bridge = _bridge_of(name)
            if exists(name):
                await output_of("ip", "link", "delete", name)
            if bridge and not any((DEVICES / bridge / "brif").iterdir()):
                await output_of("ip", "link", "delete", bridge)

    async def cable(self, nic: GuestNic, namespace: str, device: str) -> None:
        """Connect the network's bridge by a veth pair with a device in a namespace."""
        name = self._links.name("p", nic.port_id)
        await self.release(nic.port_id)
        far = ("peer", "name", device, "address", nic.mac, "netns", namespace)
        await output_of("ip", "link", "add", name, "type", "veth", *far)
        await self.join(name, nic)
        await output_of("ip", "-n", namespace, "link", "set", device, "up")

    async def set_carrier(self, port_id: str, *, up: bool) -> None:
        """Set our end of a veth pair up or down, which is the carrier of the far end."""
        await output_of("ip", "link", "set", self._links.name("p", port_id), "up" if up else "down")

    async def join(self, device: str, nic: GuestNic) -> None:
        """Add a device of this machine to the NIC's network."""
        bridge = self._links.name("n", nic.network_id)
        async with self._turn:
            if not exists(bridge):
                await self._make(bridge)
            if nic.host_address:
                await self._take_address(bridge, nic.host_address)
            await output_of("ip", "link", "set", device, "master", bridge, "up")

    async def _make(self, bridge: str) -> None:
        await output_of("ip", "link", "add", bridge, "type", "bridge", "forward_delay", "0", "mcast_snooping", "0")
        with suppress(OSError):  # this machine needs no IPv6 address of its own there
            (Path("/proc/sys/net/ipv6/conf") / bridge / "disable_ipv6").write_text("1")
        await output_of("ip", "link", "set", bridge, "up")

    async def _take_address(self, bridge: str, address: str) -> None:
        """Add the address unless it overlaps with another network of this machine, which must stay reachable."""
        wanted = ipaddress.ip_interface(address).network
        for link in json.loads(await output_of("ip", "-json", "address", "show")):
            for held in link["addr_info"]:
                other = ipaddress.ip_interface(f"{held['local']}/{held['prefixlen']}").network
                if other.version == wanted.version and other.overlaps(wanted):
                    if link["ifname"] != bridge:
                        log.warning("%s is on %s: guests there cannot be reached", wanted, link["ifname"])
                    return
        await output_of("ip", "address", "add", address, "dev", bridge)


def exists(device: str) -> bool:
    return (DEVICES / device).exists()


def _bridge_of(device: str) -> str:
    """Return the bridge that a device belongs to; "" for none."""
    master = DEVICES / device / "master"
    return master.readlink().name if master.is_symlink() else ""
