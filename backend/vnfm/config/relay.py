"""The relay: takes events from the outbox to their subscribers, and keeps house once an hour."""

import time
from datetime import timedelta
from threading import Event

import structlog
from django.contrib.sessions.backends.db import SessionStore
from django.db import DatabaseError, connections

from vnfm.accounts.services import audit_prune
from vnfm.config.wiring import SUBSCRIBERS
from vnfm.faults.reconcilers.evaluation import evaluate_manager
from vnfm.history import partitions
from vnfm.kit import clock
from vnfm.kit.durable import heartbeat, lease, outbox
from vnfm.kit.durable.listen import RECONNECT_SECONDS, listen
from vnfm.kit.web import idempotency
from vnfm.metrics import store as metrics

POLL_SECONDS = 1.0
"""The outbox is read at least this often: retries fall due without a notification, and one may be lost."""
HOUSEKEEPING_SECONDS = 3600.0
EVALUATION_SECONDS = 5.0
"""Seconds between two evaluations of the manager itself; a worker does it, too: each notices when the other hangs."""
KEEP_EVENTS = timedelta(days=1)
"""A client that was away for this time still has the events since replayed."""
KEEP_LEASES = timedelta(days=1)
KEEP_AUDIT = timedelta(days=365)

log = structlog.get_logger(__name__)


class Relay:
    """Woken by NOTIFY. Any number may run at once; each event goes to one of them."""

    def __init__(self, stop: Event) -> None:
        self._stop = stop
        self._housekeeping_at = self._evaluation_at = time.monotonic()

    def run(self) -> None:
        """Run until `stop` is set; a lost database is waited for."""
        for notified in listen(outbox.CHANNEL, self._stop, seconds=POLL_SECONDS, on_lost=_waits_for_database):
            try:
                self._deliver(notified=bool(notified))
                heartbeat.beat()
            except DatabaseError as error:
                log.warning("relay.database_lost", error=str(error).strip())
                connections.close_all()
                _waits_for_database()
                self._stop.wait(RECONNECT_SECONDS)
        connections.close_all()

    def _deliver(self, *, notified: bool) -> None:
        if notified or outbox.anything_pending():
            while outbox.deliver_pending(SUBSCRIBERS) == outbox.BATCH:
                if self._stop.is_set():
                    return
        if time.monotonic() >= self._evaluation_at:
            self._evaluation_at = time.monotonic() + EVALUATION_SECONDS
            evaluate_manager(now=clock.now())
        if time.monotonic() >= self._housekeeping_at:
            self._keep_house()

    def _keep_house(self) -> None:
        self._housekeeping_at = time.monotonic() + HOUSEKEEPING_SECONDS
        events, leases = outbox.prune(KEEP_EVENTS), lease.prune(KEEP_LEASES)
        entries, answers = audit_prune(KEEP_AUDIT), idempotency.prune(idempotency.KEEP)
        SessionStore.clear_expired()
        metrics.prune()
        log.info(
            "relay.kept_house",
            events_pruned=events,
            leases_pruned=leases,
            audit_entries_pruned=entries,
            answers_pruned=answers,
        )
        try:
            partitions.maintain(clock.now())
        except Exception:
            # Events must flow even when history cannot be kept; partitions are made months ahead.
            log.exception("relay.partitions_not_maintained")


def _waits_for_database() -> None:
    heartbeat.beat("database")
