"""Loads the input of the evaluation of VIMs."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.db.models import Prefetch, Q

from vnfm.faults.domain.evaluate_vim import ObservedHost, ObservedQuota, ObservedVim, evaluate_vim
from vnfm.faults.domain.evaluation_result import ObjectType, ObservedCloudAlarm
from vnfm.faults.domain.fault_type import Severity
from vnfm.faults.reconcilers.evaluation_input import Evaluation
from vnfm.inventory.models import CloudAlarm, Host, VimPollState
from vnfm.inventory.selectors import hosts_known
from vnfm.vims.models import Vim


def vim_evaluations(ids: Collection[UUID], now: datetime) -> Iterator[Evaluation]:
    """One for each id, also for VIMs that are no longer registered."""
    unassigned = Prefetch("cloud_alarms", CloudAlarm.objects.filter(instance=None))
    rows = Vim.objects.select_related("poll_state").prefetch_related(unassigned).filter(id__in=ids)
    known = {vim.id: vim for vim in rows}
    hosts = _failing_hosts(ids)
    for vim_id in sorted(ids):
        vim = known.get(vim_id)
        yield Evaluation(
            object_type=ObjectType.VIM,
            object_id=vim_id,
            name=vim.name if vim is not None else "",
            version=vim.version if vim is not None else 0,
            result=evaluate_vim(_with_hosts(vim, hosts[vim_id], now) if vim is not None else None),
            vim_id=vim_id,
        )


def _failing_hosts(ids: Collection[UUID]) -> Mapping[UUID, list[ObservedHost]]:
    """The hosts of these VIMs that are down or disabled, which are few."""
    found: dict[UUID, list[ObservedHost]] = defaultdict(list)
    up = Q(state="up", service="up", status="enabled") & ~Q(forced_down=True)
    for row in Host.objects.filter(~up, vim_id__in=ids).order_by("name"):
        host = ObservedHost(row.name, row.state, row.service, row.status, row.forced_down, row.reason, row.since)
        found[row.vim_id].append(host)
    return found


def _with_hosts(vim: Vim, hosts: Sequence[ObservedHost], now: datetime) -> ObservedVim:
    """The VIM with its hosts and cloud alarms. Hosts not polled lately are unknown; without rights there are none."""
    look = getattr(vim, "poll_state", None)
    assert look is None or isinstance(look, VimPollState)
    known = look is None or look.hosts_at is None or hosts_known(look, now)
    polled = look is not None and look.hosts_at is not None and known
    return replace(
        observed_vim(vim),
        hosts=tuple(hosts) if polled else (),
        hosts_known=known,
        cloud_alarms=cloud_alarms_of(vim.cloud_alarms.all()),
    )


def cloud_alarms_of(rows: Iterable[CloudAlarm]) -> tuple[ObservedCloudAlarm, ...]:
    """Those that are raised or lack data; the oldest first."""
    return tuple(
        ObservedCloudAlarm(row.alarm_id, row.name, row.state, Severity(row.severity), row.reason, row.server_id)
        for row in sorted(rows, key=lambda row: (row.since, row.alarm_id))
        if row.state != CloudAlarm.State.OK
    )


def observed_vim(vim: Vim) -> ObservedVim:
    look = getattr(vim, "poll_state", None)
    assert look is None or isinstance(look, VimPollState)
    servers_at = look.servers_at if look is not None else None
    return ObservedVim(
        vim_id=str(vim.id),
        name=vim.name,
        reachable=vim.reachable != "False",
        reason=vim.reachable_reason,
        since=vim.reachable_since,
        servers_listed=servers_at is not None and servers_at > vim.reachable_since,
        quotas=tuple(
            ObservedQuota(resource, quota["limit"], quota["used"])
            for resource, quota in sorted(vim.quotas.items())
            if quota.get("limit") is not None and quota.get("used") is not None
        ),
    )
