"""The steps that make the removal of a router hitless: its neighbours leave it first, and its siblings keep theirs."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Q

from vnfm.configuration.domain.drain import DrainChange
from vnfm.configuration.reconcilers.drain import drain, read_drain_changes, undrain
from vnfm.devices.errors import DeviceError
from vnfm.elements.models import BgpPeer, NetworkElement
from vnfm.elements.reconcilers.traffic_rate import carried_octets
from vnfm.elements.services.registration import instance_elements
from vnfm.kit import clock
from vnfm.kit.problem import Cause, Problem
from vnfm.lcm.domain.drain import FALL_SECONDS, is_quiet
from vnfm.lcm.domain.states import StepState
from vnfm.lcm.domain.steps import UNDO, Blocked, Done, Outcome, Receipt, Waiting
from vnfm.lcm.models import LcmOpOcc, Step
from vnfm.lcm.router_steps.base import ElementStep, LoginStep, undo_outcome
from vnfm.lcm.steps.base import Context

ROUTERS = "routers"
"""Key in the receipt: element id → its changes (contexts, line, undo), whether they are made, and its traffic."""
SICK = "sick"
"""Key there: why a router that is to be healed is not drained."""
UNDRAINED = "undrained"
"""Key in the notes of a drain's end: ids of the elements that are done."""
SAMPLE_SECONDS = 1.0
SICK_SECONDS = 10.0
"""A router that is to be healed may fail for this time to take the drain: it may be what is wrong with it."""
VERIFY_SECONDS = 120.0


class _RouterStep(LoginStep):
    """The base of steps at the routers of the VNFCs in `slots` (by VDU id)."""

    def routers(self, ctx: Context) -> list[NetworkElement]:
        slots: Mapping[str, list[str]] = ctx.params["slots"]
        return [
            element
            for element in instance_elements(ctx.instance)
            if element.vnfc is not None and element.vnfc.slot in slots.get(element.vnfc.vdu_id, ())
        ]

    def take_back(
        self, ctx: Context, notes: Receipt, drains: Mapping[NetworkElement, Sequence[DrainChange]]
    ) -> Outcome:
        """One router after the other, each noted before the next."""
        if (pause := self.login_pause(ctx, notes)) is not None:
            return pause
        done = notes.get(UNDRAINED, [])
        for element, changes in drains.items():
            if not changes or str(element.id) in done:
                continue
            try:
                undrain(element, changes)
            except DeviceError as error:
                return self.after_error(ctx, notes, element, error, _not_undrained(element, error.message))
            message = f"{element.name} takes traffic again"
            return Waiting(message, {**self.retry(ctx, notes), UNDRAINED: [*done, str(element.id)]})
        return Done("The routers take traffic again")


class DrainRouters(_RouterStep):
    """Have the neighbours of routers take other paths, and wait until the routers carry nothing. A rollback takes that
    back.
    """

    kind = "drain_routers@1"

    def submit(self, ctx: Context) -> Receipt:
        return {ROUTERS: {}}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        """After a retry the wait starts again; the first rate stays."""
        if (pause := self.login_pause(ctx, receipt)) is not None:
            return pause
        elements = self.routers(ctx)
        for element in elements:
            try:
                step = self._drained(self.retry(ctx, receipt), element)
            except DeviceError as error:
                return self._after_error(ctx, receipt, element, error)
            if step is not None:
                return step
        return self._fallen(ctx, receipt, elements)

    def _after_error(self, ctx: Context, receipt: Receipt, element: NetworkElement, error: DeviceError) -> Outcome:
        """One that is to be healed is left as it is, and the others go on."""
        if not ctx.params.get("required", True) and ctx.elapsed > SICK_SECONDS:
            entry = receipt[ROUTERS].get(str(element.id), {"changes": [], "made": False})
            message = f"{element.name} is not drained, as it has to be healed: {error.message}"
            return Waiting(message, _noted(self.retry(ctx, receipt), str(element.id), {**entry, SICK: message}))
        return self.after_error(ctx, receipt, element, error, _not_drained(error.message))

    def _drained(self, receipt: Receipt, element: NetworkElement) -> Waiting | None:
        """One step towards its drain, each stored before the next; None when it is done, or was given up."""
        routers, key = receipt[ROUTERS], str(element.id)
        if key not in routers:
            changes = [(list(one.contexts), one.line, one.undo) for one in read_drain_changes(element)]
            entry: dict[str, Any] = {"changes": changes, "made": not changes}
            return Waiting(f"{element.name} has {len(changes)} lines to drain", _noted(receipt, key, entry))
        if routers[key]["made"] or SICK in routers[key]:
            return None
        drain(element, _changes(routers[key]))
        return Waiting(f"{element.name} is drained", _noted(receipt, key, {**routers[key], "made": True}))

    def _fallen(self, ctx: Context, receipt: Receipt, elements: list[NetworkElement]) -> Outcome:
        entries = [receipt[ROUTERS][str(one.id)] for one in elements]
        given_up = [entry[SICK] for entry in entries if SICK in entry]
        drained = [one for one, entry in zip(elements, entries, strict=True) if entry["changes"] and SICK not in entry]
        if not drained:
            return Done("; ".join(given_up) or "No routing protocol runs, so there is nothing to drain")
        loud = []
        for element in drained:
            try:
                octets = carried_octets(element)
            except DeviceError as error:
                return self._after_error(ctx, receipt, element, error)
            entry = _sampled(receipt[ROUTERS][str(element.id)], octets, clock.now())
            receipt = _noted(receipt, str(element.id), entry)
            if not is_quiet(entry.get("rate"), entry.get("first", 0.0)):
                loud.append(f"{element.name} carries {_rate(entry.get('rate'))}")
        if not loud:
            fell = [
                f"{one.name} fell from {_rate(entry['first'])} to {_rate(entry['rate'])}"
                for one in drained
                if (entry := receipt[ROUTERS][str(one.id)])
            ]
            return Done("; ".join([*fell, *given_up]))
        if ctx.elapsed < FALL_SECONDS:
            return Waiting("; ".join(loud), receipt, at_least=SAMPLE_SECONDS)
        return Blocked(_not_drained(f"After {ctx.elapsed:.0f} s {'; '.join(loud)}"))

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        """Routers that are gone need nothing; new ones in their place were never drained."""
        drains = {
            element: _changes(receipt[ROUTERS][str(element.id)])
            for element in NetworkElement.objects.filter(id__in=[*receipt[ROUTERS]])
        }
        return undo_outcome(receipt, self.take_back(ctx, receipt.get(UNDO, {}), drains))


class UndrainRouters(_RouterStep):
    """Routers that came back take traffic again: without what the last drain of them changed, as far as that is still
    in force.
    """

    kind = "undrain_routers@1"

    def submit(self, ctx: Context) -> Receipt:
        return {}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        return self.take_back(ctx, receipt, {element: drained_by_us(element) for element in self.routers(ctx)})


def drained_by_us(element: NetworkElement) -> list[DrainChange]:
    """Return the changes of our last drain of the router that are still in force; empty where there are none.

    One that found the lines in force changed nothing: they are those of an earlier one of ours, or an operator's own.
    """
    steps = Step.objects.filter(op__instance=element.vnf_instance_id)
    drains = Q(kind=DrainRouters.kind, receipt__routers__has_key=str(element.id))
    taken_back = Q(kind=UndrainRouters.kind, state=StepState.DONE)
    for step in steps.filter(drains | taken_back).order_by("-op__start_time", "-seq"):
        if step.kind == UndrainRouters.kind:
            if element.vnfc is not None and element.vnfc.slot in step.params["slots"].get(element.vnfc.vdu_id, ()):
                return []
        elif changes := _changes(_noted_of(step, element)):
            return [] if step.state == StepState.UNDONE else changes
    return []


def drained_in(op: LcmOpOcc, element: NetworkElement) -> bool:
    """Return whether the operation has made changes that drain the router."""
    steps = op.steps.filter(kind=DrainRouters.kind, receipt__routers__has_key=str(element.id))
    entries = [_noted_of(step, element) for step in steps]
    return any(entry["changes"] and entry["made"] for entry in entries)


class VerifyNeighbours(ElementStep):
    """Wait until routers have the BGP sessions that they had when the plan was made: those that stay, and those that
    `returned`, by a poll since this step began.
    """

    kind = "verify_neighbours@1"

    def submit(self, ctx: Context) -> Receipt:
        return {"since": clock.now().isoformat()}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        missing = list(self._missing(ctx, receipt.get("since")))
        if not missing:
            count = sum(map(len, ctx.params["peers"].values()))
            whose = "the routers" if ctx.params.get("returned") else "the other routers"
            return Done(f"All {count} BGP sessions of {whose} are established")
        if ctx.elapsed < VERIFY_SECONDS:
            return Waiting("; ".join(missing))
        return Blocked(_sessions_lost(missing))

    def _missing(self, ctx: Context, since: str | None) -> Iterator[str]:
        established, returned = BgpPeer.State.ESTABLISHED, ctx.params.get("returned", ())
        for element in NetworkElement.objects.filter(id__in=[*ctx.params["peers"]]):
            if since and str(element.id) in returned and not _polled(element, datetime.fromisoformat(since)):
                yield f"{element.name} has not answered since"
                continue
            for vrf, address in ctx.params["peers"][str(element.id)]:
                row = element.bgp_peers.filter(vrf=vrf, peer_address=address).first()
                if row is None or row.state != established:
                    yield f"{element.name} has no session with {address}" + (f" in {vrf}" if vrf else "")


def _polled(element: NetworkElement, since: datetime) -> bool:
    return element.reachable == "True" and element.observed_at is not None and element.observed_at > since


def _changes(entry: Mapping[str, Any]) -> list[DrainChange]:
    return [DrainChange(tuple(contexts), line, undo) for contexts, line, undo in entry["changes"]]


def _noted_of(step: Step, element: NetworkElement) -> Mapping[str, Any]:
    entry: Mapping[str, Any] = (step.receipt or {})[ROUTERS][str(element.id)]
    return entry


def _noted(receipt: Receipt, key: str, entry: Mapping[str, Any]) -> Receipt:
    return {**receipt, ROUTERS: {**receipt[ROUTERS], key: entry}}


def _sampled(entry: Mapping[str, Any], octets: int, now: datetime) -> dict[str, Any]:
    """Add the rate since the last sample, in octets a second; the first rate is the one to compare with."""
    sample = {"octets": octets, "at": now.isoformat()}
    if "octets" not in entry:
        return {**entry, **sample}
    seconds = (now - datetime.fromisoformat(entry["at"])).total_seconds()
    if seconds < SAMPLE_SECONDS / 2:
        return dict(entry)
    rate = max(0, octets - entry["octets"]) / seconds
    return {**entry, **sample, "rate": rate, "first": entry.get("first", rate)}


def _rate(octets: float | None) -> str:
    return "an unknown rate" if octets is None else f"{octets * 8 / 1e6:.2f} Mbit/s"


def _not_drained(reason: str) -> Problem:
    return Problem(
        504,
        "NOT_DRAINED",
        "Traffic still crosses a router that is to go",
        f"{reason.rstrip('.')}.",
        "See which neighbour does not take another path. Retry waits again; a rollback takes the drain back, and the "
        "operation may then be started with drain set to false, which accepts the loss.",
        (Cause("element", reason),),
    )


def _not_undrained(element: NetworkElement, reason: str) -> Problem:
    return Problem(
        502,
        "STILL_DRAINED",
        "A router is still drained",
        f"{element.name} at {element.management_address}: {reason}",
        "Roll back again when it is reached; or take the drain out of its configuration by hand.",
        (Cause("element", reason),),
    )


def _sessions_lost(missing: list[str]) -> Problem:
    return Problem(
        504,
        "SESSIONS_LOST",
        "The other routers lost neighbours",
        f"{'; '.join(missing)}.",
        "See the neighbours of these routers. Retry looks again.",
        tuple(Cause("element", text) for text in missing),
    )
