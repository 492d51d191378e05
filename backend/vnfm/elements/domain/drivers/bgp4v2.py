"""BGP peers of BGP4V2-MIB (draft-ietf-idr-bgp4-mibv2-15): IPv4 and IPv6, all routing instances, prefixes by family."""

from collections.abc import Mapping

from vnfm.devices.types import Index, Value
from vnfm.elements.domain.drivers import standard
from vnfm.elements.domain.drivers.base import Reading, TableSource, UnusableRowError, enum_name, number, text
from vnfm.elements.domain.drivers.bgp_errors import error_name
from vnfm.elements.domain.snapshot import ObservedBgpPeer, PrefixCounts

_MIB = "1.3.6.1.3.5.1.1"
INSTANCE_NAME = f"{_MIB}.1.1.2"
PEER_AS, PEER_ADMIN, PEER_STATE = (f"{_MIB}.2.1.{n}" for n in (10, 12, 13))
_ERRORS = f"{_MIB}.3.1"
CODE_IN, SUBCODE_IN, TEXT_IN = (f"{_ERRORS}.{n}" for n in (1, 2, 4))
CODE_OUT, SUBCODE_OUT, TEXT_OUT = (f"{_ERRORS}.{n}" for n in (6, 7, 9))
ESTABLISHED_TIME, TRANSITIONS = f"{_MIB}.4.1.1", f"{_MIB}.7.1.5"
PREFIXES_IN, PREFIXES_ACCEPTED, PREFIXES_OUT = (f"{_MIB}.8.1.{n}" for n in (3, 4, 5))
_BASE = 1
"""bgp4V2PeerInstance of the base instance."""

SOURCE = TableSource(
    columns=(
        *standard.BGP.columns,
        *(INSTANCE_NAME, PEER_AS, PEER_ADMIN, PEER_STATE, TRANSITIONS, ESTABLISHED_TIME),
        *(CODE_IN, SUBCODE_IN, TEXT_IN, CODE_OUT, SUBCODE_OUT, TEXT_OUT),
        *(PREFIXES_IN, PREFIXES_ACCEPTED, PREFIXES_OUT),
    ),
    states=(*standard.BGP.states, PEER_ADMIN, PEER_STATE),
    required=(INSTANCE_NAME,),
)

LONGEST_ERROR = 255
"""Characters of bgp4V2PeerLastErrorReceivedText that are kept."""
AFIS = {1: "IPv4", 2: "IPv6", 25: "L2VPN"}
SAFIS = {1: "unicast", 2: "multicast", 4: "labeled", 65: "VPLS", 70: "EVPN", 128: "VPN", 133: "flowspec"}
"""IANA's address family numbers and SAFI values."""


def bgp_peers(reading: Reading) -> tuple[ObservedBgpPeer, ...]:
    """Its rows, and those of BGP4-MIB, which has IPv4 peers of the base instance."""
    families = _families(reading)

    def peer(index: Index, value: Value) -> ObservedBgpPeer:
        state = enum_name(value, standard.BGP_STATES)
        instance, address = instance_and_address(index)
        flaps = standard.flaps(reading.column(TRANSITIONS).get(index), state)
        return ObservedBgpPeer(
            vrf=_vrf(reading, instance),
            peer_address=address,
            remote_as=number(reading.column(PEER_AS).get(index)),
            admin_state=enum_name(reading.column(PEER_ADMIN).get(index), standard.BGP_ADMIN_STATES),
            state=state,
            flaps=flaps,
            last_error=_last_error(reading, index, was_lost=flaps != 0 or state != "ESTABLISHED"),
            families=families.get((instance, address), ()),
            established_seconds=standard.established_seconds(reading.column(ESTABLISHED_TIME).get(index), state),
        )

    reading.omit_partial(PEER_STATE, PEER_AS)
    return standard.merged_peers(reading.rows(PEER_STATE, peer, PEER_AS), reading)


def instance_and_address(index: Index) -> tuple[int, str]:
    """Instance, type and address, as the MIB has it; FRR before 9.1 leaves the instance out, and later the length.

    Raises UnusableRowError where it is none of these.
    """
    try:
        return index[0], standard.inet_address(index[1:], with_zone=True)
    except (UnusableRowError, IndexError):
        return _BASE, standard.inet_address(index, with_zone=True)


def _vrf(reading: Reading, instance: int) -> str:
    if instance == _BASE:
        return ""
    return text(reading.column(INSTANCE_NAME).get((instance,))) or f"instance {instance}"


def _last_error(reading: Reading, index: Index, *, was_lost: bool) -> str:
    """The words of the router; else the names of the codes. An error that was received before one that was sent.

    Words without a code are an error only of a session that was lost: FRR has "Waiting for peer OPEN" of all others.
    """
    for words, code, subcode in ((TEXT_IN, CODE_IN, SUBCODE_IN), (TEXT_OUT, CODE_OUT, SUBCODE_OUT)):
        name = error_name(number(reading.column(code).get(index)) or 0, number(reading.column(subcode).get(index)) or 0)
        if (name or was_lost) and (found := text(reading.column(words).get(index)) or name):
            return found[:LONGEST_ERROR]
    return ""


def _families(reading: Reading) -> Mapping[tuple[int, str], tuple[PrefixCounts, ...]]:
    """By instance and address of the peer, which are the index of a row before AFI and SAFI."""
    columns = [reading.column(name) for name in (PREFIXES_IN, PREFIXES_ACCEPTED, PREFIXES_OUT)]

    def counts(index: Index, _: Value) -> tuple[tuple[int, str], PrefixCounts]:
        received, accepted, advertised = (number(column.get(index)) for column in columns)
        family = family_name(*index[-2:])
        return instance_and_address(index[:-2]), PrefixCounts(family, received, accepted, advertised)

    found: dict[tuple[int, str], dict[str, PrefixCounts]] = {}
    for name in (PREFIXES_IN, PREFIXES_ACCEPTED, PREFIXES_OUT):
        for peer, each in reading.rows(name, counts):
            found.setdefault(peer, {}).setdefault(each.family, each)
    return {peer: tuple(by_family.values()) for peer, by_family in found.items()}


def family_name(afi: int, safi: int) -> str:
    """Return a name such as "IPv6 unicast"."""
    return f"{AFIS.get(afi, f'AFI {afi}')} {SAFIS.get(safi, f'SAFI {safi}')}"
