"""Interfaces and BGP peers from IF-MIB (RFC 2863), IP-MIB (RFC 4293) and BGP4-MIB (RFC 4273)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from ipaddress import IPv4Address, ip_address

from vnfm.devices.types import Index, Value
from vnfm.elements.domain.drivers.base import (
    MAX_VRF,
    Reading,
    TableSource,
    UnusableRowError,
    enum_name,
    mac,
    number,
    single,
    text,
)
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
BGP_LAST_ERROR, BGP_TRANSITIONS, BGP_ESTABLISHED_TIME = (f"{_BGP}.{n}" for n in (14, 15, 16))
"""bgpPeerLastError: code and subcode; bgpPeerFsmEstablishedTransitions; bgpPeerFsmEstablishedTime in seconds."""

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

INTERFACES = TableSource(
    columns=(
        *(IF_DESCR, IF_TYPE, IF_MTU, IF_SPEED, IF_MAC, IF_ADMIN, IF_OPER, IF_NAME, IF_HIGH_SPEED, IF_ALIAS),
        IF_LAST_CHANGE,
        *(IP_OLD_INDEX, IP_OLD_MASK, IP_INDEX, IP_PREFIX),
    ),
    states=(IF_ADMIN, IF_OPER),
    required=(IF_DESCR,),  # agents without states list their interfaces by it
)
BGP = TableSource(
    columns=(BGP_STATE, BGP_ADMIN, BGP_REMOTE_AS, BGP_LAST_ERROR, BGP_TRANSITIONS, BGP_ESTABLISHED_TIME),
    states=(BGP_STATE, BGP_ADMIN),
)

_SLOW = 4_294_967_295
"""Maximum of ifSpeed; ifHighSpeed, in Mbit/s, has higher speeds."""
_MEGA = 1_000_000
_IPV4, _IPV6, _ZONE = 4, 16, 4
_LENGTHS = {1: _IPV4, 2: _IPV6, 3: _IPV4, 4: _IPV6}
"""Octets of InetAddressType ipv4, ipv6 and of both with a zone, whose 4 octets follow the address (RFC 4001)."""


def interfaces(reading: Reading) -> Iterator[ObservedInterface]:
    """The rows of ifTable, also those of which an agent has no operational state."""
    owned = addresses(reading)
    names, descr = reading.column(IF_NAME), reading.column(IF_DESCR)
    listed: set[int] = set()

    def interface(index: Index, _: Value) -> ObservedInterface | None:
        if_index = single(index)
        if if_index in listed:
            return None
        listed.add(if_index)
        return ObservedInterface(
            if_index=if_index,
            name=text(names.get(index)) or text(descr.get(index)),
            alias=text(reading.column(IF_ALIAS).get(index)),
            admin=enum_name(reading.column(IF_ADMIN).get(index), STATUS),
            oper=enum_name(reading.column(IF_OPER).get(index), STATUS),
            speed=_speed(reading, index),
            mac=mac(reading.column(IF_MAC).get(index)),
            addresses=tuple(sorted(owned.get(if_index, ()))),
            mtu=number(reading.column(IF_MTU).get(index)),
            last_change=number(reading.column(IF_LAST_CHANGE).get(index)),
        )

    reading.omit_partial(IF_OPER, IF_DESCR)
    for column in (IF_OPER, IF_DESCR, IF_NAME):
        yield from filter(None, reading.rows(column, interface))


def _speed(reading: Reading, index: Index) -> int | None:
    low, high = number(reading.column(IF_SPEED).get(index)), number(reading.column(IF_HIGH_SPEED).get(index))
    return high * _MEGA if high and (low is None or low >= _SLOW or low == 0) else low


def addresses(reading: Reading) -> Mapping[int, set[str]]:
    """By ifIndex, with prefix length. The older table has only IPv4; not all agents have the newer one."""
    masks, prefixes = reading.column(IP_OLD_MASK), reading.column(IP_PREFIX)

    def old(index: Index, owner: Value) -> tuple[int | None, str]:
        return number(owner), f"{octets_address(index)}/{_prefix_length(text(masks.get(index)))}"

    def new(index: Index, owner: Value) -> tuple[int | None, str]:
        address = inet_address(index)
        length = text(prefixes.get(index)).rpartition(".")[2]
        known = length.isdecimal() and 0 < int(length) <= (32 if "." in address else 128)
        return number(owner), f"{address}/{length}" if known else address

    found: dict[int, set[str]] = {}
    for column, interpret in ((IP_OLD_INDEX, old), (IP_INDEX, new)):
        for owner, address in reading.rows(column, interpret):
            if owner is not None:
                found.setdefault(owner, set()).add(address)
    return found


def _prefix_length(mask: str) -> int:
    """Raises UnusableRowError where the ones of the mask are not all before its zeros."""
    bits = int(IPv4Address(mask)) if mask else 0
    length = bits.bit_count()
    if not mask or bits != (1 << 32) - (1 << 32 - length):
        raise UnusableRowError(f"{mask or 'Its mask'} is not an address mask.")
    return length


def inet_address(index: Index, *, with_zone: bool = False) -> str:
    """An InetAddressType and InetAddress in an index (RFC 4001): the type, the length, the octets.

    Some agents leave the length out, and some add a zone to an address of a type without one; `with_zone` keeps it.
    Raises UnusableRowError for anything else.
    """
    size = _LENGTHS.get(index[0]) if index else None
    arcs = index[1:]
    if size is not None and len(arcs) in (size + 1, size + 1 + _ZONE) and arcs[0] == len(arcs) - 1:
        arcs = arcs[1:]
    if size is None or len(arcs) not in (size, size + _ZONE):
        raise UnusableRowError("Its index has no IPv4 or IPv6 address.")
    address, zone = octets_address(arcs[:size]), int.from_bytes(bytes(arcs[size:]))
    return f"{address}%{zone}" if zone and with_zone else address


def octets_address(octets: Index) -> str:
    """Return an IPv4 or IPv6 address; raises UnusableRowError for other octets."""
    if len(octets) not in (_IPV4, _IPV6) or not all(0 <= octet <= 255 for octet in octets):  # noqa: PLR2004 - an octet
        raise UnusableRowError("Its index has no IPv4 or IPv6 address.")
    return str(ip_address(bytes(octets)))


def bgp_peers(reading: Reading) -> Iterator[ObservedBgpPeer]:
    """The rows of bgpPeerTable: IPv4 neighbours of the base instance."""

    def peer(index: Index, value: Value) -> ObservedBgpPeer:
        state = enum_name(value, BGP_STATES)
        return ObservedBgpPeer(
            vrf="",
            peer_address=octets_address(index),
            remote_as=number(reading.column(BGP_REMOTE_AS).get(index)),
            admin_state=enum_name(reading.column(BGP_ADMIN).get(index), BGP_ADMIN_STATES),
            state=state,
            flaps=flaps(reading.column(BGP_TRANSITIONS).get(index), state),
            last_error=error_of(reading.column(BGP_LAST_ERROR).get(index)),
            established_seconds=established_seconds(reading.column(BGP_ESTABLISHED_TIME).get(index), state),
        )

    reading.omit_partial(BGP_STATE, BGP_REMOTE_AS)
    return reading.rows(BGP_STATE, peer, BGP_REMOTE_AS)


def flaps(transitions: Value, state: str) -> int | None:
    """Return the number of times that a session was lost, from the number of times that it was established."""
    established = number(transitions)
    return None if established is None else max(0, established - (state == "ESTABLISHED"))


def error_of(value: Value) -> str:
    """Code and subcode of BGP in words; "" for none."""
    return error_name(*value[:2]) if isinstance(value, bytes) and len(value) > 1 else ""


def established_seconds(value: Value, state: str) -> int | None:
    """Read an element's timer (Gauge32), which is 0 where a session has never been established."""
    seconds = number(value)
    if seconds is not None and not 0 <= seconds < 2**32:
        return None
    return seconds if seconds or (seconds == 0 and state == "ESTABLISHED") else None


def merged_peers(peers: Iterable[ObservedBgpPeer], reading: Reading) -> tuple[ObservedBgpPeer, ...]:
    """Merge the rows of each session, those of BGP4-MIB last: the first row that has a value supplies it.

    BGP4-MIB does not name routing instances: a peer that another table has in one of them is left out of its rows.
    """
    own = list(peers)
    elsewhere = {each.peer_address for each in own if each.vrf} - {each.peer_address for each in own if not each.vrf}
    found: dict[tuple[str, str], ObservedBgpPeer] = {}
    for listed in (*own, *(each for each in bgp_peers(reading) if each.peer_address not in elsewhere)):
        peer = replace(listed, vrf=listed.vrf[:MAX_VRF])
        key = (peer.vrf, peer.peer_address)
        found[key] = _completed(found[key], peer) if key in found else peer
    return tuple(found.values())


def _completed(peer: ObservedBgpPeer, other: ObservedBgpPeer) -> ObservedBgpPeer:
    """Add the values of `other` that the peer lacks."""
    names = [each.name for each in fields(peer) if getattr(peer, each.name) in (None, "", "UNKNOWN")]
    families = {each.family for each in peer.families}
    return replace(
        peer,
        **{name: getattr(other, name) for name in names},
        families=(*peer.families, *(each for each in other.families if each.family not in families)),
    )
