"""The command line of a real FRR over SSH: one vtysh with a terminal for each login, or a shell of the router.

FRR's image has no SSH server; vtysh as the login shell of one is how it is reached in the field, or a user's shell.
"""

from __future__ import annotations

import asyncio
import os
import pty
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import asyncssh

ADDRESS, USER, PASSWORD = "127.0.0.1", "frr", "let me in"
RELOAD = Path("/usr/lib/frr/frr-reload.py")
"""The program of frr-pythontools."""
_TO_START, _TO_END = 30.0, 10.0


class _Login(asyncssh.SSHServer):
    def password_auth_supported(self) -> bool:
        return True

    def validate_password(self, username: str, password: str) -> bool:
        return (username, password) == (USER, PASSWORD)


def _tools(home: Path) -> Path:
    """A directory with vtysh and frr-reload.py for the daemons with their sockets in `home`, which are not the
    system's."""
    tools = home / "bin"
    tools.mkdir(exist_ok=True)
    (home / "vtysh.conf").touch()
    own = f"--vty_socket {home} --config_dir {home}"
    for name, command in (
        ("vtysh", f"/usr/bin/vtysh {own}"),
        ("frr-reload.py", f"{RELOAD} --bindir {tools} --confdir {home} --rundir {home} --overwrite"),
    ):
        (tools / name).write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        (tools / name).chmod(0o755)
    return tools


@contextmanager
def served(home: Path, *shell: str) -> Iterator[int]:
    """Port of an SSH server whose shell is the vtysh of the daemons with their sockets in `home`, or `shell` there."""
    tools = _tools(home)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    async def login(process: Any) -> None:
        await _terminal(process, tools, shell or ("vtysh",))

    async def begin() -> asyncssh.SSHAcceptor:
        key = asyncssh.generate_private_key("ssh-ed25519")
        return await asyncssh.create_server(
            _Login, ADDRESS, 0, server_host_keys=[key], process_factory=login, line_editor=False, encoding=None
        )

    listener = asyncio.run_coroutine_threadsafe(begin(), loop).result(_TO_START)
    try:
        yield listener.sockets[0].getsockname()[1]
    finally:
        asyncio.run_coroutine_threadsafe(_end(listener), loop).result(_TO_END)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(_TO_END)
        loop.close()


async def _end(listener: asyncssh.SSHAcceptor) -> None:
    """Stop it with all sessions: vtysh must not outlive the test."""
    listener.close()
    sessions = asyncio.all_tasks() - {asyncio.current_task()}
    for session in sessions:
        session.cancel()
    await asyncio.gather(*sessions, return_exceptions=True)


async def _terminal(process: Any, tools: Path, command: tuple[str, ...]) -> None:
    """Copies octets between client and terminal until one of them ends."""
    master, slave = pty.openpty()
    child = await asyncio.create_subprocess_exec(
        *command, stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
        env={**os.environ, "TERM": "dumb", "PATH": f"{tools}:{os.environ['PATH']}"},
    )  # fmt: skip
    os.close(slave)
    loop = asyncio.get_running_loop()

    def printed() -> None:
        try:
            process.stdout.write(os.read(master, 65536))
        except OSError:  # vtysh has ended
            loop.remove_reader(master)
            process.exit(0)

    loop.add_reader(master, printed)
    try:
        with suppress(asyncssh.Error, OSError):
            while typed := await process.stdin.read(4096):
                os.write(master, typed)
    finally:
        loop.remove_reader(master)
        with suppress(ProcessLookupError):
            child.kill()
        await child.wait()
        os.close(master)
