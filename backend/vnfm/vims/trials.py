"""Trying a connection out: a worker does it, while the request waits a little for the answer.

A web process never talks to a cloud (DESIGN "Who may import whom", 4); it leaves a row, rings, and listens.
"""

import json
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
from django.db import connection as database

from vnfm.clouds.types import Connection
from vnfm.kit import clock, doorbell
from vnfm.kit.database import awaited, direct_connection
from vnfm.kit.ids import new_id
from vnfm.kit.problem import FieldError, Problem, ProblemError, unprocessable
from vnfm.kit.seal import seal, unseal
from vnfm.vims.domain.findings import Findings
from vnfm.vims.domain.registration import connection_json
from vnfm.vims.models import VimTrial

TRY = "vims.try_connection"
CHANNEL = "vnfm_vim_trial"

WAIT_SECONDS = 15.0
"""Longer than nobody answering takes to notice (5 s), shorter than a browser's patience."""

ABANDONED_AFTER = timedelta(minutes=5)

_INSERT = "INSERT INTO vims_vimtrial (id, sealed_connection, state) VALUES (%s, %s, 'waiting')"
_SELECT = "SELECT state, findings, problem FROM vims_vimtrial WHERE id = %s"
_DELETE = "DELETE FROM vims_vimtrial WHERE id = %s"


def try_out(connection: Connection) -> Findings:
    """What a probe of it found. Raises 422 when the cloud refuses or keeps silent, 503 when no worker takes it up.

    Works inside a transaction too: the worker must see the row now, so it is written on a connection of its own.
    """
    trial_id, sealed = new_id(), seal({"connection": json.dumps(connection_json(connection))})
    with direct_connection() as own:
        own.execute(f"LISTEN {CHANNEL}")
        own.execute(_INSERT, [trial_id, sealed])
        try:
            doorbell.ring_now(TRY, trial_id)
            state, findings, problem = _outcome(own, trial_id)
        finally:
            own.execute(_DELETE, [trial_id])
    if state == VimTrial.State.PASSED:
        return Findings(**findings)
    if state == VimTrial.State.REFUSED:
        raise ProblemError(Problem.from_json(problem))
    raise _silence(running=state == VimTrial.State.RUNNING)


def _outcome(own: psycopg.Connection, trial_id: UUID) -> tuple[str, Any, Any]:
    """State, findings and problem when it is over, or when the time is."""

    def row() -> tuple[str, Any, Any]:
        return own.execute(_SELECT, [trial_id]).fetchone() or (VimTrial.State.WAITING, None, None)

    def ended() -> tuple[str, Any, Any] | None:
        found = row()
        return found if found[0] in {VimTrial.State.PASSED, VimTrial.State.REFUSED} else None

    return awaited(own, ended, WAIT_SECONDS) or row()


def trial_take(*, trial_id: UUID) -> Connection | None:
    """For the worker: the connection to try; None when another has it or nobody waits any more."""
    waiting = VimTrial.objects.filter(id=trial_id, state=VimTrial.State.WAITING)
    if not waiting.update(state=VimTrial.State.RUNNING):
        return None
    sealed = VimTrial.objects.filter(id=trial_id).values_list("sealed_connection", flat=True).first()
    return Connection(**json.loads(unseal(sealed)["connection"])) if sealed else None


def trial_end(*, trial_id: UUID, findings: dict[str, Any] | None = None, problem: Problem | None = None) -> None:
    """For the worker: the outcome, told to whoever waits."""
    state = VimTrial.State.REFUSED if problem else VimTrial.State.PASSED
    told = problem.as_json() if problem else None
    VimTrial.objects.filter(id=trial_id).update(state=state, findings=findings, problem=told)
    with database.cursor() as cursor:
        cursor.execute(f"NOTIFY {CHANNEL}")


def trials_prune() -> None:
    """Remove what web processes that died while waiting have left; there is a sealed password in each."""
    VimTrial.objects.filter(created_at__lt=clock.now() - ABANDONED_AFTER).delete()


def _silence(*, running: bool) -> ProblemError:
    if running:
        words = f"The cloud did not answer within {WAIT_SECONDS:.0f} seconds."
        errors = [FieldError("/authUrl", words)]
        return unprocessable("VIM_TOO_SLOW", words, errors, "Check the cloud and the network between, then try again.")
    words = "No worker took up the trial of this connection."
    return ProblemError(Problem(503, "NO_WORKER", "Service unavailable", words, "Check that a worker runs; try again."))
