"""A datagram → the notification that it carries, and the element that sent it. No database access."""

import hmac
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from hashlib import blake2b

from vnfm.devices.errors import DeviceError, Refused
from vnfm.devices.traps import usm
from vnfm.devices.traps.message import (
    PRIV,
    REPORTABLE,
    TRAP_ADDRESS,
    V1,
    CommunityMessage,
    TrapMessage,
    V3Message,
    decode_message,
    scoped_pdu,
)
from vnfm.devices.types import Community, SnmpUser
from vnfm.elements.domain.trap_catalogue import CATALOGUE
from vnfm.elements.domain.traps import identify_sender
from vnfm.elements.traps.senders import Sender
from vnfm.elements.traps.udp_socket import Datagram

MAX_REMEMBERED_INFORMS = 20_000
"""Acknowledged informs, remembered to recognise repetitions when an acknowledgement was lost."""


@dataclass(frozen=True, slots=True)
class DecodedTrap:
    """A trap or an inform."""

    datagram: Datagram
    notification: TrapMessage
    sender: Sender | None
    """None: no element has this address."""
    candidates: tuple[Sender, ...] = ()
    """All elements that may have sent it, where the notification does not say which: all of them are polled."""
    acknowledgement: bytes = b""
    """The response to an inform, to be sent after it is stored; empty for a trap."""

    @property
    def key(self) -> tuple[str, int | None, int, str]:
        """Equal for repetitions of an inform."""
        notification = self.notification
        return self.datagram.source, notification.request_id, notification.uptime, notification.trap_oid


@dataclass(frozen=True, slots=True)
class EngineDiscovery:
    """A message without a notification: the sender of an inform asks for our engine ID or our clock (RFC 3414, 4)."""

    report: bytes


def engine_id_of(secret: str, host: str) -> bytes:
    """Our snmpEngineID, the same at every start on this machine: RFC 3411, format 5 (octets of our own choice)."""
    return b"\x80\x00\x00\x00\x05" + blake2b(f"{secret}:{host}".encode(), digest_size=12, person=b"vnfm-traps").digest()


class Decoder:
    """`senders` returns the elements by address, as they are now."""

    def __init__(self, senders: Callable[[], Mapping[str, tuple[Sender, ...]]], engine_id: bytes, boots: int) -> None:
        self._senders = senders
        self._engine_id, self._boots, self._started = engine_id, boots, time.monotonic()
        self._clocks = usm.EngineClocks()
        self._reports = 0
        self._acknowledged: OrderedDict[tuple[str, int | None, int, str], None] = OrderedDict()

    def decode(self, datagram: Datagram) -> DecodedTrap | EngineDiscovery | None:
        """None: encrypted, and from an address of no element, so that no key fits. Raises Garbled, Refused."""
        message = decode_message(datagram.octets)
        if isinstance(message, CommunityMessage):
            return self._of_community(datagram, message)
        return self._v3(datagram, message)

    def remember_acknowledged(self, trap: DecodedTrap) -> None:
        self._acknowledged[trap.key] = None
        if len(self._acknowledged) > MAX_REMEMBERED_INFORMS:
            self._acknowledged.popitem(last=False)

    def was_acknowledged(self, trap: DecodedTrap) -> bool:
        """Return whether this is the repetition of an inform that was acknowledged before."""
        return bool(trap.acknowledgement) and trap.key in self._acknowledged

    def _at(self, address: str) -> tuple[Sender, ...]:
        return self._senders().get(address, ())

    def _of_community(self, datagram: Datagram, message: CommunityMessage) -> DecodedTrap:
        notification = _as_catalogued(message.notification) if message.version == V1 else message.notification
        agent = str(notification.varbinds.get(TRAP_ADDRESS, ""))
        at_source = self._at(datagram.source)
        candidates = (*self._at(agent), *at_source) if agent != datagram.source else at_source
        acknowledgement = message.response() if notification.inform else b""
        if not candidates:
            return DecodedTrap(datagram, notification, None, acknowledgement=acknowledgement)
        authorised = [sender for sender in candidates if _community_matches(sender, message.community)]
        if not authorised:
            raise Refused(_why_refused(candidates, message), address=datagram.source)
        at_agent = [sender for sender in authorised if sender in self._at(agent)]
        return _attributed(at_agent or authorised, datagram, notification, "", acknowledgement)

    def _v3(self, datagram: Datagram, message: V3Message) -> DecodedTrap | EngineDiscovery | None:
        candidates = self._at(datagram.source)
        if not candidates:
            return _unknown_v3(datagram, message)
        ours = self._engine()
        for_us = message.engine_id == ours.engine_id
        if not for_us and message.flags & REPORTABLE:
            self._reports += 1
            return EngineDiscovery(usm.report(message, ours, usm.UNKNOWN_ENGINE, self._reports))
        authorised, user = self._authenticate(candidates, message)
        signed = bool(user.auth_protocol)  # the time of an unsigned message proves nothing (RFC 3414, 3.2, 7)
        if signed and not for_us:
            self._clocks.accept(message, time.monotonic())
        elif signed and not usm.in_time(message, ours):
            self._reports += 1
            return EngineDiscovery(usm.report(message, ours, usm.NOT_IN_TIME, self._reports, user))
        pdu = scoped_pdu(usm.decrypt(message, user))
        if pdu.notification is None:
            raise Refused("It is no notification.", address=datagram.source)
        acknowledgement = usm.response(message, pdu, user, ours) if pdu.notification.inform else b""
        context = pdu.context.decode(errors="replace")
        return _attributed(authorised, datagram, pdu.notification, context, acknowledgement)

    def _authenticate(self, candidates: tuple[Sender, ...], message: V3Message) -> tuple[list[Sender], SnmpUser]:
        users = {sender.credentials for sender in candidates if isinstance(sender.credentials, SnmpUser)}
        problem: DeviceError = Refused(
            "It is of SNMPv3, and the SNMP policy of the element is not: change the policy, or what the element sends."
        )
        for user in users:
            try:
                usm.authenticate(message, user)
            except Refused as error:
                problem = error
            else:
                return [sender for sender in candidates if sender.credentials == user], user
        raise problem

    def _engine(self) -> usm.Engine:
        return usm.Engine(self._engine_id, self._boots, int(time.monotonic() - self._started))


def _unknown_v3(datagram: Datagram, message: V3Message) -> DecodedTrap | None:
    notification = None if message.flags & PRIV else scoped_pdu(message.payload).notification
    return None if notification is None else DecodedTrap(datagram, notification, None)


def _as_catalogued(notification: TrapMessage) -> TrapMessage:
    """An enterprise-specific trap of SNMPv1 has lost whether a 0 stood before its last arc (RFC 3584, 3.2)."""
    enterprise, _, specific = notification.trap_oid.rpartition(".0.")
    plain = f"{enterprise}.{specific}"
    return (
        notification
        if notification.trap_oid in CATALOGUE or plain not in CATALOGUE
        else replace(notification, trap_oid=plain)
    )


def _why_refused(candidates: tuple[Sender, ...], message: CommunityMessage) -> str:
    version = "SNMPv1" if message.version == V1 else "SNMPv2c"
    if any(isinstance(sender.credentials, Community) for sender in candidates):
        return f"It is of {version}, and its community is not that of the element's SNMP policy."
    policy = "of SNMPv3" if any(sender.credentials for sender in candidates) else "missing, or cannot be opened"
    return f"It is of {version}, and the SNMP policy of the element is {policy}."


def _community_matches(sender: Sender, community: bytes) -> bool:
    expected = sender.credentials
    return isinstance(expected, Community) and hmac.compare_digest(expected.name.encode(), community)


def _attributed(
    authorised: list[Sender], datagram: Datagram, notification: TrapMessage, context: str, acknowledgement: bytes
) -> DecodedTrap:
    """Take the first element, the chassis, where the notification does not say which one sent it; all are polled."""
    number = identify_sender(authorised, notification.varbinds, context)
    candidates = tuple(authorised) if number is None else (authorised[number],)
    return DecodedTrap(datagram, notification, candidates[0], candidates, acknowledgement)
