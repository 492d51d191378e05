"""Sessions and ports that a notification itself says have gone down: its objects name them and their state (ADR-0087).

Sources: IF-MIB (RFC 2863), BGP4-MIB (RFC 4273; RFC 1657 has the other OID), BFD-STD-MIB (RFC 7331).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import ip_address
from types import MappingProxyType

from vnfm.elements.domain.traps import Varbinds

MAX_LOSS_AGE = timedelta(seconds=5)
"""An older notification, as after an outage of our database, only requests its poll: the object may be up again."""

_IF_INDEX, _IF_ADMIN, _IF_OPER = (f"1.3.6.1.2.1.2.2.1.{n}." for n in (1, 7, 8))
_BGP_STATE = "1.3.6.1.2.1.15.3.1.2."
_BFD_STATE, _BFD_IF_INDEX, _BFD_ADDRESS = (f"1.3.6.1.2.1.222.1.2.1.{n}." for n in (11, 18, 22))
_UP, _DOWN = 1, 2
"""ifAdminStatus, ifOperStatus."""
_BGP_STATES: Mapping[object, str] = MappingProxyType(
    {1: "IDLE", 2: "CONNECT", 3: "ACTIVE", 4: "OPEN_SENT", 5: "OPEN_CONFIRM"}
)
_BGP_ESTABLISHED = 6
_BFD_DOWN = 2
"""IANAbfdSessStateTC."""
_V4_ARCS = 4
_HEX_LENGTHS = (len("0x") + 2 * 4, len("0x") + 2 * 16)


@dataclass(frozen=True, slots=True)
class LostPeer:
    """A BGP session of the base instance."""

    address: str
    state: str
    """A value of `BgpPeer.state`; IDLE where the agent has a state that BGP4-MIB lacks: FRR clears the session then."""


@dataclass(frozen=True, slots=True)
class LostBfdSession:
    address: str
    if_index: int | None
    """None for a session of several hops."""


@dataclass(frozen=True, slots=True)
class LostInterface:
    """An interface that is administratively up."""

    if_index: int


Loss = LostPeer | LostBfdSession | LostInterface


def loss_of(trap_oid: str, varbinds: Varbinds) -> Loss | None:
    """None for other notifications, and for those whose objects do not say all of it."""
    find = _FINDERS.get(trap_oid)
    return find(varbinds) if find is not None else None


def _peer(varbinds: Varbinds) -> Loss | None:
    found = _named(varbinds, _BGP_STATE)
    if found is None:
        return None
    address, state = found
    if state == _BGP_ESTABLISHED or not isinstance(state, int) or address.count(".") != _V4_ARCS - 1:
        return None
    return LostPeer(address, _BGP_STATES.get(state, "IDLE"))


def _bfd_session(varbinds: Varbinds) -> Loss | None:
    """Read the last of a range of sessions: the notification has only that one in full."""
    state, if_index, address = (_named(varbinds, name) for name in (_BFD_STATE, _BFD_IF_INDEX, _BFD_ADDRESS))
    if state is None or address is None or state[1] != _BFD_DOWN or state[0] != address[0]:
        return None
    target, index = _address(str(address[1])), if_index[1] if if_index is not None else None
    return LostBfdSession(target, index if isinstance(index, int) and index > 0 else None) if target else None


def _address(value: str) -> str:
    """Read octets, which are shown as text where that is readable; "" for others than an address."""
    try:
        octets = bytes.fromhex(value[2:]) if len(value) in _HEX_LENGTHS else value.encode()
        return str(ip_address(octets))
    except ValueError:
        return ""


def _port(varbinds: Varbinds) -> Loss | None:
    index, admin, oper = (_named(varbinds, name) for name in (_IF_INDEX, _IF_ADMIN, _IF_OPER))
    if index is None or admin is None or oper is None or (admin[1], oper[1]) != (_UP, _DOWN):
        return None
    return LostInterface(index[1]) if isinstance(index[1], int) else None


def _named(varbinds: Varbinds, name: str) -> tuple[str, int | str | None] | None:
    """Instance and value of the first object of that name."""
    return next(((key.removeprefix(name), value) for key, value in varbinds.items() if key.startswith(name)), None)


_FINDERS: Mapping[str, Callable[[Varbinds], Loss | None]] = MappingProxyType(
    {
        "1.3.6.1.6.3.1.1.5.3": _port,
        "1.3.6.1.2.1.15.0.2": _peer,
        "1.3.6.1.2.1.15.7.2": _peer,
        "1.3.6.1.2.1.222.0.2": _bfd_session,
    }
)
