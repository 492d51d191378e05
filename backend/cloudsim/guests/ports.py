"""The two ports of guests: what runs them, and what joins their NICs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from cloudsim.guests.model import Guest, GuestNic

OnExit = Callable[[str, str], Awaitable[None]]
"""Called with the id of a guest that ended by itself, and its hypervisor's last words."""


class Hypervisor(Protocol):
    """Runs guests on this machine. All by the server's id; what does not run is left as it is.

    The disk of a guest is made at its first start and stays until `erase`.
    """

    on_exit: OnExit

    async def start(self, guest: Guest) -> None:
        """Power on; the guest runs when this returns, its system is not up yet. Raises GuestError."""

    async def shut_down(self, ident: str, seconds: float) -> bool:
        """Press the power button and wait for so long; False if it is still on."""

    async def kill(self, ident: str) -> None:
        """Pull the plug."""

    async def pause(self, ident: str) -> None:
        """Freeze it where it is. Raises GuestError."""

    async def resume(self, ident: str) -> None:
        """Let a frozen one go on. Raises GuestError."""

    async def erase(self, ident: str) -> None:
        """Kill it and remove its disk."""

    async def plug(self, ident: str, nic: GuestNic) -> None:
        """Add a NIC to a running guest. Raises GuestError."""

    async def unplug(self, ident: str, nic: GuestNic) -> None:
        """Take a NIC from a running guest. Raises GuestError."""

    async def set_link(self, ident: str, nic: GuestNic, *, up: bool) -> None:
        """Take the carrier from a NIC, or give it back."""

    def runs(self, ident: str) -> bool: ...

    def console(self, ident: str) -> bytes:
        """The end of what the guest wrote to its first serial port since it was powered on."""

    async def open(self) -> None:
        """Remove what an earlier process left behind. Raises GuestError where this hypervisor cannot work."""

    async def close(self) -> None:
        """Kill all guests; their disks stay."""


class Segments(Protocol):
    """Joins NICs of the same network on layer 2."""

    async def netdev(self, nic: GuestNic) -> str:
        """QEMU's `-netdev` for the NIC, without `id`. Raises GuestError."""

    async def release(self, port_id: str) -> None:
        """The NIC is gone."""

    async def open(self) -> None: ...

    async def close(self) -> None: ...
