"""The `show` and `display` commands by family, each a pattern and its output."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from routersim.cli.config import GRAMMARS, render
from routersim.cli.model import running
from routersim.model.element import Element
from routersim.model.parts import Oper, card_state, mda_state

if TYPE_CHECKING:
    from routersim.router import Router

Show = Callable[["Router", "re.Match[str]"], str]
RULE = "=" * 79
_WORDS = {
    Oper.IN_SERVICE: "up",
    Oper.OUT_OF_SERVICE: "down",
    Oper.FAILED: "failed",
    Oper.BOOTING: "booting",
    Oper.PROVISIONED: "provisioned",
}


def _table(title: str, head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    widths = [max(len(str(row[at])) for row in (head, *rows)) for at in range(len(head))]
    lines = [
        "  ".join(str(cell).ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (head, *rows)
    ]
    return "\n".join([RULE, title, RULE, lines[0].rstrip(), "-" * 79, *(line.rstrip() for line in lines[1:]), RULE])


def _up(up: bool) -> str:
    return "up" if up else "down"


def _version(router: Router, _found: re.Match[str]) -> str:
    return router.element.description


def _uptime(router: Router, _found: re.Match[str]) -> str:
    seconds = max(0, int(router.clock.time() - router.element.booted))
    days, rest = divmod(seconds, 86_400)
    hours, rest = divmod(rest, 3_600)
    minutes, seconds = divmod(rest, 60)
    return f"System Up Time         : {days} days, {hours:02}:{minutes:02}:{seconds:02}.00 (hr:min:sec)"


def _information(router: Router, found: re.Match[str]) -> str:
    element = router.element
    rows = (("System Name", element.sys_name), ("SNMP Engine ID", element.engine_id.hex()))
    lines = [*(f"{name:<23}: {value}" for name, value in rows), _uptime(router, found)]
    return "\n".join([RULE, "System Information", RULE, *lines, RULE])


def _cards(router: Router, _found: re.Match[str]) -> str:
    now, active = router.clock.time(), router.element.chassis.active_control
    rows = [
        (card.slot, card.type, _up(card.admin_up), _WORDS[card_state(card, now)] + _role(card.slot, card.role, active))
        for card in router.element.chassis.cards
    ]
    return _table("Card Summary", ("Slot", "Provisioned Type", "Admin State", "Operational State"), rows)


def _role(slot: str, role: str, active: str) -> str:
    return "" if role != "control" else "/active" if slot == active else "/standby"


def _mdas(router: Router, _found: re.Match[str]) -> str:
    now = router.clock.time()
    rows = [
        (card.slot, mda.slot, mda.type, _up(mda.admin_up), _WORDS[mda_state(card, mda, now)])
        for card in router.element.chassis.cards
        for mda in card.mdas
    ]
    return _table("MDA Summary", ("Slot", "Mda", "Provisioned Type", "Admin State", "Operational State"), rows)


def _ports(router: Router, _found: re.Match[str]) -> str:
    rows = [(port.name, _up(port.admin_up), _up(port.up), port.mtu) for _, _, port in router.element.ports()]
    return _table("Ports", ("Port Id", "Admin State", "Oper State", "Cfg MTU"), rows)


def _peers(router: Router, _found: re.Match[str]) -> str:
    rows = [
        (peer.address, peer.remote_as, "Established" if peer.established else "Active" if peer.admin_up else "Disabled")
        for peer in router.element.peers
    ]
    return _table("BGP Summary", ("Neighbor", "AS", "State"), rows)


def _license(router: Router, _found: re.Match[str]) -> str:
    license_ = router.element.license
    return f"License status : {'valid' if license_.valid else 'invalid'}\nReason         : {license_.reason or 'n/a'}"


def _config(router: Router, _found: re.Match[str]) -> str:
    """Return the configuration as SR OS does, with comments and between two lines `exit all`."""
    generated = datetime.fromtimestamp(router.clock.time(), tz=UTC).strftime("%a %b %d %H:%M:%S %Y UTC")
    body = render(GRAMMARS[router.family], running(router))
    return (
        f"# {router.element.description}\n# Generated {generated}\nexit all\n{body}\nexit all\n# Finished {generated}"
    )


def _vrp_config(router: Router, _found: re.Match[str]) -> str:
    return f"!Software Version {router.element.software}\n#\n{render(GRAMMARS['vrp'], running(router))}\nreturn"


def _ping(router: Router, found: re.Match[str]) -> str:
    """Answer for established peers and the element itself; in SR OS's `management` for the gateway (.1 of its /24)."""
    target, element = found["target"], router.element
    if found.groupdict().get("instance") == "management":
        alive = target in (element.address, f"{element.address.rpartition('.')[0]}.1")
    else:
        alive = target == element.address or any(peer.address == target and peer.established for peer in element.peers)
    received = 5 if alive else 0
    if router.family == "vrp":
        return f"  --- {target} ping statistics ---\n    5 packet(s) transmitted\n    {received} packet(s) received"
    loss = "0.00%" if alive else "100%"
    return f"---- {target} PING Statistics ----\n5 packets transmitted, {received} packets received, {loss} packet loss"


def _devices(router: Router, _found: re.Match[str]) -> str:
    now = router.clock.time()
    states = {
        Oper.IN_SERVICE: ("Present", "Normal"),
        Oper.PROVISIONED: ("Absent", "-"),
        Oper.FAILED: ("Present", "Abnormal"),
    }
    rows = []
    for card in router.element.chassis.cards:
        online, status = states.get(card_state(card, now), ("Present", "Unregistered"))
        rows.append((card.slot, card.type, online, status, _master(router.element, card.slot, card.role)))
    return _table(f"{router.element.chassis.type}'s Device status:", ("Slot", "Type", "Online", "Status", "Role"), rows)


def _master(element: Element, slot: str, role: str) -> str:
    return "NA" if role != "control" else "Master" if slot == element.chassis.active_control else "Slave"


_PING = (r'ping (?:-c \d+ )?(?P<target>[\d.]+)(?: router "?(?P<instance>[\w-]+)"?)?.*', _ping)
SHOWS: dict[str, tuple[tuple[str, Show], ...]] = {
    "sros": (
        (r"show version", _version),
        (r"show uptime", _uptime),
        (r"show system information", _information),
        (r"show card(?: detail| state)?", _cards),
        (r"show mda(?: detail)?", _mdas),
        (r"show port", _ports),
        (r"show router bgp summary", _peers),
        (r"show system license", _license),
        (r"admin display-config", _config),
        _PING,
    ),
    "vrp": (
        (r"display version", _version),
        (r"display device", _devices),
        (r"display interface brief", _ports),
        (r"display bgp peer", _peers),
        (r"display license", _license),
        (r"display current-configuration", _vrp_config),
        _PING,
    ),
}


def show(router: Router, line: str) -> str | None:
    """Return the output of a show command; None for any other line."""
    for pattern, answer in SHOWS[router.family]:
        found = re.fullmatch(pattern, line)
        if found:
            return answer(router, found)
    return None
