"""One look at one VIM: bring what we have on record up to date with what is there.

The cost grows with what changed: an unchanged VIM costs a few reads and one row of `VimLook`, however many VMs it has.
"""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import prefetch_related_objects

from vnfm.clouds.errors import CloudError, Denied
from vnfm.clouds.ports import Cloud
from vnfm.inventory.domain.observation import ACTIVE, MISSING, PortSeen, ServerSeen, ports_seen, server_seen
from vnfm.inventory.models import VimLook, Vnfc, VnfcPort, VnfInstance
from vnfm.inventory.reconcilers.hosts import forget_hosts, record_groups, record_hosts
from vnfm.inventory.reconcilers.sight import (
    ALONE_AT_MOST,
    FAILURES_TO_TELL,
    FULL_EVERY,
    Sight,
    gather,
    gather_all,
    gather_around,
)
from vnfm.inventory.selectors import flavor_names
from vnfm.inventory.services import instance_changed, instances_lock, lock_batches
from vnfm.vims.domain.reachability import verdict
from vnfm.vims.models import Vim
from vnfm.vims.services import vim_reachability_record

_REMEMBERED = (
    *("servers_at", "full_at", "changed_to", "ports_at", "stacks_at", "hosts_at", "groups_at"),
    *("changed_at", "took", "failures", "told_reachable"),
)
"""The columns of a `VimLook` that a look writes; the pace is decided after it."""


_OF_STACK = ("stack_status", "stack_status_reason", "stack_updated_at", "stack_observed_at")


@dataclass(frozen=True, slots=True)
class Look:
    """What came of a look. `failures` counts the failed ones in a row, this one included."""

    changed: frozenset[UUID]
    full: bool
    failures: int
    error: str = ""
    problem: CloudError | None = None
    """What ended it early, where something did."""
    sight: Sight | None = None
    """All that was seen, when it was everything: a full look that reached every service."""


def observe_vim(
    *,
    vim: Vim,
    cloud: Cloud,
    now: datetime,
    urgent: bool = False,
    lean: bool = False,
    doubts: Collection[str] = (),
) -> Look:
    """Look at `vim` now and record what changed; raises nothing for a cloud that does not answer.

    `now` must be read before the call: rows recorded later than that know better than this look. `urgent` asks
    everything, also what is asked less often because it takes long: somebody rang. `lean` leaves what takes long to
    `observe_around` and `review`. `doubts` are servers that are asked for in any case.
    """
    look, _ = VimLook.objects.get_or_create(vim=vim)
    sight = gather(vim=vim, look=look, cloud=cloud, now=now, urgent=urgent, lean=lean, doubts=doubts)
    changed = _record(vim, sight, now)
    failures = 0 if sight.error is None else look.failures + 1
    _tell_reachability(vim, failures, sight, now)
    changed |= _tell_instances(vim, look)
    remember(vim, sight, now, changed=bool(changed), failures=failures, told_reachable=look.told_reachable)
    return _look(changed, sight, failures)


def observe_around(*, vim: Vim, cloud: Cloud, now: datetime, urgent: bool) -> Look:
    """What a lean look leaves out, so that it delays none: hosts and stacks. `now` and errors as in `observe_vim`."""
    look = VimLook.objects.get(vim=vim)
    sight = gather_around(vim=vim, look=look, cloud=cloud, now=now, urgent=urgent)
    changed = _record(vim, sight, now)
    failed = {} if sight.error is None else {"failures": look.failures + 1}  # the next look tells whether it is lasting
    remember(vim, sight, now, changed=bool(changed), **failed)
    return _look(changed, sight, failed.get("failures", 0))


def review(*, vim: Vim, cloud: Cloud, now: datetime) -> tuple[Look, frozenset[str]]:
    """List all there is, and tell which servers of ours are not as on record, by id: what changes hid, comes out here.

    Of servers, ports and stacks it records nothing: a look that began later may have recorded what is newer. What is in
    doubt is to be asked again (`observe_vim`); where too much is, nothing counts as known any more.
    """
    look = VimLook.objects.get(vim=vim)
    sight = gather_all(vim=vim, look=look, cloud=cloud, now=now)
    if sight.error is not None:
        return _look(set(), sight, look.failures), frozenset()
    doubts = frozenset(row.server_id for row in _differing(vim, sight, flavor_names(vim), now))
    if not VimLook.objects.filter(vim=vim, groups_at__gt=now).exists():
        _around(vim, sight, now)
    full_at = now if len(doubts) <= ALONE_AT_MOST else None
    blind = {"hosts_at": None} if vim.capabilities.get("hosts") is False else {}
    seen = Sight(full=False, groups=sight.groups, took=sight.took)
    remember(vim, seen, now, changed=False, full_at=full_at, **blind)
    return _look(set(), sight, look.failures), doubts if full_at is not None else frozenset()


def _record(vim: Vim, sight: Sight, now: datetime) -> set[UUID]:
    return _apply(vim, sight, now) | _around(vim, sight, now)


def _look(changed: set[UUID], sight: Sight, failures: int) -> Look:
    error = "" if sight.error is None else f"{sight.error.service}: {sight.error.message}"
    whole = sight if sight.full and sight.error is None else None
    return Look(frozenset(changed), sight.full, failures, error, sight.error, whole)


def _around(vim: Vim, sight: Sight, now: datetime) -> set[UUID]:
    """What the servers run on, and who is to be apart; returns the instances that this concerns."""
    if sight.groups is not None:
        record_groups(vim=vim, groups=sight.groups)
    if sight.hosts is not None:
        return record_hosts(vim=vim, hosts=sight.hosts, now=now)
    if sight.full and vim.capabilities.get("hosts") is False:
        forget_hosts(vim=vim)
    return set()


@transaction.atomic
def remember(vim: Vim, sight: Sight, now: datetime, *, changed: bool, **told: Any) -> None:
    """Keep what was asked and when, and how long it took; `told` are further columns.

    On the row as it is then: other looks may have written theirs while this one was under way.
    """
    look = VimLook.objects.select_for_update(no_key=True).filter(vim=vim).first()
    if look is None:  # the VIM was deleted while we looked
        return
    if sight.servers is not None:
        look.changed_to = _changed_to(look, sight, now, changed=changed)
        look.servers_at = now
        look.full_at = now if sight.full else look.full_at
    look.ports_at = now if sight.full or "ports" in sight.took else look.ports_at
    look.stacks_at = now if sight.stacks is not None else look.stacks_at
    look.hosts_at = now if sight.hosts is not None else look.hosts_at
    look.hosts_at = None if sight.full and vim.capabilities.get("hosts") is False else look.hosts_at
    look.groups_at = now if sight.groups is not None else look.groups_at
    look.changed_at = now if changed else look.changed_at
    look.took = {**look.took, **sight.took}
    for name, value in told.items():
        setattr(look, name, value)
    look.save(update_fields=_REMEMBERED)


def _changed_to(look: VimLook, sight: Sight, now: datetime, *, changed: bool) -> datetime | None:
    """Nova's clock as of this look, or a moment before: the next one asks for what changed since.

    The latest stamp alone would do, but after a burst of changes every look would list all of them again until the
    next one; so the time that has passed since is added. A full look that finds news, or one at servers in doubt, may
    have found what our own clock, set forward, had made the others miss: then it counts from the stamps anew.
    """
    stamps = [server.updated_at for server in (sight.servers or {}).values() if server.updated_at is not None]
    latest = max(stamps, default=None)
    if look.changed_to is None or look.servers_at is None or ((sight.full or sight.doubted) and changed):
        return latest or look.changed_to
    passed = min(max(now - look.servers_at, timedelta(0)), FULL_EVERY)
    return max(look.changed_to + passed, latest or look.changed_to)


def _tell_reachability(vim: Vim, failures: int, sight: Sight, now: datetime) -> None:
    if sight.error is None:
        message = f"{vim.name} answers."
        vim_reachability_record(vim=vim, reachable="True", reason="Answers", message=message, now=now)
    elif isinstance(sight.error, Denied) or failures >= FAILURES_TO_TELL:
        reachable, reason = verdict(sight.error)
        message = f"{sight.error.service}: {sight.error.message}"
        vim_reachability_record(vim=vim, reachable=reachable, reason=reason, message=message, now=now)


def _tell_instances(vim: Vim, look: VimLook) -> set[UUID]:
    """When the VIM is lost or found, every instance on it shows other conditions and states."""
    reachable = Vim.objects.values_list("reachable", flat=True).get(id=vim.id)
    if reachable == look.told_reachable:
        return set()
    look.told_reachable = reachable
    state = VnfInstance.InstantiationState.INSTANTIATED
    affected = set(VnfInstance.objects.filter(vim=vim, instantiation_state=state).values_list("id", flat=True))
    for batch in lock_batches(affected):
        with transaction.atomic():
            for instance in instances_lock(batch):
                instance_changed(instance)
    return affected


def _apply(vim: Vim, sight: Sight, now: datetime) -> set[UUID]:
    flavors = flavor_names(vim)
    changed = set()
    for batch in lock_batches(_suspects(vim, sight, flavors, now)):
        with transaction.atomic():
            instances = instances_lock(batch)
            prefetch_related_objects(instances, "vnfcs__ports")
            for instance in instances:
                if _correct(instance, sight, flavors, now):
                    instance_changed(instance)
                    changed.add(instance.id)
    return changed


def _suspects(vim: Vim, sight: Sight, flavors: Mapping[str, str], now: datetime) -> set[UUID]:
    """Instances that differ from what was seen, found without locking anything."""
    found = {row.instance_id for row in _differing(vim, sight, flavors, now)}
    if sight.stacks is not None:
        deployed = VnfInstance.objects.filter(vim=vim).exclude(stack_id="").only("stack_id", *_OF_STACK)
        found |= {row.id for row in deployed if _stack_news(row, sight, now) is not None}
    return found


def _differing(vim: Vim, sight: Sight, flavors: Mapping[str, str], now: datetime) -> list[Vnfc]:
    rows = Vnfc.objects.filter(instance__vim=vim)
    if not sight.full:
        rows = rows.filter(server_id__in=[*(sight.servers or ()), *sight.servers_gone, *sight.ports_of])
    if sight.ports is not None:
        rows = rows.prefetch_related("ports")
    return [row for row in rows if _server_news(row, sight, flavors, now) or _port_news(row, sight, now)]


def _correct(instance: VnfInstance, sight: Sight, flavors: Mapping[str, str], now: datetime) -> bool:
    corrected = [_correct_stack(instance, sight, now)]
    for row in instance.vnfcs.all():
        corrected.append(_correct_ports(row, sight, now))
        corrected.append(_correct_server(row, sight, flavors, now))
    return any(corrected)


def _stack_news(instance: VnfInstance, sight: Sight, now: datetime) -> dict[str, str] | None:
    """The columns of the stack that a look changes."""
    if instance.stack_observed_at is not None and instance.stack_observed_at > now:
        return None
    stack = (sight.stacks or {}).get(instance.stack_id)
    if stack is not None:
        seen = (stack.status, stack.status_reason, stack.updated_at)
    elif instance.stack_id in sight.stacks_gone:
        seen = (MISSING, "Heat has no such stack any more.", instance.stack_updated_at)
    else:
        return None
    after = dict(zip(("stack_status", "stack_status_reason", "stack_updated_at"), seen, strict=True))
    return after if any(getattr(instance, name) != value for name, value in after.items()) else None


def _correct_stack(instance: VnfInstance, sight: Sight, now: datetime) -> bool:
    news = _stack_news(instance, sight, now)
    if news is None:
        return False
    VnfInstance.objects.filter(id=instance.id).update(**news, stack_observed_at=now)
    return True


def _server_news(row: Vnfc, sight: Sight, flavors: Mapping[str, str], now: datetime) -> ServerSeen | None:
    if not sight.server_told(row.server_id) or (row.observed_at is not None and row.observed_at > now):
        return None
    before = ServerSeen(row.status, row.fault, row.host, row.flavor, row.flavor_id, row.server_name, row.host_hash)
    after = server_seen(before, (sight.servers or {}).get(row.server_id), flavors)
    return after if after != before else None


def _correct_server(row: Vnfc, sight: Sight, flavors: Mapping[str, str], now: datetime) -> bool:
    news = _server_news(row, sight, flavors, now)
    if news is None:
        return False
    since = now if news.status != row.status else row.status_since
    moved = bool(row.host_hash and news.host_hash) and news.host_hash != row.host_hash
    learned = {
        "expected_flavor_id": row.expected_flavor_id or news.flavor_id,
        "expected_host": row.expected_host or news.host,
    }
    Vnfc.objects.filter(id=row.id).update(
        observed_at=now,
        status_since=since,
        host_since=now if moved else row.host_since,
        **asdict(news),
        **learned,
    )
    return True


def _port_news(row: Vnfc, sight: Sight, now: datetime) -> dict[str, PortSeen] | None:
    if sight.ports is None or row.server_id not in sight.ports_of:
        return None
    if row.observed_at is not None and row.observed_at > now:
        return None
    before = {port.port_id: _as_seen(port) for port in row.ports.all()}
    ours = [port.port_id for port in row.ports.all() if port.cp_id]
    after = ports_seen(before, ours, sight.ports.get(row.server_id, ()))
    return after if after != before else None


def _as_seen(port: VnfcPort) -> PortSeen:
    return PortSeen(
        port_id=port.port_id,
        network_id=port.network_id,
        mac_address=port.mac_address,
        ip_addresses=tuple(port.ip_addresses),
        vnic_type=port.vnic_type,
        status=port.status,
        vif_type=port.vif_type,
    )


def _correct_ports(row: Vnfc, sight: Sight, now: datetime) -> bool:
    news = _port_news(row, sight, now)
    if news is None:
        return False
    known = {port.port_id: port for port in row.ports.all()}
    if known.keys() - news.keys():
        row.ports.exclude(port_id__in=news).delete()
    fresh = []
    for port_id, seen in news.items():
        before = known.get(port_id)
        if before is not None and _as_seen(before) == seen:
            continue
        values = asdict(seen) | {"ip_addresses": list(seen.ip_addresses)}
        if before is None:
            fresh.append(VnfcPort(vnfc=row, status_since=now, **values))
        else:
            since = before.status_since if before.status == seen.status else now
            worked_until = now if ACTIVE == before.status != seen.status else before.worked_until
            VnfcPort.objects.filter(id=before.id).update(status_since=since, worked_until=worked_until, **values)
    VnfcPort.objects.bulk_create(fresh)
    return True
