"""Any router with the standard MIBs, FRR among them: a tree by ENTITY-MIB, or a shelf with its Ethernet ports."""

from collections.abc import Iterator

from vnfm.elements.domain.drivers import bfd, bgp4v2, entity, ports, standard
from vnfm.elements.domain.drivers.base import Driver, Reading, TableSource, enum_name
from vnfm.elements.domain.drivers.ports import EquipmentState
from vnfm.elements.domain.snapshot import ObservedEquipment
from vnfm.kit.patterns import pattern

_STATE = "1.3.6.1.2.1.131.1.1.1"
STATE_ADMIN, STATE_OPER = f"{_STATE}.2", f"{_STATE}.3"
"""ENTITY-STATE-MIB (RFC 4268)."""

ADMINS = {2: "DOWN", 3: "DOWN", 4: "UP"}
OPERS = {2: "OUT_OF_SERVICE", 3: "IN_SERVICE", 4: "DIAGNOSING"}


def _state(reading: Reading, index: int) -> EquipmentState:
    return EquipmentState(
        enum_name(reading.column(STATE_ADMIN).get((index,)), ADMINS),
        enum_name(reading.column(STATE_OPER).get((index,)), OPERS),
    )


def equipment(reading: Reading) -> Iterator[ObservedEquipment]:
    return entity.equipment(reading, _state)


_VERSIONS = (
    pattern(r"^Linux \S+ (\S+)"),  # the kernel's: Linux r1 6.1.0-18-amd64 #1 SMP …
    pattern(r"\bJUNOS (\d[\w.-]*)"),
    pattern(r"\b(?:SRLinux-|Cumulus-Linux )(v?\d[\w.-]*)"),
    pattern(r"(?i)\bversion:?\s+(v?\d[\w.()\[\]-]*)"),
)


def _software(descr: str) -> str:
    """From sysDescr, as agents of several vendors have it."""
    return next((found[1].rstrip(".,") for one in _VERSIONS if (found := one.search(descr))), "")


DRIVER = Driver(
    name="generic",
    object_ids=(),
    sources={
        "EQUIPMENT": TableSource(
            columns=(*entity.COLUMNS, STATE_ADMIN, STATE_OPER, *ports.COLUMNS),
            states=(STATE_OPER, *ports.STATES),
            required=(*entity.REQUIRED, STATE_ADMIN, *ports.REQUIRED),
        ),
        "INTERFACES": standard.INTERFACES,
        "BGP": bgp4v2.SOURCE,
        "NEIGHBOURS": bfd.STANDARD,
    },
    equipment=equipment,
    interfaces=standard.interfaces,
    bgp_peers=bgp4v2.bgp_peers,
    adjacencies=bfd.adjacencies,
    software_version=_software,
)
