"""Faults of an element, computed from the model; the source of alarm tables and notifications."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from routersim.model.element import Element
from routersim.model.parts import Card, Mda, Oper, Peer, Port, Unit, bfd_up, card_state, mda_state

Subject = Element | Card | Mda | Port | Peer | Unit
Severity = Literal["critical", "major", "minor", "warning"]


@dataclass(frozen=True, slots=True)
class Condition:
    """A fault: `name` and `where` identify it, and `text` describes it."""

    name: str
    """The key in the family's table of notifications."""
    where: str
    severity: Severity
    text: str
    since: float
    subject: Subject
    slot: str = ""
    """The slot of the card that the subject is, or is in."""

    @property
    def key(self) -> tuple[str, str]:
        return self.name, self.where


def _cards(element: Element, now: float) -> Iterator[Condition]:
    for card in element.chassis.cards:
        state = card_state(card, now)
        where, since = f"slot {card.slot}", card.since
        if state is Oper.PROVISIONED:
            yield Condition("card-removed", where, "major", "no card in the slot", since, card, card.slot)
        elif state is Oper.FAILED:
            yield Condition("card-failed", where, "critical", card.failure, since, card, card.slot)
        elif state is Oper.BOOTING:
            yield Condition("card-booting", where, "minor", "the card boots", since, card, card.slot)
        for mda in card.mdas:
            if state is Oper.IN_SERVICE:
                yield from _mda(card, mda, now)


def _mda(card: Card, mda: Mda, now: float) -> Iterator[Condition]:
    where = f"mda {card.slot}/{mda.slot}"
    match mda_state(card, mda, now):
        case Oper.PROVISIONED:
            yield Condition("mda-removed", where, "major", "no adapter in its place", card.since, mda, card.slot)
        case Oper.FAILED:
            yield Condition("mda-failed", where, "critical", mda.failure, card.since, mda, card.slot)


def _ports(element: Element, now: float) -> Iterator[Condition]:
    for card, _, port in element.ports():
        if port.admin_up and not port.up:
            yield Condition("port-down", port.name, "major", "the link is down", port.since, port, card.slot)
        if port.admin_up and port.bfd and not bfd_up(port):
            yield Condition("bfd-down", port.name, "major", "the BFD session is down", port.since, port, card.slot)


def _peers(element: Element, now: float) -> Iterator[Condition]:
    for peer in element.peers:
        if peer.admin_up and not peer.established:
            where = f"{peer.vrf} {peer.address}"
            yield Condition("bgp-lost", where, "major", "the session is not established", peer.since, peer)


def _units(element: Element, now: float) -> Iterator[Condition]:
    for name, units in (("fan-failed", element.chassis.fans), ("power-failed", element.chassis.power)):
        for unit in units:
            if unit.failure:
                yield Condition(name, f"{unit.type} {unit.number}", "major", unit.failure, unit.since, unit)


def _element(element: Element, now: float) -> Iterator[Condition]:
    if not element.license.valid:
        text, since = element.license.reason, element.license.since
        yield Condition("license-invalid", "system", "critical", text, since, element)
    if element.fib_routes > element.fib_size:
        text = f"{element.fib_routes} IPv4 routes for a FIB of {element.fib_size}"
        for card in element.chassis.cards:
            if card.role == "line" and card_state(card, now) is Oper.IN_SERVICE:
                yield Condition("fib-overload", f"slot {card.slot}", "major", text, card.since, card, card.slot)


_SOURCES: tuple[Callable[[Element, float], Iterator[Condition]], ...] = (_cards, _ports, _peers, _units, _element)


def conditions(element: Element, now: float) -> list[Condition]:
    """Return all current faults, causes before consequences."""
    return [condition for source in _SOURCES for condition in source(element, now)]
