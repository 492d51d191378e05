"""BGP peers of BGP4V2-MIB (draft-ietf-idr-bgp4-mibv2-15): IPv4 and IPv6, all routing instances, prefixes by family."""

from collections.abc import Iterator, Mapping

from vnfm.devices.types import Index
from vnfm.elements.domain.drivers import standard
from vnfm.elements.domain.drivers.base import Reading, TableSource, enum_name, number, text
from vnfm.elements.domain.drivers.bgp_errors import error_name
from vnfm.elements.domain.snapshot import ObservedBgpPeer, PrefixCounts

_MIB = "1.3.6.1.3.5.1.1"
INSTANCE_NAME = f"{_MIB}.1.1.2"
PEER_AS, PEER_ADMIN, PEER_STATE = (f"{_MIB}.2.1.{n}" for n in (10, 12, 13))
_ERRORS = f"{_MIB}.3.1"
CODE_IN, SUBCODE_IN, TEXT_IN = (f"{_ERRORS}.{n}" for n in (1, 2, 4))
CODE_OUT, SUBCODE_OUT, TEXT_OUT = (f"{_ERRORS}.{n}" for n in (6, 7, 9))
TRANSITIONS = f"{_MIB}.7.1.5"
PREFIXES_IN, PREFIXES_ACCEPTED, PREFIXES_OUT = (f"{_MIB}.8.1.{n}" for n in (3, 4, 5))
_BASE = 1
"""bgp4V2PeerInstance of the base instance."""

SOURCE = TableSource(
    columns=(
        *standard.BGP.columns,
        *(INSTANCE_NAME, PEER_AS, PEER_ADMIN, PEER_STATE, TRANSITIONS),
        *(CODE_IN, SUBCODE_IN, TEXT_IN, CODE_OUT, SUBCODE_OUT, TEXT_OUT),
        *(PREFIXES_IN, PREFIXES_ACCEPTED, PREFIXES_OUT),
    ),
    states=(*standard.BGP.states, PEER_ADMIN, PEER_STATE),
)

LONGEST_ERROR = 255
"""Characters of bgp4V2PeerLastErrorReceivedText that are kept."""
AFIS = {1: "IPv4", 2: "IPv6", 25: "L2VPN"}
SAFIS = {1: "unicast", 2: "multicast", 4: "labeled", 65: "VPLS", 70: "EVPN", 128: "VPN", 133: "flowspec"}
"""IANA's address family numbers and SAFI values."""


def bgp_peers(reading: Reading) -> Iterator[ObservedBgpPeer]:
    """Its rows; those of BGP4-MIB for peers that it does not have, or where it is absent."""
    states, found = reading.column(PEER_STATE), set()
    families = _families(reading)
    for index, state in states.items():
        address = standard.inet_address(index[1:])
        if not address:
            continue
        name = enum_name(state, standard.BGP_STATES)
        vrf = _vrf(reading, index[0])
        found.add((vrf, address))
        yield ObservedBgpPeer(
            vrf=vrf,
            peer_address=address,
            remote_as=number(reading.column(PEER_AS).get(index)),
            admin_state=enum_name(reading.column(PEER_ADMIN).get(index), standard.BGP_ADMIN_STATES),
            state=name,
            flaps=standard.flaps(reading.column(TRANSITIONS).get(index), name),
            last_error=_last_error(reading, index),
            families=families.get(index, ()),
        )
    yield from (peer for peer in standard.bgp_peers(reading) if (peer.vrf, peer.peer_address) not in found)


def _vrf(reading: Reading, instance: int) -> str:
    if instance == _BASE:
        return ""
    return text(reading.column(INSTANCE_NAME).get((instance,))) or f"instance {instance}"


def _last_error(reading: Reading, index: Index) -> str:
    """The words of the router; else the names of the codes. An error that was received before one that was sent."""
    for words, code, subcode in ((TEXT_IN, CODE_IN, SUBCODE_IN), (TEXT_OUT, CODE_OUT, SUBCODE_OUT)):
        name = error_name(number(reading.column(code).get(index)) or 0, number(reading.column(subcode).get(index)) or 0)
        if found := text(reading.column(words).get(index)) or name:
            return found[:LONGEST_ERROR]
    return ""


def _families(reading: Reading) -> Mapping[Index, tuple[PrefixCounts, ...]]:
    """By the index of the peer; the index of a row is that, then AFI and SAFI."""
    found: dict[Index, list[PrefixCounts]] = {}
    columns = [reading.column(name) for name in (PREFIXES_IN, PREFIXES_ACCEPTED, PREFIXES_OUT)]
    for index in dict.fromkeys(index for column in columns for index in column):
        if len(index) <= len(("AFI", "SAFI")):
            continue  # names no peer
        afi, safi = index[-2:]
        family = f"{AFIS.get(afi, f'AFI {afi}')} {SAFIS.get(safi, f'SAFI {safi}')}"
        received, accepted, advertised = (number(column.get(index)) for column in columns)
        found.setdefault(index[:-2], []).append(PrefixCounts(family, received, accepted, advertised))
    return {index: tuple(counts) for index, counts in found.items()}
