"""One suite for all drivers of network elements: what a look gives is whole, consistent, and moves when something does.

Against simulated routers of each product, those whose cards are the VMs of a simulated cloud among them, and against a
real one: FRR, where network namespaces can be made.
"""

import asyncio
import shutil
from dataclasses import dataclass, replace
from typing import Any, get_args

import openstack
import pytest

from tests.service.routersim.traps import TrapSocket
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.frr import COMMUNITY, LINK, NEIGHBOUR_V6, FrrRouter, frr, frr_traps
from tests.support.routersim_process import RoutersimProcess
from tests.support.waiting import until
from vnfm.devices.provider import Devices
from vnfm.devices.types import Community, SnmpTarget
from vnfm.elements.domain.parts import PARTS, Part
from vnfm.elements.domain.snapshot import ObservedBgpPeer, PrefixCounts, Snapshot
from vnfm.elements.models import BgpPeer, Equipment, Interface
from vnfm.elements.reconcilers.element_poll import PollRequest, PollResult, poll_element

__all__ = ["frr", "frr_traps"]
BFD_DOWN = "1.3.6.1.2.1.222.0.2"
ALL = frozenset(PARTS)
PRODUCTS = {"7750-SR-12": "nokia-sros", "NE9000": "huawei-vrp", "VSR": "nokia-sros", "VMG": "nokia-sros"}
VMS = {
    "VSR": {"A": "cpm-v", "B": "cpm-v", "1": "iom-v", "2": "iom-v"},
    "VMG": {"A": "cpm-v", "B": "cpm-v", "1": "iom-v", "2": "iom-v", "3": "iom-v-mg", "4": "iom-v-mg"},
}
"""Slot to type of card of the virtual ones."""
PORTS = {"7750-SR-12": "1/1/1", "NE9000": "100GE1/0/0"}
"""The port with a link, of hardware."""
PEER = {"address": "192.0.2.9", "remoteAs": 65009}
BEHIND = {"7750-SR-12": "2/1/4", "NE9000": "100GE2/0/3"}
"""The port by which the peer is reached, of hardware."""


@dataclass(frozen=True)
class Subject:
    """An element under test, by its sysName; `sim` is None for the real router."""

    name: str
    driver: str
    wanted: PollRequest
    sim: RoutersimProcess | None


@pytest.fixture(scope="module", params=[*PRODUCTS, "frr"])
def subject(request: pytest.FixtureRequest) -> Subject:
    kind: str = request.param
    if kind == "frr":
        router: FrrRouter = request.getfixturevalue("frr")
        return Subject("frr-1", "frr", _wanted(router.address, 161, COMMUNITY), None)
    simulator = request.getfixturevalue("routersim")
    address = f"127.66.{list(PRODUCTS).index(kind) + 1}.1"
    element: dict[str, Any] = {
        "name": kind,
        "kind": kind,
        "address": address,
        "ports": 4,
        "bootSeconds": 0,
        "peers": [{**PEER, "port": BEHIND.get(kind, "")}],
    }
    if kind in VMS:
        shown = simulator.add(**element, vnfInstance=f"contract-{kind}")
        _follow(simulator, request.getfixturevalue("cloudsim"), kind)
    else:
        far = {"name": f"{kind}-far", "kind": "7750-SR-12", "address": f"127.66.{list(PRODUCTS).index(kind) + 1}.2"}
        simulator.add(**far, cards=1, ports=1, bootSeconds=0)
        cable = {"port": PORTS[kind], "neighbour": far["name"], "neighbourPort": "1/1/1"}
        shown = simulator.add(**element, cards=2, links=[cable], lldpHoldSeconds=0)
    return Subject(kind, PRODUCTS[kind], _wanted(address, shown["snmpPort"]), simulator)


def _follow(sim: RoutersimProcess, cloud: CloudsimProcess, kind: str) -> None:
    """Let its cards be VMs, until all are in service; from then on they are out and in by command alone."""
    config = openstack.config.OpenStackConfig(config_files=[str(cloud.clouds_yaml)])
    user = openstack.connection.Connection(config=config.get_one("cloudsim"))
    image, flavor = user.image.find_image("tiny"), user.compute.find_flavor("m1.tiny")
    network = user.network.create_network(name=f"contract-{kind}")
    user.network.create_subnet(network_id=network.id, cidr="198.18.0.0/24", ip_version=4)
    for slot, card in VMS[kind].items():
        timos = f"TIMOS: slot={slot} chassis=VSR card={card}"
        metadata = {"vnf_instance": f"contract-{kind}", "slot": slot, "timos": timos}
        wanted = {"image_id": image.id, "flavor_id": flavor.id, "metadata": metadata}
        user.compute.create_server(name=f"{kind}-{slot}", networks=[{"uuid": network.id}], **wanted)
    sim.control("PUT", "/clouds/cloudsim", {"cloudsYaml": str(cloud.clouds_yaml), "seconds": 0.1})
    everywhere = dict.fromkeys(VMS[kind], "IN_SERVICE")
    until(lambda: {c["slot"]: c["state"] for c in sim.element(kind)["cards"]} == everywhere, "all cards", seconds=60)
    sim.control("DELETE", "/clouds/cloudsim")


def _wanted(address: str, port: int, community: str = "public") -> PollRequest:
    return PollRequest(SnmpTarget(address, port, Community(community)), driver="", parts=ALL)


def observed(subject: Subject, **change: Any) -> PollResult:
    return asyncio.run(poll_element(Devices(), replace(subject.wanted, **change)))


def test_the_product_is_recognised(subject: Subject) -> None:
    seen = observed(subject)
    assert seen.driver == subject.driver
    assert seen.system.sys_name == subject.name
    assert seen.system.sys_descr
    assert seen.system.software_version
    assert seen.system.uptime >= 0


def test_the_tree_hangs_together(subject: Subject) -> None:
    snapshot = observed(subject).snapshot
    assert snapshot is not None
    assert snapshot.equipment
    fdns = [part.fdn for part in snapshot.equipment]
    assert len(set(fdns)) == len(fdns)
    root = f"network:{subject.wanted.target.address}"
    assert {part.parent_fdn for part in snapshot.equipment} - set(fdns) == {root}
    assert all(part.fdn.startswith(f"{root}:shelf-") for part in snapshot.equipment)
    assert [part.equipment_class for part in snapshot.equipment].count("CHASSIS") == 1
    assert any(part.equipment_class == "PORT" for part in snapshot.equipment)


def test_only_our_words_come_out(subject: Subject) -> None:
    snapshot = observed(subject).snapshot
    assert snapshot is not None
    for part in snapshot.equipment or ():
        assert part.equipment_class in Equipment.Class.values
        assert part.admin_state in Equipment.AdminState.values
        assert part.oper_state in Equipment.OperState.values
    for interface in snapshot.interfaces or ():
        assert {interface.admin, interface.oper} <= set(Interface.Status.values)
    for peer in snapshot.bgp_peers or ():
        assert peer.admin_state in BgpPeer.AdminState.values
        assert peer.state in BgpPeer.State.values
    facts = [(fact.name, fact.subject) for fact in snapshot.facts or ()]
    assert len(set(facts)) == len(facts)


def test_ports_lead_to_their_interfaces(subject: Subject) -> None:
    snapshot = observed(subject).snapshot
    assert snapshot is not None
    known = {interface.if_index for interface in snapshot.interfaces or ()}
    ports = [part for part in snapshot.equipment or () if part.equipment_class == "PORT"]
    assert {port.if_index for port in ports} <= known
    assert all(interface.name for interface in snapshot.interfaces or ())


def test_the_port_of_a_peer_is_read(subject: Subject) -> None:
    """A peer is found by the interface whose network it is in: a port itself, or of SR OS one that says on which port
    it is.
    """
    if subject.name not in BEHIND:
        pytest.skip("no port of it leads to a peer")
    snapshot = observed(subject).snapshot
    assert snapshot is not None
    ports = {part.if_index: part.name for part in snapshot.equipment or () if part.equipment_class == "PORT"}
    (behind,) = (each for each in snapshot.interfaces or () if "192.0.2.8/31" in each.addresses)
    assert (behind.if_index in ports) == (subject.driver != "nokia-sros")
    assert ports[behind.port_if_index or behind.if_index].endswith(BEHIND[subject.name])


def test_the_cards_of_a_virtual_one_are_its_vms_in_their_slots(subject: Subject) -> None:
    if subject.name not in VMS:
        pytest.skip("its cards are hardware")
    snapshot = observed(subject).snapshot
    assert snapshot is not None
    cards = [part for part in snapshot.equipment or () if part.equipment_class in ("CARD", "CPM")]
    assert {card.slot: card.oper_state for card in cards} == dict.fromkeys(VMS[subject.name], "IN_SERVICE")
    assert {card.slot for card in cards if card.equipment_class == "CPM"} == {"A", "B"}


COLUMNS = {
    "EQUIPMENT": "equipment",
    "INTERFACES": "interfaces",
    "BGP": "bgp_peers",
    "FACTS": "facts",
    "NEIGHBOURS": "adjacencies",
}


@pytest.mark.parametrize("part", get_args(Part))
def test_a_part_read_alone_is_the_same_as_among_all(subject: Subject, part: str) -> None:
    def both_reads() -> Snapshot | None:
        whole, alone = observed(subject), observed(subject, parts=frozenset({part}), digest=b"before")
        assert whole.snapshot is not None
        assert alone.snapshot is not None
        assert alone.digest == b"before"
        same = getattr(alone.snapshot, COLUMNS[part]) == getattr(whole.snapshot, COLUMNS[part])
        return alone.snapshot if same else None

    alone = until(both_reads, "the same in both", 20)  # a real router has just been started: its peers come up
    others = [column for name, column in COLUMNS.items() if name != part]
    assert [getattr(alone, column) for column in others] == [None] * len(others)


def test_an_element_at_rest_shows_only_that(subject: Subject) -> None:
    def unchanged() -> bool | None:
        whole = observed(subject)
        again = observed(subject, parts=frozenset(), driver=whole.driver, digest=whole.digest)
        return (again.snapshot, again.digest) == (None, whole.digest) or None

    until(unchanged, "at rest", 20)  # a real router has just been started: its peers come up


@pytest.mark.parametrize(
    ("fault", "body", "undo"),
    [
        ("card-out", {"slot": "card"}, "card-in"),
        ("card-fail", {"slot": "card"}, "card-repair"),
        ("port-down", {"port": "port"}, "port-up"),
        ("peer-down", {"peer": PEER["address"]}, "peer-up"),
        ("switch-over", {}, "switch-over"),
        ("fan-fail", {}, "fan-repair"),
    ],
)
def test_every_fault_shows_in_the_states(subject: Subject, fault: str, body: dict[str, Any], undo: str) -> None:
    if subject.sim is None:
        pytest.skip("a real router has no faults on command")
    if fault == "fan-fail" and subject.name in VMS:
        pytest.skip("a virtual router has no fans")
    before = observed(subject)
    assert before.snapshot is not None
    chosen = {name: _chosen(before, str(value)) for name, value in body.items()}
    subject.sim.fault(subject.name, fault, **chosen)
    during = observed(subject, parts=frozenset(), driver=before.driver, digest=before.digest)
    assert during.snapshot is not None
    assert during.snapshot != before.snapshot
    subject.sim.fault(subject.name, undo, **chosen)
    after = observed(subject)
    assert after.snapshot is not None
    assert after.snapshot.equipment == before.snapshot.equipment
    assert after.snapshot.bgp_peers == before.snapshot.bgp_peers


def test_neighbours_are_listed_while_the_link_is_up(subject: Subject) -> None:
    """By LLDP and OSPF, by the port that the interface names; also at the link's other end."""
    if subject.sim is None or subject.name in VMS:
        pytest.skip("a real router's are tested below; a virtual router's neighbours are its network's")
    snapshot = observed(subject).snapshot
    assert snapshot is not None
    port, index = next(
        (each.name, each.if_index) for each in snapshot.interfaces or () if each.name == PORTS[subject.name]
    )
    heard = {each.protocol: each for each in snapshot.adjacencies or ()}
    far = f"{subject.name}-far"
    assert (heard["LLDP"].local_port, heard["LLDP"].if_index, heard["LLDP"].state) == (port, index, "FULL")
    assert (heard["LLDP"].remote_name, heard["LLDP"].remote_port) == (far, "1/1/1")
    assert len(heard["LLDP"].remote_id.split(":")) == 6
    assert (heard["OSPF"].local_port, heard["OSPF"].state) == (port, "FULL")
    assert heard["OSPF"].remote_address.endswith(".2")
    subject.sim.fault(far, "port-down", port="1/1/1")
    lost = observed(subject).snapshot
    assert lost is not None
    assert lost.adjacencies == ()
    subject.sim.fault(far, "port-up", port="1/1/1")
    again = observed(subject).snapshot
    assert again is not None
    assert again.adjacencies == snapshot.adjacencies


def _chosen(seen: PollResult, what: str) -> str:
    assert seen.snapshot is not None
    if what == "card":
        return next(part.slot for part in seen.snapshot.equipment or () if part.equipment_class == "CARD")
    if what == "port":
        return next(each.name for each in seen.snapshot.interfaces or () if not each.addresses)
    return what


def test_a_real_router_that_loses_its_neighbour(frr: FrrRouter) -> None:
    """FRR has no ENTITY-MIB: a shelf with its Ethernet ports."""
    wanted = _wanted(frr.address, 161, COMMUNITY)

    def peer() -> ObservedBgpPeer | None:
        """None until bgpd's subagent has registered with snmpd."""
        snapshot = asyncio.run(poll_element(Devices(), wanted)).snapshot
        assert snapshot is not None
        return next((one for one in snapshot.bgp_peers or () if one.peer_address == frr.neighbour), None)

    def state() -> str:
        found = peer()
        return "" if found is None else found.state

    def port() -> str:
        snapshot = asyncio.run(poll_element(Devices(), wanted)).snapshot
        assert snapshot is not None
        parts = [part for part in snapshot.equipment or () if part.equipment_class == "PORT"]
        return next(part.oper_state for part in parts if part.name == LINK)

    until(lambda: state() == "ESTABLISHED", "the session", seconds=60)
    found = peer()
    assert found is not None
    assert found.admin_state == "UP"
    frr.cut_link()
    until(lambda: state() not in ("", "ESTABLISHED"), "its loss")
    until(lambda: port() == "OUT_OF_SERVICE", "the agent, which keeps interfaces for seconds, tells of the link", 60)
    frr.mend_link()
    until(lambda: state() == "ESTABLISHED", "the session again", seconds=60)


def test_a_real_router_names_its_neighbours_by_family(frr: FrrRouter) -> None:
    """BGP for IPv4 and IPv6 with prefixes, OSPF and BFD, as read of FRR's daemons."""
    wanted = _wanted(frr.address, 161, COMMUNITY)

    expected = {"OSPF", "BFD"} | ({"LLDP"} if shutil.which("lldpd") else set())

    def complete() -> Snapshot | None:
        snapshot = asyncio.run(poll_element(Devices(), wanted)).snapshot
        assert snapshot is not None
        counts = [(each.accepted, each.advertised) for peer in snapshot.bgp_peers or () for each in peer.families]
        protocols = {neighbour.protocol for neighbour in snapshot.adjacencies or ()}
        return snapshot if counts == [(1, 2), (2, 4)] and protocols >= expected else None

    snapshot = until(complete, "all sessions and prefixes", 40)
    peers = {peer.peer_address: peer for peer in snapshot.bgp_peers or ()}
    assert {name: (peer.state, peer.remote_as) for name, peer in peers.items()} == {
        frr.neighbour: ("ESTABLISHED", 65002),
        NEIGHBOUR_V6: ("ESTABLISHED", 65002),
    }
    assert peers[frr.neighbour].families == (PrefixCounts("IPv4 unicast", 1, 1, 2),)
    assert peers[NEIGHBOUR_V6].families == (PrefixCounts("IPv6 unicast", 2, 2, 4),)
    found = {neighbour.protocol: neighbour for neighbour in snapshot.adjacencies or ()}
    for protocol, state in (("BFD", "UP"), ("OSPF", "FULL")):
        neighbour = found[protocol]
        assert (neighbour.state, neighbour.remote_address, neighbour.local_port) == (state, frr.neighbour, LINK)
    if "LLDP" in expected:
        assert (found["LLDP"].state, found["LLDP"].local_port) == ("FULL", LINK)
        assert len(found["LLDP"].remote_port.split(":")) == 6, "lldpd names a port by its MAC"


def test_a_real_router_says_why_a_session_ended(frr: FrrRouter, frr_traps: TrapSocket) -> None:
    """BFD ends it, which counts as a flap; its notification comes at once."""
    wanted = replace(_wanted(frr.address, 161, COMMUNITY), parts=frozenset({"BGP", "NEIGHBOURS"}))

    def sessions() -> tuple[ObservedBgpPeer, str]:
        snapshot = asyncio.run(poll_element(Devices(), wanted)).snapshot
        assert snapshot is not None
        (peer,) = (peer for peer in snapshot.bgp_peers or () if peer.peer_address == frr.neighbour)
        states = [each.state for each in snapshot.adjacencies or () if each.protocol == "BFD"]
        return peer, states[0] if states else ""

    until(lambda: (sessions()[0].state, sessions()[1]) == ("ESTABLISHED", "UP") or None, "the sessions", 40)
    before = sessions()[0]
    assert before.flaps is not None
    frr.freeze_neighbour()
    frr_traps.until(BFD_DOWN, seconds=20)
    until(lambda: sessions()[1] == "DOWN" or None, "the loss of the session", 20)
    until(lambda: (sessions()[0].flaps or 0) > before.flaps or None, "the flap", 20)
    assert sessions()[0].last_error, "BFD down received, or what an attempt to connect has met since"
    frr.thaw_neighbour()
    until(lambda: (sessions()[0].state, sessions()[1]) == ("ESTABLISHED", "UP") or None, "the sessions again", 40)
    assert (sessions()[0].flaps or 0) > before.flaps
