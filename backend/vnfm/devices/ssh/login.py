"""SSH login, for command lines and NETCONF: algorithms, host key, credentials."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncssh

from vnfm.devices.errors import DeviceError, NotSupported, Refused, Unreachable
from vnfm.devices.ssh.algorithms import CURRENT, OLD
from vnfm.devices.types import SshTarget

_CLOSE_SECONDS = 5.0
"""Limit for closing a connection, as the element may be unreachable by then."""


@asynccontextmanager
async def ssh_login(target: SshTarget) -> AsyncIterator[tuple[asyncssh.SSHClientConnection, str]]:
    """The connection, and the server's key in OpenSSH's form. Raises Refused, NotSupported, Unreachable."""
    pin = _HostKeyPin(target)
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
            async with asyncio.timeout(_CLOSE_SECONDS):
                await connection.wait_closed()
        except TimeoutError:
            connection.abort()


async def _open(target: SshTarget, pin: "_HostKeyPin") -> asyncssh.SSHClientConnection:
    offered = OLD if target.old_algorithms else CURRENT
    keys = [asyncssh.import_private_key(target.private_key)] if target.private_key else []
    connection, _ = await asyncssh.create_connection(
        lambda: pin,
        target.address,
        target.port,
        username=target.username,
        password=target.password or None,
        client_keys=keys,
        known_hosts=lambda *_: ([], [], []),  # so that asyncssh calls `pin`, and reads no known_hosts file
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
    """A server with several keys must offer the pinned one, not the one that it prefers."""
    algorithm = target.host_key.partition(" ")[0]
    if algorithm != "ssh-rsa":
        return [algorithm] if algorithm else []
    return ["rsa-sha2-256", "rsa-sha2-512", *(["ssh-rsa"] if target.old_algorithms else [])]


class _HostKeyPin(asyncssh.SSHClient):
    """Trust on first use: accepts any key when none is pinned, and otherwise only the pinned one."""

    def __init__(self, target: SshTarget) -> None:
        self._pinned = target.host_key
        self.offered = ""
        self._connection: asyncssh.SSHClientConnection | None = None

    def connection_made(self, conn: asyncssh.SSHClientConnection) -> None:
        self._connection = conn

    def validate_host_public_key(self, host: str, addr: str, port: int, key: asyncssh.SSHKey) -> bool:
        self.offered = _plain(key)
        return not self._pinned or self._pinned == self.offered

    @property
    def mismatch(self) -> bool:
        return bool(self._pinned and self.offered and self._pinned != self.offered)

    @property
    def version_only(self) -> bool:
        """The server sent its SSH version, and no key."""
        return not self.offered and bool(self._connection and self._connection.get_extra_info("server_version"))


def _plain(key: asyncssh.SSHKey) -> str:
    """Algorithm and key, without a comment."""
    return " ".join(key.export_public_key().decode().split()[:2])


def _mapped(error: Exception, target: SshTarget, pin: _HostKeyPin) -> DeviceError:
    address, where = target.address, f"{target.address}:{target.port}"
    match error:
        case _ if pin.mismatch:
            return Refused(
                f"The SSH host key of {where} is not the one that was pinned at the first contact. If the element was "
                "replaced or its keys were generated again, forget the pinned key; else this may be an attack.",
                address=address,
            )
        case asyncssh.PermissionDenied():
            return Refused(
                f"{where} does not accept the user {target.username} or its password or key.", address=address
            )
        case asyncssh.KeyExchangeFailed():
            advice = "" if target.old_algorithms else " Old software may need a policy that allows old algorithms."
            return NotSupported(f"{where} has no algorithm in common with us: {error}.{advice}", address=address)
        case asyncssh.ConnectionLost() if pin.version_only and not target.old_algorithms:
            return NotSupported(
                f"{where} closed the connection during the negotiation of algorithms. Old software may need a policy "
                "that allows old algorithms.",
                address=address,
            )
        case asyncssh.KeyImportError():
            return Refused(f"The private key for {where} cannot be read: {error}", address=address)
        case _:
            words = str(error) or f"no answer in {target.timeout:g} s"
            return Unreachable(f"No SSH connection to {where}: {words}", address=address)
