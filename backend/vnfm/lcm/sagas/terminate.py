"""TerminateVnf (SOL003 5.4.8): shut down the servers (graceful), delete the stack, then the record."""

from collections import Counter
from dataclasses import replace

from vnfm.inventory.domain.observation import MISSING
from vnfm.inventory.models import VnfcPort, VnfInstance
from vnfm.kit.problem import conflict
from vnfm.lcm.domain.plan import Plan, PlannedResource
from vnfm.lcm.domain.requests import TerminateRequest
from vnfm.lcm.sagas.planning import Planned, Planning, unchanged_plan
from vnfm.lcm.steps.power import StopServers
from vnfm.lcm.steps.record import ForgetResources
from vnfm.lcm.steps.stack import DeleteStack

ONE_WAY = "A termination cannot be taken back."


def plan(planning: Planning) -> Planned:
    request, instance = planning.validated(TerminateRequest), planning.instance
    _require_unshared_networks(instance)
    steps = [
        DeleteStack.spec("Delete the Heat stack", one_way=ONE_WAY),
        ForgetResources.spec("Delete the resources from the record", one_way=ONE_WAY),
    ]
    if request.graceful_timeout is not None:
        servers = list(instance.vnfcs.order_by("vdu_id", "slot").values_list("server_id", flat=True))
        params = {"serverIds": servers, "timeout": request.graceful_timeout}
        steps.insert(0, StopServers.spec("Shut down the servers", params, one_way=ONE_WAY))
    return Planned(_removal(instance), steps)


def _require_unshared_networks(instance: VnfInstance) -> None:
    """Raise 409 where other instances have ports on networks that go with the stack: Neutron would refuse half-way."""
    own = instance.virtual_links.filter(created_by_stack=True)
    names = dict(own.values_list("network_id", "name"))
    ports = VnfcPort.objects.filter(network_id__in=names, vnfc__instance__vim=instance.vim).exclude(status=MISSING)
    used = ports.exclude(vnfc__instance=instance).values_list("vnfc__instance__name", "network_id")
    if not (counts := Counter(used)):
        return
    users = [
        f"{user} has {count} {'port' if count == 1 else 'ports'} on {names[network]}"
        for (user, network), count in sorted(counts.items())
    ]
    connected = ", ".join(sorted({user for user, _ in counts}))
    raise conflict(
        "NETWORK_IN_USE",
        f"Other VNF instances use networks that the termination deletes: {'; '.join(users)}.",
        f"Terminate {connected} first, or move its ports to another network by Change connectivity.",
    )


def _removal(instance: VnfInstance) -> Plan:
    vnfcs = [
        PlannedResource("delete", "vnfc", f"{vnfc.name}, slot {vnfc.slot}", f"Nova server {vnfc.server_id}")
        for vnfc in instance.vnfcs.order_by("vdu_id", "slot")
    ]
    networks = [
        PlannedResource(
            "delete" if link.created_by_stack else "keep",
            "network",
            link.name,
            "made by the stack" if link.created_by_stack else "was there before; stays",
        )
        for link in instance.virtual_links.order_by("vl_id")
    ]
    return replace(unchanged_plan(instance, [*vnfcs, *networks]), rosters={}, registry={}, parameters={}, networks=())
