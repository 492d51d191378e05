"""The values of the start page and of the drawer of operations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from vnfm.vims.domain.reachability import Reachability


@dataclass(frozen=True, slots=True)
class CloudHealth:
    id: str
    name: str
    reachable: Reachability
    quotas: Mapping[str, Mapping[str, int | None]]
    """Limit and use by resource as last polled; limit -1: unlimited."""
    quotas_at: datetime | None
    quotas_unknown_since: datetime | None
    """Since when they could not be polled; None: they are as of `quotas_at`."""


@dataclass(frozen=True, slots=True)
class ObjectProblem:
    """An object with open alarms. `since`: when the oldest of the worst severity was raised."""

    object_type: str
    object_id: str
    name: str
    severity: str
    since: datetime
    alarm_id: str
    cause: str
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class OperationLine:
    """An LCM operation in one line: its progress, or how it ended."""

    id: str
    operation: str
    params: Mapping[str, Any]
    state: str
    instance_id: str
    instance_name: str
    """"" when it has been deleted."""
    started_at: datetime
    state_since: datetime
    steps: int
    steps_done: int
    step: str
    """The current step, or that at which it stopped; "" before the first and after the last."""
    waiting_since: datetime | None
    deadline: datetime
    cancelling: bool
    cancellable: bool
    problem: str
    """The problem that stopped it, in a sentence; "" for none."""


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
    vms: Mapping[str, int]
    elements: Mapping[str, int]
    alarms: Mapping[str, int]
    problems: Sequence[ObjectProblem]
    operations: Sequence[OperationLine]
    operations_open: int
    hours: Sequence[HourOfAlarms]
