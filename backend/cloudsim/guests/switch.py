"""``python -m cloudsim.guests.switch DIR``: a learning Ethernet switch for guests, without any privilege.

Each NIC is a UNIX socket ``DIR/PORT`` for QEMU's netdev ``stream``, with frames after their length (4 octets in network
order). It reads commands from stdin, one per line, answers each with one line, and ends with stdin:

    plug PORT NETWORK    listen for the NIC            ok | failed REASON
    unplug PORT          forget it                     ok
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import cast

LENGTH = 4
LARGEST = 65_536
"""The largest frame in octets, if segmentation is left to the receiver."""
BACKLOG = 1 << 20
"""The octets that may wait for a guest that does not read; further frames are dropped, as in any switch."""


class Network:
    """A layer 2 segment."""

    def __init__(self) -> None:
        self.cables: set[Cable] = set()
        self._behind: dict[bytes, Cable] = {}

    def forward(self, source: Cable, frame: bytes) -> None:
        """Forward a frame to its destination if that is known, else to all NICs."""
        self._behind[frame[6:12]] = source
        target = None if frame[0] & 1 else self._behind.get(frame[:6])
        if target is not None:
            if target is not source:
                target.send(frame)
            return
        for cable in self.cables:
            if cable is not source:
                cable.send(frame)

    def leave(self, cable: Cable) -> None:
        self.cables.discard(cable)
        self._behind = {mac: one for mac, one in self._behind.items() if one is not cable}


class Cable(asyncio.Protocol):
    """The connection of a NIC."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._received = bytearray()
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._network.cables.add(self)

    def connection_lost(self, _error: Exception | None) -> None:
        self._network.leave(self)

    def data_received(self, data: bytes) -> None:
        received = self._received
        received += data
        start = 0
        while len(received) - start >= LENGTH:
            size = int.from_bytes(received[start : start + LENGTH])
            end = start + LENGTH + size
            if size > LARGEST:
                self.close()
                return
            if len(received) < end:
                break
            if size >= 14:  # noqa: PLR2004 - an Ethernet header
                self._network.forward(self, bytes(received[start + LENGTH : end]))
            start = end
        del received[:start]

    def send(self, frame: bytes) -> None:
        if self._transport and self._transport.get_write_buffer_size() < BACKLOG:
            self._transport.write(len(frame).to_bytes(LENGTH) + frame)

    def close(self) -> None:
        if self._transport:
            self._transport.abort()


class Switch:
    """The NICs in `folder`, by network."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._networks: dict[str, Network] = {}
        self._ports: dict[str, tuple[asyncio.AbstractServer, list[Cable]]] = {}

    async def command(self, line: str) -> str:
        match line.split():
            case ["plug", port, network]:
                return await self._plug(port, network)
            case ["unplug", port]:
                await self._unplug(port)
                return "ok"
        return f"failed no such command: {line}"

    async def _plug(self, port: str, name: str) -> str:
        await self._unplug(port)
        network, cables = self._networks.setdefault(name, Network()), list[Cable]()

        def cable() -> Cable:
            cables.append(Cable(network))
            return cables[-1]

        path = self._folder / port
        path.unlink(missing_ok=True)
        try:
            server = await asyncio.get_running_loop().create_unix_server(cable, path)
        except OSError as error:
            return f"failed {error}"
        self._ports[port] = server, cables
        return "ok"

    async def _unplug(self, port: str) -> None:
        server, cables = self._ports.pop(port, (None, []))
        if server:
            server.close()
        for cable in cables:
            cable.close()
        (self._folder / port).unlink(missing_ok=True)


async def serve(folder: Path) -> None:
    """Run the switch until stdin ends."""
    switch, reader = Switch(folder), asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        sys.stdout.write(await switch.command(line.decode().strip()) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))
