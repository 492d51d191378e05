"""States of ports by IF-MIB (RFC 2863), the table that says exactly what a port does."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from vnfm.elements.domain.drivers import standard
from vnfm.elements.domain.drivers.base import Reading, enum_name, network_fdn, number, shelf_fdn, text
from vnfm.elements.domain.snapshot import ObservedEquipment

ADMINS = {1: "UP", 2: "DOWN", 3: "DOWN"}
OPERS = {
    1: "IN_SERVICE",
    2: "OUT_OF_SERVICE",
    3: "DIAGNOSING",
    5: "OUT_OF_SERVICE",
    6: "EMPTY",
    7: "OUT_OF_SERVICE",
}
"""ifAdminStatus and ifOperStatus of a port. One without its hardware (notPresent) is a cage without a transceiver."""
NO_HARDWARE = "its hardware is missing"
REASONS = {5: "dormant", 6: NO_HARDWARE, 7: "a lower layer is down"}
ETHERNET = frozenset({6, 62, 69, 117})
"""ifType of ports: ethernetCsmacd, and fastEther, fastEtherFX and gigabitEthernet of older agents."""
COLUMNS = (standard.IF_TYPE, standard.IF_NAME, standard.IF_DESCR, standard.IF_ADMIN, standard.IF_OPER)
STATES = (standard.IF_ADMIN, standard.IF_OPER)
REQUIRED = (standard.IF_TYPE, standard.IF_NAME, standard.IF_DESCR)
"""They decide which interfaces are ports, and which port of the equipment table one is."""


@dataclass(frozen=True, slots=True)
class EquipmentState:
    """States of a part of the equipment tree, as `Equipment` has them, and why it is not in service."""

    admin: str = "UNKNOWN"
    oper: str = "UNKNOWN"
    reason: str = ""


def port_state(reading: Reading, if_index: int, listed: EquipmentState | None = None) -> EquipmentState:
    """`listed`: what the equipment table has, which counts only as far as the interface has no state."""
    listed = listed or EquipmentState()
    status = reading.column(standard.IF_OPER).get((if_index,))
    admin = enum_name(reading.column(standard.IF_ADMIN).get((if_index,)), ADMINS, listed.admin)
    oper = enum_name(status, OPERS)
    if oper == "UNKNOWN":
        return EquipmentState(admin, listed.oper, listed.reason)
    reason = enum_name(status, REASONS, "") if admin != "DOWN" else "administratively down"
    if admin != "DOWN" and listed.oper != "UNKNOWN" and (listed.oper == "IN_SERVICE") != (oper == "IN_SERVICE"):
        words = listed.oper.replace("_", " ").lower()
        reason = "; ".join(filter(None, (reason, f"the equipment table says {words}, the interface counts")))
    return EquipmentState(admin, oper, reason)


def interface_indexes(reading: Reading) -> Mapping[str, int]:
    """By the name of an interface, its ifIndex; without names that several have."""
    found: dict[str, int | None] = {}
    for column in (standard.IF_DESCR, standard.IF_NAME):
        for if_index, value in reading.by_number(column).items():
            if name := text(value):
                found[name] = if_index if found.get(name, if_index) == if_index else None
    return {name: if_index for name, if_index in found.items() if if_index is not None}


def one_shelf(reading: Reading) -> Iterator[ObservedEquipment]:
    """Yield a chassis, with its Ethernet interfaces as ports, for an element without an equipment table."""
    shelf = implied_chassis(reading.address)
    yield shelf
    names, descr = reading.column(standard.IF_NAME), reading.column(standard.IF_DESCR)
    for if_index, value in reading.by_number(standard.IF_TYPE).items():
        if number(value) in ETHERNET:
            state = port_state(reading, if_index)
            yield ObservedEquipment(
                fdn=f"{shelf.fdn}:port-{if_index}",
                parent_fdn=shelf.fdn,
                equipment_class="PORT",
                slot=str(if_index),
                name=text(names.get((if_index,))) or text(descr.get((if_index,))),
                admin_state=state.admin,
                oper_state=state.oper,
                reason=state.reason,
                if_index=if_index,
            )


def implied_chassis(address: str) -> ObservedEquipment:
    """Return the chassis of an element that lists none: it is in service, as the element has just answered."""
    return ObservedEquipment(
        fdn=shelf_fdn(address),
        parent_fdn=network_fdn(address),
        equipment_class="CHASSIS",
        slot="1",
        name="Chassis",
        oper_state="IN_SERVICE",
    )
