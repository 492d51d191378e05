"""The step that loads the first configuration into a VNF's network elements (ADR-0027)."""

from collections.abc import Mapping
from typing import Any

from vnfm.catalog.domain.config_template import UndefinedNameError
from vnfm.configuration.reconcilers import push
from vnfm.devices.errors import CutOff, DeviceError, DeviceRejected, Refused, Unreachable
from vnfm.elements.models import NetworkElement
from vnfm.elements.services.registration import instance_elements
from vnfm.kit.problem import Cause, Problem
from vnfm.lcm.domain.steps import OUTPUT, Blocked, Done, Outcome, Receipt
from vnfm.lcm.router_steps.base import (
    LONGEST_OUTPUT,
    MANAGED,
    ElementBinding,
    LoginStep,
    bound_element,
    component,
    config_renderer,
    configuration_templates,
    vnfcs_of,
)
from vnfm.lcm.router_steps.diagnosis import Diagnosis, diagnose
from vnfm.lcm.router_steps.registration import RegisterElement
from vnfm.lcm.steps.base import Context


class LoadConfiguration(LoginStep):
    """Load the first configuration of what is new, element by element. Existing configuration stays.

    A rollback does not remove it: it is gone with the VMs that it configures.
    """

    kind = "load_configuration@1"

    def submit(self, ctx: Context) -> Receipt:
        return {"loaded": {}, OUTPUT: ""}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        if (pause := self.login_pause(ctx, receipt)) is not None:
            return pause
        loaded, elements = dict(receipt["loaded"]), instance_elements(ctx.instance)
        for binding in self.bindings(ctx):
            element = bound_element(ctx.instance, binding, elements)
            if element is None:
                return Blocked(_not_registered(binding), redo=(RegisterElement.kind,))
            if str(element.id) in loaded or (binding.vnfc is not None and self._existed(ctx, element)):
                continue
            if element.state != MANAGED:
                return Blocked(_not_managed(element))
            ctx.report(f"Loading the configuration of {element.name} at {element.management_address}")
            try:
                text = self._text(ctx, binding, element)
                result = push.load(element, text, timeout=0) if text else None
            except (UndefinedNameError, ValueError) as error:
                return Blocked(_not_rendered(element, error))
            except DeviceError as error:
                return self._failed(ctx, receipt, element, error)
            changed = result is not None and result.changed
            loaded[str(element.id)] = {"changed": changed}
            output = receipt[OUTPUT] + (f"{element.name}\n{result.diff}\n" if changed and result is not None else "")
            receipt = {**self.retry(ctx, receipt), "loaded": loaded, OUTPUT: output[:LONGEST_OUTPUT]}
            ctx.report(f"{element.name}: {'loaded' if changed else 'nothing to change'}", receipt)
        return Done(_summary(loaded))

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        return Done("What was loaded goes with its VMs")

    def _failed(self, ctx: Context, receipt: Receipt, element: NetworkElement, error: DeviceError) -> Outcome:
        """The reason is read from the cloud and the port only where the step gives up."""
        final = _not_loaded(element, error, None, ctx.elapsed)
        outcome = self.after_error(ctx, receipt, element, error, final)
        if isinstance(outcome, Blocked) and isinstance(error, Unreachable):
            return Blocked(_not_loaded(element, error, diagnose(ctx, element), ctx.elapsed))
        return outcome

    def _existed(self, ctx: Context, element: NetworkElement) -> bool:
        return str(element.id) in ctx.params["existing"]

    def _text(self, ctx: Context, binding: ElementBinding, element: NetworkElement) -> str:
        added = ctx.plan.added
        new = [component(row) for row in vnfcs_of(ctx.instance) if row.slot in added.get(row.vdu_id, ())]
        renderer = config_renderer(ctx.instance, self.vnfd(ctx), ctx.plan.settings)
        whole = not self._existed(ctx, element)
        return renderer.configuration(binding.planned, configuration_templates(ctx.planned_package), new, whole=whole)


def _summary(loaded: Mapping[str, Mapping[str, Any]]) -> str:
    changed = sum(1 for one in loaded.values() if one["changed"])
    if len(loaded) == 1:
        return "Loaded" if changed else "It was there already"
    return f"Loaded into {changed} of {len(loaded)} elements; the others had it already"


def _not_registered(binding: ElementBinding) -> Problem:
    return Problem(
        409,
        "NO_ELEMENT",
        "The element is not in the list",
        f"Nothing was loaded into {binding.planned.name} at {binding.planned.address}: it was removed "
        "from the elements, or from this VNF instance.",
        "Retry registers it again, where this operation registered it; else register it for this VNF instance. "
        "Or roll back.",
    )


def _not_managed(element: NetworkElement) -> Problem:
    return Problem(
        409,
        "NOT_MANAGED",
        "The element is not managed",
        f"Nothing was loaded into {element.name}: it is {element.state.lower()}.",
        "Manage it, then retry. Or roll back.",
    )


def _not_rendered(element: NetworkElement, error: Exception) -> Problem:
    missing = isinstance(error, UndefinedNameError)
    reason = f"the cloud shows no address for ${{{error}}}" if missing else str(error)
    return Problem(
        422,
        "NOT_RENDERED",
        "The first configuration cannot be made",
        f"Of {element.name}: {reason}.",
        "Roll back and correct what is named; or mark the operation failed and configure the element by hand.",
    )


REJECTED = (
    "The element rejects a line of the package's day 1 configuration: see its words, then correct the setting that the "
    "line comes from, or the package. Roll back to change either; retry loads the same lines again."
)
LOGIN = (
    "The router runs and refuses the login: compare user and password or key of the element's SSH or NETCONF policy "
    "with the router's day 0, correct one of them and retry. Retry logs in once more, then once after a pause."
)
CUT = (
    "The configuration takes the manager's way to the router away, such as its address, route or access list: correct "
    "the setting that it comes from. Roll back to change it; a retry would be cut off again."
)


def _not_loaded(element: NetworkElement, error: DeviceError, diagnosis: Diagnosis | None, elapsed: float) -> Problem:
    rejected = isinstance(error, DeviceRejected)
    otherwise = "See the element's words. Retry loads it again: what is there already stays. Or roll back."
    by_type = {CutOff: CUT, DeviceRejected: REJECTED, Refused: LOGIN}
    advice = next((words for kind, words in by_type.items() if isinstance(error, kind)), otherwise)
    return Problem(
        502,
        "CONFIGURATION_REFUSED" if rejected else "CONFIGURATION_NOT_LOADED",
        "The first configuration was not loaded",
        f"{element.name} at {element.management_address}, after {elapsed:.0f} s: {error.message}",
        diagnosis.next_step if diagnosis is not None else advice,
        (Cause("element", error.message), *(diagnosis.causes if diagnosis is not None else ())),
    )
