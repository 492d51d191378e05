"""The running configuration: statements of the model, and statements without an effect on it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from routersim.cli.config import SEPARATOR, RejectedLine
from routersim.mibs.notifications import CONFIGURATION_CHANGED
from routersim.model.element import Element, equip
from routersim.model.kinds import KINDS
from routersim.model.parts import Card, Mda, Peer, Port, set_drained

if TYPE_CHECKING:
    from routersim.router import Router

CHECKPOINTS = 10
"""The most earlier configurations that are stored."""
Assign = Callable[[Element, "re.Match[str]"], None]


def _sros(element: Element) -> Iterator[tuple[str, ...]]:
    yield "configure", "system", f'name "{element.sys_name}"'
    for word, text in (("location", element.location), ("contact", element.contact)):
        if text:
            yield "configure", "system", f'{word} "{text}"'
    for card in element.chassis.cards:
        if card.role == "line":
            yield from _sros_card(card)
    for _, _, port in element.ports():
        if port.description:
            yield "configure", f"port {port.name}", f'description "{port.description}"'
        yield "configure", f"port {port.name}", _shutdown("no", port.admin_up)
    for peer in element.peers:
        where = ("configure", "router Base", "bgp", 'group "peers"', f"neighbor {peer.address}")
        yield *where, f"peer-as {peer.remote_as}"
        yield *where, _shutdown("no", peer.admin_up)


def _sros_card(card: Card) -> Iterator[tuple[str, ...]]:
    where = ("configure", f"card {card.slot}")
    yield *where, f"card-type {card.type}"
    for mda in card.mdas:
        yield *where, f"mda {mda.slot}", f"mda-type {mda.type}"
        yield *where, f"mda {mda.slot}", _shutdown("no", mda.admin_up)
    yield *where, _shutdown("no", card.admin_up)


def _vrp(element: Element) -> Iterator[tuple[str, ...]]:
    yield (f"sysname {element.sys_name}",)
    for _, _, port in element.ports():
        if port.description:
            yield f"interface {port.name}", f"description {port.description}"
        yield f"interface {port.name}", _shutdown("undo", port.admin_up)
    for peer in element.peers:
        yield f"bgp {peer.local_as}", f"peer {peer.address} as-number {peer.remote_as}"
        if not peer.admin_up:
            yield f"bgp {peer.local_as}", f"peer {peer.address} ignore"


def _shutdown(negation: str, up: bool) -> str:
    return f"{negation} shutdown" if up else "shutdown"


_NO_PORT = {
    "sros": 'MINOR: CLI Could not find port "{0}".',
    "vrp": "Error: Wrong parameter found at '^' position.",
}
_FROM_MODEL = {"sros": _sros, "vrp": _vrp}


def running(router: Router) -> list[str]:
    """Return all statements of the running configuration."""
    element = router.element
    return [*(SEPARATOR.join(path) for path in _FROM_MODEL[router.family](element)), *element.config]


def _port(element: Element, name: str) -> Port:
    port = element.port(name)
    if port is None:
        raise RejectedLine(_NO_PORT[KINDS[element.kind].family].format(name))
    return port


def _card(element: Element, slot: str) -> Card:
    card = element.chassis.card(slot)
    if card is None:
        raise RejectedLine(f'MINOR: CLI Could not find card "{slot}".')
    return card


def _mda(element: Element, slot: str, number: str) -> Mda:
    for mda in _card(element, slot).mdas:
        if str(mda.slot) == number:
            return mda
    raise RejectedLine(f'MINOR: CLI Could not find mda "{slot}/{number}".')


def _peer(element: Element, address: str, remote_as: str = "") -> Peer:
    peer = element.peer(address)
    if peer is None:
        peer = Peer(address=address, remote_as=int(remote_as or 65001))
        element.peers.append(peer)
        element.structure += 1
    return peer


def _set_shutdown(part: Port | Card | Mda | Peer, off: str) -> None:
    part.admin_up = off != "shutdown"


def _name(element: Element, text: str) -> None:
    element.sys_name = text


def _text(element: Element, word: str, text: str) -> None:
    setattr(element, word, text)


def _no_effect(_part: Card | Mda) -> None:
    """Change nothing: the type is the hardware's, and `check` rejects another."""


def _has_type(part: Card | Mda, mda_type: str) -> None:
    if part.type != mda_type:
        raise RejectedLine(f'MINOR: CHMGR The type "{mda_type}" is not that of the hardware, "{part.type}".')


def _describe(part: Port | Peer, text: str) -> None:
    part.description = text


def _remote_as(element: Element, address: str, number: str) -> None:
    _peer(element, address, number).remote_as = int(number)


_T = SEPARATOR
_NEIGHBOR = rf"configure{_T}router Base{_T}bgp{_T}(?:group \S+{_T})?neighbor (?P<peer>[\d.]+){_T}"
_ASSIGN: dict[str, tuple[tuple[str, Assign], ...]] = {
    "sros": (
        (rf'configure{_T}system{_T}name "?(?P<text>[^"]*)"?', lambda e, m: _name(e, m["text"])),
        (rf'configure{_T}system{_T}(?P<word>location|contact) "?(?P<text>[^"]*)"?',
         lambda e, m: _text(e, m["word"], m["text"])),
        (rf"configure{_T}card (?P<slot>\w+){_T}card-type \S+", lambda e, m: _no_effect(_card(e, m["slot"]))),
        (rf"configure{_T}card (?P<slot>\w+){_T}(?P<off>(?:no )?shutdown)",
         lambda e, m: _set_shutdown(_card(e, m["slot"]), m["off"])),
        (rf"configure{_T}card (?P<slot>\w+){_T}mda (?P<mda>\d){_T}mda-type \S+",
         lambda e, m: _no_effect(_mda(e, m["slot"], m["mda"]))),
        (rf"configure{_T}card (?P<slot>\w+){_T}mda (?P<mda>\d){_T}(?P<off>(?:no )?shutdown)",
         lambda e, m: _set_shutdown(_mda(e, m["slot"], m["mda"]), m["off"])),
        (rf"configure{_T}port (?P<port>\S+){_T}(?P<off>(?:no )?shutdown)",
         lambda e, m: _set_shutdown(_port(e, m["port"]), m["off"])),
        (rf'configure{_T}port (?P<port>\S+){_T}description "?(?P<text>[^"]*)"?',
         lambda e, m: _describe(_port(e, m["port"]), m["text"])),
        (rf"{_NEIGHBOR}peer-as (?P<as>\d+)", lambda e, m: _remote_as(e, m["peer"], m["as"])),
        (rf"{_NEIGHBOR}(?P<off>(?:no )?shutdown)", lambda e, m: _set_shutdown(_peer(e, m["peer"]), m["off"])),
    ),
    "vrp": (
        (r"sysname (?P<text>\S+)", lambda e, m: _name(e, m["text"])),
        (rf"interface (?P<port>\S+){_T}(?P<off>(?:undo )?shutdown)",
         lambda e, m: _set_shutdown(_port(e, m["port"]), m["off"])),
        (rf"interface (?P<port>\S+){_T}description (?P<text>.*)",
         lambda e, m: _describe(_port(e, m["port"]), m["text"])),
        (rf"bgp \d+{_T}peer (?P<peer>[\d.]+) as-number (?P<as>\d+)", lambda e, m: _remote_as(e, m["peer"], m["as"])),
        (rf"bgp \d+{_T}peer (?P<peer>[\d.]+) ignore", lambda e, m: _set_shutdown(_peer(e, m["peer"]), "shutdown")),
    ),
}  # fmt: skip
"""Statements that change the model; all others are only stored."""


def check(router: Router, statements: list[str]) -> None:
    """Raise RejectedLine unless all parts that the statements name exist."""
    element = router.element
    finders: tuple[tuple[str, Callable[..., object]], ...] = (
        (r"(?:configure\t)?(?:port|interface) (\d+/\d+/\d+|100GE[\d/]+)", lambda name: _port(element, name)),
        (r"configure\tcard (\w+)\tcard-type (\S+)", lambda slot, word: _has_type(_card(element, slot), word)),
        (r"configure\tcard (\w+)\tmda (\d)\tmda-type (\S+)",
         lambda slot, mda, word: _has_type(_mda(element, slot, mda), word)),
        (r"configure\tcard (\w+)\tmda (\d)", lambda slot, mda: _mda(element, slot, mda)),
        (r"configure\tcard (\w+)", lambda slot: _card(element, slot)),
    )  # fmt: skip
    for text in statements:
        for pattern, find in finders:
            found = re.match(pattern, text)
            if found:
                find(*found.groups())


def commit(router: Router, statements: list[str], *, checkpoint: bool = True) -> None:
    """Make the statements the running configuration. Raises RejectedLine, and then changes nothing."""
    statements = _without_ports(router, statements)
    with _reprovisioned(router, statements):
        check(router, statements)
    element, before = router.element, running(router)
    if checkpoint:
        element.checkpoints = [before, *element.checkpoints][:CHECKPOINTS]
    _drop_missing(router, statements)
    _clear_texts(element)
    rest = []
    for text in statements:
        for pattern, assign in _ASSIGN[router.family]:
            found = re.fullmatch(pattern, text)
            if found:
                assign(element, found)
                break
        else:
            rest.append(text)
    element.config = rest
    for _, _, port in element.ports():
        set_drained(port, _drains(rest), router.clock.time())
    if running(router) != before:
        element.configured = router.clock.time()
        router.notify(CONFIGURATION_CHANGED[router.family])
    router.changed()


def _drains(statements: list[str]) -> bool:
    """Return whether the statements drain the router by BGP metrics, so that its neighbours avoid it."""
    return any(re.search(r"\tbgp.*\tmed-out 4294967295$|\tdefault med 4294967295$", text) for text in statements)


def _without_ports(router: Router, statements: list[str]) -> list[str]:
    """Drop the ports of removed cards. Raises RejectedLine while another statement uses such a port."""
    named = {found[1] for text in statements if (found := re.match(r"configure\tcard (\w+)\t", text))}
    line = {card.slot for card in router.element.chassis.cards if card.role == "line"}
    ports = [(text, found[1]) for text in statements if (found := re.search(r"\b(\w+)/\d+/\d+\b", text))]
    obsolete = {text for text, slot in ports if router.family == "sros" and slot in line - named}
    used = next((text for text in obsolete if not re.match(r"configure\tport [\w/]+\t", text)), "")
    if used:
        raise RejectedLine(
            f"MINOR: CHMGR The card cannot be removed: {used.rpartition(SEPARATOR)[2]!r} uses a port of it."
        )
    return [text for text in statements if text not in obsolete]


@contextmanager
def _reprovisioned(router: Router, statements: list[str]) -> Iterator[None]:
    """Boot cards with VMs that the configuration names again, unless the block raises."""
    chassis = router.element.chassis
    named = [card for card in chassis.unprovisioned if f"configure\tcard {card.slot}\t" in "\n".join(statements)]
    chassis.cards += named
    try:
        yield
    except RejectedLine:
        chassis.cards = [card for card in chassis.cards if card not in named]
        raise
    for card in named:
        chassis.unprovisioned.remove(card)
        equip(router.element, card, True, router.clock.time())
    if named:
        chassis.cards.sort(key=lambda card: (card.role != "control", len(card.slot), card.slot))
        chassis.structure += 1


def _clear_texts(element: Element) -> None:
    """Empty all texts, so that those that the new configuration lacks stay empty."""
    element.location = element.contact = ""
    for _, _, port in element.ports():
        port.description = ""


def _drop_missing(router: Router, statements: list[str]) -> None:
    """Remove line cards and peers that the new configuration does not name."""
    element, text = router.element, "\n".join(statements)
    kept = [peer for peer in element.peers if re.search(rf"(?:neighbor|peer) {re.escape(peer.address)}\s", text)]
    for peer in kept:
        peer.admin_up = peer.admin_up or router.family == "vrp"
    cards = element.chassis.cards
    if router.family == "sros":
        cards = [card for card in cards if card.role != "line" or f"configure\tcard {card.slot}\t" in text]
    if len(kept) != len(element.peers):
        element.peers, element.structure = kept, element.structure + 1
    if len(cards) != len(element.chassis.cards):
        element.chassis.unprovisioned += [card for card in element.chassis.cards if card not in cards and card.server]
        element.chassis.cards, element.chassis.structure = cards, element.chassis.structure + 1
