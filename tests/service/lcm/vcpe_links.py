"""The networks between the VMs of a vCPE chain, in Neutron and on record."""

from collections import defaultdict

from tests.service.lcm.cloud_snapshot import cloud_snapshot
from tests.service.lcm.lifecycle import Lifecycle
from vnfm.inventory.models import VnfInstance

Links = dict[str, set[str]]
"""Network to the slots of the VMs that are on it."""

CHAINS: dict[str, Links] = {
    "ece-only": {"access": {"ece"}, "wan": {"ece"}},
    "one-router": {"access": {"ece"}, "chain1": {"ece", "1"}, "wan": {"1"}},
    "two-routers": {"access": {"ece"}, "chain1": {"ece", "1"}, "chain2": {"1", "2"}, "wan": {"2"}},
}


def links(life: Lifecycle, instance: VnfInstance) -> Links:
    """Return who shares a network with whom, as Neutron has it; management aside."""
    found: Links = defaultdict(set)
    for slot, seen in cloud_snapshot(life, instance).items():
        for network in seen.ports.values():
            found[network.removeprefix(f"{instance.name}-")].add(slot)
    assert found.pop("management") == set(life.servers_of(instance))
    return dict(found)


def plugged(life: Lifecycle, instance: VnfInstance) -> dict[str, str]:
    """Name of each port to its id."""
    ports = life.cloud.networks.ports(list(life.servers_of(instance).values()))
    return {port.name.removeprefix(f"{instance.name}-"): port.id for port in ports}


def replugged(before: dict[str, str], after: dict[str, str]) -> set[str]:
    """The ports that are there before and after, and are not the same."""
    return {name for name in before.keys() & after.keys() if before[name] != after[name]}


def recorded(life: Lifecycle, instance: VnfInstance) -> dict[str, set[str]]:
    """Virtual link to the slots whose ports are on its network, as we have it on record."""
    rows = [(port.network_id, v.slot) for v in instance.vnfcs.all() for port in v.ports.all()]
    found = {
        link.vl_id: {slot for network_id, slot in rows if network_id == link.network_id}
        for link in instance.virtual_links.all()
    }
    del found["management"]
    return {vl_id: slots for vl_id, slots in found.items() if slots}
