"""Refuse plans that delete volumes with snapshots: Cinder deletes no such volume, and Heat would fail half-way."""

from collections.abc import Sequence

from vnfm.kit.problem import conflict
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import VnfSnapshot
from vnfm.lcm.sagas.planning import Planned, Planning
from vnfm.lcm.selectors.snapshots import volume_holders


def with_free_volumes(planning: Planning, planned: Planned) -> Planned:
    """The plan; raises ProblemError (409) where snapshots have to go before."""
    if planning.request.operation == Operation.TERMINATE:
        vnfcs = None
    else:
        removed = planned.plan.removed
        vnfcs = [vnfc.id for vnfc in planning.vnfcs if vnfc.slot in removed.get(vnfc.vdu_id, ())]
        if not vnfcs:
            return planned
    if holders := volume_holders(planning.instance, vnfcs):
        taken = ", ".join(f"{row.id} of {row.started_at:%Y-%m-%d %H:%M}" for row in holders if row.started_at)
        words = f"Cinder deletes no volume of which there are snapshots, and these have some: {taken}."
        raise conflict("SNAPSHOTS_HOLD_VOLUMES", words, _next_step(holders))
    return planned


def _next_step(holders: Sequence[VnfSnapshot]) -> str:
    deleted = [row for row in holders if row.state == VnfSnapshot.State.DELETING]
    if not deleted:
        return "Delete these VNF snapshots first."
    wait = f"Wait until the cloud has removed {', '.join(str(row.id) for row in deleted)}"
    return f"{wait}." if len(deleted) == len(holders) else f"{wait}, and delete the others first."
