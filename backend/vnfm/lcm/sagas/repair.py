"""The steps that repair drift in a heal: back to the recorded stack, and to the servers' ports, flavors and names.

Missing, failed, stopped and started servers are the subject of healing itself; these steps follow it.
"""

from vnfm.inventory.domain.drift import Difference, drift
from vnfm.inventory.domain.instance_record import InstanceRecord
from vnfm.lcm.domain.steps import StepSpec
from vnfm.lcm.selectors.instance_status import instance_status
from vnfm.lcm.steps.repair import RenameServer, RenewPorts, ResizeServer
from vnfm.lcm.steps.stack import UpdateStack

ONE_WAY = "What others had put into the stack, and this takes out again, cannot be put back."


def repair_steps(instance: InstanceRecord) -> list[StepSpec]:
    """The steps for the differences that healing leaves: first those of Heat, then those of each server.

    A step whose server has been replaced by then has nothing to do.
    """
    found = [item for item in drift(instance_status(instance_id=instance.id).view) if item.repair]
    steps = []
    ports = [port for item in found if item.kind == "port_removed" for port in item.resources]
    if ports:
        steps.append(RenewPorts.spec("Renew the lost ports through Heat", {"portIds": ports}))
    foreign = any(not item.vnfc_id for item in found)
    if ports or foreign:
        steps.append(UpdateStack.spec("Repeat the last Heat update", one_way=ONE_WAY if foreign else ""))
    steps += [_resize(item) for item in found if item.kind == "resized"]
    steps += [_rename(item) for item in found if item.kind == "renamed"]
    return steps


def _resize(item: Difference) -> StepSpec:
    server_id, flavor_id, found = item.resources
    params = {"serverId": server_id, "flavor": flavor_id, "found": found, "label": item.expected}
    return ResizeServer.spec(f"Resize {item.subject} back to {item.expected}", params)


def _rename(item: Difference) -> StepSpec:
    (server_id,) = item.resources
    params = {"serverId": server_id, "name": item.expected, "found": item.found}
    return RenameServer.spec(f"Rename {item.found} back to {item.expected}", params)
