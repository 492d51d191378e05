"""The command line over SSH, with OpenSSH-like clients."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import asyncssh
import pytest

from launcher.ports import free_port
from routersim.ssh import OLD_KEX
from tests.service.routersim.traps import TrapSocket
from tests.support.routersim_process import RoutersimProcess

Make = Callable[..., dict[str, Any]]
PORT = free_port()
OLD = {
    "kex_algs": OLD_KEX,
    "encryption_algs": ("aes128-cbc",),
    "mac_algs": ("hmac-sha1",),
    "server_host_key_algs": ("ssh-rsa",),
}


async def _connect(element: dict[str, Any], password: str = "admin", **options: Any) -> asyncssh.SSHClientConnection:
    return await asyncssh.connect(
        element["address"], element["sshPort"], username="admin", password=password, known_hosts=None, config=(),
        client_keys=(), agent_path=None, **options,
    )  # fmt: skip


def command(element: dict[str, Any], line: str, **options: Any) -> str:
    """One command, without a terminal."""

    async def run() -> str:
        async with await _connect(element, **options) as connection:
            done = await connection.run(line)
            return str(done.stdout)

    return asyncio.run(run())


def dialogue(element: dict[str, Any], *lines: str) -> str:
    """The output of a session at a terminal."""

    async def run() -> str:
        async with await _connect(element) as connection, connection.create_process(term_type="vt100") as shell:
            shell.stdin.write("".join(f"{line}\n" for line in lines))
            return str(await asyncio.wait_for(shell.stdout.read(), 20))

    return asyncio.run(run())


def test_show_version(make: Make) -> None:
    element = make(cards=0, sshPort=PORT)
    assert "TiMOS-C-13.0.R6" in command(element, "show version")


def test_loading_a_configuration_sends_a_notification(
    make: Make, routersim: RoutersimProcess, traps: TrapSocket
) -> None:
    element = make(cards=1, ports=1, sshPort=PORT)
    seen = dialogue(
        element, "candidate edit", "configure", "system", 'name "edge-7"', "exit", "port 1/1/1", "shutdown", "exit all",
        "candidate commit", "admin display-config", "logout",
    )  # fmt: skip
    assert f"A:{element['name']}# " in seen
    assert "A:edge-7# " in seen
    assert 'name "edge-7"' in seen
    (port,) = routersim.element(element["name"])["ports"]
    assert port["adminUp"] is False


def test_vrp_has_a_command_line_too(make: Make) -> None:
    element = make("NE9000", cards=1, ports=1, sshPort=PORT)
    seen = dialogue(
        element, "system-view", "sysname core-1", "commit", "return", "display current-configuration", "quit"
    )
    assert "[~core-1]" in seen
    assert "sysname core-1" in seen


def test_a_wrong_password_is_refused(make: Make) -> None:
    element = make(cards=0, sshPort=PORT)
    with pytest.raises(asyncssh.PermissionDenied):
        command(element, "show version", password="wrong")


def test_an_old_router_needs_an_old_key_exchange(make: Make) -> None:
    element = make(cards=0, sshPort=PORT, oldSsh=True)
    with pytest.raises((asyncssh.KeyExchangeFailed, asyncssh.ConnectionLost)):  # who hangs up first decides which
        command(element, "show version")
    assert "TiMOS" in command(element, "show version", **OLD)


def test_a_silent_element_accepts_no_connection(make: Make, routersim: RoutersimProcess) -> None:
    element = make(cards=0, sshPort=PORT)
    routersim.fault(element["name"], "silent")
    with pytest.raises((OSError, asyncssh.Error)):
        command(element, "show version")
