"""Every operation's planner: the one table from an operation to its saga."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from vnfm.lcm.domain.states import Operation
from vnfm.lcm.sagas import (
    change_ext_conn,
    change_flavour,
    change_vnfpkg,
    create_snapshot,
    heal,
    instantiate,
    modify_info,
    operate,
    revert_to_snapshot,
    scale,
    terminate,
)
from vnfm.lcm.sagas.coordination import with_coordination
from vnfm.lcm.sagas.element_steps import with_element_steps
from vnfm.lcm.sagas.heat_preview import Preview, absent_in, heat_preview
from vnfm.lcm.sagas.planning import Planned, Planning
from vnfm.lcm.sagas.server_groups import with_server_groups
from vnfm.lcm.sagas.snapshot_holds import with_free_volumes
from vnfm.lcm.sagas.template_support import with_supported_templates

PLANNERS: dict[Operation, Callable[[Planning], Planned]] = {
    Operation.INSTANTIATE: instantiate.plan,
    Operation.SCALE: scale.plan,
    Operation.SCALE_TO_LEVEL: scale.plan,
    Operation.OPERATE: operate.plan,
    Operation.HEAL: heal.plan,
    Operation.CHANGE_FLAVOUR: change_flavour.plan,
    Operation.CHANGE_EXT_CONN: change_ext_conn.plan,
    Operation.CHANGE_VNFPKG: change_vnfpkg.plan,
    Operation.MODIFY_INFO: modify_info.plan,
    Operation.TERMINATE: terminate.plan,
    Operation.CREATE_SNAPSHOT: create_snapshot.plan,
    Operation.REVERT_TO_SNAPSHOT: revert_to_snapshot.plan,
}


def make_plan(planning: Planning) -> Planned:
    """The plan and its steps; raises ProblemError when it is rejected, CloudError for errors of the cloud."""
    planned = with_free_volumes(planning, PLANNERS[planning.request.operation](planning))
    supported = with_server_groups(planning, with_supported_templates(planning, planned))
    return with_coordination(planning, with_element_steps(planning, supported))


def plan_with_preview(planning: Planning, secrets: Callable[[], Mapping[str, str]]) -> tuple[Planned, Preview]:
    """Return the plan, and Heat's opinion of it, see `heat_preview`, which also decides what conditions of the HOT
    leave open in a new stack.
    """
    planned = make_plan(planning)
    preview = heat_preview(planned, planning, secrets)
    absent = absent_in(planned, planning, preview)
    if absent:
        planning = replace(planning, absent=absent)
        planned = make_plan(planning)
        preview = heat_preview(planned, planning, secrets)
    return planned, preview
