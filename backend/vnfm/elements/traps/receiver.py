"""The trap receiver (`manage.py traps`): datagrams are decoded and classified, written in batches, then acknowledged.

A notification has the poller read the element's state (ADR-0025); what it says itself has gone down is recorded before
(ADR-0087).
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from threading import Event

import structlog
from django.db import DatabaseError, DataError, IntegrityError, InterfaceError, OperationalError, connections

from vnfm.devices.errors import Garbled, Refused
from vnfm.elements.domain.traps import STORM
from vnfm.elements.models import ElementFact, NetworkElement
from vnfm.elements.services.poller import CHANNEL
from vnfm.elements.services.traps import element_apply_events, sequences_store, traps_expire, traps_store
from vnfm.elements.traps.classify import Batch, Classifier
from vnfm.elements.traps.decode import DecodedTrap, Decoder, EngineDiscovery, engine_id_of
from vnfm.elements.traps.senders import Sender, load_senders
from vnfm.elements.traps.status import ReceiverStatus
from vnfm.elements.traps.udp_socket import Datagram, TrapSocket
from vnfm.kit import clock
from vnfm.kit.durable import heartbeat
from vnfm.kit.durable.listen import on_notification

IDLE_WAIT_SECONDS = 0.25
BATCH_SECONDS = 0.05
"""Between two batches: in a storm some fifty traps are written at a time. The first after a pause does not wait."""
SENDERS_SECONDS, SENDERS_MIN_SECONDS = 5.0, 1.0
"""Elements are read again after the first; after a NOTIFY or a trap from an unknown address, not before the second."""
FLUSH_SECONDS = 1.0
EXPIRE_SECONDS = 60.0
RETENTION = timedelta(days=30)
RETRY_SECONDS = 2.0
"""Between attempts to open the socket, or to write, while that fails."""
MAX_LOGGED_SOURCES = 1000
"""Sources whose refusal is logged once; with more, the list begins again."""

_OVERFLOW = "Too many notifications waited to be stored, or it was too large."

log = structlog.get_logger(__name__)


class Receiver:
    """`secret` is the installation's: our SNMP engine ID is derived from it and the host's name."""

    def __init__(self, *, listen: str, host: str, secret: str) -> None:
        self._listen, self._host, self._secret = listen, host, secret
        self._senders: Mapping[str, tuple[Sender, ...]] = {}
        self._senders_loaded_at = self._unknown_reload_at = self._flushed_at = self._expired_at = float("-inf")
        self._reload = Event()
        self._refused_sources: set[str] = set()

    def run(self, stop: Event) -> None:
        """Receive until `stop` is set. An address that cannot be bound is reported and tried again."""
        with on_notification(CHANNEL, lambda _: self._reload.set()):
            while not stop.is_set():
                try:
                    self._run(stop)
                except DatabaseError as error:
                    log.warning("traps.database_unavailable", error=str(error))
                finally:
                    heartbeat.beat("socket or database")
                    connections.close_all()
                stop.wait(RETRY_SECONDS)

    def _run(self, stop: Event) -> None:
        status = ReceiverStatus(self._host, self._listen)
        try:
            trap_socket = TrapSocket(self._listen)
        except OSError as error:
            status.cannot_listen(error)
            return
        try:
            boots = status.listening(trap_socket)
            decoder = Decoder(lambda: self._senders, engine_id_of(self._secret, self._host), boots)
            self._receive(_Session(trap_socket, decoder, status, Classifier(), stop))
        finally:
            trap_socket.close()

    def _receive(self, session: "_Session") -> None:
        self._load_senders(session.classifier)
        in_storm = ElementFact.objects.filter(name=STORM, polled=False).values_list("element_id", flat=True)
        session.classifier.restore_storms(in_storm, time.monotonic())
        while not session.stop.is_set():
            session.socket.ready.wait(BATCH_SECONDS if session.classifier.polls_pending else IDLE_WAIT_SECONDS)
            self._process_batch(session)
            heartbeat.beat()
            session.stop.wait(BATCH_SECONDS)
        self._process_batch(session, flush=True)
        self._flush_sequences(session)

    def _process_batch(self, session: "_Session", *, flush: bool = False) -> None:
        now = time.monotonic()
        age = now - self._senders_loaded_at
        if age >= SENDERS_SECONDS or (self._reload.is_set() and age >= SENDERS_MIN_SECONDS):
            session.persist(partial(self._load_senders, session.classifier))
        batch = self._classified(session, now)
        session.classifier.finish(batch, now, flush=flush)
        if session.persist(partial(_apply_events, batch)) and session.persist(
            partial(self._store, batch, session.status)
        ):
            for trap in batch.informs_to_ack:
                session.socket.reply(trap.acknowledgement, trap.datagram)
                session.decoder.remember_acknowledged(trap)
        if now - self._flushed_at >= FLUSH_SECONDS:
            self._flushed_at = now
            session.persist(partial(self._flush_sequences, session))
        if now - self._expired_at >= EXPIRE_SECONDS:
            self._expired_at = now
            session.persist(lambda: traps_expire(clock.now() - RETENTION))

    def _classified(self, session: "_Session", now: float) -> Batch:
        datagrams, dropped = session.socket.take()
        for source, number in dropped.items():
            session.classifier.record_missed(self._senders.get(source, ()), clock.now())
            self._count_refusal(session.status, source, _OVERFLOW, number)
        session.status.overflowed += dropped.total()
        batch, informs = Batch(), set()
        for datagram in datagrams:
            trap = self._decode(datagram, session)
            if trap is None:
                continue
            if trap.acknowledgement and trap.key in informs:
                session.status.repeated += 1
                continue
            informs.add(trap.key)
            session.classifier.add(trap, batch, now)
        session.status.sampled_out += batch.sampled_out
        return batch

    def _decode(self, datagram: Datagram, session: "_Session") -> DecodedTrap | None:
        """Return None for anything but a new notification; engine discovery and repeated informs are answered here."""
        status = session.status
        try:
            decoded = session.decoder.decode(datagram)
            if not isinstance(decoded, EngineDiscovery) and _is_unknown(decoded) and self._may_reload_for_unknown():
                session.persist(partial(self._load_senders, session.classifier))
                decoded = session.decoder.decode(datagram)
        except Garbled as error:
            status.garbled += 1
            self._count_refusal(status, datagram.source, error.message)
            return None
        except Refused as error:
            status.refused += 1
            self._count_refusal(status, datagram.source, error.message)
            self._log_refusal(datagram.source, error.message)
            return None
        except Exception:  # one datagram must not end the receiving of all others
            status.garbled += 1
            self._count_refusal(status, datagram.source, "It cannot be interpreted; the receiver's log has the error.")
            log.exception("traps.not_decoded", source=datagram.source)
            return None
        if isinstance(decoded, EngineDiscovery):
            session.socket.reply(decoded.report, datagram)
            return None
        status.unknown += _is_unknown(decoded)
        if decoded is not None and session.decoder.was_acknowledged(decoded):
            status.repeated += 1
            session.socket.reply(decoded.acknowledgement, datagram)
            return None
        return decoded

    def _may_reload_for_unknown(self) -> bool:
        """Return whether the elements are read for an unknown address: it may just have become one of an element."""
        now = time.monotonic()
        may = now - self._unknown_reload_at >= SENDERS_MIN_SECONDS
        self._unknown_reload_at = now if may else self._unknown_reload_at
        return may

    def _count_refusal(self, status: ReceiverStatus, source: str, reason: str, count: int = 1) -> None:
        element = next(iter(self._senders.get(source, ())), None)
        status.refusals.add(source, reason, element, clock.now(), count)

    def _log_refusal(self, source: str, reason: str) -> None:
        if source not in self._refused_sources:
            if len(self._refused_sources) >= MAX_LOGGED_SOURCES:
                self._refused_sources.clear()
            self._refused_sources.add(source)
            log.warning("traps.refused", source=source, error=reason)

    def _load_senders(self, classifier: Classifier) -> None:
        self._reload.clear()
        self._senders_loaded_at = time.monotonic()
        self._senders = load_senders()
        classifier.retain({sender.element_id for group in self._senders.values() for sender in group})

    def _store(self, batch: Batch, status: ReceiverStatus) -> None:
        """Rows stay in the batch until they are stored, for another attempt."""
        try:
            if batch.rows:
                traps_store(batch.rows)
        except IntegrityError:
            existing = set(NetworkElement.objects.values_list("id", flat=True))
            batch.rows = [row for row in batch.rows if row[0] is None or row[0] in existing]
            traps_store(batch.rows)
        status.stored += len(batch.rows)
        batch.rows = []

    def _flush_sequences(self, session: "_Session") -> None:
        sequences = session.classifier.take_sequences()
        if sequences:
            sequences_store(sequences)
        session.status.save(session.socket)


@dataclass(frozen=True, slots=True)
class _Session:
    """One session lasts from binding the socket to closing it."""

    socket: TrapSocket
    decoder: Decoder
    status: ReceiverStatus
    classifier: Classifier
    stop: Event

    def persist(self, work: Callable[[], object]) -> bool:
        """Run `work`, repeatedly while the database is away; datagrams wait in memory.

        False when the process is to stop, or when the work itself fails: it is dropped, as it would block all others.
        """
        while True:
            try:
                work()
            except (OperationalError, InterfaceError) as error:
                log.warning("traps.database_unavailable", error=str(error))
                heartbeat.beat("database")
                connections.close_all()
                if self.stop.wait(RETRY_SECONDS):
                    return False
            except DatabaseError:
                log.exception("traps.cannot_be_stored")
                return False
            else:
                return True


def _is_unknown(trap: DecodedTrap | None) -> bool:
    return trap is None or trap.sender is None


def _apply_events(batch: Batch) -> None:
    now = clock.now()
    for element_id in list(batch.events):
        try:
            element_apply_events(element_id, batch.events[element_id], now)
        except (DataError, IntegrityError):  # this element alone fails; the others go on
            log.exception("traps.cannot_be_applied", element_id=str(element_id))
        del batch.events[element_id]
