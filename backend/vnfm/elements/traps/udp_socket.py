"""The UDP socket of the trap receiver, and a thread that only empties it into memory."""

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
"""Octets asked of the kernel: seconds of a storm while this process does not get the processor."""
MAX_DATAGRAM = 8192
"""Octets; notifications have some hundreds. Larger datagrams are dropped."""
DATAGRAM_OVERHEAD = 500
"""Octets of memory that a queued datagram takes besides its content."""
MEMORY_QUOTA = MemoryQuota(total=64 * 2**20, per_source=64 * 2**20 // 10)
"""Octets: a minute and a half at 1,000 datagrams a second, while the database is away."""
MAX_TRACKED_SOURCES = 10_000
"""Sources whose dropped datagrams are counted each; those of all others are counted together, under ""."""
STOP_CHECK_SECONDS = 0.5
_SO_RCVBUFFORCE = 33
_INODE, _DROPS = 9, -1
"""Columns of /proc/net/udp."""

Address = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Datagram:
    octets: bytes
    source: str
    """IP address without port, in its usual notation."""
    reply_to: tuple[str, int] | tuple[str, int, int, int]
    at: datetime


@dataclass(slots=True)
class _Queue:
    datagrams: list[Datagram] = field(default_factory=list)
    octets: int = 0
    octets_by_source: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    """Datagrams by source."""


class TrapSocket:
    """Opening it raises OSError where the address cannot be bound."""

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
        self._queue, self._lock, self._stop = _Queue(), Lock(), Event()
        self._thread = Thread(target=self._receive, name="trap socket", daemon=True)
        self._thread.start()

    def take(self) -> tuple[list[Datagram], Counter[str]]:
        """Return the datagrams since the last call, and the number of dropped ones of each source."""
        self.ready.clear()
        with self._lock:
            queue, self._queue = self._queue, _Queue()
        return queue.datagrams, queue.dropped

    def reply(self, octets: bytes, datagram: Datagram) -> None:
        """Best effort: the sender repeats its inform when the reply is lost."""
        try:
            self._socket.sendto(octets, datagram.reply_to)
        except OSError:
            return

    def dropped_by_kernel(self) -> int:
        """Datagrams that met a full socket buffer, as Linux counts them; 0 elsewhere."""
        inode = str(os.fstat(self._socket.fileno()).st_ino)
        for table in (Path("/proc/net/udp"), Path("/proc/net/udp6")):
            if table.exists():
                for line in table.read_text().splitlines()[1:]:
                    columns = line.split()
                    if columns[_INODE] == inode:
                        return int(columns[_DROPS])
        return 0

    def close(self) -> None:
        self._stop.set()
        self._thread.join(5)
        self._socket.close()

    def _receive(self) -> None:
        while not self._stop.is_set():
            try:
                octets, sender = self._socket.recvfrom(MAX_DATAGRAM + 1)
            except TimeoutError:
                continue
            except OSError:  # an ICMP error for a reply of ours
                continue
            self._enqueue(Datagram(octets, _without_ipv4_mapping(sender[0]), sender, clock.now()))

    def _enqueue(self, datagram: Datagram) -> None:
        with self._lock:
            self.received += 1
            queue, source = self._queue, datagram.source
            size = len(datagram.octets)
            if size <= MAX_DATAGRAM and MEMORY_QUOTA.admits(queue.octets, queue.octets_by_source[source]):
                queue.datagrams.append(datagram)
                queue.octets += size + DATAGRAM_OVERHEAD
                queue.octets_by_source[source] += size + DATAGRAM_OVERHEAD
            else:
                tracked = source in queue.dropped or len(queue.dropped) < MAX_TRACKED_SOURCES
                queue.dropped[source if tracked else ""] += 1
        self.ready.set()


def address_of(listen: str) -> Address:
    """From 192.0.2.1:162 or [::]:162. Raises ValueError."""
    parts = urlsplit(f"//{listen}")
    if parts.hostname is None or parts.port is None:
        raise ValueError(f"VNFM_TRAP_LISTEN must be as 192.0.2.1:9162 or [::]:9162, not {listen!r}.")
    return parts.hostname, parts.port


def _without_ipv4_mapping(address: str) -> str:
    """192.0.2.1 for ::ffff:192.0.2.1, and no zone."""
    return address.removeprefix("::ffff:").partition("%")[0]


def _set_receive_buffer(opened: socket.socket) -> int:
    """Octets that the kernel grants: all with CAP_NET_ADMIN, otherwise net.core.rmem_max at most."""
    try:
        opened.setsockopt(socket.SOL_SOCKET, _SO_RCVBUFFORCE, RECEIVE_BUFFER)
    except OSError:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
    return opened.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF) // 2  # Linux reports twice the size: its bookkeeping
