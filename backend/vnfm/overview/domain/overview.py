"""The messages of the start page and of the drawer of operations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from vnfm.faults.domain.evaluation_result import ObjectType
from vnfm.faults.domain.fault_type import Severity
from vnfm.lcm.domain.states import Operation, OperationState
from vnfm.vims.domain.quota_use import QuotaUse
from vnfm.vims.domain.reachability import VimReachable


@dataclass(frozen=True, slots=True)
class CloudHealth:
    id: UUID
    name: str
    reachable: VimReachable
    quotas: Mapping[str, QuotaUse]
    """Resource → its use, as last polled."""
    quotas_at: datetime | None
    quotas_unknown_since: datetime | None
    """They could not be polled since then; null: they are current."""


@dataclass(frozen=True, slots=True)
class ObjectProblem:
    """An object with open alarms."""

    managed_object_type: ObjectType
    managed_object_id: UUID
    managed_object_name: str
    severity: Severity
    """The worst."""
    since: datetime
    """When the oldest alarm of that severity was raised."""
    alarm_id: UUID
    """The oldest alarm of that severity."""
    cause: str
    """Its probable cause."""
    counts: Mapping[str, int]
    """Open alarms by severity."""


@dataclass(frozen=True, slots=True)
class OperationLine:
    """An LCM operation in one line: its progress, or how it ended."""

    id: UUID
    operation: Operation
    operation_params: Mapping[str, Any]
    operation_state: OperationState
    vnf_instance_id: UUID
    vnf_instance_name: str
    """Empty when it has been deleted."""
    started_by: str
    start_time: datetime
    state_entered_time: datetime
    steps: int
    steps_done: int
    step: str
    """The current step, or that at which it stopped."""
    waiting_since: datetime | None
    """The first failure of its cloud, or of the NFVO, to answer."""
    deadline: datetime
    """It waits for them until then."""
    is_cancel_pending: bool
    cancellable: bool
    problem: str
    """The problem that stopped it, in a sentence."""


@dataclass(frozen=True, slots=True)
class OperationLines:
    open: Sequence[OperationLine]
    """The latest that run or wait for a decision."""
    open_count: int
    """Their number in all."""
    ended: Sequence[OperationLine]
    """The operations that ended last."""


@dataclass(frozen=True, slots=True)
class HourOfAlarms:
    begins: datetime
    counts: Mapping[str, int]
    """Alarms raised in this hour, by their highest severity since."""


@dataclass(frozen=True, slots=True)
class Overview:
    at: datetime
    clouds: Sequence[CloudHealth]
    instances: Mapping[str, int]
    """VNF instances: RUNNING, DEGRADED, CHANGING, DOWN, UNKNOWN, NOT_INSTANTIATED."""
    vms: Mapping[str, int]
    """VMs of VNF instances: ACTIVE, ERROR, OTHER, UNKNOWN (not polled lately)."""
    elements: Mapping[str, int]
    """Network elements: REACHABLE, UNREACHABLE, UNKNOWN, SUSPENDED, UNMANAGED."""
    alarms: Mapping[str, int]
    """Open alarms by severity."""
    problems: Sequence[ObjectProblem]
    """Objects with open alarms, the worst and oldest first."""
    operations: Sequence[OperationLine]
    """The latest that run or wait for a decision."""
    operations_open: int
    """Their number in all."""
    hours: Sequence[HourOfAlarms]
    """The last 24, the current one included, oldest first."""
