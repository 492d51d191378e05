"""What the start page and the drawer of operations show, as values."""

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
    """Limit and use by resource as last read; limit -1: unlimited."""
    quotas_at: datetime | None
    quotas_unknown_since: datetime | None
    """Nobody could read them since then; null: they are as of `quotas_at`."""


@dataclass(frozen=True, slots=True)
class Problem:
    """An object and its open alarms. `since`: the oldest of the worst of them."""

    object_type: str
    object_id: str
    name: str
    severity: str
    since: datetime
    alarm_id: str
    cause: str
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class OperationAtWork:
    """An LCM operation in one line: how far it is, or how it ended."""

    id: str
    operation: str
    params: Mapping[str, Any]
    state: str
    instance_id: str
    instance_name: str
    """"" when it was deleted since."""
    started_at: datetime
    state_since: datetime
    steps: int
    steps_done: int
    step: str
    """The one at work, or at which it stopped; "" before the first and after the last."""
    waiting_since: datetime | None
    deadline: datetime
    cancelling: bool
    cancellable: bool
    problem: str
    """What stopped it, in a sentence; "" when nothing did."""


@dataclass(frozen=True, slots=True)
class HourOfAlarms:
    begins: datetime
    counts: Mapping[str, int]
    """Alarms raised, by the highest severity that they have had since."""


@dataclass(frozen=True, slots=True)
class Overview:
    at: datetime
    clouds: Sequence[CloudHealth]
    instances: Mapping[str, int]
    vms: Mapping[str, int]
    elements: Mapping[str, int]
    alarms: Mapping[str, int]
    problems: Sequence[Problem]
    operations: Sequence[OperationAtWork]
    operations_open: int
    hours: Sequence[HourOfAlarms]
