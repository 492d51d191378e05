"""Elements without sockets: routers with recorded notifications, and a manual clock."""

from __future__ import annotations

from typing import Any

from routersim.clock import ManualClock
from routersim.model.build import build
from routersim.router import Router
from routersim.snmp.ber import Oid, decode_message
from routersim.snmp.notify import TRAP_OID

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
