"""Who may read an element by SNMP, and who gets its notifications: its own fields, and SR OS configuration."""

from __future__ import annotations

import re
from dataclasses import dataclass

from routersim.model.element import Element

Target = tuple[str, int]

_SYSTEM = "configure\tsystem\tsnmp\t"
_COMMUNITY = re.compile(r'configure\tsystem\tsecurity\tsnmp\tcommunity "?([^\s"]+)"? (rw?a?)\b.*')
_TARGET = re.compile(
    r"configure\tlog\tsnmp-trap-group (\d+)\ttrap-target \S+ address (\S+) port (\d+) snmpv2c "
    r'notify-community "?([^\s"]+)"?'
)


@dataclass(frozen=True, slots=True)
class Configured:
    """What the configuration says."""

    communities: frozenset[bytes]
    targets: tuple[tuple[Target, bytes], ...]
    """Receivers of notifications, each with its community."""


class Access:
    """Of one element. The configuration is read again when it is another one."""

    def __init__(self, element: Element) -> None:
        self._element = element
        self._read: list[str] | None = None
        self._configured = Configured(frozenset(), ())

    def admits(self, community: bytes, *, write: bool) -> bool:
        element = self._element
        if not element.factory and community == element.write_community.encode():
            return True
        own = not element.factory and community == element.community.encode()
        return not write and (own or community in self._now().communities)

    def targets(self) -> list[tuple[Target, bytes]]:
        """Receivers of notifications, each once, and the community of each."""
        element = self._element
        own = {address(text): element.community.encode() for text in element.trap_targets}
        return [*(dict(self._now().targets) | own).items()]

    def _now(self) -> Configured:
        if self._read is not self._element.config:
            self._read = self._element.config
            self._configured = configured(self._read)
        return self._configured


def configured(statements: list[str]) -> Configured:
    """Without `no shutdown` SNMP is off; a trap group sends what the log of its number is given."""
    if f"{_SYSTEM}no shutdown" not in statements:
        return Configured(frozenset(), ())
    communities = [found for text in statements if (found := _COMMUNITY.fullmatch(text))]
    targets = [
        ((found[2], int(found[3])), found[4].encode())
        for text in statements
        if (found := _TARGET.fullmatch(text)) and _sends(statements, found[1])
    ]
    return Configured(frozenset(found[1].encode() for found in communities), tuple(targets))


def _sends(statements: list[str], log: str) -> bool:
    own = f"configure\tlog\tlog-id {log}\t"
    on = any(text.startswith(f"{own}from main") for text in statements)
    return on and {f"{own}to snmp", f"{own}no shutdown"} <= {*statements}


def address(text: str) -> Target:
    """`127.0.0.1:162` as a socket address. Raises ValueError."""
    host, _, port = text.rpartition(":")
    return host, int(port)
