"""Base of the steps at network elements (ADR-0027): the elements of a VNF, and their configuration templates.

The state of an element is read from our tables, which the poller fills; only loading and pinging connect to it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID, uuid5

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.element import ElementSpec
from vnfm.catalog.domain.package_record import PackageRecord
from vnfm.catalog.domain.settings import effective_settings
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.devices.errors import CutOff, DeviceError, DeviceRejected, Refused
from vnfm.elements.models import NetworkElement
from vnfm.inventory import selectors as inventory
from vnfm.inventory.domain.instance_record import InstanceRecord
from vnfm.inventory.domain.resources import VnfcInfo
from vnfm.kit.problem import Problem
from vnfm.lcm.domain.element_config import Component, ConfigRenderer, PlannedElement, planned_elements
from vnfm.lcm.domain.steps import UNDO, Blocked, Done, Outcome, Receipt, Waiting
from vnfm.lcm.steps.base import Context, Step

PATIENCE = 30.0
"""Seconds for which an element may reject a configuration: its cards may still be coming up."""
LONGEST_OUTPUT = 20_000
"""Characters of the configuration differences in a step's output; the element's versions have all of them."""
BETWEEN_LOGINS = 15.0
"""Seconds until the second login at an element that refused the first: a third try could lock the user out."""
LOGIN_REFUSED = "refused"
"""Key in a receipt for the seconds of the step after which an element refused the login; removed by a success, or by a
retry."""
MANAGED = NetworkElement.State.MANAGED


@dataclass(frozen=True, slots=True)
class ElementBinding:
    """A planned element, and the record of its VNFC; None where the element is the whole VNF."""

    planned: PlannedElement
    vnfc: VnfcInfo | None


class ElementStep(Step):
    """The base of steps at the network elements of the planned package."""

    def vnfd(self, ctx: Context) -> Vnfd:
        return catalog.vnfd_of(ctx.planned_package)

    def element_spec(self, ctx: Context) -> ElementSpec:
        spec = self.vnfd(ctx).element
        assert spec is not None, "planned for a package that has one"
        return spec

    def bindings(self, ctx: Context) -> list[ElementBinding]:
        return element_bindings(ctx.instance, self.vnfd(ctx), ctx.plan.settings)

    def patience(self, ctx: Context, error: DeviceError) -> float:
        """Seconds for which the element may fail with this error; 0 where every retry would lose the session again."""
        if isinstance(error, CutOff):
            return 0.0
        return PATIENCE if isinstance(error, DeviceRejected) else self.element_spec(ctx).seconds_to_serve

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        return Done()


class LoginStep(ElementStep):
    """The base of steps that log in at elements: a login that was refused is tried once more, after a pause."""

    def retry(self, ctx: Context, receipt: Receipt) -> Receipt:
        return {name: value for name, value in receipt.items() if name != LOGIN_REFUSED}

    def login_pause(self, ctx: Context, receipt: Receipt) -> Waiting | None:
        """Waiting until the next login is due; None where it is."""
        remaining = receipt.get(LOGIN_REFUSED, -BETWEEN_LOGINS) + BETWEEN_LOGINS - ctx.elapsed
        if remaining <= 0:
            return None
        return Waiting(f"It refused the login; one more login follows in {remaining:.0f} s", at_least=remaining)

    def after_error(
        self, ctx: Context, receipt: Receipt, element: NetworkElement, error: DeviceError, final: Problem
    ) -> Outcome:
        """Waiting while the element may fail with this error, else Blocked with the problem."""
        if isinstance(error, Refused):
            if LOGIN_REFUSED in receipt:
                return Blocked(final)
            noted = {**receipt, LOGIN_REFUSED: ctx.elapsed}
            return Waiting(f"{element.name}: {error.message}", noted, at_least=BETWEEN_LOGINS)
        if ctx.elapsed < self.patience(ctx, error):
            return Waiting(f"{element.name}: {error.message}")
        return Blocked(final)


def undo_outcome(receipt: Receipt, outcome: Outcome) -> Outcome:
    """Return the outcome of an undo with its notes below `UNDO`, where an undo keeps them."""
    if isinstance(outcome, Waiting) and outcome.receipt is not None:
        return replace(outcome, receipt={**receipt, UNDO: outcome.receipt})
    return outcome


def element_bindings(instance: InstanceRecord, vnfd: Vnfd, settings: Mapping[str, Any]) -> list[ElementBinding]:
    """The elements of the instance by that VNFD, with those settings and the recorded VNFCs."""
    assert vnfd.element is not None, "only called for a package with elements"
    rows = {(row.vdu_id, row.slot): row for row in vnfcs_of(instance)}
    components = [component(row) for row in rows.values()]
    found = planned_elements(vnfd.element, instance.name, effective_settings(vnfd, settings), components)
    return [
        ElementBinding(one, rows[one.component.vdu_id, one.component.slot] if one.component else None) for one in found
    ]


def bound_element(
    instance: InstanceRecord, binding: ElementBinding, elements: Sequence[NetworkElement]
) -> NetworkElement | None:
    """The registered one of the instance's elements for a planned one, also if its address was changed since."""
    planned_id = element_id(instance, binding.planned.key)

    def matches(element: NetworkElement) -> bool:
        if binding.vnfc is not None:
            return element.vnfc_id == binding.vnfc.id
        single = len(elements) == 1  # a VNF that is one element, at whatever address it is managed
        return single or element.taken_over is not None or element.management_address == binding.planned.address

    registered = next((element for element in elements if element.id == planned_id), None)
    return registered or next(filter(matches, elements), None)


def vnfcs_of(instance: InstanceRecord) -> list[VnfcInfo]:
    """The recorded VNFCs in the order of their VDU's slots, with their ports."""
    order = {vdu.id: vdu.slots for vdu in catalog.vnfd_of(instance.package).vdus}

    def position(row: VnfcInfo) -> tuple[str, int, str]:
        slots = order.get(row.vdu_id, ())
        return row.vdu_id, slots.index(row.slot) if row.slot in slots else len(slots), row.slot

    return sorted(inventory.vnfcs_of(instance_id=instance.id), key=position)


def component(row: VnfcInfo) -> Component:
    addresses = {port.cp_id: port.ip_addresses[0] for port in row.ports if port.ip_addresses}
    return Component(row.vdu_id, row.slot, row.name, addresses)


def element_id(instance: InstanceRecord, key: str) -> UUID:
    """The id for an element of this instantiation: equal in each run, so that a repeated step finds the element."""
    return uuid5(instance.id, f"element/{instance.generation}/{key}")


def config_renderer(instance: InstanceRecord, vnfd: Vnfd, settings: Mapping[str, Any]) -> ConfigRenderer:
    return ConfigRenderer(vnfd, str(instance.id), instance.name, settings)


def configuration_templates(package: PackageRecord) -> dict[str, str]:
    """The package's configuration templates by path."""
    spec = catalog.vnfd_of(package).element
    entries = spec.day_one if spec else ()
    paths = {path for entry in entries for path in (entry.template, entry.removal) if path}
    return catalog.texts_of(package=package, paths=paths)


def no_address(names: list[str]) -> Problem:
    return Problem(
        502,
        "NO_MANAGEMENT_ADDRESS",
        "An element has no management address",
        f"Neutron shows no address at the connection point that {', '.join(names)} is managed at.",
        "See its port and subnet in Neutron. Retry when it has one; or roll back.",
    )
