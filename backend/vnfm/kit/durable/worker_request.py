"""Ask a worker and wait: the worker calls the outside, the web request waits a little for its answer.

A web process calls no cloud and no other host itself (DESIGN "Who may import whom", 4). It stores a row, sends the
Celery task, and waits for NOTIFY.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from threading import BoundedSemaphore, Event
from typing import Any
from uuid import UUID

import psycopg
from django.db import connection as database

from vnfm.kit import clock
from vnfm.kit.durable import tasks
from vnfm.kit.durable.backlog import Backlog, backlog_of
from vnfm.kit.durable.database import direct_connection
from vnfm.kit.durable.listen import notify, subscribe, wait_for
from vnfm.kit.ids import new_id
from vnfm.kit.models import WorkerRequest
from vnfm.kit.problem import Problem, ProblemError
from vnfm.kit.seal import seal, unseal

CHANNEL = "vnfm_worker_request"

WAIT_SECONDS = 15.0
"""Longer than a connection attempt takes to fail (5 s), shorter than a browser's patience."""

ABANDONED_AFTER = timedelta(minutes=5)

_INSERT = "INSERT INTO kit_workerrequest (id, sealed_arguments, state) VALUES (%s, %s, 'waiting')"
_SELECT = "SELECT state, result, problem FROM kit_workerrequest WHERE id = %s"
_DELETE = "DELETE FROM kit_workerrequest WHERE id = %s"

WORKER_CRASHED = Problem(500, "INTERNAL_ERROR", "Internal error", "The worker failed; its log has the error.")

MOST_WAITING = 4
QUEUE_SECONDS = 1.0
_own_places = BoundedSemaphore(MOST_WAITING)
"""Only as many threads of a crowd connect to the database as could have a place."""
_PLACE = "SELECT pg_try_advisory_lock(hashtextextended('worker request', %s))"
_PLACE_POLL_SECONDS = 0.05
_ALL_WAIT = Problem(
    503,
    "WORKER_BUSY",
    "Service unavailable",
    f"{MOST_WAITING} other requests are waiting for answers of clouds or other hosts.",
    "Try again in a few seconds.",
    extra={"retryAfter": 5},
)

_NO_WORKER = Problem(
    503,
    "NO_WORKER",
    "Service unavailable",
    "No worker took up the request.",
    "Check that a worker runs; try again.",
    extra={"retryAfter": 10},
)

State = WorkerRequest.State


def call_worker(
    task: str, arguments: Mapping[str, Any], *, too_slow: ProblemError, seconds: float | None = None
) -> dict[str, Any]:
    """The result of the Celery task `task`, which gets the request's id and ends with `answer`.

    Raises the problem that the task ended with; `too_slow` when it has not ended after `seconds` (default:
    WAIT_SECONDS); 503 NO_WORKER when no worker has claimed it by then. Works inside a transaction, too: the worker must
    see the row now, so it is written on a connection of its own. Outside of one, the request gives its pooled
    connection back before it waits.

    At most MOST_WAITING requests wait at a time, in all processes together, as each occupies a thread of a worker;
    another one gets 503 with Retry-After when none has ended after QUEUE_SECONDS.
    """
    request_id, sealed = new_id(), seal(arguments)
    if not database.in_atomic_block:
        database.close()
    with _place() as own:
        subscribe(own, CHANNEL)
        own.execute(_INSERT, [request_id, sealed])
        try:
            tasks.enqueue_now(task, request_id)
            state, result, problem = _outcome(own, request_id, WAIT_SECONDS if seconds is None else seconds)
        finally:
            own.execute(_DELETE, [request_id])
    if state == State.DONE:
        return dict(result)
    if state == State.FAILED:
        raise ProblemError(Problem.from_json(problem))
    if state == State.RUNNING:
        raise too_slow
    raise ProblemError(_NO_WORKER)


@contextmanager
def _place() -> Iterator[psycopg.Connection]:
    """A connection that has one of MOST_WAITING places until it ends; raises a 503 problem when all stay taken."""
    deadline = time.monotonic() + QUEUE_SECONDS
    if not _own_places.acquire(timeout=QUEUE_SECONDS):
        raise ProblemError(_ALL_WAIT)
    try:
        with direct_connection() as own:
            while not _has_place(own):
                if time.monotonic() > deadline:
                    raise ProblemError(_ALL_WAIT)
                Event().wait(_PLACE_POLL_SECONDS)
            yield own
    finally:
        _own_places.release()


def _has_place(own: psycopg.Connection) -> bool:
    """Take a place that is free; PostgreSQL frees it with the connection."""
    rows = (own.execute(_PLACE, [number]).fetchone() for number in range(MOST_WAITING))
    return any(row is not None and row[0] for row in rows)


def _outcome(own: psycopg.Connection, request_id: UUID, seconds: float) -> tuple[str, Any, Any]:
    """State, result and problem once the request has ended, or when the time is over."""

    def row() -> tuple[str, Any, Any]:
        return own.execute(_SELECT, [request_id]).fetchone() or (State.WAITING, None, None)

    def ended() -> tuple[str, Any, Any] | None:
        found = row()
        return found if found[0] in {State.DONE, State.FAILED} else None

    return wait_for(own, ended, seconds) or row()


def answer(request_id: UUID, respond: Callable[[dict[str, Any]], Mapping[str, Any]]) -> None:
    """Store what `respond` returns for the arguments, or the problem that it raises; a worker calls this.

    Does nothing when another worker has the request, or the web request no longer waits. An unexpected error ends the
    request, too, and is raised again.
    """
    arguments = _claim(request_id)
    if arguments is None:
        return
    try:
        _finish(request_id, state=State.DONE, result=dict(respond(arguments)))
    except ProblemError as error:
        _finish(request_id, state=State.FAILED, problem=error.problem.as_json())
    except Exception:
        _finish(request_id, state=State.FAILED, problem=WORKER_CRASHED.as_json())
        raise


def _claim(request_id: UUID) -> dict[str, Any] | None:
    waiting = WorkerRequest.objects.filter(id=request_id, state=State.WAITING)
    if not waiting.update(state=State.RUNNING):
        return None
    sealed = WorkerRequest.objects.filter(id=request_id).values_list("sealed_arguments", flat=True).first()
    return unseal(sealed) if sealed else None


def _finish(request_id: UUID, **values: Any) -> None:
    """Store the end and wake the web request that waits."""
    WorkerRequest.objects.filter(id=request_id).update(**values)
    notify(CHANNEL)


def backlog() -> Backlog:
    """Requests that no worker has taken up yet."""
    return backlog_of(WorkerRequest.objects.filter(state=State.WAITING), "created_at")


def prune() -> None:
    """Remove requests whose web process died while it waited; each may hold a sealed password."""
    WorkerRequest.objects.filter(created_at__lt=clock.now() - ABANDONED_AFTER).delete()
