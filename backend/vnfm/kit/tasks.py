"""Sends Celery tasks. The row behind the key is the truth: a lost message costs a sweep, a duplicate is harmless."""

from collections.abc import Iterable
from functools import partial

import structlog
from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

log = structlog.get_logger(__name__)


def enqueue_on_commit(task: str, key: object, *, after: float = 0.0) -> None:
    """Once the current transaction has committed, have a worker run `task` on `key` in `after` seconds."""
    transaction.on_commit(partial(_send, task, str(key), after), robust=True)


def enqueue_now(task: str, key: object) -> None:
    """Send at once, whatever transaction is open: for a row that was committed outside it."""
    _send(task, str(key), 0.0)


@transaction.atomic
def enqueue_due(due: Iterable[tuple[str, object]]) -> int:
    """The end of every sweep: enqueue each (task, key) whose message may be lost; returns how many.

    `due` may lock and change the rows that it reads. A task that runs already finds its lease taken, or nothing to do.
    """
    count = 0
    for task, key in due:
        enqueue_on_commit(task, key)
        count += 1
    return count


def _send(task: str, key: str, after: float) -> None:
    try:
        current_app.send_task(task, args=[key], countdown=after or None, retry=False)
    except OperationalError as error:
        log.warning("tasks.broker_unreachable", task=task, key=key, error=str(error))
