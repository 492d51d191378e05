"""The watch over VIMs, and the state of their hosts."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from vnfm.inventory.domain import poll_interval
from vnfm.inventory.domain.views import VimView
from vnfm.inventory.models import Host, VimNotifications, VimPollState
from vnfm.vims.domain.vim_record import VimRecord
from vnfm.vims.selectors import reachability, vim_get, vim_list


@dataclass(frozen=True, slots=True)
class VimPoll:
    vim: str
    """Its name."""
    reachable: str
    """True, False or Unknown."""
    at: datetime
    """When its servers were last listed; its registration before the first time."""


def stale_after(state: VimPollState | None = None, request: str = "") -> timedelta:
    """The age at which what was observed of a VIM, or by one request of its polls, becomes unknown."""
    return poll_interval.stale_after(
        quiet_seconds=settings.POLL_SECONDS,
        interval_seconds=(state.interval_seconds if state is not None else None) or 0.0,
        request_seconds=state.durations.get(request, 0.0) if state is not None else 0.0,
    )


def poll_state_of(vim: VimRecord | None) -> VimPollState | None:
    """None before the first poll; one query unless it is prefetched."""
    state = getattr(vim, "poll_state", None)
    assert state is None or isinstance(state, VimPollState)
    return state


def hosts_known(state: VimPollState | None, now: datetime) -> bool:
    """Return whether the rows of `Host` are current: listed recently, and since the VIM was last unreachable."""
    if state is None or state.hosts_at is None or now - state.hosts_at > stale_after(state, "hosts"):
        return False
    return state.vim.reachable != "False" or state.hosts_at > state.vim.reachable_since


def host_list(*, vim_id: UUID) -> QuerySet[Host]:
    """Raises a 404 problem when there is no such VIM."""
    return Host.objects.filter(vim=vim_get(vim_id=vim_id))


def vim_poll_state_get(*, vim_id: UUID) -> VimPollState:
    """Unsaved and empty before the first poll. Raises a 404 problem when there is no such VIM."""
    vim = vim_get(vim_id=vim_id)
    return VimPollState.objects.select_related("vim").filter(vim=vim.id).first() or VimPollState(vim=vim)


def vim_notifications_get(*, vim_id: UUID) -> VimNotifications:
    """Unsaved and empty where none are configured. Raises a 404 problem when there is no such VIM."""
    vim = vim_get(vim_id=vim_id)
    return VimNotifications.objects.select_related("vim").filter(vim=vim.id).first() or VimNotifications(vim=vim)


def polls_of_vims() -> list[VimPoll]:
    """All VIMs, by name."""
    rows = vim_list().order_by("name").annotate(polled_at=Coalesce("poll_state__servers_at", "created_at"))
    return [VimPoll(*row) for row in rows.values_list("name", "reachable", "polled_at")]


def vim_view(vim: VimRecord) -> VimView:
    state = poll_state_of(vim)
    return VimView(
        name=vim.name,
        reachability=reachability(vim),
        servers_at=state.servers_at if state is not None else None,
        stale_after=stale_after(state),
        renews_ports=vim.capabilities.get("heat_mark_unhealthy") is True,
    )


def flavor_names(vim: VimRecord | None) -> dict[str, str]:
    """Names of the VIM's flavors by id, as last probed: Liberty's Nova reports a server's flavor by its id alone."""
    return {item["id"]: item["name"] for item in vim.resources.get("flavors", ())} if vim is not None else {}
