"""The SNMP agent of one element: GET, GETNEXT, GETBULK and SET on its tables (RFC 3416)."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from itertools import islice
from typing import TYPE_CHECKING

from routersim.model.element import Element
from routersim.snmp.ber import (
    NOTHING,
    Binding,
    Message,
    Oid,
    Pdu,
    Tag,
    arcs,
    encode_binding,
    encode_pdu,
    encode_value,
    is_number,
    oid_octets,
)
from routersim.snmp.mib import Cell, Mib, NotWritable, Scope

if TYPE_CHECKING:
    from routersim.snmp.recording import RecordedMib

_HEADROOM = 192
"""The octets of a message besides its bindings, including those of SNMPv3's security."""


class Error(IntEnum):
    """Values of error-status."""

    NONE = 0
    TOO_BIG = 1
    GEN_ERR = 5
    NO_ACCESS = 6
    WRONG_TYPE = 7
    WRONG_VALUE = 10
    NO_CREATION = 11
    NOT_WRITABLE = 17


class Refusal(Exception):
    """A refused SET: its status, and the index of the binding from 1."""

    def __init__(self, status: Error, index: int) -> None:
        super().__init__(status.name)
        self.status, self.index = status, index


class Agent:
    """Answers messages about one element. `changed` is called after a SET."""

    def __init__(self, mib: Mib | RecordedMib, scope: Scope, changed: Callable[[], None]) -> None:
        self._mib, self._scope, self._changed = mib, scope, changed
        self._answers = {Pdu.GET: self._get, Pdu.GET_NEXT: self._next, Pdu.GET_BULK: self._bulk, Pdu.SET: self._set}

    @property
    def element(self) -> Element:
        return self._scope.element

    def answer(self, message: Message, now: float) -> bytes | None:
        """Return the response PDU, truncated or tooBig if it exceeds the receiver's limit; None if none is due.

        The caller must have checked that the sender has the right.
        """
        handler = self._answers.get(message.pdu)
        behaviour = self.element.behaviour
        if handler is None or (message.pdu == Pdu.GET_BULK and behaviour.no_bulk):
            return None
        if behaviour.broken and any(_within(binding.oid, behaviour.broken) for binding in message.bindings):
            return self._echo(message, Error.GEN_ERR, 1) if behaviour.broken_answers else None
        self._scope.now = now
        try:
            bindings = handler(message)
        except Refusal as refusal:
            return self._echo(message, refusal.status, refusal.index)
        if sum(map(len, bindings)) + _HEADROOM > message.room:
            return self._echo(message, Error.TOO_BIG, 0)
        return encode_pdu(Pdu.RESPONSE, message.request_id, 0, 0, bindings=bindings)

    def _echo(self, message: Message, status: Error, index: int) -> bytes:
        bindings = [] if status is Error.TOO_BIG else [_as_sent(binding) for binding in message.bindings]
        return encode_pdu(Pdu.RESPONSE, message.request_id, status, index, bindings=bindings)

    def _get(self, message: Message) -> list[bytes]:
        return [encode_binding(oid_octets(binding.oid), self._value(binding.oid)) for binding in message.bindings]

    def _value(self, oid: Oid) -> bytes:
        if self._hides(oid_octets(oid)):
            return NOTHING[Tag.NO_SUCH_INSTANCE]
        found = self._mib.find(self._scope, oid)
        if not isinstance(found, Cell):
            return NOTHING[found]
        value = found.column.read(self._scope, found.row)
        return NOTHING[Tag.NO_SUCH_INSTANCE] if value is None else encode_value(found.column.tag, value)

    def _next(self, message: Message) -> list[bytes]:
        return [self._following(binding.oid, 1)[0] for binding in message.bindings]

    def _following(self, oid: Oid, count: int) -> list[bytes]:
        """Return the next `count` cells, padded with endOfMibView."""
        name, found = oid_octets(oid), []
        if self._repeats(name):
            return [encode_binding(name, self._value(oid))] * count
        cells = (cell for cell in self._mib.walk(self._scope, oid) if not self._hides(cell[0]))
        for name, tag, value in islice(cells, count):
            found.append(encode_binding(name, encode_value(tag, value)))
            if len(found) < count and self._repeats(name):
                return [*found, *found[-1:] * (count - len(found))]
        if len(found) < count:
            found.append(encode_binding(name, NOTHING[Tag.END_OF_MIB_VIEW]))
        return found

    def _hides(self, name: bytes) -> bool:
        """Return whether the object is one of those that the agent does not have (`Behaviour.hidden`)."""
        hidden = self.element.behaviour.hidden
        return bool(hidden) and name.startswith(oid_octets(arcs(hidden)))

    def _repeats(self, name: bytes) -> bool:
        """Return whether this row is repeated instead of the next ones (`Behaviour.repeated`)."""
        behaviour = self.element.behaviour
        if not behaviour.repeated or oid_octets(arcs(behaviour.repeated)) != name:
            return False
        behaviour.repeats -= 1
        if behaviour.repeats == 0:
            behaviour.repeated = ""
        return True

    def _bulk(self, message: Message) -> list[bytes]:
        """Return as many repetitions as fit; one in which all columns have ended is the last (RFC 3416, 4.2.3)."""
        single = max(0, message.first)
        bindings = [self._following(binding.oid, 1)[0] for binding in message.bindings[:single]]
        rounds = max(0, message.second)
        columns = [self._following(binding.oid, rounds) for binding in message.bindings[single:]] if rounds else []
        room = message.room - _HEADROOM - sum(map(len, bindings))
        for number in range(max(map(len, columns), default=0)):
            for column in columns:
                binding = column[min(number, len(column) - 1)]
                room -= len(binding)
                if room < 0:
                    return bindings
                bindings.append(binding)
        return bindings

    def _set(self, message: Message) -> list[bytes]:
        """Set all bindings or none: errors are found before the first is set, except refusals of the element."""
        cells = [self._writable(place, binding) for place, binding in enumerate(message.bindings, start=1)]
        for place, (cell, binding) in enumerate(zip(cells, message.bindings, strict=True), start=1):
            assert cell.column.write is not None
            assert isinstance(binding.value, int)
            try:
                cell.column.write(self._scope, cell.row, binding.value)
            except NotWritable as error:
                raise Refusal(Error.WRONG_VALUE, place) from error
        self._changed()
        return [_as_sent(binding) for binding in message.bindings]

    def _writable(self, place: int, binding: Binding) -> Cell:
        found = self._mib.find(self._scope, binding.oid)
        if not isinstance(found, Cell):
            raise Refusal(Error.NO_CREATION if found is Tag.NO_SUCH_INSTANCE else Error.NO_ACCESS, place)
        if found.column.write is None:
            raise Refusal(Error.NOT_WRITABLE, place)
        if binding.tag != found.column.tag or not is_number(binding.tag):
            raise Refusal(Error.WRONG_TYPE, place)
        return found


def _within(oid: Oid, prefix: str) -> bool:
    known = arcs(prefix)
    return oid[: len(known)] == known


def _as_sent(binding: Binding) -> bytes:
    value = NOTHING.get(binding.tag) or encode_value(binding.tag, binding.value)
    return encode_binding(oid_octets(binding.oid), value)
