"""Handles the SNMP messages that an element receives: SNMPv2c by community, SNMPv3 by user (RFC 3414, 3.2)."""

from __future__ import annotations

from collections import Counter
from typing import Any, cast

from routersim.model.element import Element
from routersim.snmp import usm
from routersim.snmp.access import Access
from routersim.snmp.agent import Agent
from routersim.snmp.ber import (
    Garbled,
    Message,
    Oid,
    Pdu,
    Tag,
    decode_message,
    encode_binding,
    encode_pdu,
    encode_value,
    in_community,
    message_of,
    oid_octets,
)
from routersim.snmp.notify import Notifier
from routersim.snmp.usm import Envelope, User

_WINDOW = 150
"""Seconds by which a sender's value of our clock may differ (RFC 3414, 2.2.3)."""
_STATS: Oid = (1, 3, 6, 1, 6, 3, 15, 1, 1)
LEVELS, TIMES, USERS, ENGINES, DIGESTS, DECRYPTIONS = range(1, 7)
"""The usmStats unsupportedSecLevels, notInTimeWindows, unknownUserNames, unknownEngineIDs, wrongDigests and
decryptionErrors; the OID of each is `_STATS`.n.0."""


class SnmpEngine:
    """The SNMP engine of one element."""

    def __init__(self, element: Element, agent: Agent, notifier: Notifier) -> None:
        self._element, self._agent, self._notifier = element, agent, notifier
        self._access = Access(element)
        self._stats: Counter[int] = Counter()

    def received(self, octets: bytes, source: tuple[str, int], now: float) -> bytes | None:
        """Return the answer; None for a wrong community, or if none is due. Raises Garbled."""
        if usm.is_v3(octets):
            return self._received_v3(usm.read(octets), now)
        message = decode_message(octets)
        if message.pdu == Pdu.RESPONSE:
            self._notifier.acknowledged(message.request_id, source)
            return None
        if not self._access.admits(message.community, write=message.pdu == Pdu.SET):
            return None
        pdu = self._agent.answer(message, now)
        return in_community(message.community, pdu) if pdu is not None else None

    def _received_v3(self, envelope: Envelope, now: float) -> bytes | None:
        user = self._access.user(envelope.user)
        mistake = self._mistake(envelope, user, now)
        if mistake:
            return self._report(envelope, mistake, now, signed_by=user if mistake == TIMES else None)
        assert user is not None, "else it is a mistake"
        try:
            message = _message(envelope, usm.decrypted(envelope, user))
        except Garbled:
            return self._report(envelope, DECRYPTIONS, now)
        if message.pdu == Pdu.SET and not user.writes:
            return None
        pdu = self._agent.answer(message, now)
        return usm.written(envelope.id, user.level, user, self._access.clock(now), pdu) if pdu is not None else None

    def _mistake(self, envelope: Envelope, user: User | None, now: float) -> int:
        """Return the usmStats counter of a wrong message; 0 for one that is signed by the user and in time."""
        ours, theirs = self._access.clock(now), envelope.clock
        if theirs.engine != ours.engine:
            return ENGINES
        if user is None:
            return USERS
        if envelope.flags & (usm.AUTH | usm.PRIV) != user.level:
            return LEVELS
        if user.auth and not usm.is_signed_by(envelope, user):
            return DIGESTS
        in_time = theirs.boots == ours.boots and abs(theirs.time - ours.time) <= _WINDOW
        return 0 if in_time or not user.auth else TIMES

    def _report(self, envelope: Envelope, counter: int, now: float, signed_by: User | None = None) -> bytes | None:
        """Return a report with the counter, which names the error; that of `ENGINES` announces our engine id."""
        self._stats[counter] += 1
        if not envelope.flags & usm.REPORTABLE:
            return None
        value = encode_value(Tag.COUNTER32, self._stats[counter])
        binding = encode_binding(oid_octets((*_STATS, counter, 0)), value)
        request = _message(envelope, envelope.scoped).request_id if envelope.scoped is not None else 0
        pdu = encode_pdu(Pdu.REPORT, request, 0, 0, bindings=[binding])
        flags = usm.AUTH if signed_by is not None else 0
        return usm.written(envelope.id, flags, signed_by or User(envelope.user), self._access.clock(now), pdu)


def _message(envelope: Envelope, scoped: dict[str, object]) -> Message:
    return message_of(envelope.user, cast("tuple[str, dict[str, Any]]", scoped["data"]), envelope.room)
