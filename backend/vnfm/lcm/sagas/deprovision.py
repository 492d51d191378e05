"""Before VNFCs go by scale-in: their cards leave the element's configuration, so that nothing there misses them."""

from collections.abc import Callable, Collection, Mapping, Sequence

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.config_template import UndefinedNameError
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.catalog.models import VnfPackage
from vnfm.configuration.reconcilers import push
from vnfm.devices.errors import DeviceError, Refused
from vnfm.elements.models import NetworkElement
from vnfm.elements.services.registration import instance_elements, slots_clear_leaving, slots_mark_leaving
from vnfm.kit.problem import Cause, Problem
from vnfm.lcm.domain.serving import Component, Rendering, unspoken
from vnfm.lcm.domain.steps import OUTPUT, Blocked, Done, Outcome, Receipt, Waiting
from vnfm.lcm.sagas.base import Context, step_kind
from vnfm.lcm.sagas.element import (
    LONGEST_OUTPUT,
    MANAGED,
    ElementStep,
    Place,
    component,
    day_one_files,
    element_at,
    rendering_of,
    vnfcs_of,
)

BEGUN = "begun"
"""Where the receipt says that the configuration was about to be changed: before, a rollback has nothing to do there."""

NO_REMOVAL = "the package does not say how to take it out"
NO_WAY_IN = "the element has neither a NETCONF nor an SSH policy"
TAKE_OUT = "how to take it out"


@step_kind
class DeprovisionCards(ElementStep):
    """Take the cards of VNFCs that will go out of the element's configuration. Undone: configured as new ones are."""

    kind = "deprovision_cards@1"

    def vnfd(self, ctx: Context) -> Vnfd:
        """Of the package whose configuration is there: the one that the instance still has."""
        return catalog.vnfd_of(ctx.instance.package)

    def submit(self, ctx: Context) -> Receipt:
        return {BEGUN: False, OUTPUT: ""}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        going = self._going(ctx)
        found = self._found(ctx)
        if found is None or not going:
            return Done("There is nothing of them at the element")
        place, element = found
        begun = {**receipt, BEGUN: True}

        def begin() -> None:
            slots_mark_leaving(element_id=element.id, slots=[one.slot for one in going])
            ctx.tell(f"Taking {_slots(going)} out of the configuration of {element.name}", begun)

        def take_out(rendering: Rendering, files: Mapping[str, str]) -> Outcome:
            texts = rendering.removals(place.wanted, files, going)
            diff = push.unload(element, texts, begin=begin, timeout=0).diff
            ctx.tell(f"{element.name}: done", {**begun, OUTPUT: diff[:LONGEST_OUTPUT]})
            return Done(f"{_slots(going)} of {element.name} no longer configured")

        return self._at(ctx, element, take_out)

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        going = self._going(ctx)
        found = self._found(ctx) if receipt.get(BEGUN) else None
        if found is None or not going:
            return Done("Nothing had been taken out")
        place, element = found

        def put_back(rendering: Rendering, files: Mapping[str, str]) -> Outcome:
            push.load(element, rendering.configuration(place.wanted, files, going, whole=False), timeout=0)
            slots_clear_leaving(element_id=element.id)
            return Done(f"{_slots(going)} of {element.name} configured as the package has it")

        return self._at(ctx, element, put_back)

    def _at(
        self, ctx: Context, element: NetworkElement, work: Callable[[Rendering, Mapping[str, str]], Outcome]
    ) -> Outcome:
        """What comes of work at the element, or what became of it."""
        if element.state != MANAGED:
            return Blocked(_not_taken_out(element, f"it is {element.state.lower()}", ()))
        rendering = rendering_of(ctx.instance, self.vnfd(ctx), ctx.instance.settings)
        try:
            return work(rendering, day_one_files(ctx.instance.package))
        except (UndefinedNameError, ValueError) as error:
            return Blocked(_not_taken_out(element, str(error), ()))
        except DeviceError as error:
            if ctx.elapsed < self.patience(ctx, error) and not isinstance(error, Refused):
                return Waiting(f"{element.name}: {error.message}")
            return Blocked(_not_taken_out(element, error.message, (Cause("element", error.message),)))

    def _found(self, ctx: Context) -> tuple[Place, NetworkElement] | None:
        elements = instance_elements(ctx.instance)
        both = ((place, element_at(ctx.instance, place, elements)) for place in self.places(ctx))
        return next(((place, element) for place, element in both if element is not None), None)

    def _going(self, ctx: Context) -> list[Component]:
        slots: Mapping[str, Sequence[str]] = ctx.params["slots"]
        return [component(row) for row in vnfcs_of(ctx.instance) if row.slot in slots.get(row.vdu_id, ())]


def cards_going(vnfd: Vnfd, removed: Mapping[str, Collection[str]]) -> dict[str, list[str]]:
    """VDU id to slots: of what is removed, the cards of an element that is the VNF as a whole."""
    cards = vnfd.element.cards if vnfd.element is not None and not vnfd.element.per_component else ()
    return {vdu_id: list(removed[vdu_id]) for vdu_id in cards if removed.get(vdu_id)}


def why_they_stay(package: VnfPackage, going: Collection[str], elements: Sequence[NetworkElement]) -> str:
    """Why the cards of these VDUs cannot be taken out of the configuration, as half a sentence; "" where they can."""
    spec = catalog.vnfd_of(package).element
    assert spec is not None, "it has cards"
    removals = {entry.vdu_id: entry.removal for entry in spec.day_one if entry.removal}
    if not set(going) <= removals.keys():
        return NO_REMOVAL
    if not all(element.netconf_policy or element.ssh_policy for element in elements):
        return NO_WAY_IN
    files = day_one_files(package)
    by_netconf = {element.netconf_policy is not None for element in elements}
    return unspoken([files[removals[vdu_id]] for vdu_id in going], TAKE_OUT, by_netconf)


def _slots(going: Sequence[Component]) -> str:
    words = ", ".join(one.slot for one in going)
    return f"Slot {words}" if len(going) == 1 else f"Slots {words}"


def _not_taken_out(element: NetworkElement, words: str, causes: tuple[Cause, ...]) -> Problem:
    return Problem(
        502,
        "CARDS_NOT_DEPROVISIONED",
        "The configuration of the cards was not changed",
        f"{element.name} at {element.management_address}: {words}",
        "Take out what still uses the cards, or mend what the element says; then retry. Or roll back.",
        causes,
    )
