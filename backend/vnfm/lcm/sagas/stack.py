"""Steps on the Heat stack of an instance: create, update, delete."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from vnfm.clouds.errors import REFUSED, CloudError, Conflict, Failed, NotFound
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import Stack, StackInput
from vnfm.inventory.models import StackSnapshot
from vnfm.kit import clock
from vnfm.kit.problem import Cause, Problem, Source
from vnfm.lcm.domain.states import OperationState
from vnfm.lcm.domain.steps import UNDO, Blocked, Done, Outcome, Receipt, Waiting
from vnfm.lcm.models import Step as LcmStep
from vnfm.lcm.sagas.base import Context, Step, step_kind
from vnfm.lcm.sagas.desired import GONE_BACK, UPDATE_STACK, stack_assigned
from vnfm.lcm.sagas.members import note_members, note_returning
from vnfm.lcm.sagas.spare import spare
from vnfm.lcm.sagas.stack_board import look, pace
from vnfm.lcm.sagas.stack_input import keep_snapshot, stack_held, stack_input, stack_input_before

_SPEAKERS: dict[str, Source] = {"OS::Nova::": "nova", "OS::Neutron::": "neutron", "OS::Glance::": "glance"}
TICK = 1.1
"""Heat's `updated_time` counts whole seconds: only an update that is asked for this long after the last one began is
sure to show as another."""
CHANGES_STACK = ("create_stack@1", "adopt_stack@1", UPDATE_STACK, "replace_failed@1", "mark_failed@1")
"""Kinds of steps after which Heat's clock must go on before it is asked for an update."""
DELETE_BEGINS = 10.0
DELETE_AGAIN, DELETE_PAUSE = 2, 3.0
"""How often, and after how many seconds, a deletion that Heat failed is asked for once more: of a stack that it was
still making, Heat of 2025.1 may trip over its own database, and does it at the next try."""
SLOW = 60.0
"""Seconds that a busy Heat may take to begin what it has accepted."""
PROGRESS_EVERY = 2.0
"""Counting resources costs Heat a walk through the nested stacks; not at every look."""


def stack_problem(cloud: Cloud, stack: Stack, doing: str) -> Problem:
    """Why Heat failed: its own reason, then the reason of each failed resource, innermost last."""
    causes = [Cause("heat", f"{stack.status}: {stack.status_reason}")]
    try:
        failed = [r for r in cloud.stacks.resources(stack.id) if r.status.endswith("FAILED")]
    except CloudError as error:
        causes.append(Cause("vnfm", f"Heat did not tell which resource failed: {error.message}"))
        failed = []
    for resource in sorted(failed, key=lambda r: len(r.path)):
        where = " / ".join((*resource.path, resource.name))
        causes.append(Cause(_speaker(resource.type), f"{where} ({resource.type}): {resource.status_reason}"))
    return Problem(
        status=Failed.status,
        code="STACK_FAILED",
        title="Heat could not do it",
        detail=f"{doing} {stack.name} ended in {stack.status}: {stack.status_reason}",
        next_step="See the last cause. Retry when it is mended, or roll back.",
        causes=tuple(causes),
    )


def _speaker(resource_type: str) -> Source:
    """Whose words a resource's reason holds: Heat passes on what the service behind the type said."""
    for prefix, source in _SPEAKERS.items():
        if resource_type.startswith(prefix):
            return source
    return "heat"


def _await_stack(ctx: Context, receipt: Receipt, action: str, doing: str) -> Outcome:
    stack_id, waited = receipt["stackId"], ctx.elapsed - receipt.get("askedAt", 0.0)
    try:
        stack = look(ctx.cloud, str(ctx.instance.vim_id), stack_id, ctx.op.id)
    except NotFound as error:
        return Blocked(error.as_problem(doing))
    if stack.in_progress:
        return Waiting(f"Heat {stack.status}{_progress(ctx, stack_id)}", at_least=pace(str(ctx.instance.vim_id)))
    if stack.updated_at == receipt.get("before"):
        if waited < SLOW:
            return Waiting(f"Heat has accepted the update and not begun it ({stack.status})")
        return Blocked(_not_begun(stack, doing, waited))
    if stack.status == f"{action}_COMPLETE":
        return Done(f"Heat {stack.status}")
    return Blocked(stack_problem(ctx.cloud, stack, doing))


def _not_begun(stack: Stack, doing: str, waited: float) -> Problem:
    return Problem(
        Failed.status,
        "UPDATE_NOT_BEGUN",
        "Heat has not begun the update",
        f"{doing} {stack.name}: Heat accepted the request {waited:.0f} s ago, and shows nothing of it.",
        "See whether Heat's engine is well. Retry asks again; or roll back.",
        (Cause("heat", f"{stack.status}: {stack.status_reason}"),),
    )


def _progress(ctx: Context, stack_id: str) -> str:
    if ctx.elapsed < PROGRESS_EVERY:
        return ""
    complete, total = ctx.cloud.stacks.progress(stack_id)
    return f": {complete} of {total} resources"


def _delete(ctx: Context, receipt: Receipt) -> Outcome:
    """Ask for deletion unless it is under way; done when Heat no longer knows the stack."""
    try:
        stack = ctx.cloud.stacks.status(receipt["stackId"])
    except NotFound:
        return Done("Heat no longer has the stack")
    if stack.status == "DELETE_IN_PROGRESS":
        return Waiting("Heat DELETE_IN_PROGRESS")
    if stack.status == "DELETE_FAILED" and UNDO in receipt:
        return _delete_again(ctx, stack, receipt[UNDO], lambda noted: {**receipt, UNDO: noted})
    ctx.cloud.stacks.delete(stack.id)
    return Waiting("Heat was asked to delete the stack", {**receipt, UNDO: {"askedAt": ctx.elapsed}})


def _delete_again(
    ctx: Context, stack: Stack, noted: Mapping[str, Any], kept: Callable[[Mapping[str, Any]], Receipt]
) -> Outcome:
    if ctx.elapsed - noted.get("askedAt", 0.0) < DELETE_PAUSE:
        return Waiting(f"Heat {stack.status}: {stack.status_reason}")
    failures = noted.get("failures", 0)
    if failures == DELETE_AGAIN:
        return Blocked(stack_problem(ctx.cloud, stack, "Deleting stack"))
    ctx.cloud.stacks.delete(stack.id)
    again = {**noted, "failures": failures + 1, "askedAt": ctx.elapsed}
    return Waiting("Heat failed to delete the stack, and was asked again", kept(again))


@step_kind
class CreateStack(Step):
    """Create the instance's stack. The name holds the generation: found again after a crash, never met by another."""

    kind = "create_stack@1"

    def find(self, ctx: Context) -> Receipt | None:
        stack = ctx.cloud.stacks.find(ctx.params["name"])
        return self._receipt(ctx, stack.id) if stack else None

    def submit(self, ctx: Context) -> Receipt:
        given = stack_input(ctx, ctx.params)
        keep_snapshot(ctx, given)
        try:
            return self._receipt(ctx, ctx.cloud.stacks.create(ctx.params["name"], given))
        except Conflict:  # the name is this instance's alone: an earlier request whose answer got lost was taken
            if found := self.find(ctx):
                return found
            raise

    @staticmethod
    def _receipt(ctx: Context, stack_id: str) -> Receipt:
        stack_assigned(ctx.instance, stack_id, ctx.params["name"])
        return {"stackId": stack_id}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        if receipt.get("pending"):
            return _ask_when_free(ctx, receipt)
        action = receipt.get("action", "CREATE")
        return _await_stack(ctx, receipt, action, "Creating stack")

    def again(self, ctx: Context, receipt: Receipt) -> Receipt:
        """Heat replaces what failed when it gets the same stack again."""
        return {**_update(ctx, receipt["stackId"]), "action": "UPDATE"}

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        outcome = _delete(ctx, receipt)
        if isinstance(outcome, Done):
            stack_assigned(ctx.instance, "", "")
        return outcome


def _update(ctx: Context, stack_id: str) -> dict[str, Any]:
    """PUT the plan's stack; it stays pending while Heat is at something else, must look again at what failed, or would
    not show the update as another than the last.
    """
    stack = ctx.cloud.stacks.status(stack_id)
    if stack.in_progress or stack.status.endswith("FAILED") or not _will_show(ctx, stack, {}):
        return {"stackId": stack_id, "pending": True}
    return _ask(ctx, stack)


def _ask(ctx: Context, stack: Stack) -> dict[str, Any]:
    try:
        _put(ctx, stack.id, stack_input(ctx, ctx.params))
    except Conflict:
        if not ctx.cloud.stacks.status(stack.id).in_progress:
            raise
        return {"stackId": stack.id, "pending": True}
    return {"stackId": stack.id, "pending": False, "before": stack.updated_at}


def _will_show(ctx: Context, stack: Stack, seen: Mapping[str, Any]) -> bool:
    """Whether an update that is asked for now is sure to have another `updated_time` than the last one."""
    if not stack.updated_at:
        return True
    if seen.get("seen") == stack.updated_at:
        return bool(ctx.elapsed - seen["seenAt"] >= TICK)
    ours = stack.updated_at == ctx.instance.stack_left_at
    just_now = clock.now() - timedelta(seconds=TICK)
    recent = LcmStep.objects.filter(op__instance=ctx.instance, kind__in=CHANGES_STACK, finished_at__gt=just_now)
    return ours and not recent.exists()


def _wait_to_show(ctx: Context, stack: Stack, noted: Mapping[str, Any]) -> Waiting | None:
    """Let Heat's clock go on, so that the update will show; None when it will."""
    if _will_show(ctx, stack, noted):
        return None
    since = noted["seenAt"] if noted.get("seen") == stack.updated_at else ctx.elapsed
    return Waiting("Heat is about to be asked", {**noted, "seen": stack.updated_at, "seenAt": since})


def _put(ctx: Context, stack_id: str, given: StackInput) -> None:
    """Ask Heat for an update, and keep what it was given; what it refused it was not given."""
    held = stack_held(ctx.instance)
    keep_snapshot(ctx, given)
    try:
        ctx.cloud.stacks.update(stack_id, given)
    except CloudError as error:
        if error.http_status in REFUSED and held is not None:
            StackSnapshot.objects.filter(instance=ctx.instance).update(**held)
        raise


def _ask_when_free(ctx: Context, receipt: Receipt) -> Outcome:
    """Heat takes one thing at a time; what it was at may not have been ours, so the plan's stack is PUT after it."""
    stack = ctx.cloud.stacks.status(receipt["stackId"])
    if stack.in_progress:
        return Waiting(f"Heat is still at {stack.status}{_progress(ctx, stack.id)}")
    if held := spare(ctx, receipt, stack) or _wait_to_show(ctx, stack, receipt):
        return held
    return Waiting("Heat was asked for the update", {**receipt, **_ask(ctx, stack), "askedAt": ctx.elapsed})


@step_kind
class UpdateStack(Step):
    """Bring the stack to the plan, or to a stage on the way, by a full PUT, which may be repeated.

    `parameters` and `registry` are what the stage has in place of the plan's. Undone by a PUT of the stage `back`, or
    of what stood before the operation.
    """

    kind = UPDATE_STACK

    def find(self, ctx: Context) -> Receipt | None:
        """On the way back: an update whose answer was lost may have been taken; what was noted before it tells."""
        lost = ctx.op.state == OperationState.ROLLING_BACK and stack_held(ctx.instance) != ctx.op.stack_before
        return {"stackId": ctx.instance.stack_id} if lost else None

    def submit(self, ctx: Context) -> Receipt:
        return _update(ctx, ctx.instance.stack_id)

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        if receipt.get("pending"):
            return _ask_when_free(ctx, receipt)
        return _await_stack(ctx, receipt, "UPDATE", "Updating stack")

    def again(self, ctx: Context, receipt: Receipt) -> Receipt:
        return _update(ctx, receipt["stackId"])

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        """PUT what stood before, with the members that came named for removal."""
        noted = receipt.get(UNDO, {})
        if "before" not in noted:
            return self._go_back(ctx, receipt, noted)
        outcome = _await_stack(ctx, {"stackId": receipt["stackId"], **noted}, "UPDATE", "Rolling back stack")
        return Done("Heat UPDATE_COMPLETE, back at what stood before") if isinstance(outcome, Done) else outcome

    def _go_back(self, ctx: Context, receipt: Receipt, noted: Mapping[str, Any]) -> Outcome:
        stack = ctx.cloud.stacks.status(receipt["stackId"])
        if stack.in_progress:
            return Waiting(f"Heat {stack.status}{_progress(ctx, stack.id)}")
        held = spare(ctx, noted, stack) or _wait_to_show(ctx, stack, noted)
        if isinstance(held, Waiting):
            return Waiting(held.message, {**receipt, UNDO: held.receipt})
        if held is not None:
            return held
        note_members(ctx)
        note_returning(ctx)
        back = ctx.params.get("back")
        _put(ctx, stack.id, stack_input_before(ctx) if back is None else stack_input(ctx, back))
        asked = {"before": stack.updated_at, "askedAt": ctx.elapsed}
        return Waiting("Heat was asked to go back", {**receipt, GONE_BACK: True, UNDO: asked})


@step_kind
class DeleteStack(Step):
    kind = "delete_stack@1"

    def find(self, ctx: Context) -> Receipt | None:
        """Nothing to delete counts as deleted: an instance whose stack was never made can be terminated."""
        return None if ctx.instance.stack_id else {"stackId": ""}

    def submit(self, ctx: Context) -> Receipt:
        ctx.cloud.stacks.delete(ctx.instance.stack_id)
        return {"stackId": ctx.instance.stack_id}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        if not receipt["stackId"]:
            return Done("There was no stack")
        try:
            stack = look(ctx.cloud, str(ctx.instance.vim_id), receipt["stackId"], ctx.op.id)
        except NotFound:
            return Done("Heat no longer has the stack")
        if stack.status == "DELETE_FAILED":
            return _delete_again(ctx, stack, receipt, lambda noted: noted)
        if not stack.status.startswith("DELETE_") and ctx.elapsed > DELETE_BEGINS:
            ctx.cloud.stacks.delete(stack.id)  # the first request was lost on Heat's way
        return Waiting(f"Heat {stack.status}", at_least=pace(str(ctx.instance.vim_id)))

    def again(self, ctx: Context, receipt: Receipt) -> Receipt:
        return self.submit(ctx)

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        raise AssertionError("a termination cannot be rolled back: states.operation_actions refuses it")
