"""Elements without sockets: routers with recorded notifications, and a manual clock."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from routersim.clock import ManualClock
from routersim.model.build import build
from routersim.router import Router
from routersim.snmp.ber import Oid, Pdu, Tag, decode_message, encode_binding, encode_pdu, oid_octets, tlv
from routersim.snmp.notify import TRAP_OID
from routersim.snmp.usm import REPORTABLE, Clock, User, written
from vnfm.devices.traps.message import V3Message
from vnfm.devices.traps.message import decode_message as decode_v3

PEERS = [{"address": "127.0.9.1", "remoteAs": 65001, "port": "1/1/1"}]


class Lab:
    """One element and its virtual systems with a manual clock; their datagrams are in `sent`."""

    def __init__(self, kind: str = "7750-SR-12", **wish: Any) -> None:
        self.clock = ManualClock()
        self.sent: list[bytes] = []
        whole = {"name": "pe1", "kind": kind, "address": "127.0.1.1", "bootSeconds": 0.0, **wish}
        made = build(whole, snmp_port=161, ssh_port=22, trap_targets=["127.0.0.1:162"], now=self.clock.time())
        self.routers = [
            Router(one, self.clock, lambda octets, _: self.sent.append(octets), self._changed) for one in made
        ]
        self.router = self.routers[0]
        self.element = self.router.element

    def _changed(self, _router: Router) -> None:
        for router in self.routers:
            router.refresh()

    def notified(self) -> list[Oid]:
        """OIDs of the notifications since the last call, in order."""
        messages = [decode_message(octets) for octets in self.sent]
        self.sent.clear()
        found = []
        for message in messages:
            (oid,) = (one.value for one in message.bindings if one.oid == TRAP_OID)
            assert isinstance(oid, tuple)
            found.append(oid)
        return found


SYS_NAME: Oid = (1, 3, 6, 1, 2, 1, 1, 5, 0)


def get(lab: Lab, user: User, **changes: Any) -> V3Message | None:
    """The answer to a GET of sysName by that user of SNMPv3; `changes` are of the clock that the message names."""
    clock = replace(Clock(lab.element.engine_id, lab.element.boots, 0), **changes)
    pdu = encode_pdu(Pdu.GET, 7, 0, 0, bindings=[encode_binding(oid_octets(SYS_NAME), tlv(Tag.NULL, b""))])
    octets = written(33, user.level | REPORTABLE, user, clock, pdu)
    answer = lab.router.engine.received(octets, ("127.0.0.1", 9), lab.clock.time())
    message = decode_v3(answer) if answer is not None else None
    assert message is None or isinstance(message, V3Message)
    return message
