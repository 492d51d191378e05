"""Whether snapshots hold volumes that a plan deletes: Cinder deletes no volume that has snapshots, and Heat's deletion
fails half-way then.
"""

from vnfm.kit.problem import conflict
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.sagas.planning import Planned, Planning
from vnfm.lcm.selectors.snapshots import volume_holders


def with_free_volumes(planning: Planning, planned: Planned) -> Planned:
    """The plan; raises ProblemError (409) where snapshots have to go before."""
    if planning.request.operation == Operation.TERMINATE:
        servers = None
    else:
        removed = planned.plan.removed
        servers = [vnfc.server_id for vnfc in planning.vnfcs if vnfc.slot in removed.get(vnfc.vdu_id, ())]
        if not servers:
            return planned
    if holders := volume_holders(planning.instance, servers):
        taken = ", ".join(f"{row.id} of {row.started_at:%Y-%m-%d %H:%M}" for row in holders if row.started_at)
        words = f"Cinder deletes no volume of which there are snapshots, and these have some: {taken}."
        raise conflict("SNAPSHOTS_HOLD_VOLUMES", words, "Delete these VNF snapshots first.")
    return planned
