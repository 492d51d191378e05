"""The step that gives new elements of a VNF the SNMP access of their mediation policy (ADR-0051)."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from vnfm.configuration.reconcilers.push import LoadedConfiguration
from vnfm.configuration.reconcilers.snmp_access import load_snmp_access, trap_receiver, unload_snmp_access
from vnfm.devices.errors import DeviceError
from vnfm.elements.models import NetworkElement
from vnfm.elements.services.registration import instance_elements
from vnfm.kit.problem import Cause, Problem
from vnfm.lcm.domain.steps import OUTPUT, Blocked, Done, Outcome, Receipt
from vnfm.lcm.router_steps.base import LONGEST_OUTPUT, MANAGED, LoginStep
from vnfm.lcm.steps.base import Context

ADDED = "added"
"""Key in the receipt: ids of the elements that are done."""
ABSENT = "absent"
"""Key in the receipt: element id to the parts of the access that it did not have before it was changed."""


class SetUpSnmp(LoginStep):
    """Switch SNMP on at what is new, with the community or user of its policy, and have its events sent to us.

    What is there already stays, also in a rollback: that takes back what was added, unless the VMs go too.
    """

    kind = "set_up_snmp@1"

    def submit(self, ctx: Context) -> Receipt:
        return {ADDED: [], ABSENT: {}, OUTPUT: ""}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        if (pause := self.login_pause(ctx, receipt)) is not None:
            return pause
        for element in self._new(ctx):
            if str(element.id) in receipt[ADDED]:
                continue
            if element.state != MANAGED:
                return Blocked(_not_set_up(element, f"it is {element.state.lower()}", ()))
            ctx.report(f"Setting SNMP up at {element.name}, {element.management_address}")
            receipt, outcome = self._load(ctx, receipt, element)
            if not isinstance(outcome, LoadedConfiguration):
                return outcome
            output = f"{element.name}\n{outcome.diff}\n" if outcome.changed else ""
            receipt = {
                **self.retry(ctx, receipt),
                ADDED: [*receipt[ADDED], str(element.id)],
                OUTPUT: (receipt[OUTPUT] + output)[:LONGEST_OUTPUT],
            }
            ctx.report(f"{element.name}: {'set up' if outcome.changed else 'it was there already'}", receipt)
        without = [one.name for one in self._new(ctx) if trap_receiver(one.management_address) is None]
        if without:
            return Done(f"Set up, without a receiver of notifications for {', '.join(without)}: set VNFM_TRAP_ADDRESS")
        changed = receipt[OUTPUT] or any(_absent(receipt).values())
        return Done("Set up" if changed else "It was there already")

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        if not ctx.params["stays"]:
            return Done("What was added goes with its VMs")
        for element in self._new(ctx):
            added = _absent(receipt).get(str(element.id))
            if added and element.state == MANAGED:
                outcome = self._at(ctx, receipt, element, partial(unload_snmp_access, added=added))
                if not isinstance(outcome, LoadedConfiguration):
                    return outcome
        return Done("Taken back")

    def _new(self, ctx: Context) -> Iterator[NetworkElement]:
        existing = ctx.params["existing"]
        return (one for one in instance_elements(ctx.instance) if str(one.id) not in existing)

    def _load(
        self, ctx: Context, receipt: Receipt, element: NetworkElement
    ) -> tuple[Receipt, LoadedConfiguration | Outcome]:
        """The outcome at the element; what was absent there is in the stored receipt before anything changes."""
        noted = dict(receipt)

        def begin(absent: list[str]) -> None:
            # After an attempt that died, what that one noted counts: it may have added all of it.
            noted[ABSENT] = {str(element.id): absent, **_absent(receipt)}
            ctx.report(f"Adding what is absent at {element.name}", noted)

        before = _absent(receipt).get(str(element.id), ())
        outcome = self._at(ctx, noted, element, partial(load_snmp_access, begin=begin, noted=before))
        return noted, outcome

    def _at(
        self,
        ctx: Context,
        receipt: Receipt,
        element: NetworkElement,
        work: Callable[[NetworkElement], LoadedConfiguration],
    ) -> LoadedConfiguration | Outcome:
        try:
            return work(element)
        except ValueError as error:
            return Blocked(_not_set_up(element, str(error), ()))
        except DeviceError as error:
            problem = _not_set_up(element, error.message, (Cause("element", error.message),))
            return self.after_error(ctx, receipt, element, error, problem)


def _absent(receipt: Receipt) -> Mapping[str, list[str]]:
    """Empty for a receipt of an earlier version, which did not note it: then a rollback removes nothing."""
    absent: Mapping[str, list[str]] = receipt.get(ABSENT, {})
    return absent


def _not_set_up(element: NetworkElement, reason: str, causes: tuple[Cause, ...]) -> Problem:
    return Problem(
        502,
        "SNMP_NOT_SET_UP",
        "SNMP was not set up",
        f"{element.name} at {element.management_address}: {reason}",
        "Correct the element or its policies, then retry. Or roll back; with configureSnmp: false it is left out.",
        causes,
    )
