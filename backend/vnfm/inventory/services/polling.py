"""Requests for a poll of a VIM, and how often it is polled."""

from uuid import UUID

from vnfm.inventory.domain.poll_interval import PollInterval
from vnfm.inventory.models import VimPollState
from vnfm.kit.durable.listen import notify

POLL_CHANNEL = "vnfm_vim_poll"
"""The channel of the notification that wakes the watch over a VIM."""


def poll_request(*, vim_id: UUID) -> None:
    """Have the VIM polled as soon as the current transaction has committed."""
    notify(POLL_CHANNEL, str(vim_id))


def poll_interval_record(*, state: VimPollState, interval: PollInterval) -> None:
    """Record how often the VIM is polled from now on, and why; writes nothing while that is as in `state`."""
    values = {
        "interval_seconds": round(interval.max_seconds, 1),
        "interval_reason": interval.reason,
        "interval_message": interval.message,
    }
    if any(getattr(state, name) != value for name, value in values.items()):
        VimPollState.objects.filter(vim=state.vim_id).update(**values)
