"""The receiver's report of itself, in its row of TrapReceiver."""

import time
from datetime import datetime

import structlog
from django.db.models import F

from vnfm.elements.models import TrapReceiver
from vnfm.elements.traps.refusals import RefusalCounts
from vnfm.elements.traps.udp_socket import RECEIVE_BUFFER, TrapSocket, address_of
from vnfm.kit import clock

_COUNTS = ("stored", "sampled_out", "repeated", "refused", "garbled", "unknown", "overflowed")

REPORT_SECONDS = 5.0
"""Pause between two updates of the row while no notification arrives."""

log = structlog.get_logger(__name__)


class ReceiverStatus:
    """Counts since the process began to listen."""

    def __init__(self, host: str, listen: str) -> None:
        self._host, self._address = host, address_of(listen)
        self._started_at: datetime = clock.now()
        self.stored = self.sampled_out = self.repeated = 0
        self.refused = self.garbled = self.unknown = self.overflowed = 0
        self.refusals = RefusalCounts()
        self._dropped = 0
        self._saved: dict[str, int] = {}
        self._save_at = 0.0

    def cannot_listen(self, error: OSError) -> None:
        host, port = self._address
        problem = (
            f"Cannot listen on {host}:{port}: {error.strerror or error}. Set VNFM_TRAP_LISTEN to an address of "
            "this machine and a free UDP port; below 1024 needs root."
        )
        log.warning("traps.cannot_listen", address=host, port=port, error=str(error))
        self._write(problem=problem, buffer_size=0, reported_at=clock.now(), started_at=self._started_at)

    def listening(self, trap_socket: TrapSocket) -> int:
        """Record that it listens; returns snmpEngineBoots: the number of its starts on this machine."""
        self._address = trap_socket.address
        problem = ""
        if trap_socket.buffer < RECEIVE_BUFFER:
            problem = (
                f"The kernel gives the socket {trap_socket.buffer} octets and {RECEIVE_BUFFER} were asked for: "
                "bursts may be lost. Set the sysctl net.core.rmem_max to as much, then restart."
            )
        log.info(
            "traps.listening", address=trap_socket.address[0], port=trap_socket.address[1], buffer=trap_socket.buffer
        )
        if problem:
            log.warning("traps.small_buffer", given=trap_socket.buffer, wanted=RECEIVE_BUFFER)
        now = clock.now()
        self._write(problem=problem, buffer_size=trap_socket.buffer, reported_at=now, started_at=now)
        rows = TrapReceiver.objects.filter(host=self._host)
        rows.update(boots=F("boots") + 1)
        boots: int = rows.values_list("boots", flat=True)[0]
        return boots

    def save(self, trap_socket: TrapSocket) -> None:
        dropped = trap_socket.dropped_by_kernel()
        if dropped > self._dropped:
            log.warning("traps.dropped_by_kernel", dropped=dropped - self._dropped)
        self._dropped = dropped
        counts = {name: getattr(self, name) for name in _COUNTS}
        counts |= {"received": trap_socket.received, "dropped": dropped}
        if counts != self._saved or time.monotonic() >= self._save_at:
            TrapReceiver.objects.filter(host=self._host).update(
                reported_at=clock.now(), refusals=self.refusals.rows(), **counts
            )
            self._saved, self._save_at = counts, time.monotonic() + REPORT_SECONDS

    def _write(self, *, problem: str, buffer_size: int, reported_at: datetime, started_at: datetime) -> None:
        host, port = self._address
        TrapReceiver.objects.update_or_create(
            host=self._host,
            defaults={
                "address": host,
                "port": port,
                "problem": problem,
                "buffer_wanted": RECEIVE_BUFFER,
                "buffer_size": buffer_size,
                "reported_at": reported_at,
                "started_at": started_at,
                "refusals": [],
                **dict.fromkeys((*_COUNTS, "received", "dropped"), 0),
            },
        )
