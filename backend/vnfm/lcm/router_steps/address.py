"""The steps that follow an element to another address, and forget its SSH host keys after its disk was replaced."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.elements.models import Equipment, NetworkElement
from vnfm.elements.services.registration import element_reset_host_keys, elements_readdress, instance_elements
from vnfm.inventory.domain.resources import VnfcInfo
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.domain.steps import Blocked, Done, Outcome, Receipt
from vnfm.lcm.router_steps.base import (
    ElementBinding,
    ElementStep,
    bound_element,
    element_bindings,
    no_address,
    vnfcs_of,
)
from vnfm.lcm.steps.base import Context
from vnfm.lcm.steps.heal_in_place import heal_progress, heal_targets

FRESH_DISK = ("rebuild", "evacuate")
"""Heal actions after which the same server has another disk."""


class KeepStep(ElementStep):
    """The base of steps that do nothing on the way forward: a rollback brings back what was, by the package and the
    settings of the instance, which it keeps.
    """

    def vnfd(self, ctx: Context) -> Vnfd:
        return catalog.vnfd_of(ctx.instance.package)

    def bindings(self, ctx: Context) -> list[ElementBinding]:
        return element_bindings(ctx.instance, self.vnfd(ctx), ctx.instance.settings)

    def submit(self, ctx: Context) -> Receipt:
        return {}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        return Done()


class KeepElementAddress(KeepStep):
    """Undone last, when the cloud is as before: elements get their addresses back.

    `addresses`: element id → its management address before the operation.
    """

    kind = "keep_element_address@1"

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        """An address that an operator has set since stays."""
        moves = ctx.op.steps.filter(kind=MoveElementAddress.kind).values_list("receipt", flat=True).first() or {
            "to": {}
        }
        back = {}
        for element, address in _present_addresses(ctx, self, ctx.params["addresses"]):
            ours = (ctx.params["addresses"][str(element.id)], moves["to"].get(str(element.id)))
            if address and element.management_address in ours:
                back[element.id] = address
        elements_readdress(addresses=back)
        spec = catalog.vnfd_of(ctx.planned_package).element
        if spec is None or not spec.per_component:  # else stage by stage: `KeepConfiguration` did, and logged in since
            forget_host_keys(ctx, ctx.plan.rebuilt)  # rebuilt from the old image: another disk again
        return Done(_where(instance_elements(ctx.instance)))


class MoveElementAddress(ElementStep):
    """Give elements the present management address of their VNF. Undone by `KeepElementAddress`."""

    kind = "move_element_address@1"

    def submit(self, ctx: Context) -> Receipt:
        return {
            "to": {
                str(element.id): address for element, address in _present_addresses(ctx, self, ctx.params["addresses"])
            }
        }

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        elements = instance_elements(ctx.instance)
        without = [element.name for element in elements if receipt["to"].get(str(element.id)) == ""]
        if without:
            return Blocked(no_address(without))
        elements_readdress(addresses={UUID(element_id): address for element_id, address in receipt["to"].items()})
        return Done(_where(instance_elements(ctx.instance)))

    def retry(self, ctx: Context, receipt: Receipt) -> Receipt:
        return self.submit(ctx)


class ForgetHostKeys(ElementStep):
    """Forget the pinned host keys of an element whose management VM got a fresh disk in this operation, or in one stage
    of it (`slots`).
    """

    kind = "forget_host_keys@1"

    def submit(self, ctx: Context) -> Receipt:
        return {"forgotten": forget_host_keys(ctx, ctx.params.get("slots") or fresh_disks(ctx))}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        names = ", ".join(receipt["forgotten"])
        return Done(f"{names}: the next one is pinned" if names else "None has")


def _present_addresses(
    ctx: Context, step: ElementStep, addresses: Mapping[str, str]
) -> Iterator[tuple[NetworkElement, str]]:
    """Each of these elements with its present management address, "" where the cloud shows none."""
    elements = instance_elements(ctx.instance)
    for binding in step.bindings(ctx):
        element = bound_element(ctx.instance, binding, elements)
        if element is not None and str(element.id) in addresses:
            yield element, binding.planned.address


def _where(elements: Sequence[NetworkElement]) -> str:
    return ", ".join(f"{element.name} at {element.management_address}" for element in elements)


def forget_host_keys(ctx: Context, fresh: Mapping[str, Sequence[str]]) -> list[str]:
    """Forget the keys; returns the elements' names. `fresh`: VDU id → slots of the VNFCs with another disk."""
    forgotten = []
    for element in instance_elements(ctx.instance):
        replaced = [row.name for row in _managing(ctx, element) if row.slot in fresh.get(row.vdu_id, ())]
        by = {"operation": str(ctx.op.id), "by": ctx.op.started_by}
        if replaced and element_reset_host_keys(element_id=element.id, vnfcs=replaced, **by):
            forgotten.append(element.name)
    return forgotten


def fresh_disks(ctx: Context) -> Mapping[str, Sequence[str]]:
    """VDU id → slots of the VNFCs that have got another disk in this operation."""
    return _healed(ctx) if ctx.op.operation == Operation.HEAL else ctx.plan.rebuilt


def _healed(ctx: Context) -> dict[str, list[str]]:
    progress, found = heal_progress(ctx), defaultdict(list)
    for target in heal_targets(ctx):
        if progress[target.id].result == "replace" or progress[target.id].action in FRESH_DISK:
            found[target.vdu_id].append(target.slot)
    return found


def _managing(ctx: Context, element: NetworkElement) -> list[VnfcInfo]:
    """The VNFCs that answer at the element's address: its own, or those whose port has the address; else, where the
    address moves between control VMs outside Neutron, all control VMs.
    """
    rows = vnfcs_of(ctx.instance)
    if element.vnfc_id is not None:
        return [row for row in rows if row.id == element.vnfc_id]
    matching = [row for row in rows if any(element.management_address in port.ip_addresses for port in row.ports)]
    control = Equipment.objects.filter(element=element, equipment_class=Equipment.Class.CPM)
    return matching or [row for row in rows if row.id in control.values_list("vnfc_id", flat=True)]
