"""Any router with the standard MIBs, FRR among them: a tree by ENTITY-MIB, or a shelf with its Ethernet ports."""

from collections.abc import Iterator

from vnfm.elements.domain.drivers import entity, neighbours, standard
from vnfm.elements.domain.drivers.base import (
    Driver,
    Reading,
    TableSource,
    enum_name,
    network_fdn,
    number,
    shelf_fdn,
    text,
)
from vnfm.elements.domain.snapshot import ObservedEquipment

_STATE = "1.3.6.1.2.1.131.1.1.1"
STATE_ADMIN, STATE_OPER = f"{_STATE}.2", f"{_STATE}.3"
"""ENTITY-STATE-MIB (RFC 4268)."""

ADMINS = {2: "DOWN", 3: "DOWN", 4: "UP"}
OPERS = {2: "OUT_OF_SERVICE", 3: "IN_SERVICE", 4: "DIAGNOSING"}
PORT_ADMINS = {1: "UP", 2: "DOWN", 3: "DOWN"}
PORT_OPERS = {
    1: "IN_SERVICE",
    2: "OUT_OF_SERVICE",
    3: "DIAGNOSING",
    5: "OUT_OF_SERVICE",
    6: "EMPTY",
    7: "OUT_OF_SERVICE",
}
"""ifOperStatus of a port."""


def _state(reading: Reading, index: int, if_index: int | None) -> tuple[str, str]:
    """By ENTITY-STATE-MIB; without it a port by IF-MIB, and a chassis is in service, as it answers."""
    admin = enum_name(reading.column(STATE_ADMIN).get((index,)), ADMINS)
    oper = enum_name(reading.column(STATE_OPER).get((index,)), OPERS)
    if if_index is not None and oper == "UNKNOWN":
        return _port_state(reading, if_index)
    chassis = reading.column(entity.CLASS).get((index,)) == entity.CHASSIS
    return admin, "IN_SERVICE" if chassis and oper == "UNKNOWN" else oper


def _port_state(reading: Reading, if_index: int) -> tuple[str, str]:
    return (
        enum_name(reading.column(standard.IF_ADMIN).get((if_index,)), PORT_ADMINS),
        enum_name(reading.column(standard.IF_OPER).get((if_index,)), PORT_OPERS),
    )


def equipment(reading: Reading) -> tuple[ObservedEquipment, ...]:
    if reading.column(entity.CLASS):
        return entity.equipment(reading, _state)
    return tuple(_one_shelf(reading))


def _one_shelf(reading: Reading) -> Iterator[ObservedEquipment]:
    """Without ENTITY-MIB (FRR on Linux has none): a chassis, and its Ethernet interfaces as ports."""
    shelf = shelf_fdn(reading.address)
    yield ObservedEquipment(
        fdn=shelf,
        parent_fdn=network_fdn(reading.address),
        equipment_class="CHASSIS",
        slot="1",
        name="Chassis",
        oper_state="IN_SERVICE",
    )
    names, descr = reading.column(standard.IF_NAME), reading.column(standard.IF_DESCR)
    for index, value in reading.column(standard.IF_TYPE).items():
        if number(value) == standard.ETHERNET:
            admin, oper = _port_state(reading, index[0])
            name = text(names.get(index)) or text(descr.get(index))
            yield ObservedEquipment(
                fdn=f"{shelf}:port-{index[0]}",
                parent_fdn=shelf,
                equipment_class="PORT",
                slot=str(index[0]),
                name=name,
                admin_state=admin,
                oper_state=oper,
                if_index=index[0],
            )


def _software(descr: str) -> str:
    """The kernel release, from a sysDescr as Linux r1 6.1.0-18-amd64 #1 SMP …"""
    words = descr.split()
    return words[2] if len(words) > 2 and words[0] == "Linux" else ""  # noqa: PLR2004


_PORTS = (standard.IF_ADMIN, standard.IF_OPER)

DRIVER = Driver(
    name="generic",
    object_ids=(),
    sources={
        "EQUIPMENT": TableSource(
            columns=(
                *entity.COLUMNS,
                *(STATE_ADMIN, STATE_OPER, standard.IF_TYPE, standard.IF_NAME, standard.IF_DESCR, *_PORTS),
            ),
            states=(STATE_OPER, *_PORTS),
        ),
        "INTERFACES": standard.INTERFACES,
        "BGP": standard.BGP,
        "NEIGHBOURS": neighbours.NEIGHBOURS,
    },
    equipment=equipment,
    interfaces=standard.interfaces,
    bgp_peers=standard.bgp_peers,
    adjacencies=neighbours.adjacencies,
    software_version=_software,
)
