"""Steps on the Heat stack of an instance: create, update, delete."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from vnfm.clouds.errors import REFUSED, CloudError, Conflict, Failed, NotFound
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import Stack, StackInput
from vnfm.inventory.selectors import stack_input_of
from vnfm.inventory.services import stack_assign, stack_input_record, stack_record
from vnfm.kit import clock
from vnfm.kit.problem import Cause, Problem, Source
from vnfm.lcm.domain.stack_silence import PROGRESS
from vnfm.lcm.domain.states import OperationState
from vnfm.lcm.domain.steps import UNDO, Blocked, Done, Outcome, Receipt, Waiting
from vnfm.lcm.models import Step as LcmStep
from vnfm.lcm.steps.base import Context, Step
from vnfm.lcm.steps.replacement_guard import guard_running_servers
from vnfm.lcm.steps.stack_input import previous_stack_input, save_snapshot, stack_input, stack_snapshot
from vnfm.lcm.steps.stack_members import store_recreated_slots, store_used_indexes
from vnfm.lcm.steps.stack_poll import poll_interval, stack_status
from vnfm.lcm.steps.stack_progress import TAKE_OVER, await_progress, take_over, was_reset
from vnfm.lcm.steps.stack_remains import without_stack

_SERVICES: dict[str, Source] = {"OS::Nova::": "nova", "OS::Neutron::": "neutron", "OS::Glance::": "glance"}
TICK = 1.1
"""Heat's `updated_time` has whole seconds: only an update that begins this long after the last one is sure to change
it."""
DELETE_BEGINS = 10.0
DELETE_AGAIN, DELETE_PAUSE = 2, 3.0
"""Requests after a deletion that failed in Heat, and seconds before each: for a stack that it was still creating, Heat
of 2025.1 may fail at its own database, and succeeds at the next try."""
SLOW = 60.0
"""Seconds that a busy Heat may take to begin an update that it has accepted."""
REVERTED = "reverted"
"""Key in the receipt of an update: Heat got the stack from before the operation again."""


def stack_problem(cloud: Cloud, stack: Stack, doing: str) -> Problem:
    """The problem with Heat's own reason, then the reason of each failed resource, innermost last."""
    causes = [Cause("heat", f"{stack.status}: {stack.status_reason}")]
    try:
        failed = [r for r in cloud.stacks.resources(stack.id) if r.status.endswith("FAILED")]
    except CloudError as error:
        causes.append(Cause("vnfm", f"Heat did not say which resource failed: {error.message}"))
        failed = []
    for resource in sorted(failed, key=lambda r: len(r.path)):
        where = " / ".join((*resource.path, resource.name))
        causes.append(Cause(_service_of(resource.type), f"{where} ({resource.type}): {resource.status_reason}"))
    return Problem(
        status=Failed.status,
        code="STACK_FAILED",
        title="Heat failed",
        detail=f"{doing} {stack.name} ended in {stack.status}: {stack.status_reason}",
        next_step="See the last cause. Retry when it is fixed, or roll back.",
        causes=tuple(causes),
    )


def _service_of(resource_type: str) -> Source:
    """The service whose message a resource's reason is: Heat passes on the message of the service behind the type."""
    for prefix, source in _SERVICES.items():
        if resource_type.startswith(prefix):
            return source
    return "heat"


def _await_stack(ctx: Context, receipt: Receipt, action: str, doing: str) -> Outcome:
    stack_id, waited = receipt["stackId"], ctx.elapsed - receipt.get("requestedAt", 0.0)
    try:
        stack = stack_status(ctx.cloud, str(ctx.instance.vim_id), stack_id, ctx.op.id)
    except NotFound as error:
        return Blocked(error.as_problem(doing))
    if stack.in_progress:
        return await_progress(ctx, receipt, stack, at_least=poll_interval(str(ctx.instance.vim_id)))
    if stack.updated_at == receipt.get("before"):
        if waited < SLOW:
            return Waiting(f"Heat has accepted the update and not begun it ({stack.status})")
        return Blocked(_update_not_started(stack, doing, waited))
    if stack.status == f"{action}_COMPLETE":
        stack_record(instance=ctx.instance, stack=stack, now=clock.now())  # any later update is another's
        return Done(f"Heat {stack.status}")
    return _update_failed(ctx, receipt, stack, doing)


def _update_failed(ctx: Context, receipt: Receipt, stack: Stack, doing: str) -> Outcome:
    if was_reset(stack):
        return Waiting("An administrator has reset the stack; the update is requested again", _again(receipt))
    return Blocked(stack_problem(ctx.cloud, stack, doing))


def _again(receipt: Receipt) -> Receipt:
    """Have the update by the plan done once more, when Heat is free."""
    kept = {name: value for name, value in _without_progress(receipt).items() if name not in ("before", "requestedAt")}
    return {**kept, "pending": True, "action": "UPDATE"}


def _without_progress(receipt: Receipt) -> Receipt:
    return {name: value for name, value in receipt.items() if name != PROGRESS}


def _update_not_started(stack: Stack, doing: str, waited: float) -> Problem:
    return Problem(
        Failed.status,
        "UPDATE_NOT_BEGUN",
        "Heat has not begun the update",
        f"{doing} {stack.name}: Heat accepted the request {waited:.0f} s ago, and shows nothing of it.",
        "See whether Heat's engine is well. Retry asks again; or roll back.",
        (Cause("heat", f"{stack.status}: {stack.status_reason}"),),
    )


def _delete(ctx: Context, receipt: Receipt) -> Outcome:
    """Request the deletion, once for each attempt; Done when Heat no longer has the stack."""
    try:
        stack = ctx.cloud.stacks.status(receipt["stackId"])
        if stack.status == "DELETE_IN_PROGRESS" and UNDO in receipt:
            waiting = await_progress(ctx, receipt[UNDO], stack)
            return replace(waiting, receipt={**receipt, UNDO: waiting.receipt})
    except NotFound:
        return Done("Heat no longer has the stack")
    if stack.status == "DELETE_FAILED" and UNDO in receipt:
        return _delete_again(ctx, stack, receipt[UNDO], lambda notes: {**receipt, UNDO: notes})
    ctx.cloud.stacks.delete(stack.id)
    return Waiting("Deletion requested from Heat", {**receipt, UNDO: {"requestedAt": ctx.elapsed}})


def _delete_again(
    ctx: Context, stack: Stack, notes: Mapping[str, Any], receipt_with: Callable[[Mapping[str, Any]], Receipt]
) -> Outcome:
    if ctx.elapsed - notes.get("requestedAt", 0.0) < DELETE_PAUSE:
        return Waiting(f"Heat {stack.status}: {stack.status_reason}")
    failures = notes.get("failures", 0)
    if failures == DELETE_AGAIN:
        return Blocked(stack_problem(ctx.cloud, stack, "Deleting stack"))
    ctx.cloud.stacks.delete(stack.id)
    notes = {**notes, "failures": failures + 1, "requestedAt": ctx.elapsed}
    return Waiting("Heat failed to delete the stack; deletion requested again", receipt_with(notes))


class CreateStack(Step):
    """Create the instance's stack. Its name contains the generation: unique, and found again after a crash."""

    kind = "create_stack@1"
    changes_stack = applies_template = previewed = True

    def find(self, ctx: Context) -> Receipt | None:
        stack = ctx.cloud.stacks.find(ctx.params["name"])
        return self._receipt(ctx, stack.id) if stack else None

    def submit(self, ctx: Context) -> Receipt:
        given = stack_input(ctx, ctx.params)
        save_snapshot(ctx, given)
        try:
            return self._receipt(ctx, ctx.cloud.stacks.create(ctx.params["name"], given))
        except Conflict:  # the name is unique to this instance: an earlier request without an answer succeeded
            if found := self.find(ctx):
                return found
            raise

    @staticmethod
    def _receipt(ctx: Context, stack_id: str) -> Receipt:
        stack_assign(instance=ctx.instance, stack_id=stack_id, stack_name=ctx.params["name"])
        return {"stackId": stack_id}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        if receipt.get("pending"):
            return _update_when_free(ctx, receipt)
        action = receipt.get("action", "CREATE")
        return _await_stack(ctx, receipt, action, "Creating stack")

    def retry(self, ctx: Context, receipt: Receipt) -> Receipt:
        """Heat replaces failed resources when it gets the same stack again."""
        return {**_update(ctx, receipt), "action": "UPDATE"}

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        outcome = _delete(ctx, receipt)
        if isinstance(outcome, Done):
            stack_assign(instance=ctx.instance, stack_id="", stack_name="")
        return outcome


def _update(ctx: Context, receipt: Receipt) -> dict[str, Any]:
    """PUT the plan's stack; pending while Heat is busy, must first check failed servers, or would not show a new
    `updated_time`.
    """
    stack_id = receipt["stackId"]
    stack = ctx.cloud.stacks.status(stack_id)
    if stack.in_progress:
        return {"stackId": stack_id, "pending": True, **take_over(receipt)}
    if stack.status.endswith("FAILED") or not _update_will_show(ctx, stack, {}):
        return {"stackId": stack_id, "pending": True}
    return _request_update(ctx, stack)


def _request_update(ctx: Context, stack: Stack) -> dict[str, Any]:
    try:
        _put(ctx, stack.id, stack_input(ctx, ctx.params))
    except Conflict:
        if not ctx.cloud.stacks.status(stack.id).in_progress:
            raise
        return {"stackId": stack.id, "pending": True}
    # Not from the step's beginning: that may have been a request long ago, whose answer was lost.
    return {"stackId": stack.id, "pending": False, "before": stack.updated_at, "requestedAt": ctx.elapsed}


def _update_will_show(ctx: Context, stack: Stack, notes: Mapping[str, Any]) -> bool:
    """True if an update requested now is sure to get another `updated_time` than the last one."""
    if not stack.updated_at:
        return True
    if notes.get("seen") == stack.updated_at:
        return bool(ctx.elapsed - notes["seenAt"] >= TICK)
    ours = stack.updated_at == ctx.instance.stack_left_at
    just_now = clock.now() - timedelta(seconds=TICK)
    kinds = [step.kind for step in ctx.kinds if step.changes_stack]
    recent = LcmStep.objects.filter(op__instance=ctx.instance.id, kind__in=kinds, finished_at__gt=just_now)
    return ours and not recent.exists()


def _wait_for_tick(ctx: Context, stack: Stack, notes: Mapping[str, Any]) -> Waiting | None:
    """Wait until an update will change `updated_time`; None when it will now."""
    if _update_will_show(ctx, stack, notes):
        return None
    since = notes["seenAt"] if notes.get("seen") == stack.updated_at else ctx.elapsed
    return Waiting("About to request the update from Heat", {**notes, "seen": stack.updated_at, "seenAt": since})


def _put(ctx: Context, stack_id: str, given: StackInput) -> None:
    """Request an update and store its input; restore the previous snapshot when Heat refuses."""
    previous = stack_input_of(instance_id=ctx.instance.id) if ctx.instance.stack_id else None
    save_snapshot(ctx, given)
    try:
        ctx.cloud.stacks.update(stack_id, given)
    except CloudError as error:
        if error.http_status in REFUSED and previous is not None:
            stack_input_record(instance_id=ctx.instance.id, stack=previous)
        raise


def _update_when_free(ctx: Context, receipt: Receipt) -> Outcome:
    """Heat runs one action at a time; the present one may be another user's, so the plan's stack is PUT after it.

    It is PUT over one that stands still when a person retries: with convergence Heat then takes it over, and a Heat
    without convergence refuses.
    """
    stack = ctx.cloud.stacks.status(receipt["stackId"])
    if stack.in_progress and receipt.get(TAKE_OVER):
        requested = {**receipt, TAKE_OVER: False, **_request_update(ctx, stack)}
        return Waiting(f"Update requested from Heat, which has left the stack {stack.status}", requested)
    if stack.in_progress:
        return await_progress(ctx, receipt, stack, "Heat is still")
    if not_yet := guard_running_servers(ctx, receipt, stack) or _wait_for_tick(ctx, stack, receipt):
        return not_yet
    return Waiting("Update requested from Heat", {**_without_progress(receipt), **_request_update(ctx, stack)})


class UpdateStack(Step):
    """Bring the stack to the plan, or to one of its stages, by a full PUT, which may be repeated.

    `parameters` and `registry` are the stage's values in place of the plan's. Undone by a PUT of the stage `back`, or
    of the stack before the operation.
    """

    kind = "update_stack@1"
    changes_stack = applies_template = previewed = True

    def find(self, ctx: Context) -> Receipt | None:
        """In a rollback, an update whose answer was lost may have been accepted: then the stored snapshot is new."""
        lost = ctx.op.state == OperationState.ROLLING_BACK and stack_snapshot(ctx.instance) != ctx.op.stack_before
        return {"stackId": ctx.instance.stack_id} if lost else None

    def submit(self, ctx: Context) -> Receipt:
        return _update(ctx, {"stackId": ctx.instance.stack_id})

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        if receipt.get("pending"):
            return _update_when_free(ctx, receipt)
        return _await_stack(ctx, receipt, "UPDATE", "Updating stack")

    def retry(self, ctx: Context, receipt: Receipt) -> Receipt:
        return _update(ctx, receipt)

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        """PUT the stack from before, with the added members named for removal."""
        notes = receipt.get(UNDO, {})
        if "before" not in notes:
            return self._revert(ctx, receipt, notes)
        outcome = _await_stack(ctx, {"stackId": receipt["stackId"], **notes}, "UPDATE", "Rolling back stack")
        if isinstance(outcome, Waiting) and outcome.receipt is not None:
            return replace(outcome, receipt={**receipt, UNDO: outcome.receipt})
        return Done("Heat UPDATE_COMPLETE, back at what stood before") if isinstance(outcome, Done) else outcome

    def _revert(self, ctx: Context, receipt: Receipt, notes: Mapping[str, Any]) -> Outcome:
        stack = ctx.cloud.stacks.status(receipt["stackId"])
        if stack.in_progress and not take_over(receipt):
            waiting = await_progress(ctx, notes, stack)
            return replace(waiting, receipt={**receipt, UNDO: waiting.receipt})
        not_yet = guard_running_servers(ctx, notes, stack) or _wait_for_tick(ctx, stack, notes)
        if isinstance(not_yet, Waiting):
            return Waiting(not_yet.message, {**receipt, UNDO: not_yet.receipt})
        if not_yet is not None:
            return not_yet
        store_used_indexes(ctx)
        store_recreated_slots(ctx)
        back, kept = ctx.params.get("back"), _without_progress(receipt)
        try:
            _put(ctx, stack.id, previous_stack_input(ctx) if back is None else stack_input(ctx, back))
        except Conflict:
            if not stack.in_progress:
                raise
            return Waiting(f"Heat is still {stack.status}, and does not take the rollback before its end", kept)
        request = {"before": stack.updated_at, "requestedAt": ctx.elapsed}
        return Waiting("Rollback requested from Heat", {**kept, REVERTED: True, UNDO: request})


class DeleteStack(Step):
    kind = "delete_stack@1"

    def find(self, ctx: Context) -> Receipt | None:
        """A stack that was never created counts as deleted, so that its instance can be terminated."""
        return None if ctx.instance.stack_id else {"stackId": ""}

    def submit(self, ctx: Context) -> Receipt:
        ctx.cloud.stacks.delete(ctx.instance.stack_id)
        return {"stackId": ctx.instance.stack_id}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        if not receipt["stackId"]:
            return Done("There was no stack")
        try:
            stack = stack_status(ctx.cloud, str(ctx.instance.vim_id), receipt["stackId"], ctx.op.id)
            if stack.status == "DELETE_IN_PROGRESS":
                return await_progress(ctx, receipt, stack, at_least=poll_interval(str(ctx.instance.vim_id)))
        except NotFound:
            return without_stack(ctx)
        if stack.status == "DELETE_FAILED":
            return _delete_again(ctx, stack, receipt, dict)
        if not stack.status.startswith("DELETE_") and ctx.elapsed > DELETE_BEGINS:
            ctx.cloud.stacks.delete(stack.id)  # the first request was lost
        return Waiting(f"Heat {stack.status}", at_least=poll_interval(str(ctx.instance.vim_id)))

    def retry(self, ctx: Context, receipt: Receipt) -> Receipt:
        return self.submit(ctx)

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        raise AssertionError("a termination cannot be rolled back: states.operation_actions refuses it")
