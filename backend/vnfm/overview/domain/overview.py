"""The messages of the start page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from vnfm.faults.domain.object_problem import ObjectProblem
from vnfm.lcm.domain.operation_lines import OperationLine
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
