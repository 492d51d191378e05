"""Decodes messages with notifications: SNMPv1 (RFC 1157), v2c (RFC 1901, RFC 3416) and v3 (RFC 3412, RFC 3414)."""

from dataclasses import dataclass
from ipaddress import IPv4Address

from vnfm.devices.errors import Garbled
from vnfm.devices.traps import ber
from vnfm.devices.traps.ber import Reader
from vnfm.kit.patterns import pattern

V1, V2C, V3 = 0, 1, 3
USM = 3
AUTH, PRIV, REPORTABLE = 1, 2, 4
"""Bits of msgFlags."""
SYS_UPTIME, TRAP_OID = "1.3.6.1.2.1.1.3.0", "1.3.6.1.6.3.1.1.4.1.0"
TRAP_ADDRESS = "1.3.6.1.6.3.18.1.3.0"
"""snmpTrapAddress (RFC 3584): the element's own, where a proxy forwards its notification."""
GENERIC_TRAPS = "1.3.6.1.6.3.1.1.5"
"""snmpTraps: coldStart to egpNeighborLoss are .1 to .6, generic-trap 0 to 5 of SNMPv1."""
ENTERPRISE_SPECIFIC = 6
"""generic-trap of all other traps."""

MAX_VARBINDS = 256
MAX_TEXT = 2000
"""Characters; longer values are cut."""
_MAX_REQUEST_ID = 2**31
_OID = pattern(r"[0-9.]{3,255}")

PlainValue = int | str | None
"""Numbers as int, identifiers and addresses as str, octets as text, or as 0x… where they are none."""


@dataclass(frozen=True, slots=True)
class TrapMessage:
    """Uptime in hundredths of a second."""

    inform: bool
    request_id: int | None
    """None in SNMPv1, which numbers no traps."""
    uptime: int
    trap_oid: str
    varbinds: dict[str, PlainValue]
    """All others than sysUpTime and snmpTrapOID."""


@dataclass(frozen=True, slots=True)
class CommunityMessage:
    """A notification of SNMPv1 or SNMPv2c."""

    version: int
    octets: bytes
    community: bytes
    notification: TrapMessage
    pdu_at: int

    def response(self) -> bytes:
        """The response to an inform: the same octets with another PDU type (RFC 3416, 4.2.7)."""
        return self.octets[: self.pdu_at] + bytes((ber.RESPONSE,)) + self.octets[self.pdu_at + 1 :]


@dataclass(frozen=True, slots=True)
class V3Message:
    """The parts that can be read before authentication."""

    octets: bytes
    msg_id: int
    flags: int
    engine_id: bytes
    boots: int
    time: int
    user: str
    auth_at: int
    """Position of `auth` in the octets."""
    auth: bytes
    salt: bytes
    payload: bytes
    """The scoped PDU with its tag, or its encrypted octets."""


@dataclass(frozen=True, slots=True)
class ScopedPdu:
    """`notification` is None for other PDUs: engine discovery is an empty GET."""

    context_engine: bytes
    context: bytes
    request_id: int
    varbinds: bytes
    """The octets as received, with their tag."""
    notification: TrapMessage | None


def decode_message(octets: bytes) -> CommunityMessage | V3Message:
    """Raises Garbled for all but SNMPv1 and SNMPv2c notifications and SNMPv3 messages."""
    message = Reader(octets).inside(ber.SEQUENCE)
    version = message.integer()
    if version == V3:
        return _v3(octets, message)
    if version not in (V1, V2C):
        raise Garbled("It is of an SNMP version that does not exist.")
    community = message.octets()
    pdu_at = message.at
    tag, begin, end = message.tlv()
    if tag not in ((ber.V1_TRAP,) if version == V1 else (ber.INFORM, ber.TRAP)):
        raise Garbled(f"It is no notification (PDU {tag:#04x}).")
    pdu = Reader(octets, begin, end)
    notification = _v1_trap(pdu) if version == V1 else _notification(tag, pdu)
    return CommunityMessage(version, octets, community, notification, pdu_at)


def _v3(octets: bytes, message: Reader) -> V3Message:
    header = message.inside(ber.SEQUENCE)
    msg_id, _, flags, model = header.integer(), header.integer(), header.octets(), header.integer()
    if len(flags) != 1 or model != USM:
        raise Garbled("It is not of the user-based security model.")
    security = Reader(octets, *message.content(ber.OCTETS)).inside(ber.SEQUENCE)
    engine_id, boots, time, user = security.octets(), security.integer(), security.integer(), security.octets()
    auth_at, auth_end = security.content(ber.OCTETS)
    salt = security.octets()
    begin = message.at
    tag, inner, end = message.tlv()
    encrypted = bool(flags[0] & PRIV)
    if tag != (ber.OCTETS if encrypted else ber.SEQUENCE):
        raise Garbled("Its flags say that it is encrypted, or that it is not, and its data are the other.")
    return V3Message(
        octets=octets,
        msg_id=msg_id,
        flags=flags[0],
        engine_id=engine_id,
        boots=boots,
        time=time,
        user=user.decode(errors="replace"),
        auth_at=auth_at,
        auth=octets[auth_at:auth_end],
        salt=salt,
        payload=octets[inner if encrypted else begin : end],
    )


def scoped_pdu(octets: bytes) -> ScopedPdu:
    """A scoped PDU; octets after it are the padding of what was encrypted. Raises Garbled."""
    reader = Reader(octets).inside(ber.SEQUENCE)
    context_engine, context = reader.octets(), reader.octets()
    tag, begin, end = reader.tlv()
    pdu = Reader(octets, begin, end)
    request_id, _, _ = pdu.integer(), pdu.integer(), pdu.integer()
    varbinds = octets[pdu.at : end]
    is_notification = tag in (ber.INFORM, ber.TRAP)
    notification = _notification(tag, Reader(octets, begin, end)) if is_notification else None
    return ScopedPdu(context_engine, context, request_id, varbinds, notification)


def _v1_trap(pdu: Reader) -> TrapMessage:
    """Convert it to the notification of SNMPv2 that it stands for (RFC 3584, 3.1); agent-addr 0.0.0.0 is none."""
    enterprise, agent = pdu.oid(), _plain_value(pdu.data, *pdu.tlv())
    generic, specific = pdu.integer(), pdu.integer()
    uptime = ber.number(pdu.data, *pdu.content(ber.TIMETICKS))
    if not 0 <= generic <= ENTERPRISE_SPECIFIC or not 0 <= specific < _MAX_REQUEST_ID:
        raise Garbled("Its generic-trap or specific-trap does not exist (RFC 1157, 4.1.6).")
    standard = generic != ENTERPRISE_SPECIFIC
    trap_oid = f"{GENERIC_TRAPS}.{generic + 1}" if standard else f"{enterprise}.0.{specific}"
    if not _OID.fullmatch(trap_oid):
        raise Garbled("Its enterprise is too long.")
    varbinds = _varbinds(pdu)
    if agent not in (None, "", "0.0.0.0"):  # noqa: S104 - no address to bind to
        varbinds.setdefault(TRAP_ADDRESS, agent)
    return TrapMessage(False, None, uptime, trap_oid, varbinds)


def _notification(tag: int, pdu: Reader) -> TrapMessage:
    request_id, _, _ = pdu.integer(), pdu.integer(), pdu.integer()
    varbinds = _varbinds(pdu)
    uptime, trap_oid = varbinds.pop(SYS_UPTIME, None), varbinds.pop(TRAP_OID, None)
    if not isinstance(uptime, int) or not isinstance(trap_oid, str) or not _OID.fullmatch(trap_oid):
        raise Garbled("It lacks sysUpTime or snmpTrapOID (RFC 3416, 4.2.6).")
    if abs(request_id) > _MAX_REQUEST_ID:
        raise Garbled("Its request-id is too large.")
    return TrapMessage(tag == ber.INFORM, request_id, uptime, trap_oid, varbinds)


def _varbinds(pdu: Reader) -> dict[str, PlainValue]:
    bindings = pdu.inside(ber.SEQUENCE)
    varbinds: dict[str, PlainValue] = {}
    count = 0
    while bindings.more():
        count += 1
        if count > MAX_VARBINDS:
            raise Garbled(f"It has more than {MAX_VARBINDS} variables.")
        binding = bindings.inside(ber.SEQUENCE)
        name = binding.oid()
        varbinds[name] = _plain_value(binding.data, *binding.tlv())
    return varbinds


_NUMERIC = frozenset((ber.INTEGER, ber.COUNTER32, ber.GAUGE32, ber.TIMETICKS, ber.COUNTER64))
_NULLS = frozenset((ber.NULL, 0x80, 0x81, 0x82))
_IPV4 = 4


def _plain_value(data: bytes, tag: int, begin: int, end: int) -> PlainValue:
    if tag in _NUMERIC:
        return ber.number(data, begin, end)
    if tag == ber.OID:
        return ber.oid(data[begin:end])
    if tag == ber.IP_ADDRESS and end - begin == _IPV4:
        return str(IPv4Address(data[begin:end]))
    if tag in (ber.OCTETS, ber.OPAQUE):
        return _text(data[begin:end])
    if tag in _NULLS:
        return None
    raise Garbled(f"It has a value of an unknown type ({tag:#04x}).")


def _text(octets: bytes) -> str:
    try:
        text = octets.decode()
    except UnicodeDecodeError:
        readable = False
    else:
        readable = all(char.isprintable() or char in "\t\r\n" for char in text)
    return (text if readable else f"0x{octets.hex()}")[:MAX_TEXT]
