"""Ports on the loopback address; all are TCP except the one of traps."""

import errno
import socket
from pathlib import Path
from random import SystemRandom
from urllib.parse import urlsplit

from launcher.errors import LaunchError

LOOPBACK = "127.0.0.1"
DEFAULT_PORT = 8080
"""The default port of the web."""
EVERYWHERE = "0.0.0.0"  # noqa: S104 - guests on bridges of this machine send their traps to it
EPHEMERAL = Path("/proc/sys/net/ipv4/ip_local_port_range")
"""The file with the range of ports that Linux uses for outgoing connections."""
LOWEST = 20000
TRIES = 100
TRAPS = 9162
"""The UDP port for SNMP traps, since only root may listen on the standard port 162."""


def is_free(port: int) -> bool:
    """Return whether a server could listen on the port now."""
    return refusal(port) is None


def refusal(port: int) -> str | None:
    """Return a sentence with the reason why the port cannot be used; None if it is free."""
    try:
        bind(LOOPBACK, port).close()
    except LaunchError as error:
        return str(error)
    return None


def bind(host: str, port: int) -> socket.socket:
    """Return a TCP socket bound to that address, not listening yet. Raises LaunchError."""
    bound = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # accepted connections inherit it
    try:
        bound.bind((host, port))
    except OSError as error:
        bound.close()
        if isinstance(error, PermissionError):
            raise LaunchError(f"Port {port} is for root only: choose another with --port.") from None
        if error.errno == errno.EADDRINUSE:
            raise LaunchError(f"Port {port} is taken by another program: choose another with --port.") from None
        raise LaunchError(f"This machine does not have the address {host}: choose another with --listen.") from None
    return bound


def free_port(ephemeral: Path = EPHEMERAL) -> int:
    """Return a TCP port that is free now, below the ports of outgoing connections.

    An outgoing connection could otherwise take it before the server listens, or while the server is restarted.
    `ephemeral` is a file with the lowest and highest port of outgoing connections.
    """
    try:
        highest = int(ephemeral.read_text().split()[0])
    except (OSError, ValueError, IndexError):
        highest = LOWEST
    if highest - LOWEST > TRIES:
        picks = SystemRandom().sample(range(LOWEST, highest), TRIES)
        if found := next(filter(is_free, picks), None):
            return found
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port


def remembered_port(file: Path) -> int:
    """Return the port stored in `file`, so that URLs stay the same; a new one if another program uses it."""
    port = _stored(file)
    return port if port and is_free(port) else _store(file, free_port())


def persistent_port(file: Path) -> int:
    """Return the port stored in `file`, at first a free one; it never changes, since policies name it.

    Another program may use it on 127.0.0.1, as routers listen on their own addresses.
    """
    return _stored(file) or _store(file, free_port())


def remembered_trap_port(file: Path) -> int:
    """Return the UDP port stored in `file`, as routers are configured to send there; at first TRAPS or a free one."""
    if port := _stored(file):
        return port
    with socket.socket(type=socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((LOOPBACK, TRAPS))
        except OSError:
            probe.bind((LOOPBACK, 0))
        return _store(file, probe.getsockname()[1])


def _stored(file: Path) -> int:
    """Return the stored port, 0 if the file is missing or a kill left it empty."""
    try:
        return int(file.read_text())
    except (FileNotFoundError, ValueError):
        return 0


def _store(file: Path, port: int) -> int:
    file.write_text(f"{port}\n")
    return port


def answers(host: str, port: int, seconds: float = 3.0) -> bool:
    """Return whether a server accepts connections at this address."""
    try:
        with socket.create_connection((host, port), timeout=seconds):
            return True
    except OSError:
        return False


def address_of(url: str, default_port: int) -> tuple[str, int]:
    """Return host and port of a server's URL."""
    parts = urlsplit(url)
    return parts.hostname or LOOPBACK, parts.port or default_port


def servers_of(url: str) -> tuple[str, str]:
    """Return hosts with their ports, and the path, of a URL that may name several servers; its login is left out.

    `urlsplit` of newer Pythons refuses a URL whose IPv6 address is not the first of its hosts.
    """
    hosts, slash, path = url.partition("//")[2].partition("?")[0].partition("/")
    return hosts.rpartition("@")[2], slash + path


def addresses_of(url: str, default_port: int) -> list[tuple[str, int]]:
    """Return host and port of each server of a URL such as postgresql://user@one:5432,two:5432/name.

    Raises ValueError for an invalid URL; its message may quote a part of a password.
    """
    hosts, _ = servers_of(url)
    return [address_of(f"//{host}", default_port) for host in hosts.split(",")]
