"""What the receiver says of itself, in its row."""

from datetime import datetime

import structlog
from django.db.models import F

from vnfm.elements.models import TrapReceiver
from vnfm.elements.traps.udp_socket import RECEIVE_BUFFER, TrapSocket, address_of
from vnfm.kit import clock

log = structlog.get_logger(__name__)


class ReceiverStatus:
    """Counts since the process began to listen."""

    def __init__(self, host: str, listen: str) -> None:
        self._host, self._address = host, address_of(listen)
        self._started_at: datetime = clock.now()
        self.stored = self.sampled_out = self.repeated = 0
        self.refused = self.garbled = self.unknown = self.overflowed = 0
        self._dropped = 0

    def cannot_listen(self, error: OSError) -> None:
        host, port = self._address
        words = f"Nobody can listen on {host}:{port}: {error.strerror or error}. Set VNFM_TRAP_LISTEN to an address of "
        words += "this machine and a free UDP port; below 1024 needs root."
        log.warning("traps.cannot_listen", address=host, port=port, error=str(error))
        self._write(problem=words, buffer_size=0, heard_at=clock.now(), started_at=self._started_at)

    def listening(self, intake: TrapSocket) -> int:
        """Tell that it does; returns which start on this machine this is."""
        self._address = intake.address
        problem = ""
        if intake.buffer < RECEIVE_BUFFER:
            problem = (
                f"The kernel gives the socket {intake.buffer} octets and {RECEIVE_BUFFER} were asked for: "
                "bursts may be lost. Set the sysctl net.core.rmem_max to as much, then restart."
            )
        log.info("traps.listening", address=intake.address[0], port=intake.address[1], buffer=intake.buffer)
        if problem:
            log.warning("traps.small_buffer", given=intake.buffer, wanted=RECEIVE_BUFFER)
        now = clock.now()
        self._write(problem=problem, buffer_size=intake.buffer, heard_at=now, started_at=now)
        rows = TrapReceiver.objects.filter(host=self._host)
        rows.update(boots=F("boots") + 1)
        boots: int = rows.values_list("boots", flat=True)[0]
        return boots

    def keep(self, intake: TrapSocket) -> None:
        dropped = intake.dropped()
        if dropped > self._dropped:
            log.warning("traps.dropped_by_kernel", dropped=dropped - self._dropped)
        self._dropped = dropped
        TrapReceiver.objects.filter(host=self._host).update(
            heard_at=clock.now(),
            received=intake.received,
            stored=self.stored,
            sampled_out=self.sampled_out,
            repeated=self.repeated,
            refused=self.refused,
            garbled=self.garbled,
            unknown=self.unknown,
            overflowed=self.overflowed,
            dropped=dropped,
        )

    def _write(self, *, problem: str, buffer_size: int, heard_at: datetime, started_at: datetime) -> None:
        host, port = self._address
        counts = ("received", "stored", "sampled_out", "repeated", "refused", "garbled", "unknown", "overflowed")
        TrapReceiver.objects.update_or_create(
            host=self._host,
            defaults={
                "address": host,
                "port": port,
                "problem": problem,
                "buffer_wanted": RECEIVE_BUFFER,
                "buffer_size": buffer_size,
                "heard_at": heard_at,
                "started_at": started_at,
                **dict.fromkeys((*counts, "dropped"), 0),
            },
        )
