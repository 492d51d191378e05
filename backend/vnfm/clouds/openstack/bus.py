"""oslo.messaging notifications of OpenStack's services, received through kombu.

A service publishes to the topic exchange that bears its `control_exchange`, under `<topic>.<priority>`; each queue that
is bound there gets a copy. The exchange is never declared by us: in another form than the service's own (durable or
not) it would keep that service from publishing.
"""

import json
import ssl
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import amqp
from kombu import Connection, Consumer, Queue
from kombu.exceptions import KombuError
from kombu.message import Message

from vnfm.clouds.errors import CloudError, Denied, NotFound, Transient
from vnfm.clouds.openstack.session import CONNECT_SECONDS, ca_file
from vnfm.clouds.types import BusConnection, OsloNotification

HEARTBEAT_SECONDS = 10.0
"""A broker that is silent for twice as long is gone."""

LONGEST_QUEUE = 1000
"""Messages that may wait for us; the oldest are dropped first. They only request polls."""

MISSING_SECONDS = 30.0
"""Seconds between checks whether a missing exchange exists now."""


class OsloBus:
    def __init__(self, connection: BusConnection) -> None:
        self._settings = connection

    def listen(
        self,
        *,
        on_notification: Callable[[OsloNotification], None],
        on_listening: Callable[[Sequence[str]], None],
        keep_listening: Callable[[], bool],
    ) -> None:
        try:
            with self._connected() as connection:
                self._consume(connection, on_notification, on_listening, keep_listening)
        except CloudError:
            raise
        except (amqp.AMQPError, KombuError, OSError) as error:
            raise _translated(error) from error

    def _connected(self) -> Connection:
        """Connect to the first member that answers; raises the failure of the last one where none does."""
        *others, last = self._settings.urls
        for url in others:
            with suppress(amqp.AMQPError, KombuError, OSError):
                return self._connect(url)
        return self._connect(last)

    def _connect(self, url: str) -> Connection:
        tls = self._tls() if url.startswith("amqps:") else False
        connection = Connection(url, ssl=tls, connect_timeout=CONNECT_SECONDS, heartbeat=HEARTBEAT_SECONDS)
        connection.connect()
        return connection

    def _tls(self) -> dict[str, Any]:
        """`server_hostname` None stands for the host of the URL (kombu)."""
        if self._settings.insecure:
            return {"cert_reqs": ssl.CERT_NONE, "server_hostname": None}
        trusted = {"ca_certs": ca_file(self._settings.cacert)} if self._settings.cacert else {}
        return {"cert_reqs": ssl.CERT_REQUIRED, "server_hostname": None, **trusted}

    def _consume(
        self,
        connection: Connection,
        on_notification: Callable[[OsloNotification], None],
        on_listening: Callable[[Sequence[str]], None],
        keep_listening: Callable[[], bool],
    ) -> None:
        channel = connection.channel()
        name, missing = self._queue(connection, channel)
        queue = Queue(name, channel=channel, no_declare=True)

        def receive(body: Any, message: Message) -> None:
            notification = read_notification(body)
            if notification is not None:
                on_notification(notification)

        with Consumer(
            channel, [queue], callbacks=[receive], no_ack=True, accept=["json"], on_decode_error=lambda *_: None
        ):
            on_listening(missing)
            checked_at = time.monotonic()
            while keep_listening():
                connection.heartbeat_check()
                with suppress(TimeoutError):
                    connection.drain_events(timeout=1)
                if missing and time.monotonic() - checked_at > MISSING_SECONDS:
                    checked_at = time.monotonic()
                    before, missing = missing, self._bind(connection, channel, name, missing)
                    if missing != before:
                        on_listening(missing)

    def _queue(self, connection: Connection, channel: Any) -> tuple[str, tuple[str, ...]]:
        """The queue to consume, and the exchanges that do not exist and so are not bound."""
        if self._settings.queue:
            channel.queue_declare(self._settings.queue, passive=True)
            return self._settings.queue, ()
        arguments = {"x-max-length": LONGEST_QUEUE}
        name = channel.queue_declare("", exclusive=True, auto_delete=True, arguments=arguments).queue
        missing = self._bind(connection, channel, name, self._settings.exchanges)
        if missing == self._settings.exchanges:
            words = f"The bus has no exchange {', '.join(missing)}: a service makes its own when it first notifies."
            raise NotFound(words)
        return name, missing

    def _bind(self, connection: Connection, channel: Any, name: str, exchanges: Sequence[str]) -> tuple[str, ...]:
        missing = []
        for exchange in exchanges:
            if _exists(connection, exchange):
                channel.queue_bind(queue=name, exchange=exchange, routing_key=f"{self._settings.topic}.*")
            else:
                missing.append(exchange)
        return tuple(missing)


def _exists(connection: Connection, exchange: str) -> bool:
    """Ask on a channel of its own: the broker closes a channel on which something missing is declared passively."""
    channel: Any = connection.channel()  # of amqp; kombu types it as what all its transports have
    try:
        channel.exchange_declare(exchange, "topic", passive=True)
    except amqp.NotFound:
        return False
    channel.close()
    return True


def _translated(error: Exception) -> CloudError:
    words = str(error) or type(error).__name__
    match error:
        case amqp.AccessRefused() | amqp.NotAllowed():
            return Denied(words)
        case amqp.NotFound():
            return NotFound(words)
        case ssl.SSLError():
            return Transient(words, offending_fields=("cacert",))
        case _:
            return Transient(words)


def read_notification(body: Any) -> OsloNotification | None:
    """Reads oslo.messaging's envelope 2.0, or a message without one; None for anything but a notification."""
    if isinstance(body, dict) and "oslo.message" in body:
        try:
            body = json.loads(body["oslo.message"])
        except (TypeError, ValueError):
            return None
    if not isinstance(body, dict) or not isinstance(body.get("event_type"), str):
        return None
    return OsloNotification(body["event_type"], _project_of(body.get("payload")))


def _project_of(payload: Any) -> str:
    """The owner: Nova and Heat name it in the payload, Neutron in the resource inside."""
    if not isinstance(payload, dict):
        return ""
    for holder in (payload, *(value for value in payload.values() if isinstance(value, dict))):
        project = holder.get("tenant_id") or holder.get("project_id")
        if isinstance(project, str):
            return project
    return ""
