"""Records the compute hosts and server groups of a VIM as a poll listed them."""

from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from uuid import UUID

from django.db import transaction

from vnfm.clouds.types import CloudHost, CloudServerGroup
from vnfm.inventory.domain.hosts import HostChanges, HostObservation, host_changes, observe_hosts
from vnfm.inventory.models import Host, ServerGroup, Vnfc
from vnfm.vims.domain.vim_record import VimRecord


def record_hosts(*, vim: VimRecord, hosts: Iterable[CloudHost], now: datetime) -> set[UUID] | None:
    """Record exactly these; the instances with a VNFC on a host that changed, None when no host did."""
    rows = {row.name: row for row in Host.objects.filter(vim=vim.id)}
    before = {name: _recorded(row) for name, row in rows.items()}
    changes = host_changes(before, observe_hosts(hosts))
    if not changes:
        return None
    _write(vim, before, changes, now)
    affected = Vnfc.objects.filter(instance__vim=vim.id, host__in=[*changes.put, *changes.gone])
    return set(affected.values_list("instance_id", flat=True))


def _recorded(row: Host) -> HostObservation:
    return HostObservation(row.state, row.service, row.status, row.forced_down, row.reason)


@transaction.atomic
def _write(vim: VimRecord, before: dict[str, HostObservation], changes: HostChanges, now: datetime) -> None:
    Host.objects.filter(vim=vim.id, name__in=changes.gone).delete()
    new = []
    for name, observed in changes.put.items():
        if name not in before:
            new.append(Host(vim_id=vim.id, name=name, since=now, **asdict(observed)))
            continue
        since = {} if observed.same_state(before[name]) else {"since": now}
        Host.objects.filter(vim=vim.id, name=name).update(**asdict(observed), **since)
    Host.objects.bulk_create(new)


def forget_hosts(*, vim: VimRecord) -> None:
    """We may no longer list them, so nothing is known of them."""
    Host.objects.filter(vim=vim.id).delete()


def record_groups(*, vim: VimRecord, groups: Iterable[CloudServerGroup]) -> None:
    """Record exactly these."""
    observed = {group.id: (group.name, list(group.policies), list(group.members)) for group in groups}
    rows = ServerGroup.objects.filter(vim=vim.id)
    before = {row.group_id: (row.name, row.policies, row.members) for row in rows}
    if before == observed:
        return
    changed = [group_id for group_id, group in before.items() if observed.get(group_id) != group]
    with transaction.atomic():
        rows.filter(group_id__in=changed).delete()
        ServerGroup.objects.bulk_create(
            ServerGroup(vim_id=vim.id, group_id=group_id, name=name, policies=policies, members=members)
            for group_id, (name, policies, members) in observed.items()
            if before.get(group_id) != (name, policies, members)
        )
