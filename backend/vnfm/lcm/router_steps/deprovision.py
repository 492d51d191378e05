"""The step that removes the cards of VNFCs from the element's configuration before a scale-in removes the VNFCs."""

from collections.abc import Callable, Collection, Mapping, Sequence

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.config_template import UndefinedNameError
from vnfm.catalog.domain.package_record import PackageRecord
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.configuration.reconcilers import push
from vnfm.devices.errors import DeviceError, Refused
from vnfm.elements.models import NetworkElement
from vnfm.elements.services.registration import instance_elements, slots_clear_leaving, slots_mark_leaving
from vnfm.kit.problem import Cause, Problem
from vnfm.lcm.domain.element_config import Component, ConfigRenderer, language_mismatch
from vnfm.lcm.domain.steps import OUTPUT, Blocked, Done, Outcome, Receipt, Waiting
from vnfm.lcm.router_steps.base import (
    LONGEST_OUTPUT,
    MANAGED,
    ElementBinding,
    ElementStep,
    bound_element,
    component,
    config_renderer,
    configuration_templates,
    vnfcs_of,
)
from vnfm.lcm.steps.base import Context

STARTED = "begun"
"""Key in the receipt, true from the moment before the configuration is changed: until then a rollback does nothing."""

NO_REMOVAL = "the package does not say how to take it out"
NO_POLICY = "the element has neither a NETCONF nor an SSH policy"
TAKE_OUT = "how to take it out"


class DeprovisionCards(ElementStep):
    """Remove the cards of VNFCs from the element's configuration. A rollback configures them as new ones."""

    kind = "deprovision_cards@1"

    def vnfd(self, ctx: Context) -> Vnfd:
        """Return the VNFD by which the element is configured: the instance's own, also in a change of the package."""
        return catalog.vnfd_of(ctx.instance.package)

    def submit(self, ctx: Context) -> Receipt:
        return {STARTED: False, OUTPUT: ""}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        removed = self._removed(ctx)
        found = self._found(ctx)
        if found is None or not removed:
            return Done("The element has no configuration of them")
        binding, element = found
        started = {**receipt, STARTED: True}

        def begin() -> None:
            slots_mark_leaving(element_id=element.id, slots=[one.slot for one in removed])
            ctx.report(f"Taking {_slots(removed)} out of the configuration of {element.name}", started)

        def take_out(renderer: ConfigRenderer, files: Mapping[str, str]) -> Outcome:
            texts = renderer.removals(binding.planned, files, removed)
            diff = push.unload(element, texts, begin=begin, timeout=0).diff
            ctx.report(f"{element.name}: done", {**started, OUTPUT: diff[:LONGEST_OUTPUT]})
            return Done(f"{_slots(removed)} of {element.name} no longer configured")

        return self._at(ctx, element, take_out)

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        removed = self._removed(ctx)
        found = self._found(ctx) if receipt.get(STARTED) else None
        if found is None or not removed:
            return Done("Nothing had been removed")
        binding, element = found

        def put_back(renderer: ConfigRenderer, files: Mapping[str, str]) -> Outcome:
            push.load(element, renderer.configuration(binding.planned, files, removed, whole=False), timeout=0)
            slots_clear_leaving(element_id=element.id)
            return Done(f"{_slots(removed)} of {element.name} configured as the package has it")

        return self._at(ctx, element, put_back)

    def _at(
        self, ctx: Context, element: NetworkElement, work: Callable[[ConfigRenderer, Mapping[str, str]], Outcome]
    ) -> Outcome:
        """The outcome of `work` at the element, or of its errors."""
        if element.state != MANAGED:
            return Blocked(_not_removed(element, f"it is {element.state.lower()}", ()))
        renderer = config_renderer(ctx.instance, self.vnfd(ctx), ctx.instance.settings)
        try:
            return work(renderer, configuration_templates(ctx.instance.package))
        except (UndefinedNameError, ValueError) as error:
            return Blocked(_not_removed(element, str(error), ()))
        except DeviceError as error:
            if ctx.elapsed < self.patience(ctx, error) and not isinstance(error, Refused):
                return Waiting(f"{element.name}: {error.message}")
            return Blocked(_not_removed(element, error.message, (Cause("element", error.message),)))

    def _found(self, ctx: Context) -> tuple[ElementBinding, NetworkElement] | None:
        elements = instance_elements(ctx.instance)
        bindings = self.bindings(ctx)
        both = ((binding, bound_element(ctx.instance, binding, elements)) for binding in bindings)
        return next(((binding, element) for binding, element in both if element is not None), None)

    def _removed(self, ctx: Context) -> list[Component]:
        slots: Mapping[str, Sequence[str]] = ctx.params["slots"]
        return [component(row) for row in vnfcs_of(ctx.instance) if row.slot in slots.get(row.vdu_id, ())]


def removed_cards(vnfd: Vnfd, removed: Mapping[str, Collection[str]]) -> dict[str, list[str]]:
    """VDU id → slots: the removed VNFCs that are cards of an element that is the whole VNF."""
    cards = vnfd.element.cards if vnfd.element is not None and not vnfd.element.per_component else ()
    return {vdu_id: list(removed[vdu_id]) for vdu_id in cards if removed.get(vdu_id)}


def why_not_removable(package: PackageRecord, removed: Collection[str], elements: Sequence[NetworkElement]) -> str:
    """Return half a sentence: why the cards of these VDUs must stay in the configuration; "" where they need not."""
    spec = catalog.vnfd_of(package).element
    assert spec is not None, "it has cards"
    removals = [(entry.vdu_id, entry.removal) for entry in spec.day_one if entry.removal]
    if not set(removed) <= {vdu_id for vdu_id, _ in removals}:
        return NO_REMOVAL
    if not all(element.netconf_policy or element.ssh_policy for element in elements):
        return NO_POLICY
    files = configuration_templates(package)
    by_netconf = {element.netconf_policy is not None for element in elements}
    texts = [files[removal] for vdu_id, removal in removals if vdu_id in removed]
    return language_mismatch(texts, TAKE_OUT, by_netconf)


def _slots(removed: Sequence[Component]) -> str:
    slots = ", ".join(one.slot for one in removed)
    return f"Slot {slots}" if len(removed) == 1 else f"Slots {slots}"


def _not_removed(element: NetworkElement, reason: str, causes: tuple[Cause, ...]) -> Problem:
    return Problem(
        502,
        "CARDS_NOT_DEPROVISIONED",
        "The configuration of the cards was not changed",
        f"{element.name} at {element.management_address}: {reason}",
        "Take out what still uses the cards, or mend what the element says; then retry. Or roll back.",
        causes,
    )
