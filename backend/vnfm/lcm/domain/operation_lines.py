"""Operations in one line each, as the start page and the drawer of operations list them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from vnfm.lcm.domain.states import Operation, OperationState


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
