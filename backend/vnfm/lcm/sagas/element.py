"""The last steps of a deployment, at the network element: adopted, configured, seen to serve (ADR-0027).

What is at the element is read from our tables, which the poller fills; only loading and pinging speak to it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.config_template import UndefinedNameError
from vnfm.catalog.domain.element import ElementSpec
from vnfm.catalog.domain.settings import effective_settings
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.catalog.models import VnfPackage
from vnfm.configuration.reconcilers import push
from vnfm.devices.errors import CutOff, DeviceError, DeviceRejected, Refused
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
from vnfm.inventory.models import Vnfc, VnfInstance
from vnfm.kit import clock
from vnfm.kit.problem import Cause, Problem
from vnfm.lcm.domain.serving import Component, ElementWanted, Rendering, elements_wanted
from vnfm.lcm.domain.states import OperationState
from vnfm.lcm.domain.steps import OUTPUT, Blocked, Done, Outcome, Receipt, Waiting
from vnfm.lcm.sagas.base import Context, Step, step_kind

PATIENCE = 30.0
"""Seconds for which an element may refuse what it is given: its cards may only be coming up."""
BETWEEN_LOGINS = 15.0
"""Seconds until an element that let nobody in is asked once more: a third try could lock the user out."""
REFUSED = "refused"
"""Where a receipt holds when an element let nobody in; gone with the next that does, and when somebody retries."""
LONGEST_OUTPUT = 20_000
"""Characters of the differences that a step shows: the whole stands with the element's versions."""
MANAGED = NetworkElement.State.MANAGED


@dataclass(frozen=True, slots=True)
class Place:
    """An element that the VNF is, and the row of the component that is all of it."""

    wanted: ElementWanted
    vnfc: Vnfc | None


class ElementStep(Step):
    """What these steps share: the VNF's elements as the package has them."""

    def vnfd(self, ctx: Context) -> Vnfd:
        return catalog.vnfd_of(ctx.planned_package)

    def spec(self, ctx: Context) -> ElementSpec:
        spec = self.vnfd(ctx).element
        assert spec is not None, "planned for a package that has one"
        return spec

    def places(self, ctx: Context) -> list[Place]:
        return places_of(ctx.instance, self.vnfd(ctx), ctx.plan.settings)

    def patience(self, ctx: Context, error: DeviceError) -> float:
        """Seconds for which it may fail so. What has cut us off would do so again, each time it is tried."""
        if isinstance(error, CutOff):
            return 0.0
        return PATIENCE if isinstance(error, DeviceRejected) else self.spec(ctx).seconds_to_serve

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        return Done()


def places_of(instance: VnfInstance, vnfd: Vnfd, settings: Mapping[str, Any]) -> list[Place]:
    """The elements that the VNF is by that VNFD, with those settings and the VNFCs on record."""
    assert vnfd.element is not None, "only such a package is asked"
    rows = {(row.vdu_id, row.slot): row for row in vnfcs_of(instance)}
    components = [component(row) for row in rows.values()]
    found = elements_wanted(vnfd.element, instance.name, effective_settings(vnfd, settings), components)
    return [Place(one, rows[one.component.vdu_id, one.component.slot] if one.component else None) for one in found]


def element_at(instance: VnfInstance, place: Place, elements: Sequence[NetworkElement]) -> NetworkElement | None:
    """Which of the instance's elements that place is, also when somebody has changed its address since."""
    wanted = element_id(instance, place.wanted.key)

    def found(element: NetworkElement) -> bool:
        if place.vnfc is not None:
            return element.vnfc_id == place.vnfc.id
        alone = len(elements) == 1  # a VNF that is one element, wherever somebody says that it is managed
        return alone or element.taken_over is not None or element.management_address == place.wanted.address

    made = next((element for element in elements if element.id == wanted), None)
    return made or next(filter(found, elements), None)


def vnfcs_of(instance: VnfInstance) -> list[Vnfc]:
    """The VNFCs on record in the order of their VDU's slots, with their ports."""
    order = {vdu.id: vdu.slots for vdu in catalog.vnfd_of(instance.package).vdus}

    def place(row: Vnfc) -> tuple[str, int, str]:
        slots = order.get(row.vdu_id, ())
        return row.vdu_id, slots.index(row.slot) if row.slot in slots else len(slots), row.slot

    return sorted(instance.vnfcs.prefetch_related("ports"), key=place)


def component(row: Vnfc) -> Component:
    addresses = {port.cp_id: port.ip_addresses[0] for port in row.ports.all() if port.ip_addresses}
    return Component(row.vdu_id, row.slot, row.name, addresses)


def element_id(instance: VnfInstance, key: str) -> UUID:
    """The same for the same place of the same instantiation: whoever does it again finds what was made."""
    return uuid5(instance.id, f"element/{instance.generation}/{key}")


@step_kind
class AdoptElement(ElementStep):
    """Have the VNF's elements in the list, managed, with the policies that were chosen."""

    kind = "adopt_element@1"

    def find(self, ctx: Context) -> Receipt | None:
        """Only to be taken back: on the way forward `submit` finds what is there, and makes what is not."""
        backward = ctx.op.state == OperationState.ROLLING_BACK
        return {} if backward and self._new(ctx) else None

    def submit(self, ctx: Context) -> Receipt:
        policies = policy_columns(policies_resolve(ctx.params["policies"]))
        standing = [one for one in instance_elements(ctx.instance) if str(one.id) in ctx.params["standing"]]
        for place in self.places(ctx):
            if not place.wanted.address or element_at(ctx.instance, place, standing):
                continue  # what stands is the operator's: their policies and address stay
            element_register_for_vnf(
                instance=ctx.instance,
                vnfc=place.vnfc,
                element_id=element_id(ctx.instance, place.wanted.key),
                name=place.wanted.name,
                columns={"driver": self.spec(ctx).driver, "management_address": place.wanted.address, **policies},
            )
        self._drop_lost(ctx)
        return {}

    def _drop_lost(self, ctx: Context) -> None:
        """Elements of components that a scale-in has removed."""
        if not self.spec(ctx).per_component:
            return
        for element in instance_elements(ctx.instance):
            if element.vnfc_id is None and (registered_by_deployment(element) or element.taken_over is not None):
                element_deregister(element_id=element.id)

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        homeless = [place.wanted.name for place in self.places(ctx) if not place.wanted.address]
        if homeless:
            return Blocked(no_address(homeless))
        found = [f"{element.name} at {element.management_address}" for element in instance_elements(ctx.instance)]
        return Done(", ".join(found))

    def again(self, ctx: Context, receipt: Receipt) -> Receipt:
        return self.submit(ctx)

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        """Those that stood before stay; made ones go; one that was taken over is again what it was."""
        for element in self._new(ctx):
            if registered_by_deployment(element):
                element_deregister(element_id=element.id)
            else:
                element_detach(element_id=element.id)
        return Done("Released")

    def _new(self, ctx: Context) -> list[NetworkElement]:
        return [one for one in instance_elements(ctx.instance) if str(one.id) not in ctx.params["standing"]]


@step_kind
class LoadConfiguration(ElementStep):
    """Load the first configuration of what is new, element by element. What is there already stays.

    It is not taken back: what it is about goes with its VMs.
    """

    kind = "load_configuration@1"

    def submit(self, ctx: Context) -> Receipt:
        return {"loaded": {}, OUTPUT: ""}

    def again(self, ctx: Context, receipt: Receipt) -> Receipt:
        return {name: value for name, value in receipt.items() if name != REFUSED}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        refused = receipt.get(REFUSED)
        if refused and (left := BETWEEN_LOGINS - _since(refused)) > 0:
            return Waiting(f"It let nobody in, and is asked once more in {left:.0f} s", at_least=left)
        loaded, elements = dict(receipt["loaded"]), instance_elements(ctx.instance)
        for place in self.places(ctx):
            element = element_at(ctx.instance, place, elements)
            if element is None:
                return Blocked(_none_there(place), redo=(AdoptElement.kind,))
            if str(element.id) in loaded or (place.vnfc is not None and self._stood(ctx, element)):
                continue
            if element.state != MANAGED:
                return Blocked(_aside(element))
            ctx.tell(f"Loading the configuration of {element.name} at {element.management_address}")
            try:
                text = self._text(ctx, place, element)
                result = push.load(element, text, timeout=0) if text else None
            except (UndefinedNameError, ValueError) as error:
                return Blocked(_not_rendered(element, error))
            except DeviceError as error:
                return self._failed(ctx, receipt, element, error)
            changed = result is not None and result.changed
            loaded[str(element.id)] = {"changed": changed}
            output = receipt[OUTPUT] + (f"{element.name}\n{result.diff}\n" if changed and result is not None else "")
            receipt = {**self.again(ctx, receipt), "loaded": loaded, OUTPUT: output[:LONGEST_OUTPUT]}
            ctx.tell(f"{element.name}: {'loaded' if changed else 'nothing to change'}", receipt)
        return Done(_summary(loaded))

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        return Done("What was loaded goes with its VMs")

    def _stood(self, ctx: Context, element: NetworkElement) -> bool:
        return str(element.id) in ctx.params["standing"]

    def _text(self, ctx: Context, place: Place, element: NetworkElement) -> str:
        added = ctx.plan.added
        new = [component(row) for row in vnfcs_of(ctx.instance) if row.slot in added.get(row.vdu_id, ())]
        rendering = rendering_of(ctx.instance, self.vnfd(ctx), ctx.plan.settings)
        whole = not self._stood(ctx, element)
        return rendering.configuration(place.wanted, day_one_files(ctx.planned_package), new, whole=whole)

    def _failed(self, ctx: Context, receipt: Receipt, element: NetworkElement, error: DeviceError) -> Outcome:
        if isinstance(error, Refused):
            if REFUSED in receipt:
                return Blocked(_not_loaded(element, error, ctx.elapsed))
            noted = {**receipt, REFUSED: clock.now().isoformat()}
            return Waiting(f"{element.name}: {error.message}", noted, at_least=BETWEEN_LOGINS)
        if ctx.elapsed < self.patience(ctx, error):
            return Waiting(f"{element.name}: {error.message}")
        return Blocked(_not_loaded(element, error, ctx.elapsed))


def rendering_of(instance: VnfInstance, vnfd: Vnfd, settings: Mapping[str, Any]) -> Rendering:
    return Rendering(vnfd, str(instance.id), instance.name, settings)


def day_one_files(package: VnfPackage) -> dict[str, str]:
    """The package's configuration templates by path."""
    spec = catalog.vnfd_of(package).element
    entries = spec.day_one if spec else ()
    paths = {path for entry in entries for path in (entry.template, entry.removal) if path}
    return {path: catalog.text_of(package=package, path=path) for path in sorted(paths)}


@step_kind
class ReleaseElement(Step):
    """Before a VNF goes: what happens to its element from now on is no fault."""

    kind = "release_element@1"

    def submit(self, ctx: Context) -> Receipt:
        for element in instance_elements(ctx.instance):
            element_release(element_id=element.id)
        return {}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        return Done("Nobody asks it any more")

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        raise AssertionError("a termination cannot be rolled back: states.operation_actions refuses it")


@step_kind
class RemoveElement(ReleaseElement):
    """After a VNF has gone."""

    kind = "remove_element@1"

    def submit(self, ctx: Context) -> Receipt:
        for element in instance_elements(ctx.instance):
            element_deregister(element_id=element.id)
        return {}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        return Done("It is no longer in the list of elements")


def _since(moment: str) -> float:
    return (clock.now() - datetime.fromisoformat(moment)).total_seconds()


def _summary(loaded: Mapping[str, Mapping[str, Any]]) -> str:
    changed = sum(1 for one in loaded.values() if one["changed"])
    if len(loaded) == 1:
        return "Loaded" if changed else "All of it was there already"
    return f"Loaded into {changed} of {len(loaded)} elements; the others had it already"


def no_address(names: list[str]) -> Problem:
    return Problem(
        502,
        "NO_MANAGEMENT_ADDRESS",
        "An element has no management address",
        f"Neutron shows no address at the connection point that {', '.join(names)} is managed at.",
        "See its port and subnet in Neutron. Retry when it has one; or roll back.",
    )


def _none_there(place: Place) -> Problem:
    return Problem(
        409,
        "NO_ELEMENT",
        "The element is not in the list",
        f"Nothing was loaded into {place.wanted.name} at {place.wanted.address}: somebody removed it "
        "from the elements, or from this VNF instance.",
        "Retry adopts it again, where this operation adopted it; else register it for this VNF instance. Or roll back.",
    )


def _aside(element: NetworkElement) -> Problem:
    return Problem(
        409,
        "NOT_MANAGED",
        "The element is not managed",
        f"Nothing was loaded into {element.name}: it is {element.state.lower()}.",
        "Manage it, then retry. Or roll back.",
    )


def _not_rendered(element: NetworkElement, error: Exception) -> Problem:
    missing = isinstance(error, UndefinedNameError)
    words = f"the cloud shows no address for ${{{error}}}" if missing else str(error)
    return Problem(
        422,
        "NOT_RENDERED",
        "The first configuration cannot be made",
        f"Of {element.name}: {words}.",
        "Roll back and correct what is named; or mark the operation failed and configure the element by hand.",
    )


def _not_loaded(element: NetworkElement, error: DeviceError, elapsed: float) -> Problem:
    refused = isinstance(error, DeviceRejected)
    return Problem(
        502,
        "CONFIGURATION_REFUSED" if refused else "CONFIGURATION_NOT_LOADED",
        "The first configuration was not loaded",
        f"{element.name} at {element.management_address}, after {elapsed:.0f} s: {error.message}",
        "See the element's words. Retry loads it again: what is there already stays. Or roll back.",
        (Cause("element", error.message),),
    )
