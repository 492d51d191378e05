"""With any VNFCs present, the shipped chain is one unbroken path, and each of its links joins two neighbours."""

from itertools import combinations

import pytest

from tests.factories.packages import VCPE, shipped_package
from vnfm.catalog.domain.vnfd import Chain, Vnfd
from vnfm.lcm.domain.chains import ChainLinks, chain_links, link_at

NETWORKS = {"access": "net-a", "wan": "net-w", "chain1": "net-1", "chain2": "net-2", "management": "net-m"}


@pytest.fixture(scope="module")
def vcpe() -> Vnfd:
    return shipped_package(VCPE).vnfd


@pytest.fixture
def chain(vcpe: Vnfd) -> Chain:
    (chain,) = vcpe.chains
    return chain


def path(links: ChainLinks, chain: Chain) -> list[str]:
    """The slots that traffic passes from the head on, found by following the links, and the link that it leaves on."""
    (link,) = links[chain.head].values()
    passed = []
    inward = {link: slot for slot, link in links[chain.inward].items()}
    while link in inward:
        slot = inward.pop(link)
        passed.append(slot)
        link = links[chain.outward][slot]
    return [*passed, link]


@pytest.mark.parametrize("slots", [row for n in range(3) for row in combinations(("1", "2"), n)], ids=str)
def test_the_row_is_one_path_to_the_wan(vcpe: Vnfd, chain: Chain, slots: tuple[str, ...]) -> None:
    links = chain_links(vcpe, chain, slots)
    assert path(links, chain) == [*slots, "wan"]
    ends = [link for by_slot in links.values() for link in by_slot.values()]
    assert {link: ends.count(link) for link in ends if link != "wan"} == dict.fromkeys(chain.links[: len(slots)], 2)
    assert ends.count("wan") == 1


def test_the_network_decides_the_link_where_the_connection_point_does_not(vcpe: Vnfd) -> None:
    assert vcpe.links_of("router-outward") == ("wan", "chain1", "chain2")
    assert vcpe.links_of("ece-access") == ("access",)
    assert link_at(vcpe, "router-outward", "net-2", NETWORKS) == "chain2"
    assert link_at(vcpe, "router-outward", "net-w", NETWORKS) == "wan"
    assert link_at(vcpe, "ece-access", "foreign", NETWORKS) == "access"
    assert link_at(vcpe, "router-outward", "foreign", NETWORKS) == "wan"
    assert link_at(vcpe, "", "net-w", NETWORKS) == "", "a port that is none of the VNFD's"
