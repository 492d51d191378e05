"""The interfaces of guests: `Hypervisor` runs them, and `Segments` connects their NICs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from cloudsim.guests.model import Guest, GuestNic

OnExit = Callable[[str, str], Awaitable[None]]
"""A function that gets the id of a guest that ended by itself, and its hypervisor's last output."""


class Hypervisor(Protocol):
    """Runs guests on this machine, named by the server's id; calls for a guest that does not run do nothing.

    The disk of a guest is created at its first start and stays until `erase`.
    """

    on_exit: OnExit

    async def start(self, guest: Guest) -> None:
        """Power on a guest; it runs on return, although its system is still booting. Raises GuestError."""

    async def shut_down(self, ident: str, seconds: float) -> bool:
        """Press the power button and wait up to `seconds`; return False if the guest is still on."""

    async def kill(self, ident: str) -> None:
        """Power off a guest at once."""

    async def pause(self, ident: str) -> None:
        """Freeze a guest. Raises GuestError."""

    async def resume(self, ident: str) -> None:
        """Continue a frozen guest. Raises GuestError."""

    async def erase(self, ident: str) -> None:
        """Kill a guest and remove its disk."""

    async def plug(self, ident: str, nic: GuestNic) -> None:
        """Add a NIC to a running guest. Raises GuestError."""

    async def unplug(self, ident: str, nic: GuestNic) -> None:
        """Remove a NIC from a running guest. Raises GuestError."""

    async def set_link(self, ident: str, nic: GuestNic, *, up: bool) -> None:
        """Set the carrier of a NIC."""

    def runs(self, ident: str) -> bool: ...

    def console(self, ident: str) -> bytes:
        """Return the end of the output to the guest's first serial port since its start."""

    async def open(self) -> None:
        """Remove the remains of an earlier process. Raises GuestError if this hypervisor cannot work here."""

    async def close(self) -> None:
        """Kill all guests; their disks stay."""


class Segments(Protocol):
    """Joins NICs of the same network on layer 2."""

    async def netdev(self, nic: GuestNic) -> str:
        """QEMU's `-netdev` for the NIC, without `id`. Raises GuestError."""

    async def release(self, port_id: str) -> None:
        """Release the resources of a removed NIC."""

    async def open(self) -> None: ...

    async def close(self) -> None: ...
