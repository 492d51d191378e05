"""The steps that give a router whose disk is fresh its configuration again: the one that it had, else its first."""

from collections.abc import Iterator, Mapping, Sequence

from vnfm.catalog.domain.config_template import UndefinedNameError
from vnfm.configuration.models import ConfigurationVersion
from vnfm.configuration.reconcilers import push
from vnfm.configuration.services.versions import Reason
from vnfm.devices.errors import DeviceError
from vnfm.elements.models import NetworkElement
from vnfm.elements.services.registration import instance_elements
from vnfm.kit.problem import Cause, Problem
from vnfm.kit.xml import is_xml
from vnfm.lcm.domain.states import OperationState, StepState
from vnfm.lcm.domain.steps import UNDO, Done, Outcome, Receipt, Waiting
from vnfm.lcm.router_steps.address import KeepStep, forget_host_keys, fresh_disks
from vnfm.lcm.router_steps.base import (
    ElementBinding,
    ElementStep,
    LoginStep,
    bound_element,
    config_renderer,
    configuration_templates,
    undo_outcome,
)
from vnfm.lcm.router_steps.drain import drained_in
from vnfm.lcm.steps.base import Context
from vnfm.lcm.steps.stack import UpdateStack

RESTORED = "restored"
"""Key in a receipt: element id → what was restored, as text."""


class RestoreConfiguration(LoginStep):
    """Bring the configuration of before the operation to routers whose disk is fresh: those of `slots`, or, where that
    is not given, those that the operation turned out to give another disk.
    """

    kind = "restore_configuration@1"

    def submit(self, ctx: Context) -> Receipt:
        return {RESTORED: {}}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        if (pause := self.login_pause(ctx, receipt)) is not None:
            return pause
        for element, binding in routers_in(ctx, self, ctx.params.get("slots") or fresh_disks(ctx)):
            if str(element.id) in receipt[RESTORED]:
                continue
            ctx.report(f"Restoring the configuration of {element.name} at {element.management_address}")
            try:
                message = restored(ctx, self, element, binding)
            except DeviceError as error:
                return self.after_error(ctx, receipt, element, error, not_restored(element, error))
            receipt = {**self.retry(ctx, receipt), RESTORED: {**receipt[RESTORED], str(element.id): message}}
            ctx.report(message, receipt)
        return Done("; ".join(receipt[RESTORED].values()) or "No disk is fresh")

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        return Done("It goes with its disk")


class KeepConfiguration(KeepStep, LoginStep):
    """Undone when the VMs of its `slots` are rebuilt from their old image: they get
    their configuration again, before the next one is rebuilt. Where their update never began they have it still.
    """

    kind = "keep_configuration@1"

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        notes = receipt.get(UNDO)
        if not _update_began(ctx):
            return Done("They were not rebuilt")
        if notes is None:  # host keys of disks that are gone again
            forget_host_keys(ctx, ctx.params["slots"])
            return Waiting("Their host keys are forgotten", {**receipt, UNDO: {RESTORED: {}}})
        return undo_outcome(receipt, self._restore_next(ctx, notes))

    def _restore_next(self, ctx: Context, notes: Receipt) -> Outcome:
        if (pause := self.login_pause(ctx, notes)) is not None:
            return pause
        for element, binding in routers_in(ctx, self, ctx.params["slots"]):
            if str(element.id) in notes[RESTORED]:
                continue
            try:
                message = restored(ctx, self, element, binding)
            except DeviceError as error:
                return self.after_error(ctx, notes, element, error, not_restored(element, error))
            done = {**notes[RESTORED], str(element.id): message}
            return Waiting(message, {**self.retry(ctx, notes), RESTORED: done})
        return Done("; ".join(notes[RESTORED].values()))


def _update_began(ctx: Context) -> bool:
    """Return whether the update of the stack after the step that is being undone has a receipt."""
    own = ctx.op.steps.get(state=StepState.UNDOING)
    update = ctx.op.steps.filter(kind=UpdateStack.kind, seq__gt=own.seq).first()
    return update is not None and update.receipt is not None


def routers_in(
    ctx: Context, step: ElementStep, slots: Mapping[str, Sequence[str]]
) -> Iterator[tuple[NetworkElement, ElementBinding]]:
    """The managed routers of the VNFCs in these slots (by VDU id)."""
    elements = instance_elements(ctx.instance)
    for binding in step.bindings(ctx):
        row, element = binding.vnfc, bound_element(ctx.instance, binding, elements)
        if row is not None and element is not None and row.slot in slots.get(row.vdu_id, ()):
            yield element, binding


def restored(ctx: Context, step: ElementStep, element: NetworkElement, binding: ElementBinding) -> str:
    """Restore it; what was done, as text. Raises DeviceError."""
    version = last_version(element, ctx)
    if version is not None:
        push.restore(element, version.clear_text, timeout=0)
        return f"{element.name}: version {version.number}, last read {version.confirmed_at:%Y-%m-%d %H:%M:%S} UTC"
    text = _first_configuration(ctx, step, binding)
    if not text:
        return f"{element.name}: nothing is known of its configuration"
    push.load(element, text, timeout=0)
    return f"{element.name}: its first configuration"


def last_version(element: NetworkElement, ctx: Context) -> ConfigurationVersion | None:
    """The newest from before the operation changed it, in the language that it is configured in now."""
    versions = ConfigurationVersion.objects.filter(element=element).select_related("content").order_by("-number")
    before = versions.filter(taken_at__lt=ctx.op.start_time)
    if drained_in(
        ctx.op, element
    ):  # which kept what ran until then, such as an operator's change since the last backup
        ours = versions.filter(taken_at__gte=ctx.op.start_time, reason=Reason.PUSH, by=push.DEPLOYMENT).last()
        before = versions.filter(number__lt=ours.number) if ours is not None else before
    by_netconf = element.netconf_policy_id is not None
    return next((one for one in before.iterator() if is_xml(one.clear_text) == by_netconf), None)


def _first_configuration(ctx: Context, step: ElementStep, binding: ElementBinding) -> str:
    forward = ctx.op.state == OperationState.PROCESSING
    renderer = config_renderer(ctx.instance, step.vnfd(ctx), ctx.plan.settings if forward else ctx.instance.settings)
    try:
        return renderer.configuration(binding.planned, configuration_templates(ctx.package), [], whole=True)
    except (UndefinedNameError, ValueError):
        return ""


def not_restored(element: NetworkElement, error: DeviceError) -> Problem:
    return Problem(
        502,
        "CONFIGURATION_NOT_RESTORED",
        "A router has a fresh disk, and not its configuration",
        f"{element.name} at {element.management_address}: {error.message}",
        "See the element's words. Retry restores it again; or bring a version back at the element.",
        (Cause("element", error.message),),
    )
