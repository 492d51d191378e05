"""Adds the steps that let routers go without loss to the plan of an operation that removes, stops, heals or rebuilds
them.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from vnfm.configuration.reconcilers.drain import why_not_drainable
from vnfm.elements.models import BgpPeer, Interface, NetworkElement
from vnfm.inventory.domain.observation import ACTIVE
from vnfm.inventory.selectors import port_addresses
from vnfm.kit.problem import FieldError, Problem, ProblemError
from vnfm.lcm.domain.drain import peers_without_path
from vnfm.lcm.domain.request_params import DRAIN
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.domain.steps import StepSpec
from vnfm.lcm.router_steps.coordinate import coordinated_by_em
from vnfm.lcm.router_steps.drain import DrainRouters, UndrainRouters, VerifyNeighbours, drained_by_us
from vnfm.lcm.sagas.planning import Planned, Planning
from vnfm.lcm.steps.heal_in_place import HealInPlace
from vnfm.lcm.steps.power import SetPower

NOT_DRAINED = "{name} is not drained: {why}. What crosses it is lost until its neighbours notice."
BY_REQUEST, NONE_STAYS = "the request says so", "no managed router of this VNF stays"
MAX_LISTED = 6
BY_STAGE = (Operation.CHANGE_VNFPKG, Operation.CHANGE_FLAVOUR)
"""Operations that restart routers one after the other."""

Slots = Mapping[str, Sequence[str]]
"""VDU id → slots."""


@dataclass(frozen=True, slots=True)
class Around:
    """The steps before and after those that take routers out of service, and warnings where there are none."""

    before: Sequence[StepSpec] = ()
    after: Sequence[StepSpec] = ()
    warnings: tuple[str, ...] = ()


def with_drain(
    planning: Planning, planned: Planned, elements: Sequence[NetworkElement]
) -> tuple[Planned, list[StepSpec]]:
    """The plan whose first step drains the routers that go, and the steps that follow all others.

    Raises ProblemError where a neighbour would have no path left.
    """
    spec, operation = planning.vnfd.element, planning.request.operation
    if spec is None or not spec.per_component:
        return planned, []
    if operation == Operation.OPERATE and params_of(planned, SetPower)["target"] == "STARTED":
        return planned, _undrain_started(planned, elements)
    slots = _slots_that_go(planned, spec.per_component, operation, elements)
    around = drain_around(planning, elements, slots, returns=operation == Operation.HEAL)
    return _warned(replace(planned, steps=[*around.before, *planned.steps]), around.warnings), [*around.after]


def drain_around(planning: Planning, elements: Sequence[NetworkElement], slots: Slots, *, returns: bool) -> Around:
    """Return the steps that drain the routers in these slots and, if these come back, undrain them.

    Raises ProblemError as `with_drain`.
    """
    leaving = in_slots(elements, slots)
    if not leaving:
        return Around()
    staying = [one for one in elements if one not in leaving and one.state == NetworkElement.State.MANAGED]
    verify = _verify(staying, (), gone=_addresses(leaving))
    if coordinated_by_em(planning.instance):  # it drains, and decides whether another path is left
        return Around(after=_verify(staying, leaving) if returns else verify)
    if not planning.request.drain:
        return Around(warnings=_not_drained(dict.fromkeys(leaving, BY_REQUEST)))
    if planning.request.operation in (Operation.OPERATE, Operation.CHANGE_FLAVOUR) and not staying:
        return Around(warnings=_not_drained(dict.fromkeys(leaving, NONE_STAYS)))
    reasons = {one: why for one in leaving if (why := _why_not_drained(planning, one))}
    drained, warnings = [one for one in leaving if one not in reasons], _not_drained(reasons)
    if not drained:
        return Around(warnings=warnings)
    _require_other_paths(drained, staying)
    params: dict[str, Any] = {"slots": _slots_of(drained)}
    required = {"required": False} if planning.request.operation == Operation.HEAL else {}
    drain = DrainRouters.spec("Drain the routers that go", {**params, **required})
    undrain = [UndrainRouters.spec("Take the drain back", params)] if returns else []
    verify = _verify(staying, drained) if returns else verify
    return Around([drain], [*undrain, *verify], warnings)


def _why_not_drained(planning: Planning, element: NetworkElement) -> str:
    """Return half a sentence; "" where it is. Heals and stops leave out those that do not answer before."""
    silent = planning.request.operation in BY_STAGE and element.reachable != "True"
    return why_not_drainable(element) or ("it does not answer" if silent else "")


def _addresses(elements: Sequence[NetworkElement]) -> set[str]:
    """All that are known of these routers, of management and of their interfaces."""
    interfaces = Interface.objects.filter(element__in=elements)
    return {
        *(element.management_address for element in elements),
        *(address.partition("/")[0] for row in interfaces for address in row.addresses),
        *port_addresses(vnfc_ids=[element.vnfc_id for element in elements if element.vnfc_id]),
    }


def _verify(
    staying: Sequence[NetworkElement], returning: Sequence[NetworkElement], gone: Collection[str] = ()
) -> list[StepSpec]:
    """Sessions with addresses that are `gone` need not come back."""
    peers = {
        str(one.id): [[peer.vrf, peer.peer_address] for peer in _established([one]) if peer.peer_address not in gone]
        for one in (*staying, *returning)
    }
    if not any(peers.values()):
        return []
    params: dict[str, Any] = {"peers": peers}
    if returning:
        params["returned"] = [str(one.id) for one in returning]
    title = "Verify the neighbours of the routers" if returning else "Verify the neighbours of the other routers"
    return [VerifyNeighbours.spec(title, params)]


def _slots_that_go(planned: Planned, vdu: str, operation: Operation, elements: Sequence[NetworkElement]) -> Slots:
    """Removed VNFCs; or those that work and are to be healed or stopped."""
    if operation == Operation.HEAL:
        targets = params_of(planned, HealInPlace)["targets"]
        working = {(one["vdu_id"], one["slot"]) for one in targets if one["status_before"] == ACTIVE}
    elif operation == Operation.OPERATE:
        stopped = {one["id"] for one in params_of(planned, SetPower)["vnfcs"]}
        rows = [one.vnfc for one in elements if one.vnfc is not None]
        working = {(row.vdu_id, row.slot) for row in rows if str(row.id) in stopped}
    else:
        return {vdu: planned.plan.removed.get(vdu, ())}
    answering = {one.vnfc.slot for one in elements if one.vnfc is not None and one.reachable == "True"}
    return {vdu: sorted(slot for own, slot in working if own == vdu and slot in answering)}


def params_of(planned: Planned, kind: type[HealInPlace | SetPower]) -> Mapping[str, Any]:
    return next(step.params for step in planned.steps if step.kind == kind.kind)


def _undrain_started(planned: Planned, elements: Sequence[NetworkElement]) -> list[StepSpec]:
    """Routers that were drained before they were stopped start with what they saved: take their drain back."""
    started = {one["id"] for one in params_of(planned, SetPower)["vnfcs"]}
    rows = [one for one in elements if one.vnfc is not None and str(one.vnfc.id) in started]
    slots = _slots_of([one for one in rows if drained_by_us(one)])
    return [UndrainRouters.spec("Take the drain back", {"slots": slots})] if slots else []


def _slots_of(elements: Sequence[NetworkElement]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for row in (element.vnfc for element in elements):
        if row is not None:
            found.setdefault(row.vdu_id, []).append(row.slot)
    return found


def in_slots(elements: Sequence[NetworkElement], slots: Slots) -> list[NetworkElement]:
    return [one for one in elements if one.vnfc is not None and one.vnfc.slot in slots.get(one.vnfc.vdu_id, ())]


def _established(elements: Sequence[NetworkElement]) -> list[BgpPeer]:
    rows = BgpPeer.objects.filter(element__in=elements, state=BgpPeer.State.ESTABLISHED)
    return list(rows.order_by("element_id", "vrf", "peer_address"))


def _require_other_paths(leaving: Sequence[NetworkElement], staying: Sequence[NetworkElement]) -> None:
    """A neighbour is known by its AS, as it may have an address for each router; within an AS by its address."""
    answering = [one for one in staying if one.reachable == "True"]
    lost = peers_without_path(*([_neighbour(peer) for peer in _established(each)] for each in (leaving, answering)))
    if not lost:
        return
    names = ", ".join(one.name for one in leaving)
    shown = ", ".join(str(peer[1]) for peer in lost[:MAX_LISTED] if isinstance(peer, tuple))
    text = (
        f"{shown}{' and others' if len(lost) > MAX_LISTED else ''} reach this VNF by {names} alone: without it their "
        f"traffic is lost, {len(lost)} of its neighbours are cut off."
    )
    error = FieldError(f"/additionalParams/{DRAIN}", text)
    next_step = (
        f"Give the other routers sessions with these neighbours; or set {DRAIN} to false, which accepts the loss."
    )
    raise ProblemError(Problem(409, "NO_OTHER_PATH", "No other path is left", text, next_step, errors=(error,)))


def _neighbour(peer: BgpPeer) -> tuple[str, str]:
    return peer.vrf, f"AS {peer.remote_as}" if peer.remote_as is not None else peer.peer_address


def _not_drained(reasons: Mapping[NetworkElement, str]) -> tuple[str, ...]:
    return tuple(NOT_DRAINED.format(name=one.name, why=why) for one, why in reasons.items())


def _warned(planned: Planned, warnings: Sequence[str]) -> Planned:
    return replace(planned, plan=replace(planned.plan, warnings=(*planned.plan.warnings, *warnings)))
