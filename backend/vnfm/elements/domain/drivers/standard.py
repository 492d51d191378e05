"""Interfaces and BGP peers from IF-MIB (RFC 2863), IP-MIB (RFC 4293) and BGP4-MIB (RFC 4273)."""

from collections.abc import Iterator, Mapping
from ipaddress import ip_address, ip_network

from vnfm.devices.types import Index, Value
from vnfm.elements.domain.drivers.base import Reading, TableSource, enum_name, mac, number, text
from vnfm.elements.domain.drivers.bgp_errors import error_name
from vnfm.elements.domain.snapshot import ObservedBgpPeer, ObservedInterface

_IF, _IFX = "1.3.6.1.2.1.2.2.1", "1.3.6.1.2.1.31.1.1.1"
IF_DESCR, IF_TYPE, IF_MTU, IF_SPEED, IF_MAC = (f"{_IF}.{n}" for n in (2, 3, 4, 5, 6))
IF_ADMIN, IF_OPER, IF_LAST_CHANGE = (f"{_IF}.{n}" for n in (7, 8, 9))
IF_NAME, IF_HIGH_SPEED, IF_ALIAS = (f"{_IFX}.{n}" for n in (1, 15, 18))

_IP_OLD, _IP = "1.3.6.1.2.1.4.20.1", "1.3.6.1.2.1.4.34.1"
IP_OLD_INDEX, IP_OLD_MASK = f"{_IP_OLD}.2", f"{_IP_OLD}.3"
IP_INDEX, IP_PREFIX = f"{_IP}.3", f"{_IP}.5"

_BGP = "1.3.6.1.2.1.15.3.1"
BGP_STATE, BGP_ADMIN, BGP_REMOTE_AS = f"{_BGP}.2", f"{_BGP}.3", f"{_BGP}.9"
BGP_LAST_ERROR, BGP_TRANSITIONS = f"{_BGP}.14", f"{_BGP}.15"
"""bgpPeerLastError: code and subcode; bgpPeerFsmEstablishedTransitions."""

STATUS = {
    1: "UP",
    2: "DOWN",
    3: "TESTING",
    4: "UNKNOWN",
    5: "DORMANT",
    6: "NOT_PRESENT",
    7: "LOWER_LAYER_DOWN",
}
BGP_STATES = {1: "IDLE", 2: "CONNECT", 3: "ACTIVE", 4: "OPEN_SENT", 5: "OPEN_CONFIRM", 6: "ESTABLISHED"}
BGP_ADMIN_STATES = {1: "DOWN", 2: "UP"}
ETHERNET = 6
"""ifType ethernetCsmacd."""

INTERFACES = TableSource(
    columns=(
        *(IF_DESCR, IF_TYPE, IF_MTU, IF_SPEED, IF_MAC, IF_ADMIN, IF_OPER, IF_NAME, IF_HIGH_SPEED, IF_ALIAS),
        IF_LAST_CHANGE,
        *(IP_OLD_INDEX, IP_OLD_MASK, IP_INDEX, IP_PREFIX),
    ),
    states=(IF_ADMIN, IF_OPER),
)
BGP = TableSource(
    columns=(BGP_STATE, BGP_ADMIN, BGP_REMOTE_AS, BGP_LAST_ERROR, BGP_TRANSITIONS), states=(BGP_STATE, BGP_ADMIN)
)

_SLOW = 4_294_967_295
"""Maximum of ifSpeed; ifHighSpeed, in Mbit/s, has higher speeds."""
_MEGA = 1_000_000
_ADDRESS_LENGTHS = {1: 4, 2: 16, 3: 4, 4: 16}
"""InetAddressType ipv4, ipv6 and both with a zone, which follows the address (RFC 4001)."""


def interfaces(reading: Reading) -> Iterator[ObservedInterface]:
    """The rows of ifTable."""
    owned = addresses(reading)
    names, descr = reading.column(IF_NAME), reading.column(IF_DESCR)
    for index in reading.column(IF_OPER):
        yield ObservedInterface(
            if_index=index[0],
            name=text(names.get(index)) or text(descr.get(index)),
            alias=text(reading.column(IF_ALIAS).get(index)),
            admin=enum_name(reading.column(IF_ADMIN).get(index), STATUS),
            oper=enum_name(reading.column(IF_OPER).get(index), STATUS),
            speed=_speed(reading, index),
            mac=mac(reading.column(IF_MAC).get(index)),
            addresses=tuple(sorted(owned.get(index[0], ()))),
            mtu=number(reading.column(IF_MTU).get(index)),
            last_change=number(reading.column(IF_LAST_CHANGE).get(index)),
        )


def _speed(reading: Reading, index: Index) -> int | None:
    low, high = number(reading.column(IF_SPEED).get(index)), number(reading.column(IF_HIGH_SPEED).get(index))
    return high * _MEGA if high and (low is None or low >= _SLOW or low == 0) else low


def addresses(reading: Reading) -> Mapping[int, set[str]]:
    """By ifIndex, with prefix length. The older table has only IPv4; not all agents have the newer one."""
    found: dict[int, set[str]] = {}
    masks = reading.column(IP_OLD_MASK)
    for index, value in reading.column(IP_OLD_INDEX).items():
        mask, address = text(masks.get(index)), ".".join(map(str, index))
        if (owner := number(value)) is not None and mask:
            found.setdefault(owner, set()).add(f"{address}/{ip_network(f'0.0.0.0/{mask}').prefixlen}")
    prefixes = reading.column(IP_PREFIX)
    for index, value in reading.column(IP_INDEX).items():
        owner, address = number(value), inet_address(index)
        length = text(prefixes.get(index)).rpartition(".")[2]
        if owner is not None and address:
            found.setdefault(owner, set()).add(f"{address}/{length}" if length.isdigit() and length != "0" else address)
    return found


def inet_address(index: Index) -> str:
    """An InetAddressType and InetAddress in an index (type, length, octets); "" for what is neither IPv4 nor IPv6."""
    length = _ADDRESS_LENGTHS.get(index[0]) if len(index) > 1 else None
    if length is None or len(index) < 2 + length:
        return ""
    return str(ip_address(bytes(index[2 : 2 + length])))


def bgp_peers(reading: Reading) -> Iterator[ObservedBgpPeer]:
    """The rows of bgpPeerTable: IPv4 neighbours of the base instance."""
    for index, value in reading.column(BGP_STATE).items():
        state = enum_name(value, BGP_STATES)
        error = reading.column(BGP_LAST_ERROR).get(index)
        yield ObservedBgpPeer(
            vrf="",
            peer_address=".".join(map(str, index)),
            remote_as=number(reading.column(BGP_REMOTE_AS).get(index)),
            admin_state=enum_name(reading.column(BGP_ADMIN).get(index), BGP_ADMIN_STATES),
            state=state,
            flaps=flaps(reading.column(BGP_TRANSITIONS).get(index), state),
            last_error=error_name(*error[:2]) if isinstance(error, bytes) and len(error) > 1 else "",
        )


def flaps(transitions: Value, state: str) -> int | None:
    """How often a session was lost, from how often it was established."""
    established = number(transitions)
    return None if established is None else max(0, established - (state == "ESTABLISHED"))
