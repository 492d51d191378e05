"""TerminateVnf (SOL003 5.4.8): shut down the servers (graceful), delete the stack, then the record."""

from collections.abc import Sequence
from dataclasses import replace

from vnfm.catalog import selectors as catalog
from vnfm.inventory.domain.instance_record import InstanceRecord
from vnfm.inventory.domain.observation import MISSING
from vnfm.inventory.domain.resources import VnfcInfo
from vnfm.inventory.selectors import links_of, ports_of_others, vnfcs_of
from vnfm.kit.problem import conflict
from vnfm.lcm.domain.plan import Plan, PlannedQuota, PlannedResource
from vnfm.lcm.domain.plan_summary import GONE
from vnfm.lcm.domain.requests import TerminateVnfRequest
from vnfm.lcm.sagas.planning import Planned, Planning, unchanged_plan
from vnfm.lcm.steps.power import StopServers
from vnfm.lcm.steps.record import ForgetResources
from vnfm.lcm.steps.stack import DeleteStack

ONE_WAY = "A termination cannot be taken back."


def plan(planning: Planning) -> Planned:
    request, instance = planning.validated(TerminateVnfRequest), planning.instance
    _require_unshared_networks(instance)
    steps = [
        DeleteStack.spec("Delete the Heat stack", one_way=ONE_WAY),
        ForgetResources.spec("Delete the resources from the record", one_way=ONE_WAY),
    ]
    if request.graceful_timeout is not None:
        servers = [vnfc.server_id for vnfc in vnfcs_of(instance_id=instance.id)]
        params = {"serverIds": servers, "timeout": request.graceful_timeout}
        steps.insert(0, StopServers.spec("Shut down the servers", params, one_way=ONE_WAY))
    return Planned(_removal(instance), steps)


def _require_unshared_networks(instance: InstanceRecord) -> None:
    """Raise 409 where other instances have ports on networks that go with the stack: Neutron would refuse half-way."""
    own = {link.network_id: link.name for link in links_of(instance_id=instance.id) if link.created_by_stack}
    counts = ports_of_others(instance=instance, network_ids=own)
    if not counts:
        return
    users = [
        f"{user} has {count} {'port' if count == 1 else 'ports'} on {own[network]}"
        for (user, network), count in sorted(counts.items())
    ]
    connected = ", ".join(sorted({user for user, _ in counts}))
    raise conflict(
        "NETWORK_IN_USE",
        f"Other VNF instances use networks that the termination deletes: {'; '.join(users)}.",
        f"Terminate {connected} first, or move its ports to another network by Change connectivity.",
    )


def _removal(instance: InstanceRecord) -> Plan:
    vnfcs = vnfcs_of(instance_id=instance.id)
    names = {vdu.id: vdu.name for vdu in catalog.vnfd_of(instance.package).vdus}
    servers = [
        PlannedResource.of_vnfc(
            "delete",
            names.get(vnfc.vdu_id, vnfc.vdu_id),
            vnfc.slot,
            GONE if vnfc.status == MISSING else f"{vnfc.name}, Nova server {vnfc.server_id}",
            gone=vnfc.status == MISSING,
        )
        for vnfc in vnfcs
    ]
    networks = [
        PlannedResource(
            "delete" if link.created_by_stack else "keep",
            "network",
            link.name,
            "created by the stack" if link.created_by_stack else "was there before; stays",
        )
        for link in links_of(instance_id=instance.id)
    ]
    plan = unchanged_plan(instance, [*servers, *networks])
    quota = _released(instance, [vnfc for vnfc in vnfcs if vnfc.status != MISSING])
    return replace(plan, rosters={}, registry={}, parameters={}, networks=(), quota=quota)


def _released(instance: InstanceRecord, vnfcs: Sequence[VnfcInfo]) -> tuple[PlannedQuota, ...]:
    """Return the quota that the servers still in Nova hold, by the last probe of the cloud. If it lacks a flavor, cores
    and memory are left out.
    """
    assert instance.vim is not None, "it is instantiated"
    known = {row[key]: row for row in instance.vim.resources.get("flavors", ()) for key in ("name", "id")}
    flavors = [known.get(vnfc.flavor_id) or known.get(vnfc.flavor) for vnfc in vnfcs]
    amounts = {"instances": len(vnfcs), "ports": sum(len(vnfc.ports) for vnfc in vnfcs)}
    if all(flavors):
        amounts["cores"] = sum(flavor["vcpus"] for flavor in flavors if flavor)
        amounts["ram_mib"] = sum(flavor["memory_mib"] for flavor in flavors if flavor)
    return tuple(PlannedQuota(name, 0, None, None, amount) for name, amount in amounts.items() if amount)
