"""OperateVnf (SOL003 5.4.10): starts or stops servers, and touches nothing else."""

from vnfm.clouds.types import Server
from vnfm.inventory.domain.observation import MISSING
from vnfm.kit.problem import ProblemError
from vnfm.lcm.domain.operation_request import VnfcState
from vnfm.lcm.domain.plan import PlannedResource
from vnfm.lcm.domain.power import NOVA_STATUS, PowerChange, power_action, status_words
from vnfm.lcm.domain.vnfc_names import label
from vnfm.lcm.sagas.planning import Planned, Planning, unchanged_plan
from vnfm.lcm.steps.power import SetPower, needs_healing
from vnfm.lcm.steps.servers import is_busy, servers_by_id


def plan(planning: Planning) -> Planned:
    change = planning.validated(PowerChange)
    names = {vnfc.server_id: label(vnfc) for vnfc in change.vnfcs}
    servers = servers_by_id(planning.cloud, names)
    impossible = [i for i in names if i not in servers or _needs_heal(servers[i], change)]
    if impossible:
        raise ProblemError(needs_healing(impossible, names, servers))
    params = {
        "vnfcs": [{"id": str(v.id), "serverId": v.server_id, "label": label(v)} for v in change.vnfcs],
        "target": change.target,
        "timeout": change.timeout,
    }
    title = "Start the servers" if change.target == "STARTED" else "Stop the servers"
    resources = [_resource(vnfc, change, servers.get(vnfc.server_id), planning) for vnfc in planning.vnfcs]
    return Planned(unchanged_plan(planning.instance, resources), [SetPower.spec(title, params)])


def _needs_heal(server: Server, change: PowerChange) -> bool:
    return power_action(server.status, change.target, busy=is_busy(server)) == "impossible"


def _resource(vnfc: VnfcState, change: PowerChange, server: Server | None, planning: Planning) -> PlannedResource:
    name = planning.vnfd.vdu(vnfc.vdu_id).name
    if vnfc not in change.vnfcs:
        return PlannedResource.of_vnfc("keep", name, vnfc.slot, "stays as it is")
    status = server.status if server else MISSING
    if status == NOVA_STATUS[change.target]:
        return PlannedResource.of_vnfc("keep", name, vnfc.slot, f"{status_words(status)} already")
    return PlannedResource.of_vnfc(
        "update", name, vnfc.slot, f"{status_words(status)} → {status_words(NOVA_STATUS[change.target])}"
    )
