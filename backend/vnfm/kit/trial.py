"""Trying something out: a worker does it, while the request waits a little for the answer.

A web process never calls anybody outside (DESIGN "Who may import whom", 4); it leaves a row, rings, and listens.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
from django.db import connection as database

from vnfm.kit import clock, tasks
from vnfm.kit.database import awaited, direct_connection
from vnfm.kit.ids import new_id
from vnfm.kit.models import Trial
from vnfm.kit.problem import Problem, ProblemError
from vnfm.kit.seal import seal, unseal

CHANNEL = "vnfm_trial"

WAIT_SECONDS = 15.0
"""Longer than nobody answering takes to notice (5 s), shorter than a browser's patience."""

ABANDONED_AFTER = timedelta(minutes=5)

_INSERT = "INSERT INTO kit_trial (id, sealed_subject, state) VALUES (%s, %s, 'waiting')"
_SELECT = "SELECT state, findings, problem FROM kit_trial WHERE id = %s"
_DELETE = "DELETE FROM kit_trial WHERE id = %s"


def try_out(task: str, subject: Mapping[str, Any], *, too_slow: ProblemError) -> dict[str, Any]:
    """What `task` found of the subject. Raises the problem that it told, `too_slow`, or 503 when no worker takes it up.

    Works inside a transaction too: the worker must see the row now, so it is written on a connection of its own.
    """
    trial_id, sealed = new_id(), seal(subject)
    with direct_connection() as own:
        own.execute(f"LISTEN {CHANNEL}")
        own.execute(_INSERT, [trial_id, sealed])
        try:
            tasks.enqueue_now(task, trial_id)
            state, findings, problem = _outcome(own, trial_id)
        finally:
            own.execute(_DELETE, [trial_id])
    if state == Trial.State.PASSED:
        return dict(findings)
    if state == Trial.State.REFUSED:
        raise ProblemError(Problem.from_json(problem))
    if state == Trial.State.RUNNING:
        raise too_slow
    words = "No worker took up what was asked."
    raise ProblemError(Problem(503, "NO_WORKER", "Service unavailable", words, "Check that a worker runs; try again."))


def _outcome(own: psycopg.Connection, trial_id: UUID) -> tuple[str, Any, Any]:
    """State, findings and problem when it is over, or when the time is."""

    def row() -> tuple[str, Any, Any]:
        return own.execute(_SELECT, [trial_id]).fetchone() or (Trial.State.WAITING, None, None)

    def ended() -> tuple[str, Any, Any] | None:
        found = row()
        return found if found[0] in {Trial.State.PASSED, Trial.State.REFUSED} else None

    return awaited(own, ended, WAIT_SECONDS) or row()


def take(*, trial_id: UUID) -> dict[str, Any] | None:
    """For the worker: the subject; None when another has it or nobody waits any more."""
    waiting = Trial.objects.filter(id=trial_id, state=Trial.State.WAITING)
    if not waiting.update(state=Trial.State.RUNNING):
        return None
    sealed = Trial.objects.filter(id=trial_id).values_list("sealed_subject", flat=True).first()
    return unseal(sealed) if sealed else None


def end(*, trial_id: UUID, findings: Mapping[str, Any] | None = None, problem: Problem | None = None) -> None:
    """For the worker: the outcome, told to whoever waits."""
    state = Trial.State.REFUSED if problem else Trial.State.PASSED
    found = None if problem else dict(findings or {})
    told = problem.as_json() if problem else None
    Trial.objects.filter(id=trial_id).update(state=state, findings=found, problem=told)
    with database.cursor() as cursor:
        cursor.execute(f"NOTIFY {CHANNEL}")


def prune() -> None:
    """Remove what web processes that died while waiting have left; there is a sealed password in each."""
    Trial.objects.filter(created_at__lt=clock.now() - ABANDONED_AFTER).delete()
