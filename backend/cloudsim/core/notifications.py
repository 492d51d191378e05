"""Notifications on a message bus, in oslo.messaging's form: topic exchange of the service, envelope 2.0, AMQP by kombu.

A thread sends them, so that a slow broker delays no API call; they are lost while the broker does not answer.
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

log = logging.getLogger("cloudsim.notifications")

TOPIC = "notifications"
TIMEOUT = 3.0
"""Seconds to connect to the broker."""


class _Message(NamedTuple):
    service: str
    event_type: str
    priority: str
    text: str
    """The JSON of the notification."""


class Notifier:
    """Sends notifications to the broker at a ``url`` of kombu; "" turns them off."""

    def __init__(self, url: str, clock: Clock) -> None:
        self._url = url
        self._clock = clock
        self._queue: SimpleQueue[_Message | None] = SimpleQueue()
        self._thread: Thread | None = None
        self._connection: Connection | None = None

    def notify(self, service: str, event_type: str, payload: dict[str, Any], priority: str = "INFO") -> None:
        """Send a notification of `service` (nova, neutron, heat)."""
        if not self._url:
            return
        if self._thread is None:
            self._thread = Thread(target=self._run, name="notifications", daemon=True)
            self._thread.start()
        notification = self._notification(service, event_type, payload, priority)
        # Serialised now, since the documents in it change later.
        self._queue.put(_Message(service, event_type, priority, json.dumps(notification)))

    def stop(self) -> None:
        """Send the queued notifications and end the thread."""
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
                log.warning("notification %s not sent: %s", item.event_type, problem)
                self._drop()
        self._drop()

    def _send(self, message: _Message) -> None:
        if self._connection is None:
            self._connection = Connection(
                self._url, connect_timeout=TIMEOUT, transport_options={"confirm_publish": True}
            )
            self._connection.connect()
        exchange = Exchange(message.service, "topic", durable=False)
        envelope = {"oslo.version": "2.0", "oslo.message": message.text}
        self._connection.Producer().publish(
            envelope,
            exchange=exchange,
            routing_key=f"{TOPIC}.{message.priority.lower()}",
            declare=[exchange],
            serializer="json",
            delivery_mode=1,  # not on disk, as oslo.messaging sends them
        )

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.release()
            self._connection = None
