"""Makes the cards of virtual elements follow the VMs of a cloud, by the slot in the VMs' metadata.

A VM that is not ACTIVE, or was deleted, is an empty slot that stays configured; a VM that comes back boots.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from ipaddress import IPv4Address
from typing import TYPE_CHECKING, Any

from routersim.model.build import LOOPBACK, InvalidSpec
from routersim.model.element import equip
from routersim.model.kinds import KINDS, make_line_card, make_mda
from routersim.model.parts import Card

if TYPE_CHECKING:
    from openstack.connection import Connection

    from routersim.fleet import Fleet
    from routersim.model.element import License
    from routersim.router import Router

log = logging.getLogger("routersim.cloud_follower")

Server = Mapping[str, Any]
"""A server of Nova's detailed list."""
INTEGRATED = "VSR-I"
"""The kind of a chassis that is a single VM."""
CORE_AS, VNF_AS = 65000, 65100
"""The AS number of the BGP neighbour of adopted elements, and that of these elements."""
REMOVAL_SECONDS = 10.0
"""Seconds without a VM after which the element of a VNF instance is removed; rebuilding takes less."""
_MDAS = {"iom-v": "m20-v", "iom-v-mg": "isa-mg-v"}
"""The type of MDA 1 of a card whose boot string names none."""


def server_slots(server: Server) -> dict[str, str]:
    """Return the card types of a VM by slot: two for an integrated VSR, else one."""
    metadata = server.get("metadata", {})
    found = dict(re.findall(r"(\w+)=(\S+)", metadata.get("timos", "")))
    slot, card = str(metadata.get("slot", found.get("slot", ""))), found.get("card", "")
    if not slot or not card:
        return {}
    if found.get("chassis") == INTEGRATED:
        return {"A": "cpm-v", "1": "iom-v"}
    return {slot: card}


def boot_mdas(server: Server, card: str) -> dict[int, str]:
    """Return the types of a line card's adapters by number, from the boot string, in order."""
    named = re.findall(r"\bmda/(\d)=(\S+)", server.get("metadata", {}).get("timos", ""))
    return {int(number): mda_type for number, mda_type in sorted(named)} or {1: _MDAS.get(card, "m20-v")}


def servers_by_instance(servers: Iterable[Server]) -> dict[str, dict[str, tuple[str, Server]]]:
    """Return card type and VM by VNF instance and slot. A newer VM replaces an older one.

    Each integrated VM is a router of its own, INSTANCE/SLOT.
    """
    found: dict[str, dict[str, tuple[str, Server]]] = defaultdict(dict)
    for server in sorted(servers, key=lambda server: server.get("created", "")):
        metadata = server.get("metadata", {})
        instance = metadata.get("vnf_instance", "")
        if f"chassis={INTEGRATED} " in metadata.get("timos", ""):
            instance = f"{instance}/{metadata.get('slot', '1')}" if instance else ""
        for slot, card in server_slots(server).items() if instance else ():
            found[instance][slot] = (card, server)
    return found


def management_address(vms: Mapping[str, tuple[str, Server]]) -> str:
    """Return the loopback address of the first control VM; "" if it has none and cannot be simulated here."""
    for slot in ("A", "B"):
        server = vms.get(slot, ("", {}))[1]
        for addresses in server.get("addresses", {}).values():
            for one in addresses:
                if one.get("version") == 4 and IPv4Address(one["addr"]) in LOOPBACK:
                    return str(one["addr"])
    return ""


def _kind_of(instance: str, vms: Mapping[str, tuple[str, Server]]) -> str:
    if "/" in instance:
        return INTEGRATED
    return "VMG" if any(card == "iom-v-mg" for card, _ in vms.values()) else "VSR"


def apply_servers(router: Router, vms: Mapping[str, tuple[str, Server]]) -> bool:
    """Set the cards from the VMs; return True if anything changed."""
    changed = False
    for slot, (kind, server) in vms.items():
        chassis = router.element.chassis
        if any(card.slot == slot and card.server == server["id"] for card in chassis.unprovisioned):
            continue
        card = chassis.card(slot)
        if card is None:
            card = _new_card(router, slot, kind, server)
            changed = True
        running = server["status"] == "ACTIVE"
        if running != card.equipped or (running and card.server != server["id"]):
            equip(router.element, card, running, router.clock.time())
            changed = True
        card.server = server["id"]
    out = router.element.chassis.unprovisioned
    kept = [card for card in out if card.slot in vms and vms[card.slot][1]["id"] == card.server]
    if len(kept) != len(out):
        router.element.chassis.unprovisioned, changed = kept, True
    for card in router.element.chassis.cards:
        if card.slot not in vms and card.equipped:
            equip(router.element, card, False, router.clock.time())
            changed = True
    return _check_license(router, vms) or changed


def _new_card(router: Router, slot: str, kind: str, server: Server) -> Card:
    element = router.element
    if kind == "cpm-v":
        card = Card(slot=slot, role="control", type=kind, equipped=False)
    else:
        card = make_line_card(KINDS[element.kind], int(slot), 0, 0, element.name)
        card.type, card.equipped = kind, False
        card.mdas = [
            make_mda(KINDS[element.kind], int(slot), number, mda_type, element.card_ports, seed=element.name)
            for number, mda_type in boot_mdas(server, kind).items()
        ]
    element.chassis.cards.append(card)
    element.chassis.cards.sort(key=lambda card: (card.role != "control", len(card.slot), card.slot))
    element.chassis.structure += 1
    return card


def _check_license(router: Router, vms: Mapping[str, tuple[str, Server]]) -> bool:
    """Check a bound licence, which another VM in a control card's slot makes invalid; return True if that changed."""
    license_: License = router.element.license
    if not license_.bound:
        return False
    controls = {slot: server["id"] for slot, (kind, server) in vms.items() if kind == "cpm-v"}
    for slot, server in controls.items():
        license_.servers.setdefault(slot, server)
    wrong = [slot for slot, server in controls.items() if license_.servers[slot] != server]
    if bool(wrong) != license_.valid:
        return False
    license_.valid, license_.since = not wrong, router.clock.time()
    license_.reason = f"the UUID of the VM in slot {wrong[0]} is not the license's" if wrong else ""
    return True


class Follower:
    """Polls clouds."""

    def __init__(self, fleet: Fleet, peer: str = "") -> None:
        """`peer` is the address of the BGP neighbour of adopted elements, "" for none."""
        self._fleet, self._peer = fleet, peer
        self._factory = False
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._lost: dict[str, float] = {}
        """The time since which its instance has no VM, by adopted element."""

    async def follow(
        self, name: str, clouds_yaml: str, cloud: str, seconds: float, *, adopt: bool, factory: bool = False
    ) -> None:
        """Poll a cloud, instead of an earlier one of this name. Raises InvalidSpec if it does not answer.

        With `factory`, newly adopted elements have no SNMP at first (`Element.factory`).
        """
        await self.unfollow(name)
        self._factory = factory
        try:
            connection = await asyncio.to_thread(_connect, clouds_yaml, cloud)
            servers = await asyncio.to_thread(_servers, connection)
        except Exception as error:
            raise InvalidSpec(f"cloud {cloud} of {clouds_yaml}: {error}") from error
        await self._update(servers, adopt)
        self._tasks[name] = asyncio.create_task(self._loop(connection, seconds, adopt))

    async def unfollow(self, name: str) -> None:
        task = self._tasks.pop(name, None)
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def stop(self) -> None:
        for name in [*self._tasks]:
            await self.unfollow(name)

    async def _loop(self, connection: Connection, seconds: float, adopt: bool) -> None:
        while True:
            await asyncio.sleep(seconds)
            try:
                servers = await asyncio.to_thread(_servers, connection)
            except Exception as error:  # noqa: BLE001 - while the cloud's API fails, its VMs still run
                log.info("the cloud does not answer: %s", error)
                continue
            await self._update(servers, adopt)

    async def _update(self, servers: list[Server], adopt: bool) -> None:
        found = servers_by_instance(servers)
        if adopt:
            await self._drop(found)
            await self._adopt(found)
        for router in list(self._fleet.routers.values()):
            instance = router.element.vnf_instance
            if instance and apply_servers(router, found.get(instance, {})):
                router.changed()

    async def _drop(self, found: Mapping[str, Mapping[str, tuple[str, Server]]]) -> None:
        """Remove adopted elements without a VNF instance, as their addresses may be used again."""
        now = asyncio.get_running_loop().time()
        adopted = [router.element for router in self._fleet.routers.values() if router.element.adopted]
        gone = [element.name for element in adopted if element.vnf_instance not in found]
        self._lost = {name: self._lost.get(name, now) for name in gone}
        for name in gone:
            if now - self._lost[name] >= REMOVAL_SECONDS:
                await self._fleet.remove(name)

    async def _adopt(self, found: Mapping[str, Mapping[str, tuple[str, Server]]]) -> None:
        """Add an element for each VNF instance without one whose management address is a loopback address."""
        known = {router.element.vnf_instance for router in self._fleet.routers.values()}
        for instance, vms in found.items():
            address = management_address(vms)
            if instance in known or not address:
                continue
            kind = _kind_of(instance, vms)
            name = "-".join((kind[:3].lower(), instance[:8], *instance.split("/")[1:]))
            spec: dict[str, Any] = {"name": name, "kind": kind, "address": address, "vnfInstance": instance, "ports": 2}
            spec["factory"] = self._factory
            if self._peer:
                spec["peers"] = [{"address": self._peer, "remoteAs": CORE_AS, "localAs": VNF_AS}]
            try:
                (router,) = await self._fleet.add([spec])
                router.element.adopted = True
                router.changed()
            except InvalidSpec as error:
                log.warning("no element for VNF instance %s: %s", instance, error)


def _connect(clouds_yaml: str, cloud: str) -> Connection:
    import openstack  # noqa: PLC0415 - takes a second, and is rarely needed

    config = openstack.config.OpenStackConfig(config_files=[clouds_yaml])
    return openstack.connection.Connection(config=config.get_one(cloud))


def _servers(connection: Connection) -> list[Server]:
    """Return all servers with details, from all pages."""
    servers: list[Server] = []
    marker = ""
    while True:
        answer = connection.compute.get("/servers/detail", params={"marker": marker} if marker else {})
        answer.raise_for_status()
        page = answer.json()["servers"]
        servers += page
        if not page or not answer.json().get("servers_links"):
            return servers
        marker = page[-1]["id"]
