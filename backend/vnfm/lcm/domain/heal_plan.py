"""The plan of a heal: which VNFCs are healed by which actions, what happens to the others, and the warnings. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.inventory.domain.observation import ACTIVE, MISSING
from vnfm.lcm.domain.healing import (
    ACTION_NAMES,
    SHUTOFF,
    HealParameters,
    HealTarget,
    ServerState,
    escalation,
    is_healthy,
    method_errors,
)
from vnfm.lcm.domain.operation_request import Rejection, VnfcState
from vnfm.lcm.domain.plan import PlannedResource
from vnfm.lcm.domain.power import status_words
from vnfm.lcm.domain.vnfc_names import label, slot_name

NOT_HEALED = "is {} and not healed: the heal does not wait for its service."


@dataclass(frozen=True, slots=True)
class HealPlan:
    targets: tuple[HealTarget, ...]
    endangered: tuple[str, ...]
    """Siblings that Heat would replace along with a target, each with its status; see `_endangered`."""
    resources: tuple[PlannedResource, ...]
    warnings: tuple[str, ...]
    left_down: tuple[str, ...] = ()
    """Ids of the VNFCs that are neither healed nor in their desired state."""

    @property
    def may_replace(self) -> bool:
        return any("recreate" in target.escalation for target in self.targets)


def plan_heal(
    parameters: HealParameters,
    vnfd: Vnfd,
    vnfcs: Sequence[VnfcState],
    servers: Mapping[UUID, ServerState],
    *,
    must_check: bool,
) -> HealPlan | Rejection:
    """`servers` by VNFC id; `must_check` where Heat finds dead servers only by a check of the whole stack (Liberty)."""
    chosen = parameters.vnfcs or tuple(v for v in vnfcs if not is_healthy(v, servers[v.id]))
    if errors := method_errors(chosen, vnfd, parameters.method):
        return Rejection(tuple(errors))
    actions = {v.id: escalation(vnfd, v.vdu_id, parameters.method) for v in chosen}
    requested = bool(parameters.vnfcs)
    targets = {v.id: HealTarget.of(v, actions[v.id], servers[v.id], requested=requested) for v in chosen}
    checked = must_check and any("recreate" in target.escalation for target in targets.values())
    siblings = [(v, servers[v.id]) for v in vnfcs if v.id not in targets] if checked else []
    stopped = [_name(v, vnfd) for v, server in siblings if server.status == SHUTOFF]
    left_down = [v for v in vnfcs if v.id not in targets and not is_healthy(v, servers[v.id])]
    return HealPlan(
        targets=tuple(targets.values()),
        endangered=tuple(_endangered(siblings)),
        resources=tuple(_resource(v, vnfd, targets.get(v.id), servers[v.id], checked=checked) for v in vnfcs),
        warnings=(
            *_losses(targets.values(), vnfd),
            *(f"{name} is stopped, and runs for a while: else Heat would take it for dead." for name in stopped),
            *_all_at_once(vnfd, vnfcs, targets, servers),
            *(f"{_name(v, vnfd)} {NOT_HEALED.format(status_words(servers[v.id].status).lower())}" for v in left_down),
        ),
        left_down=tuple(str(v.id) for v in left_down),
    )


def _endangered(siblings: Sequence[tuple[VnfcState, ServerState]]) -> Iterator[str]:
    """The next update replaces every server that a check finds not ACTIVE. One that is merely stopped can be started
    before the check; one that Nova is busy with is waited for.
    """
    for vnfc, server in siblings:
        if not server.busy and server.status not in (ACTIVE, SHUTOFF):
            yield f"{label(vnfc)} is {server.status}"


def _name(vnfc: VnfcState | HealTarget, vnfd: Vnfd) -> str:
    return slot_name(vnfd.vdu(vnfc.vdu_id).name, vnfc.slot)


def _resource(
    vnfc: VnfcState, vnfd: Vnfd, target: HealTarget | None, server: ServerState, *, checked: bool
) -> PlannedResource:
    name = vnfd.vdu(vnfc.vdu_id).name
    if target is None:
        detail = f"{server.words()}, stays as it is"
        if checked and server.status == SHUTOFF:
            detail = f"{server.words()}; runs while Heat looks for dead servers, then is stopped again"
        return PlannedResource.of_vnfc("keep", name, vnfc.slot, detail)
    if _is_replaced(target):
        detail = f"{server.words()}; a new server with the same slot and ports"
        return PlannedResource.of_vnfc("replace", name, vnfc.slot, detail)
    actions = ", else ".join(ACTION_NAMES[action] for action in target.escalation)
    return PlannedResource.of_vnfc("update", name, vnfc.slot, f"{server.words()}; {actions}")


def _is_replaced(target: HealTarget) -> bool:
    """Return whether a new server is certain: no other action brings back one that Nova does not know."""
    return target.escalation == ("recreate",) or (target.status_before == MISSING and "recreate" in target.escalation)


def _losses(targets: Iterable[HealTarget], vnfd: Vnfd) -> Iterator[str]:
    for target in targets:
        name = _name(target, vnfd)
        if "recreate" in target.escalation:
            when = "gets" if _is_replaced(target) else "gets, if nothing gentler helps,"
            yield f"{name} {when} a new server with another UUID: a license bound to the old one is lost."
        elif target.status_before == MISSING:
            yield f"{name} has no server, and only recreate gives it one: choose recreate, or no method."
        if "rebuild" in target.escalation:
            yield f"A rebuild gives {name} a fresh disk: what was written to the old one is lost."


def _all_at_once(
    vnfd: Vnfd, vnfcs: Sequence[VnfcState], targets: Mapping[UUID, HealTarget], servers: Mapping[UUID, ServerState]
) -> Iterator[str]:
    for vdu in vnfd.vdus:
        members = [v for v in vnfcs if v.vdu_id == vdu.id]
        if (
            len(members) > 1
            and all(v.id in targets for v in members)
            and any(servers[v.id].is_running for v in members)
        ):
            yield f"Every VNFC of {vdu.name} is healed at once: its service is down until they run again."
