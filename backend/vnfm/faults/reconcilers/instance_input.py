"""Loads the input of the evaluation of VNF instances, in a fixed number of queries."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.db.models import Prefetch, Q, QuerySet

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.flavors import scheduler_filters
from vnfm.catalog.domain.vnfd import Vdu
from vnfm.clouds.types import Flavor
from vnfm.faults.domain.alarm_changes import SuppressionScope
from vnfm.faults.domain.evaluate_instance import (
    AntiAffinity,
    MissingFilters,
    ObservedInstance,
    ObservedPort,
    ObservedVnfc,
    evaluate_instance,
)
from vnfm.faults.domain.evaluation_result import ObjectType
from vnfm.faults.reconcilers.evaluation_input import Evaluation
from vnfm.faults.reconcilers.vim_input import cloud_alarms_of, observed_vim
from vnfm.inventory.domain.observation import ACTIVE
from vnfm.inventory.models import ServerGroup, Vnfc, VnfcPort, VnfInstance, VnfVirtualLink
from vnfm.inventory.selectors import strays
from vnfm.lcm.domain.sizing import mates, rosters_from_json
from vnfm.lcm.domain.stack_silence import StackActivity
from vnfm.lcm.domain.states import OperationState, StepState
from vnfm.lcm.domain.steps import UNDO
from vnfm.lcm.models import LcmOpOcc, Step
from vnfm.lcm.selectors.instance_status import InstanceStatus, instance_statuses
from vnfm.vims.models import Vim

_CHANGING = (OperationState.PROCESSING, OperationState.ROLLING_BACK)
"""In these states the operation itself creates, stops and deletes servers."""
_REPORTING = (*_CHANGING, OperationState.FAILED_TEMP)
"""In these states the operation itself reports what is wrong with its stack."""

NOT_DEPLOYED = ObservedInstance(vim=None, stack_id="", stack_name="", stack_status="", stack_reason="", vnfcs=())
"""An instance that is not deployed, or no longer exists: it has no faults."""


def instance_evaluations(ids: Collection[UUID], now: datetime) -> Iterator[Evaluation]:
    """One for each id, also for instances that no longer exist: their alarms must be cleared."""
    found = instance_statuses(list(_instances().filter(id__in=ids)))
    known = {item.instance.id: item for item in found}
    internal, groups, stalled = _internal_networks(ids), _groups(item.instance for item in found), _stalled(found)
    for instance_id in sorted(ids):
        item = known.get(instance_id)
        operation = item.running if item is not None else None
        vim_id = item.instance.vim_id if item is not None else None
        yield Evaluation(
            object_type=ObjectType.VNF_INSTANCE,
            object_id=instance_id,
            name=item.instance.name if item is not None else "",
            version=item.instance.version if item is not None else 0,
            result=evaluate_instance(
                _observed(item, internal, groups, stalled) if item is not None else NOT_DEPLOYED, now
            ),
            vim_id=vim_id,
            operation_id=operation.id if operation is not None else None,
            scope=suppression_scope_of(operation),
            covered_by=(vim_id,) if vim_id is not None else (),
        )


def _instances() -> QuerySet[VnfInstance]:
    """With only those of their ports that are not ACTIVE or not bound, which are few."""
    failing = VnfcPort.objects.filter(~Q(status=ACTIVE) | Q(vif_type="binding_failed"))
    return VnfInstance.objects.prefetch_related(
        "package", "vim__poll_state", "vnfcs", Prefetch("vnfcs__ports", queryset=failing), "cloud_alarms", strays()
    )


def _observed(
    item: InstanceStatus,
    internal: Collection[str],
    groups: Mapping[str, AntiAffinity],
    stalled: Mapping[UUID, datetime],
) -> ObservedInstance:
    instance = item.instance
    instantiated = instance.instantiation_state == VnfInstance.InstantiationState.INSTANTIATED
    if instance.vim is None or not (instantiated or instance.stack_id):
        return NOT_DEPLOYED
    other_ids = mate_ids(instance, instance.vnfcs.all())
    pairs = {vdu.id for vdu in item.vnfd.vdus if vdu.in_pairs} if instance.member_slots else set()
    vnfcs = tuple(
        replace(_vnfc(row, internal), in_pair=row.vdu_id in pairs, mate_id=other_ids.get(str(row.id), ""))
        for row in sorted(instance.vnfcs.all(), key=lambda row: (row.name, row.id))
    )
    return ObservedInstance(
        vim=observed_vim(instance.vim),
        stack_id=instance.stack_id,
        stack_name=instance.stack_name,
        stack_status=instance.stack_status,
        stack_reason=instance.stack_status_reason,
        vnfcs=vnfcs,
        view=item.view,
        anti_affinity=_anti_affinity(item, groups),
        missing_filters=tuple(_missing_filters(item, instance.vim)),
        cloud_alarms=cloud_alarms_of(instance.cloud_alarms.all()),
        stalled_since=stalled.get(item.running.id) if item.running is not None else None,
    )


def _stalled(found: Iterable[InstanceStatus]) -> dict[UUID, datetime]:
    """Operation id → since when the stack that it waits for stands still, by the receipt of its present step."""
    ids = [item.running.id for item in found if item.running is not None and item.running.state in _CHANGING]
    waiting = Step.objects.filter(op__in=ids, state__in=(StepState.WAITING, StepState.UNDOING)) if ids else ()
    activities = {
        step.op_id: StackActivity.from_receipt((step.receipt or {}).get(UNDO, step.receipt)) for step in waiting
    }
    return {op_id: activity.since for op_id, activity in activities.items() if activity is not None and activity.silent}


def _anti_affinity(item: InstanceStatus, groups: Mapping[str, AntiAffinity]) -> tuple[AntiAffinity, ...]:
    """Anti-affinity by the package, where the operator chose it, and by Nova's server groups."""
    rows, chosen = item.instance.vnfcs.all(), item.instance.settings
    own: tuple[AntiAffinity, ...] = ()
    if item.flavour is not None and chosen:
        vdus = [vdu for vdu in item.vnfd.vdus if vdu.anti_affinity and chosen.get(vdu.anti_affinity)]
        own = tuple(rule for vdu in vdus for rule in _rules(item, vdu, rows))
    of_servers = {groups[row.server_id] for row in rows if row.server_id in groups}
    return (*own, *sorted(of_servers, key=lambda group: group.name))


def _rules(item: InstanceStatus, vdu: Vdu, rows: Collection[Vnfc]) -> Iterator[AntiAffinity]:
    """All VNFCs of the VDU, or the two of each of its pairs."""
    members = {str(row.id): row.server_id for row in rows if row.vdu_id == vdu.id}
    if not vdu.in_pairs:
        yield AntiAffinity(vdu.id, frozenset(members.values()))
        return
    mates = mate_ids(item.instance, rows)
    for pair in sorted({tuple(sorted((one, mates[one]))) for one in members if one in mates}):
        yield AntiAffinity(vdu.id, frozenset(members[one] for one in pair))


def _groups(instances: Iterable[VnfInstance]) -> dict[str, AntiAffinity]:
    """Nova's anti-affinity groups, by server id."""
    vims = {instance.vim_id for instance in instances if instance.vim_id is not None}
    found: dict[str, AntiAffinity] = {}
    for row in ServerGroup.objects.filter(vim_id__in=vims, policies__contains="anti-affinity"):
        found |= dict.fromkeys(row.members, AntiAffinity(row.name or row.group_id, frozenset(row.members)))
    return found


def _missing_filters(item: InstanceStatus, vim: Vim) -> Iterator[MissingFilters]:
    """VDUs whose placement needs scheduler filters that are not in the VIM's list."""
    enabled, flavour = vim.scheduler_filters, item.flavour
    if enabled is None or flavour is None:
        return
    flavors = {row["id"]: row["extra_specs"] for row in vim.resources.get("flavors", ())}
    for vdu in item.vnfd.vdus:
        running = next((row for row in item.instance.vnfcs.all() if row.vdu_id == vdu.id), None)
        if running is None:
            continue
        specs = flavors.get(running.flavor_id)
        flavor = Flavor(running.flavor_id, running.flavor, 0, 0, 0, specs) if specs is not None else None
        missing = tuple(name for name in scheduler_filters(flavour.needs_of(vdu), flavor) if name not in enabled)
        if missing:
            yield MissingFilters(vdu.id, missing)


def _vnfc(row: Vnfc, internal: Collection[str]) -> ObservedVnfc:
    since = row.status_since or row.created_at
    return ObservedVnfc(
        vnfc_id=str(row.id),
        vdu_id=row.vdu_id,
        name=row.name,
        server_id=row.server_id,
        desired_stopped=row.desired == Vnfc.Desired.STOPPED,
        status=row.status,
        status_since=since,
        nova_fault=row.fault,
        host=row.host,
        expected_host=row.expected_host,
        host_hash=row.host_hash,
        ports=tuple(
            ObservedPort(
                port.port_id,
                port.cp_id,
                port.status,
                port.status_since or row.created_at,
                port.vif_type,
                port.network_id in internal,
                port.worked_until,
            )
            for port in sorted(row.ports.all(), key=lambda port: (port.cp_id, port.id))
        ),
    )


def mate_ids(instance: VnfInstance, rows: Iterable[Vnfc]) -> dict[str, str]:
    """VNFC id → id of the other VNFC of its pair (1+1)."""
    if not instance.member_slots:
        return {}
    by_slot = {(row.vdu_id, row.slot): str(row.id) for row in rows}
    slots = mates(catalog.vnfd_of(instance.package), rosters_from_json(instance.member_slots))
    found = {own: by_slot.get((vdu, mate)) for (vdu, slot), mate in slots.items() if (own := by_slot.get((vdu, slot)))}
    return {own: mate for own, mate in found.items() if mate is not None}


def _internal_networks(ids: Collection[UUID]) -> set[str]:
    """Networks that the stacks of these instances created."""
    links = VnfVirtualLink.objects.filter(instance_id__in=ids, created_by_stack=True)
    return set(links.values_list("network_id", flat=True))


def suppression_scope_of(operation: LcmOpOcc | None) -> SuppressionScope:
    """The faults that the operation under way on an instance suppresses."""
    if operation is None:
        return SuppressionScope()
    return SuppressionScope(everything=operation.state in _CHANGING, stack=operation.state in _REPORTING)
