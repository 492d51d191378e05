"""The user-based security model (RFC 3414, RFC 3826, RFC 7860)."""

import hashlib
import hmac
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial

from cryptography.hazmat.decrepit.ciphers.algorithms import TripleDES
from cryptography.hazmat.decrepit.ciphers.modes import CFB
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CBC

from vnfm.devices.errors import Garbled, Refused
from vnfm.devices.traps import ber
from vnfm.devices.traps.message import AUTH, PRIV, REPORTABLE, USM, V3, ScopedPdu, V3Message
from vnfm.devices.types import SnmpUser

WINDOW = 150
"""The time window in seconds (RFC 3414, 2.2.3)."""
UNKNOWN_ENGINE, NOT_IN_TIME = "1.3.6.1.6.3.15.1.1.4.0", "1.3.6.1.6.3.15.1.1.2.0"
"""usmStatsUnknownEngineIDs, usmStatsNotInTimeWindows: the two reports that senders of informs need."""

_MEGABYTE = 2**20
_MAX_MESSAGE = 65_507


@dataclass(frozen=True, slots=True)
class _Auth:
    digest: str
    """Name in hashlib."""
    length: int
    """Octets of the truncated digest in a message."""


_AUTH: Mapping[str, _Auth] = {
    "MD5": _Auth("md5", 12),
    "SHA": _Auth("sha1", 12),
    "SHA-224": _Auth("sha224", 16),
    "SHA-256": _Auth("sha256", 24),
    "SHA-384": _Auth("sha384", 32),
    "SHA-512": _Auth("sha512", 48),
}
_AES_KEY: Mapping[str, int] = {"AES": 16, "AES-192": 24, "AES-256": 32}
_DES_KEY = 16
"""The second half is the pre-IV (RFC 3414, 8.1.1.1)."""


@dataclass(frozen=True, slots=True)
class Engine:
    """An authoritative engine as of now: `boots` and `time` (seconds since the last boot) are in every message."""

    engine_id: bytes
    boots: int
    time: int


@lru_cache(maxsize=1024)
def _password_to_key(digest: str, password: str) -> bytes:
    """RFC 3414, A.2: the digest of a megabyte of the password; expensive on purpose, and the same for all engines."""
    octets = password.encode()
    return hashlib.new(digest, (octets * (_MEGABYTE // len(octets) + 1))[:_MEGABYTE]).digest()


@lru_cache(maxsize=8192)
def _localised_key(digest: str, password: str, engine_id: bytes) -> bytes:
    master = _password_to_key(digest, password)
    return hashlib.new(digest, master + engine_id + master).digest()


def _privacy_key(user: SnmpUser, engine_id: bytes) -> bytes:
    """Extended where the digest is shorter, by draft-blumenthal-aes-usm-04, as net-snmp does."""
    digest = _AUTH[user.auth_protocol].digest
    size = _AES_KEY.get(user.priv_protocol, _DES_KEY)
    key = _localised_key(digest, user.priv_password, engine_id)
    while len(key) < size:
        key += hashlib.new(digest, key).digest()
    return key[:size]


def localised_keys(user: SnmpUser, engine_id: bytes) -> tuple[bytes, bytes]:
    """The user's keys at that engine, for authentication and for privacy; empty for what the user has not."""
    if not user.auth_protocol:
        return b"", b""
    key = _localised_key(_AUTH[user.auth_protocol].digest, user.auth_password, engine_id)
    return key, _privacy_key(user, engine_id) if user.priv_protocol else b""


def authenticate(message: V3Message, user: SnmpUser) -> None:
    """Raises Refused unless the message is this user's, signed, and at the security level of the policy."""
    level = (AUTH if user.auth_protocol else 0) | (PRIV if user.auth_protocol and user.priv_protocol else 0)
    if message.user != user.name or message.flags & (AUTH | PRIV) != level:
        raise Refused("It is of another SNMPv3 user, or of another level of security, than the policy says.")
    if not user.auth_protocol:
        return
    size = _AUTH[user.auth_protocol].length
    if len(message.auth) != size:
        raise Refused("Its signature is not of the policy's protocol.")
    blank = message.octets[: message.auth_at] + bytes(size) + message.octets[message.auth_at + size :]
    if not hmac.compare_digest(_signature(blank, user, message.engine_id), message.auth):
        raise Refused("Its signature is wrong.")


def _signature(octets: bytes, user: SnmpUser, engine_id: bytes) -> bytes:
    auth = _AUTH[user.auth_protocol]
    key = _localised_key(auth.digest, user.auth_password, engine_id)
    return hmac.digest(key, octets, auth.digest)[: auth.length]


def decrypt(message: V3Message, user: SnmpUser) -> bytes:
    """The scoped PDU of an authenticated message. Raises Garbled where it cannot be decrypted."""
    if not message.flags & PRIV:
        return message.payload
    if len(message.salt) != 8:  # noqa: PLR2004 - RFC 3414, 8.1.1.1 and RFC 3826, 3.1.2.1
        raise Garbled("Its privacy parameters are not of eight octets.")
    if user.priv_protocol == "DES" and len(message.payload) % 8:
        raise Garbled("What is encrypted with DES does not consist of whole blocks.")
    engine = Engine(message.engine_id, message.boots, message.time)
    decryptor = _cipher(user, engine, message.salt).decryptor()
    return decryptor.update(message.payload) + decryptor.finalize()


def _cipher(user: SnmpUser, engine: Engine, salt: bytes) -> "Cipher[CFB] | Cipher[CBC]":
    key = _privacy_key(user, engine.engine_id)
    if user.priv_protocol == "DES":
        vector = bytes(a ^ b for a, b in zip(key[8:], salt, strict=True))
        return Cipher(TripleDES(key[:8] * 3), CBC(vector))
    return Cipher(
        AES(key), CFB((engine.boots & 0xFFFFFFFF).to_bytes(4) + (engine.time & 0xFFFFFFFF).to_bytes(4) + salt)
    )


class EngineClocks:
    """The clocks of senders, against replay: a trap sent again later is outside the window (RFC 3414, 3.2, 7b)."""

    _MAX_ENGINES = 20_000

    def __init__(self) -> None:
        self._known: dict[bytes, tuple[int, int, float]] = {}

    def accept(self, message: V3Message, now: float) -> None:
        """`now`: of a monotonic clock. Raises Refused for a message older than the window."""
        boots, time, at = self._known.get(message.engine_id, (0, 0, now))
        if message.boots < boots or (message.boots == boots and message.time < time + (now - at) - WINDOW):
            raise Refused("It is older than earlier messages of its sender.")
        if (message.boots, message.time) > (boots, time):
            if len(self._known) >= self._MAX_ENGINES and message.engine_id not in self._known:
                self._known.pop(next(iter(self._known)))
            self._known[message.engine_id] = (message.boots, message.time, now)


def in_time(message: V3Message, ours: Engine) -> bool:
    """True if the sender of an inform knows our clock (RFC 3414, 3.2, 7a)."""
    return message.boots == ours.boots and abs(message.time - ours.time) <= WINDOW


def response(message: V3Message, inform: ScopedPdu, user: SnmpUser, ours: Engine) -> bytes:
    """The response to an inform: its variables, at its level of security."""
    zero = ber.encoded_number(0)
    pdu = ber.tlv(ber.RESPONSE, ber.encoded_number(inform.request_id), zero, zero, inform.varbinds)
    scoped = _scoped_octets(inform.context_engine, inform.context, pdu)
    return _secured_message(message.msg_id, message.flags & (AUTH | PRIV), user, ours, scoped)


def report(message: V3Message, ours: Engine, counter: str, value: int, user: SnmpUser | None = None) -> bytes:
    """Reports our engine ID or our clock to a sender of informs; signed if `user` is given."""
    varbind = ber.tlv(ber.SEQUENCE, ber.encoded_oid(counter), ber.encoded_number(value, ber.COUNTER32))
    zero = ber.encoded_number(0)
    pdu = ber.tlv(ber.REPORT, zero, zero, zero, ber.tlv(ber.SEQUENCE, varbind))
    signed = user is not None and bool(user.auth_protocol)
    return _secured_message(
        message.msg_id, AUTH if signed else 0, user or SnmpUser(""), ours, _scoped_octets(ours.engine_id, b"", pdu)
    )


def discovery(msg_id: int) -> bytes:
    """An empty request to an engine whose id is not known: it reports that (RFC 3414, 4)."""
    zero, number = ber.encoded_number(0), ber.encoded_number(msg_id)
    pdu = ber.tlv(ber.GET, number, zero, zero, ber.tlv(ber.SEQUENCE))
    unknown, parameters = Engine(b"", 0, 0), (b"", b"")
    return _encode(
        msg_id, REPORTABLE, SnmpUser(""), unknown, parameters=parameters, scoped=_scoped_octets(b"", b"", pdu)
    )


def trap(msg_id: int, pdu: bytes, user: SnmpUser, ours: Engine) -> bytes:
    """A message with a notification of ours, at the user's level of security; its authoritative engine is `ours`."""
    flags = (AUTH if user.auth_protocol else 0) | (PRIV if user.auth_protocol and user.priv_protocol else 0)
    return _secured_message(msg_id, flags, user, ours, _scoped_octets(ours.engine_id, b"", pdu))


def _scoped_octets(context_engine: bytes, context: bytes, pdu: bytes) -> bytes:
    return ber.tlv(ber.SEQUENCE, ber.tlv(ber.OCTETS, context_engine), ber.tlv(ber.OCTETS, context), pdu)


def _secured_message(msg_id: int, flags: int, user: SnmpUser, ours: Engine, scoped: bytes) -> bytes:
    salt = b""
    if flags & PRIV:
        salt = os.urandom(8)
        padded = scoped + bytes(-len(scoped) % 8) if user.priv_protocol == "DES" else scoped
        encryptor = _cipher(user, ours, salt).encryptor()
        scoped = ber.tlv(ber.OCTETS, encryptor.update(padded) + encryptor.finalize())
    if not flags & AUTH:
        return _encode(msg_id, flags, user, ours, parameters=(b"", salt), scoped=scoped)
    build = partial(_encode, msg_id, flags, user, ours, scoped=scoped)
    blank = build(parameters=(bytes(_AUTH[user.auth_protocol].length), salt))
    return build(parameters=(_signature(blank, user, ours.engine_id), salt))


def _encode(
    msg_id: int, flags: int, user: SnmpUser, ours: Engine, *, parameters: tuple[bytes, bytes], scoped: bytes
) -> bytes:
    """`parameters`: of authentication and of privacy."""
    header = ber.tlv(
        ber.SEQUENCE,
        ber.encoded_number(msg_id),
        ber.encoded_number(_MAX_MESSAGE),
        ber.tlv(ber.OCTETS, bytes((flags,))),
        ber.encoded_number(USM),
    )
    security = ber.tlv(
        ber.SEQUENCE,
        ber.tlv(ber.OCTETS, ours.engine_id),
        ber.encoded_number(ours.boots),
        ber.encoded_number(ours.time),
        *(ber.tlv(ber.OCTETS, part) for part in (user.name.encode(), *parameters)),
    )
    return ber.tlv(ber.SEQUENCE, ber.encoded_number(V3), header, ber.tlv(ber.OCTETS, security), scoped)
