"""PostgreSQL LISTEN and NOTIFY: wake whatever waits for a row. The row is the truth: a lost notice costs one poll."""

import select
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import TypeVar

import psycopg
import structlog
from django.db import connection as database

from vnfm.kit.durable.database import direct_connection

POLL_SECONDS = 1.0
"""A loop that listens notices within this time that it is to stop."""
RECONNECT_SECONDS = 1.0

T = TypeVar("T")

log = structlog.get_logger(__name__)


def notify(channel: str, payload: str = "") -> None:
    """Send a notification when the current transaction commits; equal ones of one transaction arrive once."""
    with database.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [channel, payload])


def subscribe(own: psycopg.Connection, channel: str) -> None:
    """Have notifications on `channel` delivered to this connection."""
    own.execute(f"LISTEN {channel}")


def received(own: psycopg.Connection, seconds: float) -> list[str]:
    """Return payloads that are there, or come within `seconds`. psycopg itself would poll them ten times a second."""
    if there := [notice.payload for notice in own.notifies(timeout=0)]:
        return there
    arrival = select.poll()
    arrival.register(own.fileno(), select.POLLIN)
    arrival.poll(seconds * 1000)
    return [notice.payload for notice in own.notifies(timeout=0)]


def wait_for(own: psycopg.Connection, find: Callable[[], T | None], seconds: float) -> T | None:
    """Call `find` now and after each notification to `own`; return its first result, or None when the time is over."""
    deadline = time.monotonic() + seconds
    while (found := find()) is None and (left := deadline - time.monotonic()) > 0:
        received(own, left)
    return found


def listen(
    channel: str, stop: Event, *, seconds: float = POLL_SECONDS, on_lost: Callable[[], object] = lambda: None
) -> Iterator[list[str]]:
    """The payloads of each batch of notifications, until `stop` is set; a lost connection is made again.

    `on_lost` is called before each attempt to do so.

    An empty list whenever a connection is ready, as notifications may have been lost before, and after `seconds`
    without a notification.
    """
    while not stop.is_set():
        try:
            with direct_connection() as own:
                subscribe(own, channel)
                log.info("listen.ready", channel=channel)
                yield []
                while not stop.is_set():
                    yield received(own, seconds)
        except psycopg.Error as error:
            log.warning("listen.connection_lost", channel=channel, error=str(error).strip())
            on_lost()
            stop.wait(RECONNECT_SECONDS)


@contextmanager
def on_notification(channel: str, handle: Callable[[str], object]) -> Iterator[None]:
    """Call `handle` with each payload, from a thread of its own, for the length of the block."""
    stop = Event()

    def run() -> None:
        for payloads in listen(channel, stop):
            for payload in payloads:
                handle(payload)

    thread = Thread(target=run, name=f"listen {channel}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(5 * POLL_SECONDS)
