"""The compute hosts and server groups of a VIM, brought in line with what a look saw of them."""

from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from uuid import UUID

from django.db import transaction

from vnfm.clouds.types import Host as CloudHost
from vnfm.clouds.types import ServerGroup as CloudServerGroup
from vnfm.inventory.domain.hosts import HostNews, HostSeen, host_news, hosts_seen
from vnfm.inventory.models import Host, ServerGroup, Vnfc
from vnfm.vims.models import Vim


def record_hosts(*, vim: Vim, hosts: Iterable[CloudHost], now: datetime) -> set[UUID]:
    """Make the record exactly this; returns the instances with a VNFC on a host that is other than before."""
    rows = {row.name: row for row in Host.objects.filter(vim=vim)}
    before = {name: _as_seen(row) for name, row in rows.items()}
    news = host_news(before, hosts_seen(hosts))
    if not news:
        return set()
    _write(vim, before, news, now)
    on_them = Vnfc.objects.filter(instance__vim=vim, host__in=[*news.put, *news.gone])
    return set(on_them.values_list("instance_id", flat=True))


def _as_seen(row: Host) -> HostSeen:
    return HostSeen(row.state, row.service, row.status, row.forced_down, row.reason)


@transaction.atomic
def _write(vim: Vim, before: dict[str, HostSeen], news: HostNews, now: datetime) -> None:
    Host.objects.filter(vim=vim, name__in=news.gone).delete()
    fresh = []
    for name, seen in news.put.items():
        if name not in before:
            fresh.append(Host(vim=vim, name=name, since=now, **asdict(seen)))
            continue
        since = {} if seen.same_state(before[name]) else {"since": now}
        Host.objects.filter(vim=vim, name=name).update(**asdict(seen), **since)
    Host.objects.bulk_create(fresh)


def forget_hosts(*, vim: Vim) -> None:
    """We may no longer look: nothing is known of them, so nothing is kept."""
    Host.objects.filter(vim=vim).delete()


def record_groups(*, vim: Vim, groups: Iterable[CloudServerGroup]) -> None:
    """Make the record exactly this."""
    seen = {group.id: (group.name, list(group.policies), list(group.members)) for group in groups}
    rows = ServerGroup.objects.filter(vim=vim)
    before = {row.group_id: (row.name, row.policies, row.members) for row in rows}
    if before == seen:
        return
    other = [group_id for group_id, held in before.items() if seen.get(group_id) != held]
    with transaction.atomic():
        rows.filter(group_id__in=other).delete()
        ServerGroup.objects.bulk_create(
            ServerGroup(vim=vim, group_id=group_id, name=name, policies=policies, members=members)
            for group_id, (name, policies, members) in seen.items()
            if before.get(group_id) != (name, policies, members)
        )
