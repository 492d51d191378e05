"""Loads all that the alarms of VIMs depend on."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.db.models import Prefetch, Q

from vnfm.faults.domain.fault_type import Severity
from vnfm.faults.domain.hosts import ObservedHost, ObservedQuota, ObservedVim, evaluate_vim
from vnfm.faults.domain.verdict import ObjectType, ToldByCloud
from vnfm.faults.reconcilers.cases import Case
from vnfm.inventory.models import CloudAlarm, Host, VimLook
from vnfm.inventory.selectors import hosts_known
from vnfm.vims.models import Vim


def vim_cases(ids: Collection[UUID], now: datetime) -> Iterator[Case]:
    """Of these VIMs, also of those that are no longer registered."""
    nobodys = Prefetch("cloud_alarms", CloudAlarm.objects.filter(instance=None))
    rows = Vim.objects.select_related("look").prefetch_related(nobodys).filter(id__in=ids)
    known = {vim.id: vim for vim in rows}
    ailing = _ailing_hosts(ids)
    for vim_id in sorted(ids):
        vim = known.get(vim_id)
        yield Case(
            object_type=ObjectType.VIM,
            object_id=vim_id,
            name=vim.name if vim is not None else "",
            version=vim.version if vim is not None else 0,
            verdict=evaluate_vim(_with_the_rest(vim, ailing[vim_id], now) if vim is not None else None),
            vim_id=vim_id,
        )


def _ailing_hosts(ids: Collection[UUID]) -> Mapping[UUID, list[ObservedHost]]:
    """The hosts of these VIMs that are not all well, and no others: most are, always."""
    found: dict[UUID, list[ObservedHost]] = defaultdict(list)
    well = Q(state="up", service="up", status="enabled") & ~Q(forced_down=True)
    for row in Host.objects.filter(~well, vim_id__in=ids).order_by("name"):
        host = ObservedHost(row.name, row.state, row.service, row.status, row.forced_down, row.reason, row.since)
        found[row.vim_id].append(host)
    return found


def _with_the_rest(vim: Vim, hosts: Sequence[ObservedHost], now: datetime) -> ObservedVim:
    """What no instance of it depends on. Hosts that no look has told of lately are not known; without rights there are
    none at all.
    """
    look = getattr(vim, "look", None)
    assert look is None or isinstance(look, VimLook)
    known = look is None or look.hosts_at is None or hosts_known(look, now)
    there = look is not None and look.hosts_at is not None and known
    return replace(
        observed_vim(vim),
        hosts=tuple(hosts) if there else (),
        hosts_known=known,
        told=told_by_cloud(vim.cloud_alarms.all()),
    )


def told_by_cloud(rows: Iterable[CloudAlarm]) -> tuple[ToldByCloud, ...]:
    """Those that are not over; the longest known first."""
    return tuple(
        ToldByCloud(row.alarm_id, row.name, row.state, Severity(row.severity), row.reason, row.server_id)
        for row in sorted(rows, key=lambda row: (row.since, row.alarm_id))
        if row.state != CloudAlarm.State.OK
    )


def observed_vim(vim: Vim) -> ObservedVim:
    look = getattr(vim, "look", None)
    assert look is None or isinstance(look, VimLook)
    servers_at = look.servers_at if look is not None else None
    return ObservedVim(
        vim_id=str(vim.id),
        name=vim.name,
        reachable=vim.reachable != "False",
        reason=vim.reachable_reason,
        since=vim.reachable_since,
        servers_seen=servers_at is not None and servers_at > vim.reachable_since,
        quotas=tuple(
            ObservedQuota(resource, quota["limit"], quota["used"])
            for resource, quota in sorted(vim.quotas.items())
            if quota.get("limit") is not None and quota.get("used") is not None
        ),
    )
