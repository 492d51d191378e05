"""Adds the steps that let routers go without loss to the plan of an operation that removes them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from vnfm.configuration.reconcilers.drain import why_not_drainable
from vnfm.elements.models import BgpPeer, NetworkElement
from vnfm.kit.problem import FieldError, Problem, ProblemError
from vnfm.lcm.domain.drain import peers_without_path
from vnfm.lcm.domain.requests import DRAIN, ScaleRequest, ScaleToLevelRequest
from vnfm.lcm.domain.steps import StepSpec
from vnfm.lcm.sagas.planning import Planned, Planning
from vnfm.lcm.steps.drain import DrainRouters, VerifyNeighbours

NOT_DRAINED = "{name} is not drained: {why}. What crosses it is lost until its neighbours notice."
BY_REQUEST = "the request says so"
MAX_LISTED = 6


def with_drain(
    planning: Planning, planned: Planned, elements: Sequence[NetworkElement]
) -> tuple[Planned, list[StepSpec]]:
    """The plan whose first step drains the routers that are removed, and the steps that follow all others.

    Raises ProblemError where a neighbour would have no path left.
    """
    spec = planning.vnfd.element
    if spec is None or not spec.per_component:
        return planned, []
    slots = planned.plan.removed.get(spec.per_component, ())
    leaving = [one for one in elements if one.vnfc is not None and one.vnfc.slot in slots]
    if not leaving:
        return planned, []
    staying = [one for one in elements if one not in leaving and one.state == NetworkElement.State.MANAGED]
    if not _wanted(planning):
        return _warned(planned, dict.fromkeys(leaving, BY_REQUEST)), []
    reasons = {one: why for one in leaving if (why := why_not_drainable(one))}
    if reasons:
        return _warned(planned, reasons), []
    _require_other_paths(leaving, staying)
    step = DrainRouters.spec("Drain the routers that go", {"slots": {spec.per_component: list(slots)}})
    peers = {str(one.id): [[peer.vrf, peer.peer_address] for peer in _established([one])] for one in staying}
    verify = VerifyNeighbours.spec("Verify the neighbours of the other routers", {"peers": peers})
    return replace(planned, steps=[step, *planned.steps]), [verify] if any(peers.values()) else []


def _wanted(planning: Planning) -> bool:
    request = planning.request
    return request.drain if isinstance(request, ScaleRequest | ScaleToLevelRequest) else True


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


def _warned(planned: Planned, reasons: Mapping[NetworkElement, str]) -> Planned:
    texts = tuple(NOT_DRAINED.format(name=one.name, why=why) for one, why in reasons.items())
    return replace(planned, plan=replace(planned.plan, warnings=(*planned.plan.warnings, *texts)))
