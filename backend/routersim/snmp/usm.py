"""The user-based security model of SNMPv3: users, keys, signed and encrypted messages (RFC 3414, 3826, 7860)."""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from cryptography.hazmat.decrepit.ciphers.algorithms import TripleDES
from cryptography.hazmat.decrepit.ciphers.modes import CFB
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CBC

from routersim.snmp.ber import MAX_OCTETS, Garbled, Tag, decode, encode_integer, tlv

V3 = 3
AUTH, PRIV, REPORTABLE = 1, 2, 4
"""The bits of msgFlags."""
_USM = 3
_MEGABYTE = 2**20
_SALT = 8


@dataclass(frozen=True, slots=True)
class Digest:
    """A digest: its `name` in hashlib, and the number of octets of a signature."""

    name: str
    length: int


DIGESTS: Mapping[str, Digest] = {
    "MD5": Digest("md5", 12), "SHA": Digest("sha1", 12), "SHA-224": Digest("sha224", 16),
    "SHA-256": Digest("sha256", 24), "SHA-384": Digest("sha384", 32), "SHA-512": Digest("sha512", 48),
}  # fmt: skip
KEY_OCTETS: Mapping[str, int] = {"DES": 16, "AES": 16, "AES-192": 24, "AES-256": 32}
"""The octets of a privacy key; the second half of a DES key is the pre-IV (RFC 3414, 8.1.1.1)."""


@dataclass(frozen=True, slots=True)
class User:
    """A user with keys for one engine; `auth` and `priv` are protocols, "" for none."""

    name: bytes
    auth: str = ""
    auth_key: bytes = b""
    priv: str = ""
    priv_key: bytes = b""
    writes: bool = False

    @property
    def level(self) -> int:
        """The msgFlags of the user's messages."""
        return (AUTH if self.auth else 0) | (PRIV if self.auth and self.priv else 0)


@lru_cache(maxsize=256)
def _master(digest: str, password: str) -> bytes:
    """Return the digest of a megabyte of the repeated password (RFC 3414, A.2)."""
    octets = password.encode()
    return hashlib.new(digest, (octets * (_MEGABYTE // len(octets) + 1))[:_MEGABYTE]).digest()


def localised(protocol: str, password: str, engine: bytes, size: int = 0) -> bytes:
    """Return a password's key for an engine; repeated digests extend it to `size` octets if necessary."""
    digest = DIGESTS[protocol].name
    master = _master(digest, password)
    key = hashlib.new(digest, master + engine + master).digest()
    while len(key) < size:
        key += hashlib.new(digest, key).digest()
    return key[:size] if size else key


@dataclass(frozen=True, slots=True)
class Clock:
    """An engine's id and time, which are in each of its messages and in the vectors of AES."""

    engine: bytes
    boots: int
    time: int


@dataclass(frozen=True, slots=True)
class Envelope:
    """A received SNMPv3 message."""

    octets: bytes
    id: int
    room: int
    flags: int
    clock: Clock
    user: bytes
    signature: bytes
    signature_at: int
    salt: bytes
    payload: bytes
    """The encrypted octets, or empty."""
    scoped: dict[str, object] | None
    """The decoded ScopedPdu; None while it is encrypted."""


def is_v3(octets: bytes) -> bool:
    """Return whether the version, a message's first field, is 3; False for other octets."""
    if len(octets) < 2:
        return False
    more = octets[1] & 0x7F if octets[1] & 0x80 else 0
    return octets[2 + more : 5 + more] == bytes((Tag.INTEGER, 1, V3))


def read(octets: bytes) -> Envelope:
    """Decode an SNMPv3 message. Raises Garbled."""
    message = decode("V3Message", octets)
    header, security = message["header"], message["security"]
    if header["model"] != _USM or len(header["flags"]) != 1:
        raise Garbled("the message does not use the user-based security model")
    found = decode("UsmParameters", security)
    end = octets.find(security) + len(security) - len(tlv(Tag.OCTETS, found["salt"]))
    kind, data = message["data"]
    flags = header["flags"][0]
    if (kind == "encrypted") != bool(flags & PRIV):
        raise Garbled("the privacy flag contradicts the data")
    return Envelope(
        octets=octets, id=header["id"], room=min(MAX_OCTETS, max(484, header["max-size"])), flags=flags,
        clock=Clock(found["engine"], found["boots"], found["time"]), user=found["user"], signature=found["auth"],
        signature_at=end - len(found["auth"]), salt=found["salt"],
        payload=data if kind == "encrypted" else b"", scoped=None if kind == "encrypted" else data,
    )  # fmt: skip


def is_signed_by(message: Envelope, user: User) -> bool:
    digest = DIGESTS[user.auth]
    if len(message.signature) != digest.length:
        return False
    at = message.signature_at
    blank = message.octets[:at] + bytes(digest.length) + message.octets[at + digest.length :]
    return hmac.compare_digest(_signature(blank, user), message.signature)


def _signature(octets: bytes, user: User) -> bytes:
    digest = DIGESTS[user.auth]
    return hmac.digest(user.auth_key, octets, digest.name)[: digest.length]


def decrypted(message: Envelope, user: User) -> dict[str, object]:
    """Return the ScopedPdu. Raises Garbled, also if another key has encrypted it."""
    if message.scoped is not None:
        return message.scoped
    if len(message.salt) != _SALT or (user.priv == "DES" and len(message.payload) % _SALT):
        raise Garbled("the message cannot be decrypted")
    decryptor = _cipher(user, message.clock, message.salt).decryptor()
    return decode("ScopedPdu", decryptor.update(message.payload) + decryptor.finalize())


def _cipher(user: User, clock: Clock, salt: bytes) -> Cipher[CFB] | Cipher[CBC]:
    if user.priv == "DES":
        vector = bytes(a ^ b for a, b in zip(user.priv_key[8:16], salt, strict=True))
        return Cipher(TripleDES(user.priv_key[:8] * 3), CBC(vector))
    return Cipher(AES(user.priv_key), CFB(clock.boots.to_bytes(4, "big") + clock.time.to_bytes(4, "big") + salt))


def written(message_id: int, flags: int, user: User, clock: Clock, pdu: bytes) -> bytes:
    """Return a message of the engine with this PDU, signed and encrypted by its flags."""
    scoped = tlv(Tag.SEQUENCE, tlv(Tag.OCTETS, clock.engine) + tlv(Tag.OCTETS, b"") + pdu)
    salt = b""
    if flags & PRIV:
        salt = os.urandom(_SALT)
        padded = scoped + bytes(-len(scoped) % _SALT) if user.priv == "DES" else scoped
        encryptor = _cipher(user, clock, salt).encryptor()
        scoped = tlv(Tag.OCTETS, encryptor.update(padded) + encryptor.finalize())
    numbers = encode_integer(message_id) + encode_integer(MAX_OCTETS)
    header = numbers + tlv(Tag.OCTETS, bytes((flags,))) + encode_integer(_USM)
    start = encode_integer(V3) + tlv(Tag.SEQUENCE, header)
    engine = tlv(Tag.OCTETS, clock.engine) + encode_integer(clock.boots) + encode_integer(clock.time)

    def signed(signature: bytes) -> bytes:
        texts = b"".join(tlv(Tag.OCTETS, text) for text in (user.name, signature, salt))
        return tlv(Tag.SEQUENCE, start + tlv(Tag.OCTETS, tlv(Tag.SEQUENCE, engine + texts)) + scoped)

    if not flags & AUTH:
        return signed(b"")
    return signed(_signature(signed(bytes(DIGESTS[user.auth].length)), user))
