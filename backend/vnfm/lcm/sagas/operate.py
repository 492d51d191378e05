"""OperateVnf (SOL003 5.4.10): servers are started or stopped, and nothing else is touched."""

from vnfm.clouds.types import Server
from vnfm.inventory.domain.observation import MISSING
from vnfm.kit.problem import ProblemError
from vnfm.lcm.domain.naming import label
from vnfm.lcm.domain.plan import PlannedResource
from vnfm.lcm.domain.power import STATUS, Switching, turn
from vnfm.lcm.domain.steps import StepSpec
from vnfm.lcm.domain.target import StandingVnfc
from vnfm.lcm.sagas.planning import Planned, Planning, standing_plan
from vnfm.lcm.sagas.power import SetPower, not_fit
from vnfm.lcm.sagas.servers import is_busy, servers_seen


def plan(planning: Planning) -> Planned:
    switching = planning.asked(Switching)
    names = {vnfc.server_id: label(vnfc) for vnfc in switching.vnfcs}
    seen = servers_seen(planning.cloud, names)
    unfit = [i for i in names if i not in seen or _needs_heal(seen[i], switching)]
    if unfit:
        raise ProblemError(not_fit(unfit, names, seen))
    params = {
        "vnfcs": [{"id": str(v.id), "serverId": v.server_id, "label": label(v)} for v in switching.vnfcs],
        "wanted": switching.wanted,
        "timeout": switching.timeout,
    }
    title = "Start the servers" if switching.wanted == "STARTED" else "Stop the servers"
    resources = [_resource(vnfc, switching, seen.get(vnfc.server_id), planning) for vnfc in planning.vnfcs]
    return Planned(standing_plan(planning.instance, resources), [StepSpec(SetPower.kind, title, params)])


def _needs_heal(server: Server, switching: Switching) -> bool:
    return turn(server.status, switching.wanted, busy=is_busy(server)) == "unfit"


def _resource(vnfc: StandingVnfc, switching: Switching, server: Server | None, planning: Planning) -> PlannedResource:
    name = f"{planning.vnfd.vdu(vnfc.vdu_id).name}, slot {vnfc.slot}"
    if vnfc not in switching.vnfcs:
        return PlannedResource("keep", "vnfc", name, "not named; is not touched")
    status = server.status if server else MISSING
    if status == STATUS[switching.wanted]:
        return PlannedResource("keep", "vnfc", name, f"{status} already")
    return PlannedResource("update", "vnfc", name, f"{status}; becomes {STATUS[switching.wanted]}")
