"""Logging in over SSH: which algorithms, whose host key, with what. For all that is spoken over it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncssh

from vnfm.devices.errors import DeviceError, NotSupported, Refused, Unreachable
from vnfm.devices.ssh.algorithms import CURRENT, OLD
from vnfm.devices.types import SshTarget

_GOODBYE_SECONDS = 5.0
"""For the end of a connection to arrive; the way to an element may be gone."""


@asynccontextmanager
async def logged_in(target: SshTarget) -> AsyncIterator[tuple[asyncssh.SSHClientConnection, str]]:
    """The connection, and the server's key in OpenSSH's form. Raises Refused, NotSupported, Unreachable."""
    pin = _Pin(target)
    try:
        async with asyncio.timeout(target.timeout):
            connection = await _open(target, pin)
    except (asyncssh.Error, OSError, ValueError) as error:
        raise _mapped(error, target, pin) from error
    try:
        yield connection, pin.offered
    finally:
        connection.close()
        try:
            async with asyncio.timeout(_GOODBYE_SECONDS):
                await connection.wait_closed()
        except TimeoutError:
            connection.abort()


async def _open(target: SshTarget, pin: "_Pin") -> asyncssh.SSHClientConnection:
    offered = OLD if target.old_algorithms else CURRENT
    keys = [asyncssh.import_private_key(target.private_key)] if target.private_key else []
    connection, _ = await asyncssh.create_connection(
        lambda: pin,
        target.address,
        target.port,
        username=target.username,
        password=target.password or None,
        client_keys=keys,
        known_hosts=lambda *_: ([], [], []),  # so that asyncssh asks `pin`, and reads no file of the machine
        config=None,
        agent_path=None,
        kex_algs=offered.kex,
        server_host_key_algs=_host_key_algorithms(target) or offered.host_key,
        encryption_algs=offered.encryption,
        mac_algs=offered.mac,
        keepalive_interval=15,
    )
    return connection


def _host_key_algorithms(target: SshTarget) -> list[str]:
    """A server with several keys must offer the pinned one again, not another that it prefers."""
    algorithm = target.host_key.partition(" ")[0]
    if algorithm != "ssh-rsa":
        return [algorithm] if algorithm else []
    return ["rsa-sha2-256", "rsa-sha2-512", *(["ssh-rsa"] if target.old_algorithms else [])]


class _Pin(asyncssh.SSHClient):
    """Trust at first use: any key when none is pinned, and afterwards none but that."""

    def __init__(self, target: SshTarget) -> None:
        self._wanted = target.host_key
        self.offered = ""
        self._connection: asyncssh.SSHClientConnection | None = None

    def connection_made(self, conn: asyncssh.SSHClientConnection) -> None:
        self._connection = conn

    def validate_host_public_key(self, host: str, addr: str, port: int, key: asyncssh.SSHKey) -> bool:
        self.offered = _plain(key)
        return not self._wanted or self._wanted == self.offered

    @property
    def broken(self) -> bool:
        return bool(self._wanted and self.offered and self._wanted != self.offered)

    @property
    def greeted_only(self) -> bool:
        """The server said which SSH it speaks, and never showed a key."""
        return not self.offered and bool(self._connection and self._connection.get_extra_info("server_version"))


def _plain(key: asyncssh.SSHKey) -> str:
    """Algorithm and key, without a comment."""
    return " ".join(key.export_public_key().decode().split()[:2])


def _mapped(error: Exception, target: SshTarget, pin: _Pin) -> DeviceError:
    address, where = target.address, f"{target.address}:{target.port}"
    match error:
        case _ if pin.broken:
            return Refused(
                f"The SSH host key of {where} is not the one that was pinned at the first contact. If the element was "
                "replaced or its keys were made anew, forget the pinned key; else somebody may stand between.",
                address=address,
            )
        case asyncssh.PermissionDenied():
            return Refused(
                f"{where} does not accept the user {target.username} or its password or key.", address=address
            )
        case asyncssh.KeyExchangeFailed():
            advice = "" if target.old_algorithms else " Old software may need a policy that allows old algorithms."
            return NotSupported(f"{where} has no algorithm in common with us: {error}.{advice}", address=address)
        case asyncssh.ConnectionLost() if pin.greeted_only and not target.old_algorithms:
            return NotSupported(
                f"{where} hung up while algorithms were agreed on. Old software may need a policy that allows old "
                "algorithms.",
                address=address,
            )
        case asyncssh.KeyImportError():
            return Refused(f"The private key for {where} cannot be read: {error}", address=address)
        case _:
            words = str(error) or f"no answer in {target.timeout:g} s"
            return Unreachable(f"No SSH connection to {where}: {words}", address=address)
