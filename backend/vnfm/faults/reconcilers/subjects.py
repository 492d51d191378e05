"""Loads all that the alarms of some instances depend on, in a fixed number of queries."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Prefetch, Q, QuerySet

from vnfm.faults.domain.changes import Changes, Explained, OpenAlarm, changes
from vnfm.faults.domain.evaluate import Key, ObservedInstance, ObservedPort, ObservedVim, ObservedVnfc, evaluate
from vnfm.faults.models import Alarm
from vnfm.inventory.domain.observation import ACTIVE
from vnfm.inventory.models import VimLook, Vnfc, VnfcPort, VnfInstance, VnfVirtualLink
from vnfm.inventory.selectors import strays
from vnfm.lcm.domain.states import OperationState
from vnfm.lcm.insight import Insight, insights
from vnfm.lcm.models import LcmOpOcc
from vnfm.vims.models import Vim

_CHANGING = (OperationState.PROCESSING, OperationState.ROLLING_BACK)
"""While an operation is in these, servers come and go because we say so."""
_EXPLAINING = (*_CHANGING, OperationState.FAILED_TEMP)
"""In these it tells itself what is the matter with its stack."""

NOWHERE = ObservedInstance(vim=None, stack_id="", stack_name="", stack_status="", stack_reason="", vnfcs=())
"""An instance that is not deployed, or no longer exists: it has no faults."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One VNF instance, as far as faults go."""

    instance_id: UUID
    name: str
    vim_id: UUID | None
    observed: ObservedInstance
    operation_id: UUID | None
    explained: Explained
    open_alarms: dict[Key, Alarm]

    def changes(self, now: datetime) -> Changes:
        known = {key: _as_open(alarm) for key, alarm in self.open_alarms.items()}
        return changes(known, evaluate(self.observed, now), self.explained)


def load_subjects(ids: Collection[UUID]) -> list[Subject]:
    """The subjects of these instances, also of those that no longer exist: their alarms must go."""
    found = insights(list(_instances().filter(id__in=ids)))
    known = {item.instance.id: item for item in found}
    internal = _internal_networks(ids)
    alarms = _open_alarms(ids)
    subjects = []
    for instance_id in sorted(ids):
        item = known.get(instance_id)
        operation = item.running if item is not None else None
        subjects.append(
            Subject(
                instance_id=instance_id,
                name=item.instance.name if item is not None else "",
                vim_id=item.instance.vim_id if item is not None else None,
                observed=_observed(item, internal) if item is not None else NOWHERE,
                operation_id=operation.id if operation is not None else None,
                explained=_explained(operation),
                open_alarms=alarms[instance_id],
            )
        )
    return subjects


def _instances() -> QuerySet[VnfInstance]:
    """With those of their ports that are not at rest, and no others: most are, always."""
    restless = VnfcPort.objects.filter(~Q(status=ACTIVE) | Q(vif_type="binding_failed"))
    rows = VnfInstance.objects.select_related("package", "vim", "vim__look")
    return rows.prefetch_related("vnfcs", Prefetch("vnfcs__ports", queryset=restless), strays())


def _observed(item: Insight, internal: Collection[str]) -> ObservedInstance:
    instance = item.instance
    instantiated = instance.instantiation_state == VnfInstance.InstantiationState.INSTANTIATED
    if instance.vim is None or not (instantiated or instance.stack_id):
        return NOWHERE
    return ObservedInstance(
        vim=_vim(instance.vim),
        stack_id=instance.stack_id,
        stack_name=instance.stack_name,
        stack_status=instance.stack_status,
        stack_reason=instance.stack_status_reason,
        vnfcs=tuple(_vnfc(row, internal) for row in sorted(instance.vnfcs.all(), key=lambda row: (row.name, row.id))),
        view=item.view,
    )


def _vim(vim: Vim) -> ObservedVim:
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
    )


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
        ports=tuple(
            ObservedPort(
                port.port_id,
                port.cp_id,
                port.status,
                port.status_since or row.created_at,
                port.vif_type,
                port.network_id in internal,
            )
            for port in sorted(row.ports.all(), key=lambda port: (port.cp_id, port.id))
        ),
    )


def _internal_networks(ids: Collection[UUID]) -> set[str]:
    """Networks that the stacks of these instances made."""
    made = VnfVirtualLink.objects.filter(instance_id__in=ids, created_by_stack=True)
    return set(made.values_list("network_id", flat=True))


def _explained(operation: LcmOpOcc | None) -> Explained:
    if operation is None:
        return Explained()
    return Explained(everything=operation.state in _CHANGING, stack=operation.state in _EXPLAINING)


def _open_alarms(ids: Collection[UUID]) -> dict[UUID, dict[Key, Alarm]]:
    found: dict[UUID, dict[Key, Alarm]] = defaultdict(dict)
    rows = Alarm.objects.filter(managed_object_id__in=ids, cleared_at__isnull=True).select_related("root_cause")
    for row in rows:
        found[row.managed_object_id][_key(row)] = row
    return found


def _key(alarm: Alarm) -> Key:
    return Key(alarm.faulty_resource, alarm.fault_type)


def _as_open(alarm: Alarm) -> OpenAlarm:
    root = alarm.root_cause
    return OpenAlarm(
        severity=alarm.perceived_severity,
        details=tuple(alarm.fault_details),
        vnfc_ids=tuple(alarm.vnfc_ids),
        root=_key(root) if root is not None and root.cleared_at is None else None,
        suppressed=alarm.suppressed_by is not None,
    )
