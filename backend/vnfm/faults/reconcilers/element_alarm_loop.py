"""The loop that evaluates what no poll of a VIM covers, as soon as it changes; it runs next to the element poller.

That is: network elements when their poller has written; instances that are on no VIM any more (terminated, deleted,
rolled back); and alarms whose object is gone.
"""

from threading import Event

import structlog
from django.db import DatabaseError, InterfaceError, OperationalError, connections

from vnfm.faults.reconcilers.evaluation import evaluate_stale_elements, evaluate_unpolled
from vnfm.faults.reconcilers.staleness import anything_stale
from vnfm.kit import clock
from vnfm.kit.durable import lease

LEASE = "element-alarms"

INTERVAL_SECONDS = 0.5
"""Between two rounds. A round in which nothing has changed costs one query."""

log = structlog.get_logger(__name__)


def run_alarm_loop(stop: Event, wake: Event) -> None:
    """Evaluate what changed until `stop` is set; one process at a time does it. Survives the loss of the database.

    The element poller sets `wake` when it has written: that starts the next round at once.
    """
    while not stop.is_set():
        try:
            with lease.hold(LEASE) as held:
                if held is not None:
                    _run_with_lease(held, stop, wake)
        except (DatabaseError, InterfaceError) as error:
            log.warning("alarms.database_unavailable", error=str(error))
        finally:
            connections.close_all()
        stop.wait(INTERVAL_SECONDS)


def _run_with_lease(held: lease.ActiveLease, stop: Event, wake: Event) -> None:
    while not stop.is_set():
        wake.clear()
        if anything_stale(clock.now()):
            if not held.is_current():
                return
            _evaluate_stale()
        wake.wait(INTERVAL_SECONDS)


def _evaluate_stale() -> None:
    for evaluate in (evaluate_unpolled, evaluate_stale_elements):
        try:
            evaluate(now=clock.now())
        except (OperationalError, InterfaceError):
            raise
        except Exception:  # a failure with one type of object must not stop the alarms of the other
            log.exception("alarms.evaluation_failed")
