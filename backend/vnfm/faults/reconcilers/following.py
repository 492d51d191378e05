"""Alarms of network elements as soon as their poller has written something: a loop without input, beside the poller."""

from threading import Event

import structlog
from django.db import DatabaseError, connections

from vnfm.faults.reconcilers.alarms import evaluate_stale_elements
from vnfm.kit import clock, lease

KEY = "alarms of elements"

PAUSE_SECONDS = 0.5
"""Between two rounds when nobody rings. One in which nothing has changed is a single query, for any number of them."""

log = structlog.get_logger(__name__)


def follow_elements(stop: Event, bell: Event) -> None:
    """Judge what changed until `stop` is set; of several processes one does it. A lost database is waited for.

    `bell` is set by whoever has written something of an element: it shortens the pause.
    """
    while not stop.is_set():
        try:
            with lease.hold(KEY) as held:
                if held is not None:
                    _follow_while_held(held, stop, bell)
        except DatabaseError as error:
            log.warning("alarms.database_unavailable", error=str(error))
        finally:
            connections.close_all()
        stop.wait(PAUSE_SECONDS)


def _follow_while_held(held: lease.Held, stop: Event, bell: Event) -> None:
    while not stop.is_set() and held.is_current():
        bell.clear()
        try:
            evaluate_stale_elements(now=clock.now())
        except DatabaseError:
            raise
        except Exception:  # whatever is wrong with one element must not end the alarms of the others
            log.exception("alarms.evaluation_failed")
        bell.wait(PAUSE_SECONDS)
