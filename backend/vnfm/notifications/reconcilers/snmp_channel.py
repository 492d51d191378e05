"""Alarms as SNMPv3 traps: alarmActiveState, alarmClearState of ALARM-MIB (RFC 3877), and ITU-ALARM-MIB's severity."""

import secrets as random
import socket
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from vnfm.devices.traps import ber, usm
from vnfm.devices.traps.message import SYS_UPTIME, TRAP_OID
from vnfm.devices.types import SnmpUser
from vnfm.kit import clock
from vnfm.kit.outgoing.outbound import Deadline, resolve, translate_errors
from vnfm.notifications.domain.routing import RoutedAlarm
from vnfm.notifications.models import AlarmRoute
from vnfm.notifications.services.alarm_routes import ROUTES, engine_id, route_policy

SECONDS = 10.0
ACTIVE, CLEAR = "1.3.6.1.2.1.118.0.2", "1.3.6.1.2.1.118.0.3"
_COLUMN = "1.3.6.1.2.1.118.1.2.2.1"
"""alarmActiveEntry; 10: alarmActiveResourceId, 11: alarmActiveDescription, 13: alarmActiveModelPointer."""
PERCEIVED_SEVERITY, ADDITIONAL_TEXT = "1.3.6.1.2.1.121.1.1.1.1.1", "1.3.6.1.2.1.121.1.1.1.1.4"
SEVERITIES: Mapping[str, int] = {
    "CLEARED": 1,
    "INDETERMINATE": 2,
    "CRITICAL": 3,
    "MAJOR": 4,
    "MINOR": 5,
    "WARNING": 6,
}
"""IANAItuPerceivedSeverity."""
ZERO_DOT_ZERO = "0.0"
BOOTS = 1
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
"""Our snmpEngineTime counts from here, always at the same boot: all workers are one engine, without a row to share."""
_MAX_TEXT = 1000
"""Octets of a text: a datagram should not be cut in pieces."""


class SnmpChannel:
    """A trap for each event, as receivers keep a list of what is active. Nothing tells whether they arrive."""

    def __init__(self, stored: Mapping[str, Any], secrets: Mapping[str, str]) -> None:
        self._host, self._port = stored["host"], stored["port"]
        self._user = SnmpUser(
            stored["userName"],
            stored["authAlgorithm"],
            secrets["authPassword"],
            stored["privAlgorithm"],
            secrets["privPassword"],
        )

    def send(self, events: Sequence[RoutedAlarm], message_id: str) -> None:
        policy = route_policy(AlarmRoute.Channel.SNMP)
        url = policy.parse_host("snmp", self._host, self._port)
        with Deadline(SECONDS) as deadline:
            family, address = resolve(url, policy, deadline)[0]
            with translate_errors(url, ROUTES, deadline), socket.socket(family, socket.SOCK_DGRAM) as udp:
                udp.connect(address)
                for pdu in _pdus(events):
                    udp.send(usm.trap(random.randbelow(2**31 - 1), pdu, self._user, _engine()))


def _engine() -> usm.Engine:
    return usm.Engine(engine_id(), BOOTS, int((clock.now() - EPOCH).total_seconds()))


def _pdus(events: Sequence[RoutedAlarm]) -> Iterator[bytes]:
    for number, alarm in enumerate(events, 1):
        cleared = alarm.event == "cleared"
        text = "; ".join([alarm.text, *alarm.details])
        index = _index(datetime.fromisoformat(alarm.at).astimezone(UTC), number)
        yield _pdu(CLEAR if cleared else ACTIVE, index, alarm.severity, text, alarm.url)


def _pdu(oid: str, index: str, severity: str, text: str, url: str) -> bytes:
    uptime = int((clock.now() - EPOCH).total_seconds() * 100) % 2**32
    bindings = (
        (SYS_UPTIME, ber.encoded_number(uptime, ber.TIMETICKS)),
        (TRAP_OID, ber.encoded_oid(oid)),
        (f"{_COLUMN}.13.{index}", ber.encoded_oid(ZERO_DOT_ZERO)),
        (f"{_COLUMN}.10.{index}", ber.encoded_oid(ZERO_DOT_ZERO)),
        (f"{_COLUMN}.11.{index}", _text(text)),
        (PERCEIVED_SEVERITY, ber.encoded_number(SEVERITIES[severity])),
        (ADDITIONAL_TEXT, _text(url)),
    )
    varbinds = ber.tlv(ber.SEQUENCE, *(ber.tlv(ber.SEQUENCE, ber.encoded_oid(name), value) for name, value in bindings))
    zero = ber.encoded_number(0)
    return ber.tlv(ber.TRAP, ber.encoded_number(random.randbelow(2**31 - 1)), zero, zero, varbinds)


def _index(at: datetime, number: int) -> str:
    """The index of an alarmActiveEntry: no list name, the date and time (DateAndTime, RFC 2579), a number."""
    octets = (*at.year.to_bytes(2), at.month, at.day, at.hour, at.minute, at.second, at.microsecond // 100_000)
    return ".".join(map(str, (0, 11, *octets, ord("+"), 0, 0, number)))


def _text(words: str) -> bytes:
    return ber.tlv(ber.OCTETS, words.encode()[:_MAX_TEXT].decode("utf-8", "ignore").encode())
