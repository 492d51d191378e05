"""Notifications on a message bus, in oslo.messaging's form: topic exchange of the service, envelope 2.0, AMQP by kombu.

Sent by a thread, so that a slow broker holds up no API call; one that is away loses what is told meanwhile.
"""

from __future__ import annotations

import json
import logging
import uuid
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple

import amqp
from kombu import Connection, Exchange
from kombu.exceptions import KombuError

if TYPE_CHECKING:
    from cloudsim.core.clock import Clock

log = logging.getLogger("cloudsim.notices")

TOPIC = "notifications"
TIMEOUT = 3.0
"""Seconds to connect to the broker."""


class _Told(NamedTuple):
    service: str
    event_type: str
    priority: str
    text: str
    """The notification as JSON."""


class Notices:
    """``url`` as kombu takes it; "" tells nobody anything."""

    def __init__(self, url: str, clock: Clock) -> None:
        self._url = url
        self._clock = clock
        self._queue: SimpleQueue[_Told | None] = SimpleQueue()
        self._thread: Thread | None = None
        self._connection: Connection | None = None

    def tell(self, service: str, event_type: str, payload: dict[str, Any], priority: str = "INFO") -> None:
        """What `service` (nova, neutron, heat) says has happened."""
        if not self._url:
            return
        if self._thread is None:
            self._thread = Thread(target=self._run, name="notices", daemon=True)
            self._thread.start()
        notification = self._notification(service, event_type, payload, priority)
        # Written out now: the documents that it speaks of go on changing.
        self._queue.put(_Told(service, event_type, priority, json.dumps(notification)))

    def stop(self) -> None:
        """Send what waits, and end."""
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join(TIMEOUT)
            self._thread = None

    def _notification(self, service: str, event_type: str, payload: dict[str, Any], priority: str) -> dict[str, Any]:
        return {
            "message_id": str(uuid.uuid4()),
            "publisher_id": f"{service}.controller",
            "event_type": event_type,
            "priority": priority,
            "payload": payload,
            "timestamp": self._clock.now().strftime("%Y-%m-%d %H:%M:%S.%f"),
            "_unique_id": uuid.uuid4().hex,
        }

    def _run(self) -> None:
        while (item := self._queue.get()) is not None:
            try:
                self._send(item)
            except (amqp.AMQPError, KombuError, OSError) as problem:
                log.warning("not notified of %s: %s", item.event_type, problem)
                self._drop()
        self._drop()

    def _send(self, told: _Told) -> None:
        if self._connection is None:
            self._connection = Connection(
                self._url, connect_timeout=TIMEOUT, transport_options={"confirm_publish": True}
            )
            self._connection.connect()
        exchange = Exchange(told.service, "topic", durable=False)
        envelope = {"oslo.version": "2.0", "oslo.message": told.text}
        self._connection.Producer().publish(
            envelope,
            exchange=exchange,
            routing_key=f"{TOPIC}.{told.priority.lower()}",
            declare=[exchange],
            serializer="json",
            delivery_mode=1,  # not on disk, as oslo.messaging sends them
        )

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.release()
            self._connection = None
