"""The socket that notifications come to, and a thread that does nothing but empty it."""

import os
import socket
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from threading import Event, Lock, Thread
from urllib.parse import urlsplit

from vnfm.elements.domain.traps import MemoryQuota
from vnfm.kit import clock

RECEIVE_BUFFER = 8 * 2**20
"""Octets that the kernel is asked to hold: seconds of a storm, while this process does not get the processor."""
MAX_DATAGRAM = 8192
"""Octets of a datagram; notifications have some hundreds. Larger ones are left out."""
OVERHEAD = 500
"""Octets that a datagram takes in memory besides its own."""
MEMORY_QUOTA = MemoryQuota(waiting=64 * 2**20, of_one=64 * 2**20 // 10)
"""Octets in memory: a minute and a half at 1,000 datagrams a second, while the database is away."""
MAX_TRACKED_SOURCES = 10_000
"""Whose datagrams were left out is known of so many; those of the others are counted together, as of nobody."""
STOP_CHECK_SECONDS = 0.5
"""How soon the thread notices that it is to end."""
_SO_RCVBUFFORCE = 33
_INODE, _DROPS = 9, -1
"""Columns of /proc/net/udp."""

Address = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Datagram:
    octets: bytes
    source: str
    """Address, without port, as people write it."""
    reply_to: tuple[str, int] | tuple[str, int, int, int]
    at: datetime


@dataclass(slots=True)
class _Queue:
    datagrams: list[Datagram] = field(default_factory=list)
    octets: int = 0
    by_source: Counter[str] = field(default_factory=Counter)
    """Octets, as above."""
    left_out: Counter[str] = field(default_factory=Counter)


class TrapSocket:
    """Opening it raises OSError where nobody can listen."""

    def __init__(self, listen: str) -> None:
        host, port = address_of(listen)
        family, _, _, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0]
        self._socket = socket.socket(family, socket.SOCK_DGRAM)
        try:
            if family == socket.AF_INET6:
                self._socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
            self.buffer = _set_receive_buffer(self._socket)
            self._socket.settimeout(STOP_CHECK_SECONDS)
            self._socket.bind(where)
        except OSError:
            self._socket.close()
            raise
        self.address: Address = self._socket.getsockname()[:2]
        self.received = 0
        self.ready = Event()
        self._waiting, self._lock, self._end = _Queue(), Lock(), Event()
        self._thread = Thread(target=self._empty, name="trap intake", daemon=True)
        self._thread.start()

    def take(self) -> tuple[list[Datagram], Counter[str]]:
        """What came since the last time, and how many of each source had to be left out."""
        self.ready.clear()
        with self._lock:
            taken, self._waiting = self._waiting, _Queue()
        return taken.datagrams, taken.left_out

    def answer(self, octets: bytes, datagram: Datagram) -> None:
        """A lost answer is asked for again."""
        try:
            self._socket.sendto(octets, datagram.reply_to)
        except OSError:
            return

    def dropped(self) -> int:
        """Datagrams that found the kernel's buffer full, as Linux counts them; 0 elsewhere."""
        inode = str(os.fstat(self._socket.fileno()).st_ino)
        for table in (Path("/proc/net/udp"), Path("/proc/net/udp6")):
            if table.exists():
                for line in table.read_text().splitlines()[1:]:
                    columns = line.split()
                    if columns[_INODE] == inode:
                        return int(columns[_DROPS])
        return 0

    def close(self) -> None:
        self._end.set()
        self._thread.join(5)
        self._socket.close()

    def _empty(self) -> None:
        while not self._end.is_set():
            try:
                octets, sender = self._socket.recvfrom(MAX_DATAGRAM + 1)
            except TimeoutError:
                continue
            except OSError:  # an ICMP error for an answer of ours
                continue
            self._keep(Datagram(octets, _without_ipv4_mapping(sender[0]), sender, clock.now()))

    def _keep(self, datagram: Datagram) -> None:
        with self._lock:
            self.received += 1
            waiting, source = self._waiting, datagram.source
            size = len(datagram.octets)
            if size <= MAX_DATAGRAM and MEMORY_QUOTA.takes(waiting.octets, waiting.by_source[source]):
                waiting.datagrams.append(datagram)
                waiting.octets += size + OVERHEAD
                waiting.by_source[source] += size + OVERHEAD
            else:
                known = source in waiting.left_out or len(waiting.left_out) < MAX_TRACKED_SOURCES
                waiting.left_out[source if known else ""] += 1
        self.ready.set()


def address_of(listen: str) -> Address:
    """From 192.0.2.1:162 or [::]:162. Raises ValueError."""
    parts = urlsplit(f"//{listen}")
    if parts.hostname is None or parts.port is None:
        raise ValueError(f"VNFM_TRAP_LISTEN must be as 192.0.2.1:9162 or [::]:9162, not {listen!r}.")
    return parts.hostname, parts.port


def _without_ipv4_mapping(address: str) -> str:
    """An IPv4 address that came by an IPv6 socket is an IPv4 address."""
    return address.removeprefix("::ffff:").partition("%")[0]


def _set_receive_buffer(opened: socket.socket) -> int:
    """The octets that the socket's buffer has: as many as wanted where we may say so, or net.core.rmem_max."""
    try:
        opened.setsockopt(socket.SOL_SOCKET, _SO_RCVBUFFORCE, RECEIVE_BUFFER)
    except OSError:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
    return opened.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF) // 2  # Linux counts its own needs in
