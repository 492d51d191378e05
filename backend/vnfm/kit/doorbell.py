"""Wakes a worker. The row that the message points to is the truth: a lost ring costs a sweep, a double one nothing."""

from functools import partial

import structlog
from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

log = structlog.get_logger(__name__)


def ring(task: str, key: object, *, after: float = 0.0) -> None:
    """Once the current transaction has committed, ask a worker to run `task` on `key` in `after` seconds."""
    transaction.on_commit(partial(_send, task, str(key), after), robust=True)


def ring_now(task: str, key: object) -> None:
    """Ask at once, whatever transaction is open: for a row that was committed outside it."""
    _send(task, str(key), 0.0)


def _send(task: str, key: str, after: float) -> None:
    try:
        current_app.send_task(task, args=[key], countdown=after or None, retry=False)
    except OperationalError as error:
        log.warning("doorbell.broker_unreachable", task=task, key=key, error=str(error))
