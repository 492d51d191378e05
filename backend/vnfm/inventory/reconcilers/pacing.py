"""What the pace of looking depends on, gathered after a look."""

from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Q

from vnfm.clouds.errors import CloudError, Denied, RateLimited
from vnfm.inventory.domain.observation import PASSING
from vnfm.inventory.domain.pace import Failure, Situation
from vnfm.inventory.models import VimLook, Vnfc, VnfInstance
from vnfm.inventory.reconcilers.observe import Look

MOVING_FOR = timedelta(minutes=5)
"""What takes longer to get anywhere is stuck; one stuck server must not keep a whole VIM at the fast pace."""


def situation_after(
    *, vim_id: UUID, look: Look, took: float, rung_for: float | None, operation: bool, now: datetime
) -> Situation:
    """`took` is how long the look was, `rung_for` how long ago somebody rang (None: nobody), in seconds.

    How long a full one was makes the next full one later (`sight`), and not the small ones between.
    """
    error = look.problem
    return Situation(
        took=0.0 if look.sight is not None else took,
        failures=look.failures,
        failure=_failure(error),
        retry_after=error.retry_after if isinstance(error, RateLimited) else None,
        answered=error is None or error.http_status > 0,
        operation=operation,
        moving=_moving(vim_id, now),
        calm_for=min((at for at in (_since_change(vim_id, now), rung_for) if at is not None), default=None),
    )


def _failure(error: CloudError | None) -> Failure:
    match error:
        case None:
            return ""
        case Denied():
            return "refused"
        case RateLimited():
            return "asked to wait"
        case _:
            return "away"


def _moving(vim_id: UUID, now: datetime) -> bool:
    lately = now - MOVING_FOR
    servers = Vnfc.objects.filter(instance__vim=vim_id, status__in=PASSING, status_since__gte=lately)
    changing = Q(stack_status__endswith="_IN_PROGRESS", stack_observed_at__gte=lately)
    return servers.exists() or VnfInstance.objects.filter(changing, vim=vim_id).exists()


def _since_change(vim_id: UUID, now: datetime) -> float | None:
    changed_at = VimLook.objects.filter(vim=vim_id).values_list("changed_at", flat=True).first()
    return None if changed_at is None else max(0.0, (now - changed_at).total_seconds())
