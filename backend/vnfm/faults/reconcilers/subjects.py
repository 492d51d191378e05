"""Loads all that the alarms of some instances depend on, in a fixed number of queries."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from vnfm.faults.domain.changes import Changes, Explained, OpenAlarm, changes
from vnfm.faults.domain.evaluate import Key, ObservedInstance, ObservedPort, ObservedVim, ObservedVnfc, evaluate
from vnfm.faults.models import Alarm
from vnfm.inventory.domain.observation import ACTIVE
from vnfm.inventory.models import VimLook, Vnfc, VnfcPort, VnfInstance, VnfVirtualLink
from vnfm.lcm.domain.states import OperationState
from vnfm.lcm.models import LcmOpOcc
from vnfm.vims.models import Vim

_CHANGING = (OperationState.PROCESSING, OperationState.ROLLING_BACK)
"""While an operation is in these, servers come and go because we say so."""

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
    instances = VnfInstance.objects.select_related("vim").in_bulk(ids)
    vnfcs = _vnfcs(ids)
    operations = _operations(ids)
    alarms = _open_alarms(ids)
    servers_at = dict(VimLook.objects.values_list("vim_id", "servers_at"))
    subjects = []
    for instance_id in sorted(ids):
        instance = instances.get(instance_id)
        operation = operations.get(instance_id)
        observed = NOWHERE
        if instance is not None and instance.vim is not None:
            vim = _vim(instance.vim, servers_at.get(instance.vim.id))
            observed = _observed(instance, vim, vnfcs.get(instance_id, ()))
        subjects.append(
            Subject(
                instance_id=instance_id,
                name=instance.name if instance is not None else "",
                vim_id=instance.vim_id if instance is not None else None,
                observed=observed,
                operation_id=operation.id if operation is not None else None,
                explained=_explained(operation),
                open_alarms=alarms[instance_id],
            )
        )
    return subjects


def _observed(instance: VnfInstance, vim: ObservedVim, vnfcs: Collection[ObservedVnfc]) -> ObservedInstance:
    if instance.instantiation_state != VnfInstance.InstantiationState.INSTANTIATED and not instance.stack_id:
        return NOWHERE
    return ObservedInstance(
        vim=vim,
        stack_id=instance.stack_id,
        stack_name=instance.stack_name,
        stack_status=instance.stack_status,
        stack_reason=instance.stack_status_reason,
        vnfcs=tuple(vnfcs),
    )


def _vim(vim: Vim, servers_at: datetime | None) -> ObservedVim:
    return ObservedVim(
        vim_id=str(vim.id),
        name=vim.name,
        reachable=vim.reachable != "False",
        reason=vim.reachable_reason,
        since=vim.reachable_since,
        servers_seen=servers_at is not None and servers_at > vim.reachable_since,
    )


def _vnfcs(ids: Collection[UUID]) -> dict[UUID, list[ObservedVnfc]]:
    ports = _ports(ids)
    found: dict[UUID, list[ObservedVnfc]] = defaultdict(list)
    for row in Vnfc.objects.filter(instance_id__in=ids).order_by("name", "id"):
        found[row.instance_id].append(
            ObservedVnfc(
                vnfc_id=str(row.id),
                vdu_id=row.vdu_id,
                name=row.name,
                server_id=row.server_id,
                desired_stopped=row.desired == Vnfc.Desired.STOPPED,
                status=row.status,
                status_since=row.status_since or row.created_at,
                nova_fault=row.fault,
                ports=tuple(ports.get(row.id, ())),
            )
        )
    return found


def _ports(ids: Collection[UUID]) -> dict[UUID, list[ObservedPort]]:
    """Ports that are not at rest, by VNFC."""
    restless = VnfcPort.objects.filter(~Q(status=ACTIVE) | Q(vif_type="binding_failed"), vnfc__instance_id__in=ids)
    made = VnfVirtualLink.objects.filter(instance_id__in=ids, created_by_stack=True)
    internal = set(made.values_list("network_id", flat=True))
    found: dict[UUID, list[ObservedPort]] = defaultdict(list)
    for row in restless.select_related("vnfc").order_by("cp_id", "id"):
        since = row.status_since or row.vnfc.created_at
        found[row.vnfc_id].append(
            ObservedPort(row.port_id, row.cp_id, row.status, since, row.vif_type, row.network_id in internal)
        )
    return found


def _operations(ids: Collection[UUID]) -> dict[UUID, LcmOpOcc]:
    """The operation of each instance that may explain its faults."""
    states = [*_CHANGING, OperationState.FAILED_TEMP]
    live = LcmOpOcc.objects.filter(instance_uuid__in=ids, state__in=states)
    return {operation.instance_uuid: operation for operation in live.only("id", "instance_uuid", "state")}


def _explained(operation: LcmOpOcc | None) -> Explained:
    if operation is None:
        return Explained()
    return Explained(everything=operation.state in _CHANGING, stack=True)


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
