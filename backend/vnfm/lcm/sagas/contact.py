"""How the element is spoken to after its VMs were changed: at another address, with host keys of a new disk."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.elements.models import Equipment, NetworkElement
from vnfm.elements.services.registration import element_reset_host_keys, elements_readdress, instance_elements
from vnfm.inventory.models import Vnfc
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.domain.steps import Blocked, Done, Outcome, Receipt
from vnfm.lcm.sagas.base import Context, step_kind
from vnfm.lcm.sagas.element import ElementStep, Place, element_at, no_address, places_of, vnfcs_of
from vnfm.lcm.sagas.revive import climbs_of, patients_of

FRESH_DISK = ("rebuild", "evacuate")
"""Rungs of a heal after which the same server has another disk."""


MOVE = "move_element@1"


@step_kind
class KeepElement(ElementStep):
    """Does nothing on the way forward. Undone last, when the cloud is as it was: elements are asked where they are.

    `addresses` are those of the elements that are asked where their VNF is managed, as they were before.
    """

    kind = "keep_element@1"

    def vnfd(self, ctx: Context) -> Vnfd:
        return catalog.vnfd_of(ctx.instance.package)

    def places(self, ctx: Context) -> list[Place]:
        """As the instance's settings are: a rollback keeps them."""
        return places_of(ctx.instance, self.vnfd(ctx), ctx.instance.settings)

    def submit(self, ctx: Context) -> Receipt:
        return {}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        return Done()

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        """One that somebody has asked elsewhere meanwhile stays theirs."""
        moves = ctx.op.steps.filter(kind=MOVE).values_list("receipt", flat=True).first() or {"to": {}}
        back = {}
        for element, address in _followed(ctx, self, ctx.params["addresses"]):
            ours = (ctx.params["addresses"][str(element.id)], moves["to"].get(str(element.id)))
            if address and element.management_address in ours:
                back[element.id] = address
        elements_readdress(addresses=back)
        _forget(ctx, ctx.plan.rebuilt)  # from the image of before: that is another disk again
        return Done(_where(instance_elements(ctx.instance)))


@step_kind
class MoveElement(ElementStep):
    """Have elements asked where their VNF is managed now. Undone by `keep_element@1`, when it is where it was."""

    kind = MOVE

    def submit(self, ctx: Context) -> Receipt:
        return {"to": {str(element.id): address for element, address in _followed(ctx, self, ctx.params["addresses"])}}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        elements = instance_elements(ctx.instance)
        lost = [element.name for element in elements if receipt["to"].get(str(element.id)) == ""]
        if lost:
            return Blocked(no_address(lost))
        elements_readdress(addresses={UUID(element_id): address for element_id, address in receipt["to"].items()})
        return Done(_where(instance_elements(ctx.instance)))

    def again(self, ctx: Context, receipt: Receipt) -> Receipt:
        return self.submit(ctx)


@step_kind
class ForgetHostKeys(ElementStep):
    """Forget the pinned host keys of an element of whose management VM this operation has made the disk anew."""

    kind = "forget_host_keys@1"

    def submit(self, ctx: Context) -> Receipt:
        healed = ctx.op.operation == Operation.HEAL
        return {"forgotten": _forget(ctx, _healed(ctx) if healed else ctx.plan.rebuilt)}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        names = ", ".join(receipt["forgotten"])
        return Done(f"{names}: the next one is pinned" if names else "None has")


def _followed(ctx: Context, step: ElementStep, addresses: Mapping[str, str]) -> Iterator[tuple[NetworkElement, str]]:
    """Of these elements, the address that their VNF has for them now, "" where the cloud shows none."""
    elements = instance_elements(ctx.instance)
    for place in step.places(ctx):
        element = element_at(ctx.instance, place, elements)
        if element is not None and str(element.id) in addresses:
            yield element, place.wanted.address


def _where(elements: Sequence[NetworkElement]) -> str:
    return ", ".join(f"{element.name} at {element.management_address}" for element in elements)


def _forget(ctx: Context, fresh: Mapping[str, Sequence[str]]) -> list[str]:
    """Names of the elements that have lost their pinned key; `fresh` is VDU id to slots of what has another disk."""
    forgotten = []
    for element in instance_elements(ctx.instance):
        went = [row.name for row in _managing(ctx, element) if row.slot in fresh.get(row.vdu_id, ())]
        by = {"operation": str(ctx.op.id), "by": ctx.op.started_by}
        if went and element_reset_host_keys(element_id=element.id, vnfcs=went, **by):
            forgotten.append(element.name)
    return forgotten


def _healed(ctx: Context) -> dict[str, list[str]]:
    climbs, found = climbs_of(ctx), defaultdict(list)
    for patient in patients_of(ctx):
        climb = climbs[patient.id]
        if climb.end == "replace" or climb.rung in FRESH_DISK:
            found[patient.vdu_id].append(patient.slot)
    return found


def _managing(ctx: Context, element: NetworkElement) -> list[Vnfc]:
    """The VNFCs that answer at the element's address: the one that it is, or whose port has the address; else, where it
    moves between control VMs without Neutron knowing, these.
    """
    rows = vnfcs_of(ctx.instance)
    if element.vnfc_id is not None:
        return [row for row in rows if row.id == element.vnfc_id]
    at_it = [row for row in rows if any(element.management_address in port.ip_addresses for port in row.ports.all())]
    control = Equipment.objects.filter(element=element, equipment_class=Equipment.Class.CPM)
    return at_it or [row for row in rows if row.id in control.values_list("vnfc_id", flat=True)]
