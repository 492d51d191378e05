"""Sends notifications: sequence numbers, log, traps, and informs that are repeated until they are acknowledged."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from routersim.model.element import Element
from routersim.snmp import usm
from routersim.snmp.access import Access, Principal
from routersim.snmp.ber import (
    Oid,
    Pdu,
    Tag,
    Value,
    encode_binding,
    encode_pdu,
    encode_value,
    in_community,
    oid_octets,
)

UPTIME: Oid = (1, 3, 6, 1, 2, 1, 1, 3, 0)
TRAP_OID: Oid = (1, 3, 6, 1, 6, 3, 1, 1, 4, 1, 0)
LOG_SIZE = 500
"""The number of entries that the log keeps; in SR OS it is 50 to 1024."""
INFORM_SECONDS = 0.5
INFORM_TRIES = 5

Variable = tuple[Oid, Tag, Value]
Send = Callable[[bytes, tuple[str, int]], None]


@dataclass(frozen=True, slots=True)
class Notification:
    """A NOTIFICATION-TYPE: its OID and objects."""

    oid: Oid
    variables: tuple[Variable, ...] = ()


@dataclass(frozen=True, slots=True)
class Logged:
    """A notification in the log; `sequence` counts sent and lost ones from 1 without a gap."""

    sequence: int
    time: float
    uptime: int
    """The sysUpTime in hundredths of a second."""
    notification: Notification


class Notifier:
    """Sends the notifications of one element to its targets, from its own address."""

    def __init__(self, element: Element, send: Send) -> None:
        self._element, self._send = element, send
        self._access = Access(element)
        self.log: deque[Logged] = deque(maxlen=LOG_SIZE)
        self.sent = self.lost = 0
        self._waiting: dict[tuple[int, tuple[str, int]], asyncio.TimerHandle] = {}

    def notify(self, notification: Notification, now: float) -> None:
        """Log and send a notification; only log it while silent or losing notifications; ignore it while down."""
        element = self._element
        if element.is_down(now):
            return
        element.sequence += 1
        element.version += 1
        uptime = int((now - element.booted) * 100)
        self.log.append(Logged(element.sequence, now, uptime, notification))
        if element.behaviour.lose_traps or element.behaviour.silent:
            self.lost += 1
            return
        self.sent += 1
        for target, principal in self._access.targets():
            informs = element.informs and isinstance(
                principal, bytes
            )  # an SNMPv3 inform would need keys for the receiver's engine
            pdu = self._encode(notification, uptime, Pdu.INFORM if informs else Pdu.TRAP)
            octets = self._addressed(principal, pdu, now)
            self._send(octets, target)
            if informs:
                self._await((element.sequence, target), octets, INFORM_TRIES - 1)

    def acknowledged(self, request_id: int, source: tuple[str, int]) -> None:
        """Stop repeating an inform."""
        handle = self._waiting.pop((request_id, source), None)
        if handle is not None:
            handle.cancel()

    def unacknowledged(self) -> int:
        return len(self._waiting)

    def stop(self) -> None:
        for handle in self._waiting.values():
            handle.cancel()
        self._waiting.clear()

    def _await(self, key: tuple[int, tuple[str, int]], octets: bytes, tries: int) -> None:
        loop = asyncio.get_running_loop()
        self._waiting[key] = loop.call_later(INFORM_SECONDS, self._again, key, octets, tries)

    def _again(self, key: tuple[int, tuple[str, int]], octets: bytes, tries: int) -> None:
        self._waiting.pop(key, None)
        if tries > 0:
            self._send(octets, key[1])
            self._await(key, octets, tries - 1)

    def _addressed(self, principal: Principal, pdu: bytes, now: float) -> bytes:
        if isinstance(principal, bytes):
            return in_community(principal, pdu)
        return usm.written(self._element.sequence, principal.level, principal, self._access.clock(now), pdu)

    def _encode(self, notification: Notification, uptime: int, pdu: Pdu) -> bytes:
        variables: tuple[Variable, ...] = (
            (UPTIME, Tag.TIMETICKS, uptime),
            (TRAP_OID, Tag.OID, notification.oid),
            *notification.variables,
        )
        bindings = [encode_binding(oid_octets(oid), encode_value(tag, value)) for oid, tag, value in variables]
        return encode_pdu(pdu, self._element.sequence, 0, 0, bindings=bindings)
