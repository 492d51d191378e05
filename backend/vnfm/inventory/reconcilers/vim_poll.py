"""One poll of one VIM: bring the records up to date with what the cloud runs.

The cost grows with what changed: an unchanged VIM of any size costs a few reads and one row of `VimPollState`.
"""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from time import monotonic
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F, JSONField, Value, prefetch_related_objects
from django.db.models.expressions import CombinedExpression

from vnfm.clouds.errors import CloudError, Denied
from vnfm.clouds.ports import Cloud
from vnfm.inventory.domain.observation import (
    ACTIVE,
    MISSING,
    PortObservation,
    ServerObservation,
    observe_ports,
    observe_server,
)
from vnfm.inventory.models import VimPollState, Vnfc, VnfcPort, VnfInstance
from vnfm.inventory.reconcilers.hosts import forget_hosts, record_groups, record_hosts
from vnfm.inventory.reconcilers.vim_snapshot import (
    FULL_LIST_PERIOD,
    MAX_SINGLE_REQUESTS,
    OUTAGE_FAILURES,
    VimSnapshot,
    fetch_all,
    fetch_changes,
    fetch_slow,
)
from vnfm.inventory.selectors import flavor_names
from vnfm.inventory.services.instances import instance_changed, instances_lock, lock_batches
from vnfm.kit import clock
from vnfm.vims.domain.reachability import reachability_of_error
from vnfm.vims.domain.vim_record import VimRecord
from vnfm.vims.selectors import vim_reachable
from vnfm.vims.services import vim_answer_record, vim_answering_record, vim_reachability_record

MAX_SLOW_AGE = timedelta(minutes=10)
"""A cloud of which no list came for longer is away, whatever small requests it answers."""

_STACK_COLUMNS = ("stack_status", "stack_status_reason", "stack_updated_at", "stack_observed_at")


@dataclass(frozen=True, slots=True)
class VimPollResult:
    """The outcome of a poll. `failures` counts the failed ones in a row, this one included."""

    changed: frozenset[UUID]
    full: bool
    failures: int
    error: str = ""
    problem: CloudError | None = None
    """The error that ended the poll early."""
    snapshot: VimSnapshot | None = None
    """The snapshot of a full poll that reached every service; else None."""
    vim_changed: bool = True
    """Whether it failed, or found a change of the VIM itself: of its reachability or of a host."""


def poll_vim(
    *,
    vim: VimRecord,
    cloud: Cloud,
    now: datetime,
    urgent: bool = False,
    lean: bool = False,
    suspects: Collection[str] = (),
    state: VimPollState | None = None,
) -> VimPollResult:
    """Poll `vim` and record what changed; raises nothing for a cloud that does not answer.

    `now` must be read before the call: rows recorded after it are newer than this poll. `urgent` also sends the
    requests that are sent less often because they take long. `lean` leaves these to `poll_slow` and `full_scan`.
    `suspects` are servers to request in any case. `state` is the VIM's, where it has just been read.
    """
    if state is None:
        state, _ = VimPollState.objects.get_or_create(vim_id=vim.id)
    published, began = state.published_reachable, monotonic()
    snapshot = fetch_changes(vim=vim, state=state, cloud=cloud, now=now, urgent=urgent, lean=lean, suspects=suspects)
    answered_at = now + timedelta(seconds=monotonic() - began)
    _record_answers(vim, snapshot)
    changed = _record(vim, snapshot, now)
    failures = 0 if snapshot.error is None else state.failures + 1
    reachable = _publish_reachability(vim, cloud, state, snapshot, failures=failures, now=now, answered_at=answered_at)
    changed |= _publish_instances(vim, state, reachable)
    save_poll_state(
        state,
        vim,
        snapshot,
        now,
        changed=bool(changed),
        failures=failures,
        published_reachable=state.published_reachable,
    )
    return _result(changed, snapshot, failures, reachability_changed=published != state.published_reachable)


def poll_slow(*, vim: VimRecord, cloud: Cloud, now: datetime, urgent: bool) -> VimPollResult:
    """Poll hosts and stacks, which a lean poll leaves out so that it delays none. `now` and errors as in `poll_vim`."""
    state = VimPollState.objects.get(vim=vim.id)
    snapshot = fetch_slow(vim=vim, state=state, cloud=cloud, now=now, urgent=urgent)
    _record_answers(vim, snapshot)
    changed = _record(vim, snapshot, now)
    # The next poll finds out whether a failure lasts.
    failed = {} if snapshot.error is None or snapshot.unanswered else {"failures": state.failures + 1}
    save_poll_state(state, vim, snapshot, now, changed=bool(changed), **failed)
    return _result(changed, snapshot, failed.get("failures", 0))


def full_scan(*, vim: VimRecord, cloud: Cloud, now: datetime) -> tuple[VimPollResult, frozenset[str]]:
    """List everything, and return the ids of our servers that differ from their records: what the lists of changes hid.

    Records nothing of servers, ports and stacks: a poll that started later may have recorded something newer. The
    suspects are to be requested again (`poll_vim`); with too many of them, the next poll lists everything.
    """
    state = VimPollState.objects.get(vim=vim.id)
    snapshot = fetch_all(vim=vim, state=state, cloud=cloud, now=now)
    _record_answers(vim, snapshot)
    if snapshot.error is not None:
        return _result(set(), snapshot, state.failures), frozenset()
    suspects = frozenset(row.server_id for row in _changed_vnfcs(vim, snapshot, flavor_names(vim), now))
    if not VimPollState.objects.filter(vim=vim.id, groups_at__gt=now).exists():
        _record_placement(vim, snapshot, now)
    full_at = now if len(suspects) <= MAX_SINGLE_REQUESTS else None
    no_hosts = {"hosts_at": None} if vim.capabilities.get("hosts") is False else {}
    answered = VimSnapshot(full=False, groups=snapshot.groups, durations=snapshot.durations)
    save_poll_state(state, vim, answered, now, changed=False, full_at=full_at, **no_hosts)
    return _result(set(), snapshot, state.failures), suspects if full_at is not None else frozenset()


def _record(vim: VimRecord, snapshot: VimSnapshot, now: datetime) -> set[UUID]:
    return _apply(vim, snapshot, now) | _record_placement(vim, snapshot, now)


def _result(
    changed: set[UUID], snapshot: VimSnapshot, failures: int, *, reachability_changed: bool = False
) -> VimPollResult:
    error = "" if snapshot.error is None else f"{snapshot.error.source}: {snapshot.error.message}"
    complete = snapshot if snapshot.full and snapshot.error is None else None
    vim_changed = bool(error) or snapshot.hosts_changed or reachability_changed
    return VimPollResult(frozenset(changed), snapshot.full, failures, error, snapshot.error, complete, vim_changed)


def _record_placement(vim: VimRecord, snapshot: VimSnapshot, now: datetime) -> set[UUID]:
    """Record hosts and server groups; returns the instances on hosts that changed."""
    if snapshot.groups is not None:
        record_groups(vim=vim, groups=snapshot.groups)
    if snapshot.hosts is not None:
        affected = record_hosts(vim=vim, hosts=snapshot.hosts, now=now)
        snapshot.hosts_changed = affected is not None
        return affected or set()
    if snapshot.full and vim.capabilities.get("hosts") is False:
        forget_hosts(vim=vim)
    return set()


def save_poll_state(
    state: VimPollState, vim: VimRecord, snapshot: VimSnapshot, now: datetime, *, changed: bool, **columns: Any
) -> None:
    """Save what was requested, when, and how long it took; `columns` are further ones.

    Writes what this poll found out and nothing else: other polls may have written theirs while it was under way.
    """
    answered = {
        "full_at": snapshot.servers is not None and snapshot.full,
        "servers_at": snapshot.servers is not None,
        "ports_at": "ports" in snapshot.ports_answered,
        "port_ids_at": "port_ids" in snapshot.ports_answered,
        "stacks_at": snapshot.stacks is not None,
        "hosts_at": snapshot.hosts is not None,
        "groups_at": snapshot.groups is not None,
        "changed_at": changed,
    }
    values: dict[str, Any] = {column: now for column, there in answered.items() if there}
    if snapshot.servers is not None:
        values["changes_until"] = _changes_until(state, snapshot, now, changed=changed)
    if snapshot.full and vim.capabilities.get("hosts") is False:
        values["hosts_at"] = None
    if snapshot.durations:
        values["durations"] = CombinedExpression(F("durations"), "||", Value(snapshot.durations, JSONField()))
    VimPollState.objects.filter(vim=vim.id).update(**values | columns)


def _changes_until(state: VimPollState, snapshot: VimSnapshot, now: datetime, *, changed: bool) -> datetime | None:
    """Nova's clock as of this poll, or a moment before: the next one lists what changed since.

    The latest stamp alone would be correct, but after a burst of changes every poll would list all of them until the
    next change; so the time since the last poll is added. A full poll that finds changes, or one with suspects, may
    have found what earlier ones missed because our clock was set forward: then it starts from the stamps again.
    """
    stamps = [server.updated_at for server in (snapshot.servers or {}).values() if server.updated_at is not None]
    latest = max(stamps, default=None)
    restart = (snapshot.full or snapshot.checked_suspects) and changed
    if state.changes_until is None or state.servers_at is None or restart:
        return latest or state.changes_until
    passed = min(max(now - state.servers_at, timedelta(0)), FULL_LIST_PERIOD)
    return max(state.changes_until + passed, latest or state.changes_until)


def _record_answers(vim: VimRecord, snapshot: VimSnapshot) -> None:
    """A full list is several requests: late is one that takes as long as several."""
    answers = {name: seconds / (4 if name == "full" else 1) for name, seconds in snapshot.durations.items()}
    vim_answer_record(vim=vim, answers=answers, unanswered=snapshot.unanswered, now=clock.now())


def _is_slow(cloud: Cloud, state: VimPollState, snapshot: VimSnapshot, now: datetime) -> bool:
    """Return whether a late cloud is there: it answers its smallest request, and did more lately."""
    if snapshot.error is None or not snapshot.unanswered:
        return False
    lately = state.servers_at is not None and now - state.servers_at <= MAX_SLOW_AGE
    return lately and cloud.answers(snapshot.error.source)


def _publish_reachability(
    vim: VimRecord,
    cloud: Cloud,
    state: VimPollState,
    snapshot: VimSnapshot,
    *,
    failures: int,
    now: datetime,
    answered_at: datetime,
) -> str:
    """The VIM's reachability after this poll. It is observed when it answers, however long that takes."""
    error = snapshot.error
    if error is None or _is_slow(cloud, state, snapshot, now):
        vim_answering_record(vim=vim, now=answered_at)
        return "True"
    if isinstance(error, Denied) or failures >= OUTAGE_FAILURES:
        reachable, reason = reachability_of_error(error)
        message = f"{error.source}: {error.message}"
        vim_reachability_record(vim=vim, reachable=reachable, reason=reason, message=message, now=now)
        return reachable
    return vim_reachable(vim_id=vim.id)


def _publish_instances(vim: VimRecord, state: VimPollState, reachable: str) -> set[UUID]:
    """When the VIM becomes unreachable or reachable, the conditions of every instance on it change."""
    if reachable == state.published_reachable:
        return set()
    state.published_reachable = reachable
    instantiated = VnfInstance.InstantiationState.INSTANTIATED
    rows = VnfInstance.objects.filter(vim=vim.id, instantiation_state=instantiated)
    affected = set(rows.values_list("id", flat=True))
    for batch in lock_batches(affected):
        with transaction.atomic():
            for instance in instances_lock(batch):
                instance_changed(instance)
    return affected


def _apply(vim: VimRecord, snapshot: VimSnapshot, now: datetime) -> set[UUID]:
    flavors = flavor_names(vim)
    changed = set()
    for batch in lock_batches(_changed_instances(vim, snapshot, flavors, now)):
        with transaction.atomic():
            instances = instances_lock(batch)
            prefetch_related_objects(instances, "vnfcs__ports")
            for instance in instances:
                if _update(instance, snapshot, flavors, now):
                    instance_changed(instance)
                    changed.add(instance.id)
    return changed


def _changed_instances(vim: VimRecord, snapshot: VimSnapshot, flavors: Mapping[str, str], now: datetime) -> set[UUID]:
    """Instances whose records differ from the snapshot, found without a lock."""
    found = {row.instance_id for row in _changed_vnfcs(vim, snapshot, flavors, now)}
    if snapshot.stacks is not None:
        deployed = VnfInstance.objects.filter(vim=vim.id).exclude(stack_id="").only("stack_id", *_STACK_COLUMNS)
        found |= {row.id for row in deployed if _stack_changes(row, snapshot, now) is not None}
    return found


def _changed_vnfcs(vim: VimRecord, snapshot: VimSnapshot, flavors: Mapping[str, str], now: datetime) -> list[Vnfc]:
    rows = Vnfc.objects.filter(instance__vim=vim.id)
    if not snapshot.full:
        rows = rows.filter(server_id__in=[*(snapshot.servers or ()), *snapshot.servers_gone, *snapshot.ports_of])
    if snapshot.ports is not None:
        rows = rows.prefetch_related("ports")
    return [row for row in rows if _server_change(row, snapshot, flavors, now) or _port_changes(row, snapshot, now)]


def _update(instance: VnfInstance, snapshot: VimSnapshot, flavors: Mapping[str, str], now: datetime) -> bool:
    updated = [_update_stack(instance, snapshot, now)]
    for row in instance.vnfcs.all():
        updated.append(_update_ports(row, snapshot, now))
        updated.append(_update_server(row, snapshot, flavors, now))
    return any(updated)


def _stack_changes(instance: VnfInstance, snapshot: VimSnapshot, now: datetime) -> dict[str, str] | None:
    """New values of the stack's columns; None when nothing changed."""
    if clock.is_newer(instance.stack_observed_at, now):
        return None
    stack = (snapshot.stacks or {}).get(instance.stack_id)
    if stack is not None:
        observed = (stack.status, stack.status_reason, stack.updated_at)
    elif instance.stack_id in snapshot.stacks_gone:
        observed = (MISSING, "Heat has no such stack any more.", instance.stack_updated_at)
    else:
        return None
    after = dict(zip(("stack_status", "stack_status_reason", "stack_updated_at"), observed, strict=True))
    return after if any(getattr(instance, name) != value for name, value in after.items()) else None


def _update_stack(instance: VnfInstance, snapshot: VimSnapshot, now: datetime) -> bool:
    changes = _stack_changes(instance, snapshot, now)
    if changes is None:
        return False
    VnfInstance.objects.filter(id=instance.id).update(**changes, stack_observed_at=now)
    return True


def _server_change(
    row: Vnfc, snapshot: VimSnapshot, flavors: Mapping[str, str], now: datetime
) -> ServerObservation | None:
    if not snapshot.covers_server(row.server_id) or clock.is_newer(row.observed_at, now):
        return None
    before = ServerObservation(
        row.status, row.fault, row.host, row.flavor, row.flavor_id, row.server_name, row.host_hash
    )
    after = observe_server(before, (snapshot.servers or {}).get(row.server_id), flavors)
    return after if after != before else None


def _update_server(row: Vnfc, snapshot: VimSnapshot, flavors: Mapping[str, str], now: datetime) -> bool:
    observed = _server_change(row, snapshot, flavors, now)
    if observed is None:
        return False
    moved = bool(row.host_hash and observed.host_hash) and observed.host_hash != row.host_hash
    Vnfc.objects.filter(id=row.id).update(
        observed_at=now,
        status_since=now if observed.status != row.status else row.status_since,
        host_since=now if moved else row.host_since,
        expected_flavor_id=row.expected_flavor_id or observed.flavor_id,
        expected_host=row.expected_host or observed.host,
        **asdict(observed),
    )
    return True


def _port_changes(row: Vnfc, snapshot: VimSnapshot, now: datetime) -> dict[str, PortObservation] | None:
    """All ports of the server by id; None when nothing changed."""
    if snapshot.ports is None or row.server_id not in snapshot.ports_of:
        return None
    if clock.is_newer(row.observed_at, now):
        return None
    before = {port.port_id: _recorded(port) for port in row.ports.all()}
    ours = [port.port_id for port in row.ports.all() if port.cp_id]
    after = observe_ports(before, ours, snapshot.ports.get(row.server_id, ()))
    return after if after != before else None


def _recorded(port: VnfcPort) -> PortObservation:
    return PortObservation(
        port_id=port.port_id,
        network_id=port.network_id,
        mac_address=port.mac_address,
        ip_addresses=tuple(port.ip_addresses),
        vnic_type=port.vnic_type,
        status=port.status,
        vif_type=port.vif_type,
    )


def _update_ports(row: Vnfc, snapshot: VimSnapshot, now: datetime) -> bool:
    observed_ports = _port_changes(row, snapshot, now)
    if observed_ports is None:
        return False
    known = {port.port_id: port for port in row.ports.all()}
    if known.keys() - observed_ports.keys():
        row.ports.exclude(port_id__in=observed_ports).delete()
    new = []
    for port_id, observed in observed_ports.items():
        before = known.get(port_id)
        if before is not None and _recorded(before) == observed:
            continue
        values = asdict(observed) | {"ip_addresses": list(observed.ip_addresses)}
        if before is None:
            new.append(VnfcPort(vnfc=row, status_since=now, **values))
        else:
            since = before.status_since if before.status == observed.status else now
            worked_until = now if ACTIVE == before.status != observed.status else before.worked_until
            VnfcPort.objects.filter(id=before.id).update(status_since=since, worked_until=worked_until, **values)
    VnfcPort.objects.bulk_create(new)
    return True
