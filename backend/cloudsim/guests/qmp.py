"""A client for QEMU's machine protocol (QMP), with the part that a hypervisor needs."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from cloudsim.guests.model import GuestError

if TYPE_CHECKING:
    from pathlib import Path

ANSWER_SECONDS = 20.0


class Qmp:
    """A connection to a monitor; call `connect` first."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._turn = asyncio.Lock()
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def connect(self) -> None:
        """Connect to the monitor. Raises OSError while QEMU does not listen yet."""
        self._streams = await asyncio.open_unix_connection(self._path, limit=1 << 20)
        await self._read()  # the greeting
        await self.execute("qmp_capabilities")

    async def execute(self, command: str, **arguments: Any) -> Any:
        """Run a command and return its result. Raises GuestError with QEMU's message, or if QEMU does not answer."""
        if self._streams is None:
            raise GuestError("the guest's monitor is not connected")
        async with self._turn:
            try:
                self._streams[1].write(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")
                async with asyncio.timeout(ANSWER_SECONDS):
                    while True:
                        answer = await self._read()
                        if "return" in answer:
                            return answer["return"]
                        if "error" in answer:
                            raise GuestError(f"{command}: {answer['error']['desc']}")
            except (TimeoutError, OSError, ValueError) as error:
                raise GuestError(f"{command}: QEMU does not answer") from error

    async def _read(self) -> dict[str, Any]:
        """Return the next message. Raises ValueError at the end of the stream."""
        assert self._streams is not None  # connect() made them
        message: dict[str, Any] = json.loads(await self._streams[0].readline())
        return message

    def close(self) -> None:
        if self._streams:
            self._streams[1].close()
            self._streams = None
