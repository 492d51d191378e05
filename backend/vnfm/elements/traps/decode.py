"""From a datagram to what it tells and who tells it; nothing here knows of a database."""

import hmac
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import blake2b

from vnfm.devices.errors import DeviceError, Refused
from vnfm.devices.traps import usm
from vnfm.devices.traps.message import PRIV, REPORTABLE, Notification, V2cMessage, V3Message, decoded, scoped
from vnfm.devices.types import Community, SnmpUser
from vnfm.elements.domain.traps import TRAP_ADDRESS, identify_sender
from vnfm.elements.traps.senders import Sender
from vnfm.elements.traps.udp_socket import Datagram

MAX_REMEMBERED_INFORMS = 20_000
"""Informs that were acknowledged, to know them again when the acknowledgement was lost."""


@dataclass(frozen=True, slots=True)
class DecodedTrap:
    """A notification. `answer` is owed once it is stored; "" where nothing is."""

    datagram: Datagram
    notification: Notification
    teller: Sender | None
    """None: nobody we know."""
    concerned: tuple[Sender, ...] = ()
    """Whoever may have told it, where the notification does not say which: all are looked at."""
    answer: bytes = b""

    @property
    def key(self) -> tuple[str, int, int, str]:
        """The same for an inform that is sent again."""
        told = self.notification
        return self.datagram.source, told.request_id, told.uptime, told.trap_oid


@dataclass(frozen=True, slots=True)
class EngineDiscovery:
    """It asks who we are, or what our clock says, and tells nothing yet."""

    answer: bytes


def engine_id_of(secret: str, host: str) -> bytes:
    """Ours, the same at every start on this machine: RFC 3411, SnmpEngineID, octets of our own choice."""
    return b"\x80\x00\x00\x00\x05" + blake2b(f"{secret}:{host}".encode(), digest_size=12, person=b"vnfm-traps").digest()


class Decoder:
    """`tellers` gives the elements by address as they are now."""

    def __init__(self, tellers: Callable[[], Mapping[str, tuple[Sender, ...]]], engine_id: bytes, boots: int) -> None:
        self._tellers = tellers
        self._engine_id, self._boots, self._began = engine_id, boots, time.monotonic()
        self._clocks = usm.Clocks()
        self._reports = 0
        self._answered: OrderedDict[tuple[str, int, int, str], None] = OrderedDict()

    def heard(self, datagram: Datagram) -> DecodedTrap | EngineDiscovery | None:
        """None: it is encrypted, and from an address of no element, so nobody can read it. Raises Garbled, Refused."""
        message = decoded(datagram.octets)
        if isinstance(message, V2cMessage):
            return self._v2c(datagram, message)
        return self._v3(datagram, message)

    def acknowledged(self, heard: DecodedTrap) -> None:
        self._answered[heard.key] = None
        if len(self._answered) > MAX_REMEMBERED_INFORMS:
            self._answered.popitem(last=False)

    def knows(self, heard: DecodedTrap) -> bool:
        """Whether this inform was acknowledged before."""
        return bool(heard.answer) and heard.key in self._answered

    def _at(self, address: str) -> tuple[Sender, ...]:
        return self._tellers().get(address, ())

    def _v2c(self, datagram: Datagram, message: V2cMessage) -> DecodedTrap:
        told = message.notification
        agent = str(told.varbinds.get(TRAP_ADDRESS, ""))
        there = self._at(datagram.source)
        known = (*self._at(agent), *there) if agent != datagram.source else there
        answer = message.response() if told.inform else b""
        if not known:
            return DecodedTrap(datagram, told, None, answer=answer)
        passed = [one for one in known if _community_matches(one, message.community)]
        if not passed:
            raise Refused("Its community is not that of the element's SNMP policy.", address=datagram.source)
        named_there = [one for one in passed if one in self._at(agent)]
        return _attributed(named_there or passed, datagram, told, "", answer)

    def _v3(self, datagram: Datagram, message: V3Message) -> DecodedTrap | EngineDiscovery | None:
        there = self._at(datagram.source)
        if not there:
            return _unknown_v3(datagram, message)
        ours = self._engine()
        for_us = message.engine_id == ours.engine_id
        if not for_us and message.flags & REPORTABLE:
            self._reports += 1
            return EngineDiscovery(usm.report(message, ours, usm.UNKNOWN_ENGINE, self._reports))
        passed, user = self._passed(there, message)
        signed = bool(user.auth_protocol)  # else its time proves nothing, and is not asked for (RFC 3414, 3.2, 7)
        if signed and not for_us:
            self._clocks.accept(message, time.monotonic())
        elif signed and not usm.in_time(message, ours):
            self._reports += 1
            return EngineDiscovery(usm.report(message, ours, usm.NOT_IN_TIME, self._reports, user))
        inside = scoped(usm.opened(message, user))
        if inside.notification is None:
            raise Refused("It is no notification.", address=datagram.source)
        answer = usm.response(message, inside, user, ours) if inside.notification.inform else b""
        context = inside.context.decode(errors="replace")
        return _attributed(passed, datagram, inside.notification, context, answer)

    def _passed(self, there: tuple[Sender, ...], message: V3Message) -> tuple[list[Sender], SnmpUser]:
        users = {one.credentials for one in there if isinstance(one.credentials, SnmpUser)}
        problem: DeviceError = Refused("The element's SNMP policy is not of SNMPv3.")
        for user in users:
            try:
                usm.check(message, user)
            except Refused as error:
                problem = error
            else:
                return [one for one in there if one.credentials == user], user
        raise problem

    def _engine(self) -> usm.Engine:
        return usm.Engine(self._engine_id, self._boots, int(time.monotonic() - self._began))


def _unknown_v3(datagram: Datagram, message: V3Message) -> DecodedTrap | None:
    told = None if message.flags & PRIV else scoped(message.scoped).notification
    return None if told is None else DecodedTrap(datagram, told, None)


def _community_matches(teller: Sender, community: bytes) -> bool:
    wanted = teller.credentials
    return isinstance(wanted, Community) and hmac.compare_digest(wanted.name.encode(), community)


def _attributed(
    passed: list[Sender], datagram: Datagram, told: Notification, context: str, answer: bytes
) -> DecodedTrap:
    """The element that tells it. Where that cannot be said, it is laid to the first, the chassis, and concerns all."""
    number = identify_sender(passed, told.varbinds, context)
    if number is None:
        return DecodedTrap(datagram, told, passed[0], tuple(passed), answer)
    return DecodedTrap(datagram, told, passed[number], (passed[number],), answer)
