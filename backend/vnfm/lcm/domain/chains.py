"""Chains of VNFCs linked to their neighbours: the virtual link of each port, and the ports that a change moves."""

from collections.abc import Collection, Mapping

from vnfm.catalog.domain.vnfd import Chain, Vdu, Vnfd
from vnfm.lcm.domain.plan_builder import PlanBuilder
from vnfm.lcm.domain.sizing import Roster

ChainLinks = dict[str, dict[str, str]]
"""Connection point id → slot → virtual link id: the value of `Chain.links_parameter`."""


def chain_links(vnfd: Vnfd, chain: Chain, slots: Collection[str]) -> ChainLinks:
    """The links of the chain with VNFCs in these slots: each one is linked to the next that is present."""
    row = [slot for slot in vnfd.vdu(chain.vdu_id).slots if slot in slots]
    head = next(vdu for vdu in vnfd.vdus for cp in vdu.connection_points if cp.id == chain.head)
    path = (*chain.links[: len(row)], vnfd.links_of(chain.outward)[0])
    return {
        chain.head: {head.slots[0]: path[0]},
        chain.inward: dict(zip(row, path[:-1], strict=True)),
        chain.outward: dict(zip(row, path[1:], strict=True)),
    }


def link_at(vnfd: Vnfd, cp_id: str, network_id: str, networks: Mapping[str, str]) -> str:
    """The virtual link of a port: its network decides where its connection point may be on several.

    `networks` maps virtual link to network id. "" for a connection point that the VNFD does not have.
    """
    links = vnfd.links_of(cp_id)
    return next((link for link in links if networks.get(link) == network_id), next(iter(links), ""))


def plan_chains(builder: PlanBuilder, rosters: Mapping[str, Roster]) -> None:
    """Set the HOT's links parameters, and warn which ports of VNFCs that stay are replaced."""
    for chain in builder.vnfd.chains:
        links = chain_links(builder.vnfd, chain, rosters[chain.vdu_id].slots.values())
        builder.links |= _flat(links)
        builder.links_before |= _flat(builder.current.parameters.get(chain.links_parameter) or {})
        builder.parameters[chain.links_parameter] = links
    if any(builder.links.get(place, link) != link for place, link in builder.links_before.items()):
        builder.warnings.append(
            "Ports are replaced where a VNFC gets another neighbour. The VM keeps running; the new port has another "
            "MAC address, and Nova plugs it in as the VM's last NIC. No traffic passes the chain meanwhile."
        )


def port_moves(builder: PlanBuilder, vdu: Vdu, slot: str) -> list[str]:
    """A text for each port of a VNFC that stays and is replaced."""
    names = {link.id: link.name for link in builder.vnfd.virtual_links}
    words = []
    for cp in vdu.connection_points:
        link = builder.links.get((cp.id, slot), cp.virtual_link)
        before = builder.links_before.get((cp.id, slot), link)
        if before != link:
            words.append(f"{cp.name} moves from {names.get(before, before)} to {names[link]}")
        elif link in builder.moved:
            words.append(f"{cp.name} moves to {builder.moved[link]}")
    return words


def _flat(links: Mapping[str, Mapping[str, str]]) -> dict[tuple[str, str], str]:
    return {(cp_id, slot): link for cp_id, by_slot in links.items() for slot, link in by_slot.items()}
