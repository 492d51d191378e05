"""What the interval to the next poll depends on, collected after a poll."""

from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Q

from vnfm.clouds.errors import CloudError, Denied, RateLimited
from vnfm.inventory.domain.observation import TRANSITIONAL
from vnfm.inventory.domain.poll_interval import Failure, PollSituation
from vnfm.inventory.models import VimPollState, Vnfc, VnfInstance
from vnfm.inventory.reconcilers.vim_poll import VimPollResult

TRANSITION_MAX_AGE = timedelta(minutes=5)
"""A longer transition is stuck; one stuck server must not keep a whole VIM at the fast interval."""


def poll_situation(
    *,
    state: VimPollState,
    result: VimPollResult,
    duration: float,
    requested_for: float | None,
    operation: bool,
    now: datetime,
) -> PollSituation:
    """`state` as the poll left it, `duration` of the poll and time since one was requested (None: never), in seconds.

    The duration of a full poll delays the next full one (`vim_snapshot`), and not the small ones between.
    """
    error = result.problem
    recent = [at for at in (_since_change(state, now), requested_for) if at is not None]
    return PollSituation(
        duration=0.0 if result.snapshot is not None else duration,
        failures=result.failures,
        failure=_failure(error),
        retry_after=error.retry_after if isinstance(error, RateLimited) else None,
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
        case _:
            return "away"


def _in_transition(vim_id: UUID, now: datetime) -> bool:
    recently = now - TRANSITION_MAX_AGE
    servers = Vnfc.objects.filter(instance__vim=vim_id, status__in=TRANSITIONAL, status_since__gte=recently)
    stacks = Q(stack_status__endswith="_IN_PROGRESS", stack_observed_at__gte=recently)
    return servers.exists() or VnfInstance.objects.filter(stacks, vim=vim_id).exists()


def _since_change(state: VimPollState, now: datetime) -> float | None:
    return None if state.changed_at is None else max(0.0, (now - state.changed_at).total_seconds())
