"""Notifications as octets, put together by hand."""

from ipaddress import IPv4Address

from vnfm.devices.traps import ber, usm
from vnfm.devices.traps.message import V3Message, decode_message
from vnfm.devices.types import SnmpUser

UPTIME, TRAP_OID = "1.3.6.1.2.1.1.3.0", "1.3.6.1.6.3.1.1.4.1.0"
LINK_DOWN = "1.3.6.1.6.3.1.1.5.3"
ENGINE = usm.Engine(bytes.fromhex("80001f8880aabbccdd"), 3, 5000)


def binding(name: str, value: bytes) -> bytes:
    return ber.tlv(ber.SEQUENCE, ber.encoded_oid(name), value)


def pdu(oid: str, *bindings: bytes, inform: bool = False, number: int = 1, uptime: int = 100) -> bytes:
    first = binding(UPTIME, ber.encoded_number(uptime, ber.TIMETICKS)), binding(TRAP_OID, ber.encoded_oid(oid))
    head = ber.encoded_number(number), ber.encoded_number(0), ber.encoded_number(0)
    return ber.tlv(ber.INFORM if inform else ber.TRAP, *head, ber.tlv(ber.SEQUENCE, *first, *bindings))


def trap(
    oid: str = LINK_DOWN,
    *bindings: bytes,
    community: str = "public",
    inform: bool = False,
    number: int = 1,
    uptime: int = 100,
) -> bytes:
    """A message of SNMPv2c."""
    inside = pdu(oid, *bindings, inform=inform, number=number, uptime=uptime)
    return ber.tlv(ber.SEQUENCE, ber.encoded_number(1), ber.tlv(ber.OCTETS, community.encode()), inside)


def v1_trap(
    *bindings: bytes,
    generic: int = 2,
    specific: int = 0,
    enterprise: str = "1.3.6.1.4.1.6527.3",
    agent: str = "192.0.2.7",
    community: str = "public",
) -> bytes:
    """A message of SNMPv1 (RFC 1157, 4.1.6)."""
    inside = ber.tlv(
        ber.V1_TRAP,
        ber.encoded_oid(enterprise),
        ber.tlv(ber.IP_ADDRESS, IPv4Address(agent).packed),
        ber.encoded_number(generic),
        ber.encoded_number(specific),
        ber.encoded_number(100, ber.TIMETICKS),
        ber.tlv(ber.SEQUENCE, *bindings),
    )
    return ber.tlv(ber.SEQUENCE, ber.encoded_number(0), ber.tlv(ber.OCTETS, community.encode()), inside)


def v3(user: SnmpUser, *, inform: bool = False, engine: usm.Engine = ENGINE) -> V3Message:
    """A message of SNMPv3, as an element sends it, which is the authoritative engine."""
    head = ber.tlv(ber.OCTETS, engine.engine_id), ber.tlv(ber.OCTETS, b"vs1")
    inside = ber.tlv(ber.SEQUENCE, *head, pdu(LINK_DOWN, inform=inform))
    flags = (1 if user.auth_protocol else 0) | (2 if user.priv_protocol else 0)
    message = decode_message(usm._secured_message(77, flags, user, engine, inside))
    assert isinstance(message, V3Message)
    return message
