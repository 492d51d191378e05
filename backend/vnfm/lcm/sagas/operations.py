"""Every operation's planner: the one table from an operation to the saga that does it."""

from collections.abc import Callable

from vnfm.lcm.domain.states import Operation
from vnfm.lcm.sagas import (
    change_ext_conn,
    change_flavour,
    change_vnfpkg,
    heal,
    instantiate,
    modify_info,
    operate,
    scale,
    terminate,
)
from vnfm.lcm.sagas.planning import Planned, Planning
from vnfm.lcm.sagas.serving import with_service

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
}


def make_plan(planning: Planning) -> Planned:
    """The plan and its steps; raises ProblemError when it is refused and CloudError when the cloud fails us."""
    return with_service(planning, PLANNERS[planning.operation](planning))
