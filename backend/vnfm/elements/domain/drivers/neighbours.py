"""Neighbours on the links of an element: LLDP-MIB (IEEE 802.1AB) and OSPF-MIB (RFC 4750)."""

from collections.abc import Iterator, Mapping
from ipaddress import ip_address, ip_interface

from vnfm.devices.types import Index, Value
from vnfm.elements.domain.drivers import standard
from vnfm.elements.domain.drivers.base import Reading, TableSource, UnusableRowError, enum_name, mac, number, text
from vnfm.elements.domain.snapshot import ObservedAdjacency

_LLDP = "1.0.8802.1.1.2.1"
_LOCAL, _REMOTE = f"{_LLDP}.3.7.1", f"{_LLDP}.4.1.1"
LOCAL_PORT_ID = f"{_LOCAL}.3"
CHASSIS_KIND, CHASSIS_ID, PORT_KIND, PORT_ID = (f"{_REMOTE}.{n}" for n in (4, 5, 6, 7))
SYSTEM_NAME = f"{_REMOTE}.9"
_OSPF = "1.3.6.1.2.1.14.10.1"
OSPF_ROUTER_ID, OSPF_STATE = f"{_OSPF}.3", f"{_OSPF}.6"

OSPF_STATES = {
    1: "DOWN",
    2: "ATTEMPT",
    3: "INIT",
    4: "TWO_WAY",
    5: "EXCHANGE_START",
    6: "EXCHANGE",
    7: "LOADING",
    8: "FULL",
}
"""ospfNbrState."""
_MAC_CHASSIS, _ADDRESS_CHASSIS = 4, 5
_MAC_PORT, _ADDRESS_PORT = 3, 4
"""LldpChassisIdSubtype and LldpPortIdSubtype macAddress and networkAddress."""
_TIME_MARK, _OSPF_INDEX = 3, 5
"""Arcs of an index with a time mark: that, the local port, the number, which some agents precede with the number of a
destination address; and those of an OSPF neighbour: its address, and the ifIndex of a link without addresses.
"""

NEIGHBOURS = TableSource(
    columns=(
        *(LOCAL_PORT_ID, CHASSIS_KIND, CHASSIS_ID, PORT_KIND, PORT_ID, SYSTEM_NAME, OSPF_ROUTER_ID, OSPF_STATE),
        *(standard.IF_NAME, standard.IF_DESCR, standard.IP_OLD_INDEX, standard.IP_OLD_MASK),
        *(standard.IP_INDEX, standard.IP_PREFIX),
    ),
    states=(PORT_ID, OSPF_STATE),
    required=(
        *(LOCAL_PORT_ID, CHASSIS_KIND, CHASSIS_ID, PORT_KIND, OSPF_ROUTER_ID, standard.IF_NAME, standard.IF_DESCR),
        *(standard.IP_OLD_INDEX, standard.IP_OLD_MASK, standard.IP_INDEX, standard.IP_PREFIX),
    ),
)


def adjacencies(reading: Reading) -> Iterator[ObservedAdjacency]:
    """LLDP and OSPF neighbours."""
    names = interface_names(reading)
    yield from _lldp(reading, names)
    yield from _ospf(reading, names)


def interface_names(reading: Reading) -> Mapping[int, str]:
    """Return the names by ifIndex."""
    names, descr = (reading.by_number(column) for column in (standard.IF_NAME, standard.IF_DESCR))
    return {if_index: text(names.get(if_index)) or text(descr.get(if_index)) for if_index in {**descr, **names}}


def _lldp(reading: Reading, names: Mapping[int, str]) -> Iterator[ObservedAdjacency]:
    by_name = {name: index for index, name in names.items()}
    own = reading.by_number(LOCAL_PORT_ID)

    def neighbour(index: Index, value: Value) -> ObservedAdjacency:
        if len(index) not in (_TIME_MARK - 1, _TIME_MARK, _TIME_MARK + 1):
            raise UnusableRowError(f"Its index has {len(index)} numbers instead of {_TIME_MARK}.")
        local = index[0] if len(index) < _TIME_MARK else index[1]
        port = text(own.get(local))
        if_index = by_name.get(port, local if local in names else None)
        return ObservedAdjacency(
            protocol="LLDP",
            local_port=port if port in by_name else names.get(local, port or str(local)),
            if_index=if_index,
            remote_id=_identity(reading.column(CHASSIS_KIND).get(index), reading.column(CHASSIS_ID).get(index)),
            remote_port=_port(reading.column(PORT_KIND).get(index), value),
            remote_name=text(reading.column(SYSTEM_NAME).get(index)),
            state="FULL",
        )

    reading.omit_partial(PORT_ID)
    return reading.rows(PORT_ID, neighbour)


def _identity(kind: Value, value: Value) -> str:
    if number(kind) == _MAC_CHASSIS:
        return mac(value)
    return _network_address(value) if number(kind) == _ADDRESS_CHASSIS else text(value)


def _port(kind: Value, value: Value) -> str:
    if number(kind) == _MAC_PORT:
        return mac(value)
    return _network_address(value) if number(kind) == _ADDRESS_PORT else text(value)


def _network_address(value: Value) -> str:
    """An octet with the family of the address, then the address."""
    lengths = (5, 17)
    return str(ip_address(value[1:])) if isinstance(value, bytes) and len(value) in lengths else text(value)


def _ospf(reading: Reading, names: Mapping[int, str]) -> Iterator[ObservedAdjacency]:
    routers = reading.column(OSPF_ROUTER_ID)
    networks = [
        (owner, ip_interface(each).network) for owner, all_of in standard.addresses(reading).items() for each in all_of
    ]

    def neighbour(index: Index, value: Value) -> ObservedAdjacency:
        if len(index) not in (_OSPF_INDEX - 1, _OSPF_INDEX):
            raise UnusableRowError(f"Its index has {len(index)} numbers instead of {_OSPF_INDEX}.")
        address = ip_address(standard.octets_address(index[:4]))
        unnumbered = index[4] if len(index) == _OSPF_INDEX else 0
        if_index = unnumbered or next((owner for owner, network in networks if address in network), None)
        return ObservedAdjacency(
            protocol="OSPF",
            local_port=names.get(if_index, "") if if_index is not None else "",
            if_index=if_index,
            remote_id=address_text(routers.get(index)),
            remote_address=str(address),
            state=enum_name(value, OSPF_STATES),
        )

    reading.omit_partial(OSPF_STATE, OSPF_ROUTER_ID)
    return reading.rows(OSPF_STATE, neighbour, OSPF_ROUTER_ID)


def address_text(value: Value) -> str:
    """An object of type IpAddress."""
    return str(ip_address(value)) if isinstance(value, bytes) and len(value) == 4 else text(value)  # noqa: PLR2004
