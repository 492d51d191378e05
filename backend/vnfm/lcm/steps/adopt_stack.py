"""The step that makes an existing Heat stack the instance's."""

from django.db import IntegrityError, transaction

from vnfm.clouds.types import Stack
from vnfm.inventory.services import stack_assign, stack_input_forget
from vnfm.kit.problem import Problem
from vnfm.lcm.domain.steps import Blocked, Done, Outcome, Receipt
from vnfm.lcm.steps.base import Context, Step
from vnfm.lcm.steps.stack_input import package_input, save_snapshot


class AdoptStack(Step):
    """Record the stack as the instance's, and the input of its next update. Changes nothing in the cloud."""

    kind = "adopt_stack@1"
    changes_stack = True

    def submit(self, ctx: Context) -> Receipt:
        return {"stackId": ctx.params["stackId"]}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        stack = ctx.cloud.stacks.status(receipt["stackId"])
        parameters = {**ctx.plan.parameters, **ctx.secrets}
        try:
            with transaction.atomic():
                stack_assign(instance=ctx.instance, stack_id=stack.id, stack_name=stack.name)
                save_snapshot(ctx, package_input(ctx.instance, ctx.instance.package, parameters, ctx.plan.registry))
        except IntegrityError:
            return Blocked(_adopted_by_another(stack))
        return Done(f"{stack.name} is {stack.status} and stays as it is")

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        stack_input_forget(instance_id=ctx.instance.id)
        stack_assign(instance=ctx.instance, stack_id="", stack_name="")
        return Done("The stack is unmanaged again, and as it was")


def _adopted_by_another(stack: Stack) -> Problem:
    detail = f"Stack {stack.name} now belongs to another VNF instance."
    return Problem(409, "STACK_TAKEN", "Conflict", detail, "Roll back.")
