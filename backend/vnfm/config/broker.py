"""The broker's transport: a message is a doorbell (ADR-0001), so none is acknowledged, kept or sent again.

Kombu's own keeps what is not acknowledged in the broker and puts it back when a connection closes. After the broker's
death there is no connection to do that with, and the worker ended with an AttributeError (celery/kombu#582); an
acknowledgement over the lost connection ended it just so. The sweepers find the rows of lost messages in 2 s.
"""

from kombu.transport import redis


class Channel(redis.Channel):
    """Received messages are counted in memory alone, for the prefetch limit."""

    ack_emulation = False
    do_restore = False


class Transport(redis.Transport):
    """Redis and Valkey."""

    Channel = Channel
