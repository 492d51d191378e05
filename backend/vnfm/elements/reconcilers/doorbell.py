"""Hearing at once that somebody wants an element polled, resynced or scanned."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

import psycopg
import structlog

from vnfm.elements.services.elements import CHANNEL
from vnfm.kit.database import direct_connection

AGAIN_SECONDS = 2.0
"""Pause before listening again when the database was lost; meanwhile the list is read every so often anyway."""

HEARD_SECONDS = 0.5
"""How soon the listener notices that it is to end."""

log = structlog.get_logger(__name__)


@contextmanager
def listen(ring: Callable[[], object]) -> Iterator[None]:
    """Call `ring`, from a thread of its own, for each notification, for the length of the block."""
    end = Event()
    thread = Thread(target=_listen, args=(ring, end), name="doorbell", daemon=True)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join(5)


def _listen(ring: Callable[[], object], end: Event) -> None:
    while not end.is_set():
        try:
            with direct_connection() as own:
                own.execute(f"LISTEN {CHANNEL}")
                while not end.is_set():
                    for _ in own.notifies(timeout=HEARD_SECONDS, stop_after=1):
                        ring()
        except psycopg.Error as error:
            log.warning("elements.doorbell_lost", error=str(error))
            end.wait(AGAIN_SECONDS)
