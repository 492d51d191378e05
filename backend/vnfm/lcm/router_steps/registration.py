"""The steps that register a VNF's network elements, and remove them (ADR-0027)."""

from vnfm.elements.models import NetworkElement
from vnfm.elements.services.mediation_policies import policies_resolve, policy_columns
from vnfm.elements.services.registration import (
    element_deregister,
    element_detach,
    element_register_for_vnf,
    element_release,
    instance_elements,
    registered_by_deployment,
)
from vnfm.lcm.domain.states import OperationState
from vnfm.lcm.domain.steps import Blocked, Done, Outcome, Receipt
from vnfm.lcm.router_steps.base import ElementStep, bound_element, element_id, no_address
from vnfm.lcm.steps.base import Context, Step


class RegisterElement(ElementStep):
    """Register the VNF's elements as managed, with the chosen mediation policies."""

    kind = "register_element@1"

    def find(self, ctx: Context) -> Receipt | None:
        """It is for a rollback alone: on the way forward `submit` itself finds registered elements."""
        backward = ctx.op.state == OperationState.ROLLING_BACK
        return {} if backward and self._new(ctx) else None

    def submit(self, ctx: Context) -> Receipt:
        policies = policy_columns(policies_resolve(ctx.params["policies"]))
        existing = [one for one in instance_elements(ctx.instance) if str(one.id) in ctx.params["existing"]]
        for binding in self.bindings(ctx):
            if not binding.planned.address or bound_element(ctx.instance, binding, existing):
                continue  # an existing element is the operator's: its policies and address stay
            element_register_for_vnf(
                instance=ctx.instance,
                vnfc_id=binding.vnfc.id if binding.vnfc else None,
                element_id=element_id(ctx.instance, binding.planned.key),
                name=binding.planned.name,
                columns={
                    "driver": self.element_spec(ctx).driver,
                    "management_address": binding.planned.address,
                    **policies,
                },
            )
        self._deregister_removed(ctx)
        return {}

    def _deregister_removed(self, ctx: Context) -> None:
        """Deregister elements of components that a scale-in has removed."""
        if not self.element_spec(ctx).per_component:
            return
        for element in instance_elements(ctx.instance):
            if element.vnfc_id is None and (registered_by_deployment(element) or element.taken_over is not None):
                element_deregister(element_id=element.id)

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        without = [binding.planned.name for binding in self.bindings(ctx) if not binding.planned.address]
        if without:
            return Blocked(no_address(without))
        found = [f"{element.name} at {element.management_address}" for element in instance_elements(ctx.instance)]
        return Done(", ".join(found))

    def retry(self, ctx: Context, receipt: Receipt) -> Receipt:
        return self.submit(ctx)

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        """Existing elements stay; registered ones are removed; one that was taken over is as before."""
        for element in self._new(ctx):
            if registered_by_deployment(element):
                element_deregister(element_id=element.id)
            else:
                element_detach(element_id=element.id)
        return Done("Released")

    def _new(self, ctx: Context) -> list[NetworkElement]:
        return [one for one in instance_elements(ctx.instance) if str(one.id) not in ctx.params["existing"]]


class ReleaseElement(Step):
    """Stop managing the elements before their VNF is terminated, so that their loss raises no alarm."""

    kind = "release_element@1"

    def submit(self, ctx: Context) -> Receipt:
        for element in instance_elements(ctx.instance):
            element_release(element_id=element.id)
        return {}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        return Done("It is no longer polled")

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        raise AssertionError("a termination cannot be rolled back: states.operation_actions refuses it")


class RemoveElement(ReleaseElement):
    """Remove the elements of a terminated VNF from the list."""

    kind = "remove_element@1"

    def submit(self, ctx: Context) -> Receipt:
        for element in instance_elements(ctx.instance):
            element_deregister(element_id=element.id)
        return {}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        return Done("It is no longer in the list of elements")
