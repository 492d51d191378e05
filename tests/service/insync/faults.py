"""Faults of EANTC's reports (VMs, links and hosts of 000, FIB overload of 003) and four of our own.

Each has its expected alarms, and how it is undone.
"""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from tests.service.insync.api_client import AlarmSummary
from tests.service.insync.drill import Injection
from tests.service.insync.testbed import NE9000_PEER, SR12_LINK_PEER, SR12_PEER, VMG_PEER, VSR_PEER, SyncTestbed
from tests.service.insync.truth import CloudStates

ELEMENT_OF = {"vmg-1": "vmg", "vsr-1": "vsr"}
PEERS = {
    ("vmg", "1/1/1"): VMG_PEER,
    ("vsr", "1/1/1"): VSR_PEER,
    ("sr12", "1/1/1"): SR12_LINK_PEER,
    ("sr12", "2/1/1"): SR12_PEER,
    ("ne9000-core", "100GE1/0/0"): NE9000_PEER,
}
"""BGP peers, by element and port."""
LINKS = {("sr12", "1/1/1"): ("vsr", "1/1/1"), ("vsr", "1/1/1"): ("sr12", "1/1/1")}
"""The port at the other end of a cable, by element and port."""
ROUTES, FIB = 5_632_000, 5_120_000
"""A tenth more routes than fit (seed 003)."""


@dataclass(frozen=True)
class Fault:
    name: str
    inject: Callable[[SyncTestbed], Injection]
    pushed: bool = False
    """The cloud or the element reports it by a notification."""


def lost_port(name: str, port: str, root: str = "", *, alone: bool = False) -> set[AlarmSummary]:
    """The expected alarms of a port, the peer and neighbour behind it, and these at the other end of its cable."""
    own = AlarmSummary(name, "PortDown", f"{name} Port {port}" if "GE" not in port else f"{name} {port}", root)
    root = root or f"PortDown {own.resource}"
    found = {own}
    if (name, port) in PEERS:
        found.add(AlarmSummary(name, "BgpPeerDown", f"{name} peer {PEERS[name, port]}", root))
    if (name, port) in LINKS:
        found.add(AlarmSummary(name, "NeighbourLost", f"{name} OSPF neighbour on {port}", root))
    if (name, port) in LINKS and not alone:
        found |= lost_port(*LINKS[name, port], alone=True)
    return found


def lost_card(testbed: SyncTestbed, name: str, slot: str, root: str = "") -> set[AlarmSummary]:
    """The expected alarms of a card and of the ports on it; those of its MDAs are in its own."""
    router = testbed.routers.element(name)
    own = AlarmSummary(name, "CardDown", f"{name} Slot {slot}", root)
    root = root or f"CardDown {own.resource}"
    found = {own}
    for port in router["ports"]:
        if port["slot"] == slot:
            found |= lost_port(name, port["name"], root)
    return found


def _vm_stopped(testbed: SyncTestbed, instance: str, slot: str) -> Injection:
    server = testbed.server(instance, slot)
    compute = testbed.cloud.client.compute
    injection = _vm_lost(testbed, instance, slot, "VmDown", undo=lambda: compute.start_server(server["id"]))
    compute.stop_server(server["id"])
    while compute.get_server(server["id"]).status != "SHUTOFF":
        time.sleep(0.02)  # between two polls
    return replace(injection, at=time.monotonic())


def _vm_killed(testbed: SyncTestbed, instance: str) -> Injection:
    """The VM of the active control card, by a crash of its hypervisor's process."""
    slot = testbed.routers.element(ELEMENT_OF[instance])["activeControl"]
    server = testbed.server(instance, slot)
    testbed.sim.control("POST", f"/servers/{server['id']}/stop")
    undo = partial(testbed.sim.control, "POST", f"/servers/{server['id']}/start")
    return _vm_lost(testbed, instance, slot, "VmDown", undo=undo)


def _vm_lost(
    testbed: SyncTestbed, instance: str, slot: str, fault_type: str, *, undo: Callable[[], object]
) -> Injection:
    name = next(
        vnfc["name"]
        for vnfc in testbed.api.get(f"/api/v1/vnf_instances/{testbed.instances[instance]}")["vnfcs"]
        if vnfc["slot"] == slot
    )
    cards = lost_card(testbed, ELEMENT_OF[instance], slot, f"{fault_type} {name}")
    return Injection(frozenset({AlarmSummary(instance, fault_type, name), *cards}), undo)


def _vm_deleted(testbed: SyncTestbed, instance: str, slot: str) -> Injection:
    server = testbed.server(instance, slot)
    instance_id = testbed.instances[instance]
    vnfcs = testbed.api.get(f"/api/v1/vnf_instances/{instance_id}")["vnfcs"]
    vnfc = next(vnfc["id"] for vnfc in vnfcs if vnfc["slot"] == slot)

    def heal() -> None:
        path = f"/vnflcm/v2/vnf_instances/{instance_id}/heal"
        testbed.api.wait_for(testbed.api.post(path, {"vnfcInstanceId": [vnfc]}).headers["Location"])

    injection = _vm_lost(testbed, instance, slot, "VmMissing", undo=heal)
    testbed.sim.control("POST", f"/servers/{server['id']}/delete")
    return injection


def _vm_link(testbed: SyncTestbed, slot: str, connection_point: str) -> Injection:
    server = testbed.server("vmg-1", slot)
    port_name = connection_point.partition("-")[2]
    port = next(one for one in testbed.cloud.ports_of(server["id"]) if one["name"].endswith(port_name))
    testbed.sim.control("POST", f"/ports/{port['id']}/down")
    alarm = AlarmSummary("vmg-1", "PortDown", f"{server['name']} {connection_point}")
    return Injection(frozenset({alarm}), partial(testbed.sim.control, "POST", f"/ports/{port['id']}/up"))


def _host_down(testbed: SyncTestbed) -> Injection:
    """Nova goes on to show its VMs as they were; their cards have no heartbeat any more."""
    host = testbed.server("vmg-1", "4")["OS-EXT-SRV-ATTR:host"]
    by_id = {instance_id: name for name, instance_id in testbed.instances.items()}
    there = [
        (ELEMENT_OF[by_id[one["metadata"]["vnf_instance"]]], one["metadata"]["slot"])
        for one in testbed.cloud.servers()
        if one["OS-EXT-SRV-ATTR:host"] == host and one["metadata"].get("vnf_instance") in by_id
    ]
    expected = {AlarmSummary(testbed.vim_name, "HypervisorDown", host)}
    for element, slot in there:
        expected |= lost_card(testbed, element, slot, f"HypervisorDown {host}")
    testbed.sim.control("POST", f"/hosts/{host}/kill")
    _all(testbed, "card-fail", there, reason="no heartbeat")

    def undo() -> None:
        testbed.sim.control("POST", f"/hosts/{host}/revive", {"keep_guests": True})
        _all(testbed, "card-repair", there)

    return Injection(frozenset(expected), undo)


def _all(testbed: SyncTestbed, fault: str, slots: Iterable[tuple[str, str]], **more: Any) -> None:
    for element, slot in slots:
        testbed.routers.fault(element, fault, slot=slot, **more)


def _at(
    testbed: SyncTestbed, element: str, fault: str, undo: str, expected: set[AlarmSummary], **what: Any
) -> Injection:
    """Done to a simulated element."""
    testbed.routers.fault(element, fault, **what)
    return Injection(frozenset(expected), partial(testbed.routers.fault, element, undo, **what))


def _switchover(testbed: SyncTestbed) -> Injection:
    """On request: no alarm, as the former active control card is the standby once it has booted."""
    testbed.routers.fault("vsr", "switch-over")
    return Injection(frozenset(), lambda: None)


def _data_link(testbed: SyncTestbed) -> Injection:
    return _at(testbed, "sr12", "port-down", "port-up", lost_port("sr12", "1/1/1"), port="1/1/1")


def _peer_lost(testbed: SyncTestbed) -> Injection:
    alarm = AlarmSummary("sr12", "BgpPeerDown", f"sr12 peer {SR12_PEER}")
    return _at(testbed, "sr12", "peer-down", "peer-up", {alarm}, peer=SR12_PEER)


def _card_removed(testbed: SyncTestbed) -> Injection:
    return _at(testbed, "sr12", "card-out", "card-in", lost_card(testbed, "sr12", "2"), slot="2")


def _fib_overload(testbed: SyncTestbed) -> Injection:
    """The faults of one Virtual System, which shares its line cards with all."""
    words = "ne9000-core major: fib-overload: slot {slot}: {routes} IPv4 routes for a FIB of {fib}"
    lines = [card["slot"] for card in testbed.routers.element("ne9000-core")["cards"] if card["role"] == "line"]
    alarms = {
        AlarmSummary("ne9000-core", "FibOverload", words.format(slot=slot, routes=ROUTES, fib=FIB)) for slot in lines
    }
    testbed.routers.fault("ne9000-core", "fib-overload", routes=ROUTES)
    return Injection(frozenset(alarms), partial(testbed.routers.fault, "ne9000-core", "fib-resume"))


def _api_down(testbed: SyncTestbed) -> Injection:
    """It is unknown from then on what runs there; what is known of elements stays."""
    root = f"VimUnreachable {testbed.vim_name}"
    alarms = {AlarmSummary(name, "VimUnreachable", testbed.vim_name, root) for name in testbed.instances}
    testbed.relay.cut()
    return Injection(
        frozenset({AlarmSummary(testbed.vim_name, "VimUnreachable", testbed.vim_name), *alarms}),
        testbed.relay.mend,
        _all_unknown,
    )


def _all_unknown(truth: CloudStates) -> CloudStates:
    return replace(
        truth,
        servers=dict.fromkeys(truth.servers, "UNKNOWN"),
        ports=dict.fromkeys(truth.ports, "UNKNOWN"),
        hosts=dict.fromkeys(truth.hosts, "UNKNOWN"),
    )


FAULTS = (
    Fault("nova stop of an LB VM", lambda testbed: _vm_stopped(testbed, "vmg-1", "1"), pushed=True),
    Fault("nova stop of an MG VM", lambda testbed: _vm_stopped(testbed, "vmg-1", "3"), pushed=True),
    Fault("kill of the active control VM", lambda testbed: _vm_killed(testbed, "vmg-1"), pushed=True),
    Fault("graceful switchover of the control VMs", _switchover, pushed=True),
    Fault("data link down", _data_link, pushed=True),
    # The faults of VMs that no other fault restarted before: a port that comes up has its time.
    Fault("fabric link down", lambda testbed: _vm_link(testbed, "2", "lb-control-fabric")),
    Fault("data link of an LB VM down", lambda testbed: _vm_link(testbed, "2", "lb-external1")),
    Fault("fabric link of an MG VM down", lambda testbed: _vm_link(testbed, "4", "mg-data-fabric1")),
    Fault("host down", _host_down),
    Fault("VM deleted", lambda testbed: _vm_deleted(testbed, "vmg-1", "4"), pushed=True),
    Fault("data path VM of the VSR stopped", lambda testbed: _vm_stopped(testbed, "vsr-1", "1"), pushed=True),
    Fault("BGP peer lost", _peer_lost, pushed=True),
    Fault("card removed", _card_removed, pushed=True),
    Fault("FIB overload", _fib_overload, pushed=True),
    Fault("API of the cloud down", _api_down),
)
