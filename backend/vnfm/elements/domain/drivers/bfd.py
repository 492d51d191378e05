"""BFD sessions (RFC 5880): BFD-STD-MIB (RFC 7331); of SR OS and VRP TIMETRA-VRTR-MIB and HUAWEI-BFD-MIB."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from ipaddress import ip_address

from vnfm.devices.types import Index, Value
from vnfm.elements.domain.drivers import neighbours, standard
from vnfm.elements.domain.drivers.base import Reading, TableSource, UnusableRowError, enum_name, number, text
from vnfm.elements.domain.snapshot import ObservedAdjacency

_VRTR = "1.3.6.1.4.1.6527.3.1.2.3"
SROS_STATE = f"{_VRTR}.34.1.6"
"""vRtrIfBfdSessionState, by vRtrID, vRtrIfIndex, local and remote address."""
SROS_EXT_STATE = f"{_VRTR}.92.1.8"
"""vRtrIfBfdSessExtState, which replaces it: the same index after type of link and information id."""
_HUAWEI = "1.3.6.1.4.1.2011.5.25.38.2.3.1"
VRP_ADDRESS, VRP_IF_INDEX, VRP_IF_NAME, VRP_STATE = (f"{_HUAWEI}.{n}" for n in (5, 6, 7, 17))
"""hwBfdSessPeerAddr, hwBfdSessBindIfIndex, hwBfdSessBindIfName, hwBfdSessState; by hwBfdSessIndex."""

_SESSION = "1.3.6.1.2.1.222.1.2.1"
STD_STATE, STD_IF_INDEX, STD_ADDRESS = (f"{_SESSION}.{n}" for n in (11, 18, 22))
"""bfdSessState, bfdSessInterface, bfdSessDstAddr; by bfdSessIndex."""
STD_STATES = {1: "ADMIN_DOWN", 2: "DOWN", 3: "INIT", 4: "UP", 5: "DOWN"}
"""IANAbfdSessStateTC; failing (5) has been up before."""

STATES = {0: "ADMIN_DOWN", 1: "DOWN", 2: "INIT", 3: "UP"}
"""bfd.SessionState (RFC 5880, 4.1), in both MIBs."""
_ROUTER = 2
"""Arcs of an index of SR OS before its addresses: vRtrID and vRtrIfIndex."""
_EXT_ARCS = 2
_ADDRESS_LENGTHS = (4, 16)


def with_bfd(source: TableSource, columns: Sequence[str], states: Sequence[str]) -> TableSource:
    """The neighbours of a driver, with its BFD sessions, which all these columns identify."""
    return replace(
        source,
        columns=(*source.columns, *columns),
        states=(*source.states, *states),
        required=(*source.required, *columns),
    )


SROS = with_bfd(neighbours.NEIGHBOURS, (SROS_STATE, SROS_EXT_STATE), (SROS_STATE, SROS_EXT_STATE))
STANDARD = with_bfd(neighbours.NEIGHBOURS, (STD_STATE, STD_IF_INDEX, STD_ADDRESS), (STD_STATE,))
VRP = with_bfd(neighbours.NEIGHBOURS, (VRP_ADDRESS, VRP_IF_INDEX, VRP_IF_NAME, VRP_STATE), (VRP_STATE,))


def adjacencies(reading: Reading) -> Iterator[ObservedAdjacency]:
    """LLDP and OSPF neighbours, and BFD sessions of BFD-STD-MIB."""
    yield from neighbours.adjacencies(reading)
    names = neighbours.interface_names(reading)

    def session(index: Index, value: Value) -> ObservedAdjacency:
        octets = reading.column(STD_ADDRESS).get(index)
        if_index = number(reading.column(STD_IF_INDEX).get(index)) or None
        if not isinstance(octets, bytes) or len(octets) not in _ADDRESS_LENGTHS:
            raise UnusableRowError("Its bfdSessDstAddr is no address.")
        port = names.get(if_index, "") if if_index is not None else ""
        return replace(_session(port, if_index, str(ip_address(octets)), None), state=enum_name(value, STD_STATES))

    yield from reading.rows(STD_STATE, session, STD_ADDRESS)


def sros_adjacencies(reading: Reading) -> Iterator[ObservedAdjacency]:
    """LLDP and OSPF neighbours, and BFD sessions: the newer of its two tables wins."""
    yield from neighbours.adjacencies(reading)
    names = neighbours.interface_names(reading)

    def session(index: Index, value: Value) -> tuple[Index, ObservedAdjacency]:
        return index, _session(names.get(index[1], ""), index[1], _remote_address(index[_ROUTER:]), value)

    def extended(index: Index, value: Value) -> tuple[Index, ObservedAdjacency]:
        return session(index[_EXT_ARCS:], value)

    yield from {**dict(reading.rows(SROS_STATE, session)), **dict(reading.rows(SROS_EXT_STATE, extended))}.values()


def vrp_adjacencies(reading: Reading) -> Iterator[ObservedAdjacency]:
    """LLDP and OSPF neighbours, and BFD sessions with an IPv4 peer."""
    yield from neighbours.adjacencies(reading)
    names = neighbours.interface_names(reading)

    def session(index: Index, value: Value) -> ObservedAdjacency:
        if_index = number(reading.column(VRP_IF_INDEX).get(index)) or None
        port = names.get(if_index, "") if if_index is not None else ""
        address = neighbours.address_text(reading.column(VRP_ADDRESS).get(index))
        if not address:
            raise UnusableRowError("Its hwBfdSessPeerAddr is no IPv4 address.")
        return _session(port or text(reading.column(VRP_IF_NAME).get(index)), if_index, address, value)

    yield from reading.rows(VRP_STATE, session, VRP_ADDRESS)


def _session(port: str, if_index: int | None, address: str, value: Value) -> ObservedAdjacency:
    return ObservedAdjacency(
        protocol="BFD",
        local_port=port,
        if_index=if_index,
        remote_id=address,
        remote_address=address,
        state=enum_name(value, STATES),
    )


def _remote_address(arcs: Index) -> str:
    """Read type, length and octets of the local address, then those of the remote one (InetAddress, RFC 4001)."""
    return standard.inet_address(arcs[_ROUTER + arcs[1] :])
