"""The state transitions of an LCM operation occurrence (SOL003 5.6.2.2), and all that is derived from them.

From this one table come the database check, the partial unique index "one live operation per instance", the allowed
actions of the API, the buttons of the UI with their reasons, and the diagram in the docs.
"""

from dataclasses import dataclass
from enum import StrEnum


class OperationState(StrEnum):
    STARTING = "STARTING"
    """Accepted; grant and plan are under way. Nothing is changed yet."""
    PROCESSING = "PROCESSING"
    COMPLETED = "COMPLETED"
    FAILED_TEMP = "FAILED_TEMP"
    """Stopped at an error; waits for a user: retry, rollback or fail."""
    FAILED = "FAILED"
    ROLLING_BACK = "ROLLING_BACK"
    ROLLED_BACK = "ROLLED_BACK"

    @property
    def words(self) -> str:
        """The state within a sentence: "under way"."""
        return _STATE_WORDS[self]


class StepState(StrEnum):
    PENDING = "PENDING"
    RUNNING = "RUNNING"
    WAITING = "WAITING"
    DONE = "DONE"
    FAILED = "FAILED"
    UNDOING = "UNDOING"
    UNDONE = "UNDONE"

    @property
    def words(self) -> str:
        """The state within a sentence: "taken back"."""
        return _STEP_WORDS[self]


class Operation(StrEnum):
    """SOL003 5.5.4.5 LcmOperationType."""

    INSTANTIATE = "INSTANTIATE"
    SCALE = "SCALE"
    SCALE_TO_LEVEL = "SCALE_TO_LEVEL"
    CHANGE_FLAVOUR = "CHANGE_FLAVOUR"
    OPERATE = "OPERATE"
    HEAL = "HEAL"
    CHANGE_EXT_CONN = "CHANGE_EXT_CONN"
    CHANGE_VNFPKG = "CHANGE_VNFPKG"
    MODIFY_INFO = "MODIFY_INFO"
    TERMINATE = "TERMINATE"
    CREATE_SNAPSHOT = "CREATE_SNAPSHOT"
    REVERT_TO_SNAPSHOT = "REVERT_TO_SNAPSHOT"

    @property
    def task(self) -> str:
        """The last part of the task resource's URL; `modify_info` is the PATCH of the instance."""
        return self.value.lower()

    @property
    def words(self) -> str:
        """The operation at the start of a sentence: "Scaling"."""
        return _OPERATION_WORDS[self]


class CancelMode(StrEnum):
    """SOL003 5.5.4.6."""

    GRACEFUL = "GRACEFUL"
    """The running step may finish; no other begins."""
    FORCEFUL = "FORCEFUL"
    """The running step is no longer waited for."""


S = OperationState

_STATE_WORDS = {
    S.STARTING: "being planned",
    S.PROCESSING: "under way",
    S.COMPLETED: "completed",
    S.FAILED_TEMP: "stopped at an error",
    S.FAILED: "marked failed",
    S.ROLLING_BACK: "being rolled back",
    S.ROLLED_BACK: "rolled back",
}
_STEP_WORDS = {
    StepState.PENDING: "still to come",
    StepState.RUNNING: "under way",
    StepState.WAITING: "waiting",
    StepState.DONE: "done",
    StepState.FAILED: "stopped by an error",
    StepState.UNDOING: "being taken back",
    StepState.UNDONE: "taken back",
}
_OPERATION_WORDS = {
    Operation.INSTANTIATE: "Instantiating",
    Operation.SCALE: "Scaling",
    Operation.SCALE_TO_LEVEL: "Scaling to a level",
    Operation.CHANGE_FLAVOUR: "Changing the flavour",
    Operation.OPERATE: "Starting or stopping",
    Operation.HEAL: "Healing",
    Operation.CHANGE_EXT_CONN: "Changing the connectivity",
    Operation.CHANGE_VNFPKG: "Upgrading",
    Operation.MODIFY_INFO: "Editing the information",
    Operation.TERMINATE: "Terminating",
    Operation.CREATE_SNAPSHOT: "Taking a snapshot",
    Operation.REVERT_TO_SNAPSHOT: "Reverting to a snapshot",
}


def operation_summary(operation: str, state: str) -> str:
    """A sentence without its full stop: "Scaling is under way"."""
    return f"{Operation(operation).words} is {OperationState(state).words}"


TRANSITIONS: dict[OperationState, frozenset[OperationState]] = {
    S.STARTING: frozenset({S.PROCESSING, S.ROLLED_BACK}),
    S.PROCESSING: frozenset({S.COMPLETED, S.FAILED_TEMP}),
    S.FAILED_TEMP: frozenset({S.PROCESSING, S.ROLLING_BACK, S.FAILED}),
    S.ROLLING_BACK: frozenset({S.ROLLED_BACK, S.FAILED_TEMP}),
    S.COMPLETED: frozenset(),
    S.FAILED: frozenset(),
    S.ROLLED_BACK: frozenset(),
}

FINAL_STATES = tuple(state for state, targets in TRANSITIONS.items() if not targets)
LIVE_STATES = tuple(state for state, targets in TRANSITIONS.items() if targets)
"""An instance has at most one operation in these."""
DRIVEN_STATES = (S.STARTING, S.PROCESSING, S.ROLLING_BACK)
"""A worker drives an operation in these; FAILED_TEMP waits for a user."""


def can_transition(source: OperationState, target: OperationState) -> bool:
    return target in TRANSITIONS[source]


@dataclass(frozen=True, slots=True)
class Action:
    """A task that a user may request, whether it is possible now, and if not, why."""

    action: str
    enabled: bool
    disabled_reason: str = ""


ERROR_HANDLING: dict[str, OperationState] = {
    "retry": S.PROCESSING,
    "rollback": S.ROLLING_BACK,
    "fail": S.FAILED,
}
"""SOL003 5.4.14-16: error handling task → the state that it leads to."""

CONDITION_FALSE = "CONDITION_FALSE"
USELESS_RETRY: dict[str, str] = {
    CONDITION_FALSE: "Heat would find the condition false again: roll back, or mark it failed.",
}
"""Code of a problem that stays the same however often the step is tried → why a retry is not offered."""

NEEDS_STATE: dict[str, str] = {
    **{operation.task: "INSTANTIATED" for operation in Operation},
    Operation.INSTANTIATE.task: "NOT_INSTANTIATED",
    Operation.MODIFY_INFO.task: "",
    "delete": "NOT_INSTANTIATED",
}
"""SOL003 5.4: task of a VNF instance → the instantiation state that it needs; "" for any."""


_WRONG_STATE = {
    "INSTANTIATED": "The instance is not instantiated.",
    "NOT_INSTANTIATED": "The instance is instantiated; terminate it first.",
}


def operation_actions(
    state: OperationState, *, one_way: str = "", unwinding: bool = False, cancel_mode: str = "", problem: str = ""
) -> list[Action]:
    """The error handling tasks of one operation occurrence, enabled or not.

    `one_way`: why a step that began cannot be undone; `unwinding`: a rollback has begun, after which the plan no
    longer fits the cloud; `cancel_mode`: of a cancellation that is pending; `problem`: code of what stopped it.
    """
    actions = [_cancel(state, cancel_mode)]
    for name, target in ERROR_HANDLING.items():
        if state != S.FAILED_TEMP or not can_transition(state, target):
            reason = f"Possible once it has stopped at an error; the operation is {state.words}."
        elif name == "rollback" and one_way:
            reason = f"{one_way} Retry it, or mark it failed."
        elif name == "retry" and unwinding:
            reason = "A rollback has begun: roll back again, or mark it failed."
        elif name == "retry" and problem in USELESS_RETRY:
            reason = USELESS_RETRY[problem]
        else:
            reason = ""
        actions.append(Action(name, enabled=not reason, disabled_reason=reason))
    return actions


def _cancel(state: OperationState, mode: str) -> Action:
    """SOL003 5.4.17. A graceful one that is pending may become forceful."""
    reason = ""
    if state not in DRIVEN_STATES:
        reason = f"Possible while it runs; the operation is {state.words}."
    elif mode == CancelMode.FORCEFUL:
        reason = "It is being cancelled already."
    return Action("cancel", enabled=not reason, disabled_reason=reason)


def instance_actions(instantiation_state: str, running: str | None) -> list[Action]:
    """The tasks of a VNF instance, enabled or not; `running` describes its live operation, if there is one."""
    actions = []
    for name, needed in NEEDS_STATE.items():
        if running is not None:
            reason = f"{running}; wait for it or resolve it first."
        elif needed and instantiation_state != needed:
            reason = _WRONG_STATE[needed]
        else:
            reason = ""
        actions.append(Action(name, enabled=not reason, disabled_reason=reason))
    return actions
