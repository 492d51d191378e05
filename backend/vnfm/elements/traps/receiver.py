"""The receiver of notifications: everything that came is interpreted, written together, and then acknowledged.

What an element tells is never taken for its state: it has the poller look (ADR-0025).
"""

import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import partial
from threading import Event

import structlog
from django.db import DatabaseError, DataError, IntegrityError, InterfaceError, OperationalError, connections

from vnfm.devices.errors import Garbled, Refused
from vnfm.elements.domain.traps import STORM
from vnfm.elements.models import ElementFact, NetworkElement
from vnfm.elements.services.elements import CHANNEL
from vnfm.elements.services.traps import element_apply_events, sequences_store, traps_expire, traps_store
from vnfm.elements.traps.classify import Batch, Classifier
from vnfm.elements.traps.decode import DecodedTrap, Decoder, EngineDiscovery, engine_id_of
from vnfm.elements.traps.senders import Sender, load_senders
from vnfm.elements.traps.status import ReceiverStatus
from vnfm.elements.traps.udp_socket import Datagram, TrapSocket
from vnfm.kit import clock
from vnfm.kit.listen import on_notification

IDLE_WAIT_SECONDS = 0.25
BATCH_SECONDS = 0.05
"""Between two batches, so that a storm is written some fifty at a time; the first of a flock does not wait."""
SENDERS_SECONDS, SENDERS_MIN_SECONDS = 5.0, 1.0
"""How often the elements are read: when nobody rings; and when somebody does, or an unknown address tells something."""
FLUSH_SECONDS = 1.0
EXPIRE_SECONDS = 60.0
RETENTION = timedelta(days=30)
RETRY_SECONDS = 2.0
"""Between attempts to listen, or to write, while that fails."""
MAX_LOGGED_SOURCES = 1000
"""Sources whose refusal was told in the log; with more, all are told again."""

log = structlog.get_logger(__name__)


class Receiver:
    """`secret` is the installation's: our engine's identifier is made from it, and from the machine's name `host`."""

    def __init__(self, *, listen: str, host: str, secret: str) -> None:
        self._listen, self._host, self._secret = listen, host, secret
        self._tellers: Mapping[str, tuple[Sender, ...]] = {}
        self._listed_at = self._asked_at = self._booked_at = self._expired_at = float("-inf")
        self._bell = Event()
        self._refused: set[str] = set()

    def run(self, stop: Event) -> None:
        """Hear until `stop` is set. Where nobody can listen, that is told, and tried again."""
        with on_notification(CHANNEL, lambda _: self._bell.set()):
            while not stop.is_set():
                try:
                    self._run(stop)
                except DatabaseError as error:
                    log.warning("traps.database_unavailable", error=str(error))
                finally:
                    connections.close_all()
                stop.wait(RETRY_SECONDS)

    def _run(self, stop: Event) -> None:
        status = ReceiverStatus(self._host, self._listen)
        try:
            intake = TrapSocket(self._listen)
        except OSError as error:
            status.cannot_listen(error)
            return
        try:
            boots = status.listening(intake)
            hearing = Decoder(lambda: self._tellers, engine_id_of(self._secret, self._host), boots)
            self._hear(_Session(intake, hearing, status, Classifier(), stop))
        finally:
            intake.close()

    def _hear(self, work: "_Session") -> None:
        self._refresh(work.sorter)
        stormy = ElementFact.objects.filter(name=STORM, polled=False).values_list("element_id", flat=True)
        work.sorter.storms_of_before(stormy, time.monotonic())
        while not work.stop.is_set():
            work.intake.ready.wait(BATCH_SECONDS if work.sorter.rings_wait else IDLE_WAIT_SECONDS)
            self._round(work)
            work.stop.wait(BATCH_SECONDS)
        self._round(work, at_once=True)
        self._books(work)

    def _round(self, work: "_Session", *, at_once: bool = False) -> None:
        now = time.monotonic()
        since = now - self._listed_at
        if since >= SENDERS_SECONDS or (self._bell.is_set() and since >= SENDERS_MIN_SECONDS):
            work.persist(partial(self._refresh, work.sorter))
        batch = self._sorted(work, now)
        work.sorter.close(batch, now, at_once=at_once)
        if work.persist(partial(_apply_events, batch)) and work.persist(partial(self._store, batch, work.status)):
            for heard in batch.owed:
                work.intake.answer(heard.answer, heard.datagram)
                work.hearing.acknowledged(heard)
        if now - self._booked_at >= FLUSH_SECONDS:
            self._booked_at = now
            work.persist(partial(self._books, work))
        if now - self._expired_at >= EXPIRE_SECONDS:
            self._expired_at = now
            work.persist(lambda: traps_expire(clock.now() - RETENTION))

    def _sorted(self, work: "_Session", now: float) -> Batch:
        datagrams, left_out = work.intake.take()
        for source in left_out:
            work.sorter.missed(self._tellers.get(source, ()), clock.now())
        work.status.overflowed += left_out.total()
        batch, informs = Batch(), set()
        for datagram in datagrams:
            heard = self._heard(datagram, work)
            if heard is None:
                continue
            if heard.answer and heard.key in informs:
                work.status.repeated += 1
                continue
            informs.add(heard.key)
            work.sorter.sort(heard, batch, now)
        work.status.sampled_out += batch.sampled_out
        return batch

    def _heard(self, datagram: Datagram, work: "_Session") -> DecodedTrap | None:
        status = work.status
        try:
            heard = work.hearing.heard(datagram)
            if not isinstance(heard, EngineDiscovery) and _is_unknown(heard) and self._may_ask_again():
                work.persist(partial(self._refresh, work.sorter))
                heard = work.hearing.heard(datagram)
        except Garbled:
            status.garbled += 1
            return None
        except Refused as error:
            status.refused += 1
            self._tell_once(datagram.source, error.message)
            return None
        if isinstance(heard, EngineDiscovery):
            work.intake.answer(heard.answer, datagram)
            return None
        status.unknown += _is_unknown(heard)
        if heard is not None and work.hearing.knows(heard):
            status.repeated += 1
            work.intake.answer(heard.answer, datagram)
            return None
        return heard

    def _may_ask_again(self) -> bool:
        """Whether an unknown address may have the list read: it may just have become an element's."""
        now = time.monotonic()
        may = now - self._asked_at >= SENDERS_MIN_SECONDS
        self._asked_at = now if may else self._asked_at
        return may

    def _tell_once(self, source: str, words: str) -> None:
        if source not in self._refused:
            if len(self._refused) >= MAX_LOGGED_SOURCES:
                self._refused.clear()
            self._refused.add(source)
            log.warning("traps.refused", source=source, error=words)

    def _refresh(self, sorter: Classifier) -> None:
        self._bell.clear()
        self._listed_at = time.monotonic()
        self._tellers = load_senders()
        sorter.only({teller.element_id for group in self._tellers.values() for teller in group})

    def _store(self, batch: Batch, status: ReceiverStatus) -> None:
        """The rows stay in the batch until they are stored, so that another attempt has them all."""
        try:
            if batch.rows:
                traps_store(batch.rows)
        except IntegrityError:
            there = set(NetworkElement.objects.values_list("id", flat=True))
            batch.rows = [row for row in batch.rows if row[0] is None or row[0] in there]
            traps_store(batch.rows)
        status.stored += len(batch.rows)
        batch.rows = []

    def _books(self, work: "_Session") -> None:
        numbers = work.sorter.numbers()
        if numbers:
            sequences_store(numbers)
        work.status.keep(work.intake)


class _Session:
    """What a process that listens works with."""

    def __init__(
        self, intake: TrapSocket, hearing: Decoder, status: ReceiverStatus, sorter: Classifier, stop: Event
    ) -> None:
        self.intake, self.hearing, self.status, self.sorter, self.stop = intake, hearing, status, sorter, stop

    def persist(self, work: Callable[[], object]) -> bool:
        """Do it, as often as it takes while the database is away; what comes waits in memory.

        False when the process is to end meanwhile, or when the work itself is at fault: then it is lost, for it would
        hold up all others for ever.
        """
        while True:
            try:
                work()
            except (OperationalError, InterfaceError) as error:
                log.warning("traps.database_unavailable", error=str(error))
                connections.close_all()
                if self.stop.wait(RETRY_SECONDS):
                    return False
            except DatabaseError:
                log.exception("traps.cannot_be_stored")
                return False
            else:
                return True


def _is_unknown(heard: DecodedTrap | None) -> bool:
    return heard is None or heard.teller is None


def _apply_events(batch: Batch) -> None:
    now = clock.now()
    for element_id in list(batch.told):
        try:
            element_apply_events(element_id, batch.told[element_id], now)
        except (DataError, IntegrityError):  # of this element alone: the others are told
            log.exception("traps.cannot_be_told", element_id=str(element_id))
        del batch.told[element_id]
