"""Alarms of what no look at a VIM judges, as soon as it has changed: a loop without input, beside the poller.

Network elements, when their poller has written something; instances that are on no VIM any more (terminated, forgotten,
rolled back); and alarms whose object is gone.
"""

from threading import Event

import structlog
from django.db import DatabaseError, InterfaceError, OperationalError, connections

from vnfm.faults.reconcilers.alarms import evaluate_stale_elements, evaluate_unwatched
from vnfm.kit import clock, lease

KEY = "alarms beside looks"

PAUSE_SECONDS = 0.5
"""Between two rounds when nobody rings. One in which nothing has changed is a query a kind of object."""

log = structlog.get_logger(__name__)


def follow(stop: Event, bell: Event) -> None:
    """Judge what changed until `stop` is set; of several processes one does it. A lost database is waited for.

    `bell` is set by whoever has written something of an element: it shortens the pause.
    """
    while not stop.is_set():
        try:
            with lease.hold(KEY) as held:
                if held is not None:
                    _follow_while_held(held, stop, bell)
        except (DatabaseError, InterfaceError) as error:
            log.warning("alarms.database_unavailable", error=str(error))
        finally:
            connections.close_all()
        stop.wait(PAUSE_SECONDS)


def _follow_while_held(held: lease.Held, stop: Event, bell: Event) -> None:
    while not stop.is_set() and held.is_current():
        bell.clear()
        for evaluate in (evaluate_unwatched, evaluate_stale_elements):
            try:
                evaluate(now=clock.now())
            except (OperationalError, InterfaceError):
                raise
            except Exception:  # whatever is wrong with one kind of object must not end the alarms of the other
                log.exception("alarms.evaluation_failed")
        bell.wait(PAUSE_SECONDS)
