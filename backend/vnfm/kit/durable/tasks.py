"""Sends Celery tasks. The row behind the key is the truth: a lost message costs a sweep, a duplicate is harmless."""

from collections.abc import Iterable
from functools import partial

import structlog
from celery import current_app
from django.db import connection, transaction
from kombu.exceptions import OperationalError

log = structlog.get_logger(__name__)


class _Messages:
    """Messages that a transaction sends after its commit, each once: a storm of events wakes a task once for each key.

    Django drops it with the savepoint in which it was added; the next message then adds another.
    """

    def __init__(self) -> None:
        self.messages: dict[tuple[str, str], None] = {}

    def __call__(self) -> None:
        for task, key in self.messages:
            _send(task, key, 0.0)

    @classmethod
    def of_transaction(cls) -> "_Messages":
        for _, added, *_ in connection.run_on_commit:
            if isinstance(added, cls):
                return added
        messages = cls()
        transaction.on_commit(messages, robust=True)
        return messages


def enqueue_on_commit(task: str, key: object, *, after: float = 0.0) -> None:
    """Once the current transaction has committed, have a worker run `task` on `key` in `after` seconds."""
    if after or not connection.in_atomic_block:
        transaction.on_commit(partial(_send, task, str(key), after), robust=True)
    else:
        _Messages.of_transaction().messages[task, str(key)] = None


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
