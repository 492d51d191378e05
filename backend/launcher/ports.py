"""Ports on the loopback address; TCP, but for the one of traps."""

import errno
import socket
from pathlib import Path
from random import SystemRandom
from urllib.parse import urlsplit

from launcher.errors import LaunchError

LOOPBACK = "127.0.0.1"
DEFAULT_PORT = 8080
"""Of the web."""
EVERYWHERE = "0.0.0.0"  # noqa: S104 - guests on bridges of this machine send their traps to it
EPHEMERAL = Path("/proc/sys/net/ipv4/ip_local_port_range")
"""Linux says here which ports outgoing connections use."""
LOWEST = 20000
TRIES = 100
TRAPS = 9162
"""Where notifications of network elements are heard: 162 is for root only."""


def is_free(port: int) -> bool:
    """Whether a server could listen there now."""
    return refusal(port) is None


def refusal(port: int) -> str | None:
    """Why we cannot listen there, as a sentence; None when the port is free."""
    try:
        bind(LOOPBACK, port).close()
    except LaunchError as error:
        return str(error)
    return None


def bind(host: str, port: int) -> socket.socket:
    """A TCP socket of that address, not listening yet. Raises LaunchError, in one sentence."""
    bound = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # what is accepted inherits it
    try:
        bound.bind((host, port))
    except OSError as error:
        bound.close()
        if isinstance(error, PermissionError):
            raise LaunchError(f"Port {port} is for root only: choose another with --port.") from None
        if error.errno == errno.EADDRINUSE:
            raise LaunchError(f"Port {port} is taken by another program: choose another with --port.") from None
        raise LaunchError(f"{host} is no address of this machine: choose another with --listen.") from None
    return bound


def free_port(ephemeral: Path = EPHEMERAL) -> int:
    """A TCP port that is free now, below those that the kernel gives to outgoing connections: one of these could take
    it before the server listens, or while the server is started again. `ephemeral` holds their lowest and highest.
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
    """The port stored in `file`, so that URLs stay the same; a new one when another program took it."""
    port = _stored(file)
    return port if port and is_free(port) else _store(file, free_port())


def persistent_port(file: Path) -> int:
    """The port stored in `file`, at first a free one. It stays, since policies name it: what else has it on 127.0.0.1
    does not matter to routers, which listen on addresses of their own.
    """
    return _stored(file) or _store(file, free_port())


def remembered_trap_port(file: Path) -> int:
    """The UDP port stored in `file`, since routers are configured to send there; at first the usual or a free one."""
    if port := _stored(file):
        return port
    with socket.socket(type=socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((LOOPBACK, TRAPS))
        except OSError:
            probe.bind((LOOPBACK, 0))
        return _store(file, probe.getsockname()[1])


def _stored(file: Path) -> int:
    """0 when there is none, or when a kill left the file empty."""
    try:
        return int(file.read_text())
    except (FileNotFoundError, ValueError):
        return 0


def _store(file: Path, port: int) -> int:
    file.write_text(f"{port}\n")
    return port


def answers(host: str, port: int, seconds: float = 3.0) -> bool:
    """Whether something accepts connections there."""
    try:
        with socket.create_connection((host, port), timeout=seconds):
            return True
    except OSError:
        return False


def address_of(url: str, default_port: int) -> tuple[str, int]:
    """Host and port of a server's URL."""
    parts = urlsplit(url)
    return parts.hostname or LOOPBACK, parts.port or default_port


def addresses_of(url: str, default_port: int) -> list[tuple[str, int]]:
    """The same of all servers that a URL names, as those of PostgreSQL may: postgresql://user@one:5432,two:5432/name.

    Raises ValueError for what is no URL; its words may quote a part of a password.
    """
    hosts = urlsplit(url).netloc.rpartition("@")[2].split(",")
    return [address_of(f"//{host}", default_port) for host in hosts]
