"""Rows of VNFCs that are linked to their neighbours only: which link each port is on, and what a change re-plugs."""

from collections.abc import Collection, Mapping

from vnfm.catalog.domain.vnfd import Chain, Vdu, Vnfd
from vnfm.lcm.domain.draft import Draft
from vnfm.lcm.domain.sizing import Roster

ChainLinks = dict[str, dict[str, str]]
"""Connection point to slot to virtual link, all by id: what `Chain.links_parameter` gets."""


def chain_links(vnfd: Vnfd, chain: Chain, slots: Collection[str]) -> ChainLinks:
    """Where the ports of the chain are with VNFCs in these slots: whoever is left is linked to the next one left."""
    row = [slot for slot in vnfd.vdu(chain.vdu_id).slots if slot in slots]
    head = next(vdu for vdu in vnfd.vdus for cp in vdu.connection_points if cp.id == chain.head)
    path = (*chain.links[: len(row)], vnfd.links_of(chain.outward)[0])
    return {
        chain.head: {head.slots[0]: path[0]},
        chain.inward: dict(zip(row, path[:-1], strict=True)),
        chain.outward: dict(zip(row, path[1:], strict=True)),
    }


def link_at(vnfd: Vnfd, cp_id: str, network_id: str, networks: Mapping[str, str]) -> str:
    """The virtual link of a port: its network tells where its connection point may be on several.

    `networks` maps virtual link to network id. "" for a connection point that the VNFD does not have.
    """
    links = vnfd.links_of(cp_id)
    return next((link for link in links if networks.get(link) == network_id), next(iter(links), ""))


def plan_chains(draft: Draft, rosters: Mapping[str, Roster]) -> None:
    """Tell the HOT who is whose neighbour, and the operator which ports of VNFCs that stay are replaced for it."""
    for chain in draft.vnfd.chains:
        links = chain_links(draft.vnfd, chain, rosters[chain.vdu_id].slots.values())
        draft.links |= _flat(links)
        draft.links_before |= _flat(draft.before.parameters.get(chain.links_parameter) or {})
        draft.parameters[chain.links_parameter] = links
    if any(draft.links.get(place, link) != link for place, link in draft.links_before.items()):
        draft.warnings.append(
            "Ports are replaced where a VNFC gets another neighbour. The VM keeps running; the new port has another "
            "MAC address, and Nova plugs it in as the VM's last NIC. No traffic passes the chain meanwhile."
        )


def port_moves(draft: Draft, vdu: Vdu, slot: str) -> list[str]:
    """What happens to the ports of a VNFC that stays, in words, one for each port that is replaced."""
    names = {link.id: link.name for link in draft.vnfd.virtual_links}
    words = []
    for cp in vdu.connection_points:
        link = draft.links.get((cp.id, slot), cp.virtual_link)
        before = draft.links_before.get((cp.id, slot), link)
        if before != link:
            words.append(f"{cp.name} moves from {names.get(before, before)} to {names[link]}")
        elif link in draft.moved:
            words.append(f"{cp.name} moves to {draft.moved[link]}")
    return words


def _flat(links: Mapping[str, Mapping[str, str]]) -> dict[tuple[str, str], str]:
    return {(cp_id, slot): link for cp_id, by_slot in links.items() for slot, link in by_slot.items()}
