"""A traffic probe between two routers, run over SSH; its samples are reported to the product."""

import asyncio
import json
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import asyncssh

Report = Callable[[Mapping[str, Any]], None]

AGENT = Path(__file__).with_name("probe_agent.py")
RATE, FLOWS = 1000, 8
"""Packets per second, and the number of port pairs they are spread over, so that ECMP uses all paths."""
TRY_SECONDS = 1.0


class TrafficProbe:
    """Both ends of the probe, each with its own SSH login; a thread passes each sample to `report` until `stop`."""

    def __init__(self, user: str, key: asyncssh.SSHKey, report: Report) -> None:
        self._user, self._key, self._report = user, key, report
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, login: str, own: str, other: str, path: str) -> None:
        """Run one end on the router that answers SSH at `login`, and restart it whenever it ends."""
        asyncio.run_coroutine_threadsafe(self._keep_running(login, own, other, path), self._loop)

    async def _keep_running(self, login: str, own: str, other: str, path: str) -> None:
        while True:
            with suppress(asyncssh.Error, OSError):
                await self._once(login, own, other, path)
            await asyncio.sleep(TRY_SECONDS)

    async def _once(self, login: str, own: str, other: str, path: str) -> None:
        arguments = f"{own} {other} {RATE} '{path}' {FLOWS}"
        options: dict[str, Any] = {"username": self._user, "client_keys": [self._key], "known_hosts": None}
        async with (
            asyncssh.connect(login, connect_timeout=5, keepalive_interval=10, **options) as connection,
            connection.create_process(f"python3 - {arguments}", encoding="utf-8") as process,
        ):
            process.stdin.write(AGENT.read_text())
            process.stdin.write_eof()
            async for line in process.stdout:
                sample = json.loads(line)
                at = datetime.fromtimestamp(sample["at"], UTC).isoformat()
                await asyncio.to_thread(self._report, {**sample, "at": at})

    def stop(self) -> None:
        """Stop both ends; a second call does nothing."""
        if self._thread.is_alive():
            asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(20)
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(10)

    async def _end(self) -> None:
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
