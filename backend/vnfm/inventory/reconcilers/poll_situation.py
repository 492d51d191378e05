"""The interval to the next poll depends on a situation, which is collected here after a poll."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection

from vnfm.clouds.errors import CloudError, Denied, RateLimited, TooSlow
from vnfm.inventory.domain.observation import TRANSITIONAL
from vnfm.inventory.domain.poll_interval import Failure, PollSituation
from vnfm.inventory.models import VimPollState
from vnfm.inventory.reconcilers.vim_poll import VimPollResult

TRANSITION_MAX_AGE = timedelta(minutes=5)
"""A longer transition is stuck; one stuck server must not keep a whole VIM at the fast interval."""

_IN_TRANSITION = """
SELECT EXISTS (
    SELECT FROM inventory_vnfinstance AS instance WHERE instance.vim_id = %(vim)s AND (
        (instance.stack_status LIKE '%%\\_IN\\_PROGRESS' AND instance.stack_observed_at >= %(recently)s)
        OR EXISTS (
            SELECT FROM inventory_vnfc AS vnfc WHERE vnfc.instance_id = instance.id
                AND vnfc.status = ANY (%(transitional)s) AND vnfc.status_since >= %(recently)s
        )
    )
)
"""


def poll_situation(
    *,
    state: VimPollState,
    result: VimPollResult,
    duration: float,
    requested_for: float | None,
    operation: bool,
    now: datetime,
    paused_until: datetime | None = None,
) -> PollSituation:
    """`state` as the poll left it, `duration` of the poll and time since one was requested (None: never), in seconds.
    `paused_until` is of the pause that the VIM has for answering late.

    The duration of a full poll delays the next full one (`vim_snapshot`), and not the small ones between.
    """
    error = result.problem
    recent = [at for at in (_since_change(state, now), requested_for) if at is not None]
    return PollSituation(
        duration=0.0 if result.snapshot is not None else duration,
        failures=result.failures,
        failure=_failure(error),
        retry_after=_retry_after(error, paused_until, now),
        answered=error is None or error.http_status > 0,
        operation=operation,
        in_transition=_in_transition(state.vim_id, now),
        calm_for=min(recent, default=None),
    )


def _failure(error: CloudError | None) -> Failure:
    match error:
        case None:
            return ""
        case Denied():
            return "refused"
        case RateLimited():
            return "rate limited"
        case TooSlow():
            return "slow"
        case _:
            return "away"


def _retry_after(error: CloudError | None, paused_until: datetime | None, now: datetime) -> float | None:
    if isinstance(error, TooSlow) and paused_until is not None:
        return max(0.0, (paused_until - now).total_seconds())
    return error.retry_after if isinstance(error, RateLimited) else None


def _in_transition(vim_id: UUID, now: datetime) -> bool:
    parameters: dict[str, Any] = {"vim": vim_id, "recently": now - TRANSITION_MAX_AGE}
    with connection.cursor() as cursor:
        cursor.execute(_IN_TRANSITION, parameters | {"transitional": list(TRANSITIONAL)})
        row = cursor.fetchone()
    return row is not None and bool(row[0])


def _since_change(state: VimPollState, now: datetime) -> float | None:
    return None if state.changed_at is None else max(0.0, (now - state.changed_at).total_seconds())
