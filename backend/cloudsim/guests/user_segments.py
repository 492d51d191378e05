"""Networks without root: a switch process to which guests connect."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cloudsim.guests.model import GuestError

if TYPE_CHECKING:
    from cloudsim.guests.model import GuestNic

_BACKEND = Path(__file__).resolve().parents[2]


class UserSegments:
    """`Segments` by `cloudsim.guests.switch`, with its sockets in `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()

    async def open(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "cloudsim.guests.switch", str(self._folder),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, cwd=_BACKEND, start_new_session=True,
        )  # fmt: skip

    async def close(self) -> None:
        if self._process and self._process.stdin:
            self._process.stdin.close()
            await self._process.wait()
        self._process = None

    async def netdev(self, nic: GuestNic) -> str:
        await self._command(f"plug {nic.port_id} {nic.network_id}")
        return f"stream,server=off,addr.type=unix,addr.path={self._folder / nic.port_id}"

    async def release(self, port_id: str) -> None:
        if self._process and self._process.returncode is None:
            await self._command(f"unplug {port_id}")

    async def _command(self, line: str) -> None:
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise GuestError("the switch of the guests does not run")
        async with self._turn:
            process.stdin.write(f"{line}\n".encode())
            answer = (await process.stdout.readline()).decode().strip()
        if answer != "ok":
            raise GuestError(f"the switch of the guests: {answer or 'it has ended'}")
