"""The faults of the EANTC report, each with what must be told of it, and how it is undone."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from tests.service.insync.drill import Struck
from tests.service.insync.ours import Told
from tests.service.insync.scene import NE9000_PEER, SR12_LINK_PEER, SR12_PEER, VMG_PEER, VSR_PEER, Scene
from tests.service.insync.truth import CloudStates

ELEMENT_OF = {"vmg-1": "vmg", "vsr-1": "vsr"}
PEERS = {
    ("vmg", "1/1/1"): VMG_PEER,
    ("vsr", "1/1/1"): VSR_PEER,
    ("sr12", "1/1/1"): SR12_LINK_PEER,
    ("sr12", "2/1/1"): SR12_PEER,
    ("ne9000-core", "100GE1/0/0"): NE9000_PEER,
}
"""Who is reached by which port."""
LINKS = {("sr12", "1/1/1"): ("vsr", "1/1/1"), ("vsr", "1/1/1"): ("sr12", "1/1/1")}
"""Which other port loses its signal with a port."""
ROUTES, FIB = 5_632_000, 5_120_000
"""A tenth more routes than fit (seed 003)."""


@dataclass(frozen=True)
class Fault:
    name: str
    strike: Callable[[Scene], Struck]
    pushed: bool = False
    """The cloud or the element tells of it by itself."""


def lost_port(name: str, port: str, root: str = "", *, alone: bool = False) -> set[Told]:
    """A port, the peer behind it, and both at the other end of its cable."""
    own = Told(name, "PortDown", f"{name} Port {port}" if "GE" not in port else f"{name} {port}", root)
    root = root or f"PortDown {own.resource}"
    found = {own}
    if (name, port) in PEERS:
        found.add(Told(name, "BgpPeerDown", f"{name} peer {PEERS[name, port]}", root))
    if (name, port) in LINKS and not alone:
        found |= lost_port(*LINKS[name, port], alone=True)
    return found


def lost_card(scene: Scene, name: str, slot: str, root: str = "") -> set[Told]:
    """A card, and all that is on it."""
    shown = scene.routers.element(name)
    own = Told(name, "CardDown", f"{name} Slot {slot}", root)
    root = root or f"CardDown {own.resource}"
    card = next(card for card in shown["cards"] if card["slot"] == slot)
    found = {own} | {Told(name, "CardDown", f"{name} MDA {slot}/{mda['slot']}", root) for mda in card["mdas"]}
    for port in shown["ports"]:
        if port["slot"] == slot:
            found |= lost_port(name, port["name"], root)
    return found


def _vm_stopped(scene: Scene, instance: str, slot: str) -> Struck:
    server = scene.server(instance, slot)
    compute = scene.cloud.client.compute
    struck = _vm_lost(scene, instance, slot, "VmDown", undo=lambda: compute.start_server(server["id"]))
    compute.stop_server(server["id"])
    while compute.get_server(server["id"]).status != "SHUTOFF":
        time.sleep(0.02)  # the rhythm of looking
    return replace(struck, at=time.monotonic())


def _vm_killed(scene: Scene, instance: str) -> Struck:
    """The VM of the active control card, by a crash of its hypervisor's process."""
    slot = scene.routers.element(ELEMENT_OF[instance])["activeControl"]
    server = scene.server(instance, slot)
    scene.sim.control("POST", f"/servers/{server['id']}/stop")
    undo = partial(scene.sim.control, "POST", f"/servers/{server['id']}/start")
    return _vm_lost(scene, instance, slot, "VmDown", undo=undo)


def _vm_lost(scene: Scene, instance: str, slot: str, fault_type: str, *, undo: Callable[[], object]) -> Struck:
    name = next(
        vnfc["name"]
        for vnfc in scene.ours.get(f"/api/v1/vnf_instances/{scene.instances[instance]}")["vnfcs"]
        if vnfc["slot"] == slot
    )
    cards = lost_card(scene, ELEMENT_OF[instance], slot, f"{fault_type} {name}")
    return Struck(frozenset({Told(instance, fault_type, name), *cards}), undo)


def _vm_deleted(scene: Scene, instance: str, slot: str) -> Struck:
    server = scene.server(instance, slot)
    instance_id = scene.instances[instance]
    vnfcs = scene.ours.get(f"/api/v1/vnf_instances/{instance_id}")["vnfcs"]
    vnfc = next(vnfc["id"] for vnfc in vnfcs if vnfc["slot"] == slot)

    def heal() -> None:
        path = f"/vnflcm/v2/vnf_instances/{instance_id}/heal"
        scene.ours.over(scene.ours.post(path, {"vnfcInstanceId": [vnfc]}).headers["Location"])

    struck = _vm_lost(scene, instance, slot, "VmMissing", undo=heal)
    scene.sim.control("POST", f"/servers/{server['id']}/delete")
    return struck


def _fabric_link(scene: Scene) -> Struck:
    server = scene.server("vmg-1", "2")  # which no other fault restarts: a port that comes up has its time
    port = next(one for one in scene.cloud.ports_of(server["id"]) if one["name"].endswith("control-fabric"))
    scene.sim.control("POST", f"/ports/{port['id']}/down")
    told = Told("vmg-1", "PortDown", f"{server['name']} lb-control-fabric")
    return Struck(frozenset({told}), partial(scene.sim.control, "POST", f"/ports/{port['id']}/up"))


def _host_down(scene: Scene) -> Struck:
    """Nova goes on to show its VMs as they were; their cards have no heartbeat any more."""
    host = scene.server("vmg-1", "4")["OS-EXT-SRV-ATTR:host"]
    by_id = {instance_id: name for name, instance_id in scene.instances.items()}
    there = [
        (ELEMENT_OF[by_id[one["metadata"]["vnf_instance"]]], one["metadata"]["slot"])
        for one in scene.cloud.servers()
        if one["OS-EXT-SRV-ATTR:host"] == host and one["metadata"].get("vnf_instance") in by_id
    ]
    expected = {Told(scene.vim_name, "HypervisorDown", host)}
    for element, slot in there:
        expected |= lost_card(scene, element, slot, f"HypervisorDown {host}")
    scene.sim.control("POST", f"/hosts/{host}/kill")
    _all(scene, "card-fail", there, reason="no heartbeat")

    def undo() -> None:
        scene.sim.control("POST", f"/hosts/{host}/revive", {"keep_guests": True})
        _all(scene, "card-repair", there)

    return Struck(frozenset(expected), undo)


def _all(scene: Scene, fault: str, slots: Iterable[tuple[str, str]], **more: Any) -> None:
    for element, slot in slots:
        scene.routers.fault(element, fault, slot=slot, **more)


def _at(scene: Scene, element: str, fault: str, undo: str, expected: set[Told], **what: Any) -> Struck:
    """Done to a simulated element."""
    scene.routers.fault(element, fault, **what)
    return Struck(frozenset(expected), partial(scene.routers.fault, element, undo, **what))


def _data_link(scene: Scene) -> Struck:
    return _at(scene, "sr12", "port-down", "port-up", lost_port("sr12", "1/1/1"), port="1/1/1")


def _peer_lost(scene: Scene) -> Struck:
    told = Told("sr12", "BgpPeerDown", f"sr12 peer {SR12_PEER}")
    return _at(scene, "sr12", "peer-down", "peer-up", {told}, peer=SR12_PEER)


def _card_removed(scene: Scene) -> Struck:
    return _at(scene, "sr12", "card-out", "card-in", lost_card(scene, "sr12", "2"), slot="2")


def _fib_overload(scene: Scene) -> Struck:
    """Of one Virtual System; its line cards are everybody's."""
    words = "ne9000-core major: fib-overload: slot {slot}: {routes} IPv4 routes for a FIB of {fib}"
    lines = [card["slot"] for card in scene.routers.element("ne9000-core")["cards"] if card["role"] == "line"]
    told = {Told("ne9000-core", "FibOverload", words.format(slot=slot, routes=ROUTES, fib=FIB)) for slot in lines}
    scene.routers.fault("ne9000-core", "fib-overload", routes=ROUTES)
    return Struck(frozenset(told), partial(scene.routers.fault, "ne9000-core", "fib-resume"))


def _api_down(scene: Scene) -> Struck:
    """What runs there is unknown from then on; what is known of elements stays."""
    root = f"VimUnreachable {scene.vim_name}"
    told = {Told(name, "VimUnreachable", scene.vim_name, root) for name in scene.instances}
    scene.relay.cut()
    return Struck(frozenset({Told(scene.vim_name, "VimUnreachable", scene.vim_name), *told}), scene.relay.mend, _unseen)


def _unseen(truth: CloudStates) -> CloudStates:
    return replace(
        truth,
        servers=dict.fromkeys(truth.servers, "UNKNOWN"),
        ports=dict.fromkeys(truth.ports, "UNKNOWN"),
        hosts=dict.fromkeys(truth.hosts, "UNKNOWN"),
    )


FAULTS = (
    Fault("nova stop of an LB VM", lambda scene: _vm_stopped(scene, "vmg-1", "1"), pushed=True),
    Fault("nova stop of an MG VM", lambda scene: _vm_stopped(scene, "vmg-1", "3"), pushed=True),
    Fault("kill of the active control VM", lambda scene: _vm_killed(scene, "vmg-1"), pushed=True),
    Fault("data link down", _data_link, pushed=True),
    Fault("fabric link down", _fabric_link),
    Fault("host down", _host_down),
    Fault("VM deleted", lambda scene: _vm_deleted(scene, "vmg-1", "4"), pushed=True),
    Fault("data path VM of the VSR stopped", lambda scene: _vm_stopped(scene, "vsr-1", "1"), pushed=True),
    Fault("BGP peer lost", _peer_lost, pushed=True),
    Fault("card removed", _card_removed, pushed=True),
    Fault("FIB overload", _fib_overload, pushed=True),
    Fault("API of the cloud down", _api_down),
)
