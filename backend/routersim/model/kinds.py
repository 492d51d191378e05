"""The kinds of elements, with their initial hardware."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from routersim.model.element import Chassis
from routersim.model.parts import Card, Mda, Port, Unit


@dataclass(frozen=True, slots=True)
class Kind:
    """The properties of all elements of a kind."""

    family: str
    """The family, sros or vrp, of its tables, notifications and command line."""
    chassis: str
    object_id: str
    description: str
    software: str
    slots: int
    control: str
    """The type of a control card."""
    line: str
    mda: str
    speed: int
    """The speed of a port in Mbit/s."""
    fans: int = 0
    power: int = 0
    fabric: int = 0
    controls: int = 2
    virtual: bool = False
    host_object_id: str = ""
    """The sysObjectID of a chassis with virtual systems, if it differs."""
    system_object_id: str = ""
    """The sysObjectID of a virtual system."""


_TIMOS = "{0} cpm/hops64 Nokia {1} Copyright (c) 2000-2016 Nokia. All rights reserved."
_VRP = "Huawei Versatile Routing Platform Software\r\nVRP (R) software, Version {0} ({1})"

KINDS: dict[str, Kind] = {
    "7750-SR-12": Kind(
        family="sros", chassis="7750 SR-12", object_id="1.3.6.1.4.1.6527.1.3.3",
        description=_TIMOS.format("TiMOS-C-13.0.R6", "7750 SR"), software="TiMOS-C-13.0.R6",
        slots=10, control="sfm4-12", line="iom3-xp", mda="m10-10gb-sfp+", speed=10_000, fans=3, power=2,
    ),
    "VSR": Kind(
        family="sros", chassis="VSR", object_id="1.3.6.1.4.1.6527.1.19.1",
        description=_TIMOS.format("TiMOS-C-0.0.B2-4601", "VSR"), software="TiMOS-C-0.0.B2-4601",
        slots=20, control="cpm-v", line="iom-v", mda="m20-v", speed=10_000, virtual=True,
    ),
    "VSR-I": Kind(
        family="sros", chassis="VSR", object_id="1.3.6.1.4.1.6527.1.19.1",
        description=_TIMOS.format("TiMOS-B-13.0.R6", "VSR"), software="TiMOS-B-13.0.R6",
        slots=20, control="cpm-v", line="iom-v", mda="m20-v", speed=10_000, virtual=True,
    ),
    "VMG": Kind(
        family="sros", chassis="VSR", object_id="1.3.6.1.4.1.6527.1.19.1",
        description=_TIMOS.format("TiMOS-MG-C-8.0.B2-19", "VMG"), software="TiMOS-MG-C-8.0.B2-19",
        slots=20, control="cpm-v", line="iom-v-mg", mda="isa-mg-v", speed=10_000, virtual=True,
    ),
    "NE9000": Kind(
        family="vrp", chassis="NE9000-20", object_id="1.3.6.1.4.1.2011.2.315.2.1",
        description=_VRP.format("8.160", "NE9000 V800R009"),
        software="V800R009", slots=20, control="CR9DMPUA", line="CR9DLPUF4T0", mda="LPU-4T", speed=100_000,
        fans=4, power=4, fabric=8,
        host_object_id="1.3.6.1.4.1.2011.2.315.2.5", system_object_id="1.3.6.1.4.1.2011.2.315.2.6",
    ),
    "NE9000-8": Kind(
        family="vrp", chassis="NE9000-8", object_id="1.3.6.1.4.1.2011.2.315.2.2",
        description=_VRP.format("8.160", "NE9000 V800R009"), software="V800R009", slots=8,
        control="CR9DMPUA", line="CR9DLPUF4T0", mda="LPU-4T", speed=100_000, fans=2, power=4, fabric=4,
        host_object_id="1.3.6.1.4.1.2011.2.315.2.3", system_object_id="1.3.6.1.4.1.2011.2.315.2.6",
    ),
    "NE40E": Kind(
        family="vrp", chassis="NE40E", object_id="1.3.6.1.4.1.2011.2.62.2.5",
        description=_VRP.format("8.150", "NE40E V800R008"), software="V800R008", slots=8,
        control="CR5DSRUA", line="CR5DLPUF", mda="LPU", speed=10_000, fans=2, power=2,
    ),
}  # fmt: skip
"""The kinds by name. Software is named as in EANTC's reports. The sysObjectIDs of the SR OS kinds are from
TIMETRA-GLOBAL-MIB; those of the NE9000-20 and -8, their Admins and logical systems, and of the NE40E are from public
dictionaries of Huawei's products (one source each, without a public MIB)."""

SROS_CONTROLS = ("A", "B")


def serial(*parts: object) -> str:
    """Return a serial number that is always the same for the same part."""
    return "NS" + hashlib.sha256("/".join(map(str, parts)).encode()).hexdigest()[:10].upper()


def mac(*parts: object) -> str:
    """Return a locally administered base MAC address of twelve hexadecimal digits."""
    return "02" + hashlib.sha256("/".join(map(str, parts)).encode()).hexdigest()[:10]


def timetra_port_id(slot: int, mda: int, port: int) -> int:
    """Return the TmnxPortID of a physical port: slot, MDA and port from bits 25, 21 and 15 (1/1/1 is 35684352)."""
    return slot << 25 | mda << 21 | port << 15


def make_ports(family: str, slot: int, mda: int, count: int, *, speed: int, seed: str) -> list[Port]:
    """Return ports, each with a load between 1 and 40 per cent."""
    ports = []
    for number in range(1, count + 1):
        share = hashlib.sha256(f"{seed}/{slot}/{mda}/{number}".encode()).digest()
        octets = speed * 125_000
        if family == "sros":
            name, index = f"{slot}/{mda}/{number}", timetra_port_id(slot, mda, number)
        else:
            name, index = f"100GE{slot}/{mda - 1}/{number - 1}", slot * 1000 + (mda - 1) * 100 + number
        rates = (octets * (1 + share[0] * 39 // 255) // 100, octets * (1 + share[1] * 39 // 255) // 100)
        ports.append(Port(name=name, index=index, speed=speed, rate_in=rates[0], rate_out=rates[1]))
    return ports


def make_mda(kind: Kind, slot: int, number: int, mda_type: str, ports: int, *, seed: str) -> Mda:
    """Return an adapter; an I/O adapter (`m20-v`) has ports, a service adapter (`isa-…`) has none."""
    count = 0 if mda_type.startswith("isa-") else ports
    return Mda(number, mda_type, make_ports(kind.family, slot, number, count, speed=kind.speed, seed=seed))


def make_line_card(kind: Kind, slot: int, mdas: int, ports: int, seed: str) -> Card:
    """Return a line card with `mdas` adapters of `ports` ports each."""
    made = [make_mda(kind, slot, mda, kind.mda, ports, seed=seed) for mda in range(1, mdas + 1)]
    return Card(slot=str(slot), role="line", type=kind.line, serial=serial(seed, "card", slot), mdas=made)


def _control_slots(kind: Kind) -> tuple[str, ...]:
    """Return the slots of control cards; in VRP these are the two after the line cards' slots."""
    return SROS_CONTROLS if kind.family == "sros" else (str(kind.slots + 1), str(kind.slots + 2))


def make_chassis(kind: Kind, name: str, *, cards: int, mdas: int, ports: int) -> Chassis:
    """Return a complete chassis; a virtual one has no parts until its VMs exist."""
    chassis = Chassis(type=kind.chassis, slots=kind.slots, serial=serial(name, "chassis"), mac=mac(name))
    if kind.virtual:
        return chassis
    controls = _control_slots(kind)[: kind.controls]
    chassis.active_control = controls[0]
    chassis.cards = [
        *(Card(slot=s, role="control", type=kind.control, serial=serial(name, "card", s)) for s in controls),
        *(make_line_card(kind, slot, mdas, ports, name) for slot in range(1, cards + 1)),
        *(
            Card(slot=str(kind.slots + 3 + n), role="fabric", type="CR9DSFUA", serial=serial(name, "sfu", n))
            for n in range(kind.fabric)
        ),
    ]
    chassis.fans = [Unit(number, "fan") for number in range(1, kind.fans + 1)]
    chassis.power = [Unit(number, "power supply") for number in range(1, kind.power + 1)]
    return chassis


COMMAND_LINES: Mapping[str, tuple[str, ...]] = {"sros": ("md-cli",), "vrp": ("vrp5",)}
"""Command lines that some elements have instead of the usual one, by family."""
