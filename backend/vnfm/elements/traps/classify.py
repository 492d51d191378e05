"""Turn notifications into events of their elements and rows to store, with a memory from batch to batch."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from vnfm.elements.domain.parts import PARTS
from vnfm.elements.domain.trap_catalogue import CATALOGUE, OPPOSITES, TrapDefinition
from vnfm.elements.domain.trap_losses import Loss, loss_of
from vnfm.elements.domain.traps import STORM, FactChange, TokenBucket, TrapStream, fact_change
from vnfm.elements.services.traps import ElementEvents, TrapRow
from vnfm.elements.traps.decode import DecodedTrap
from vnfm.elements.traps.senders import Sender

UNKNOWN_BURST, UNKNOWN_RATE = 200, 5
"""Stored traps from unknown addresses, all together: at once, and a second."""
TOTAL_POLL_BURST, TOTAL_POLL_RATE = 100, 10
"""Polls requested of all elements: at once, and a second. An element that waits is polled anyway."""

_UNKNOWN = TrapDefinition("", "")


@dataclass(slots=True)
class Batch:
    """Rows and events to write. Writing may need several attempts, so elements leave `events` one by one."""

    rows: list[TrapRow] = field(default_factory=list)
    informs_to_ack: list[DecodedTrap] = field(default_factory=list)
    events: dict[UUID, ElementEvents] = field(default_factory=dict)
    sampled_out: int = 0
    fact_changes: dict[UUID, list[FactChange]] = field(default_factory=dict)
    restarted: set[UUID] = field(default_factory=set)
    losses: dict[UUID, dict[str, tuple[Loss, datetime]]] = field(default_factory=dict)
    """By type and first object of the notification, with the time of its arrival."""


class Classifier:
    """Times are of the monotonic clock, except those of notifications."""

    def __init__(self) -> None:
        self._streams: dict[UUID, TrapStream] = {}
        self._poll_pending: set[UUID] = set()
        self._in_storm: set[UUID] = set()
        self._sequence_changed: set[UUID] = set()
        self._polls = TokenBucket(TOTAL_POLL_BURST, TOTAL_POLL_RATE)
        self._unknown = TokenBucket(UNKNOWN_BURST, UNKNOWN_RATE)

    @property
    def polls_pending(self) -> bool:
        return bool(self._poll_pending)

    def restore_storms(self, element_ids: Iterable[UUID], now: float) -> None:
        """Elements that were in a storm when the last process ended."""
        for element_id in element_ids:
            stream = self._streams.setdefault(element_id, TrapStream())
            stream.storm, stream.stored.level, stream.stored.at = True, 0.0, now
            self._in_storm.add(element_id)

    def retain(self, element_ids: set[UUID]) -> None:
        """Forget all other elements: they were deleted."""
        for deleted in self._streams.keys() - element_ids:
            del self._streams[deleted]
        self._poll_pending &= element_ids
        self._in_storm &= element_ids
        self._sequence_changed &= element_ids

    def add(self, trap: DecodedTrap, batch: Batch, now: float) -> None:
        if trap.acknowledgement:
            batch.informs_to_ack.append(trap)
        definition, sender = CATALOGUE.get(trap.notification.trap_oid, _UNKNOWN), trap.sender
        if self._unknown.take(now) if sender is None else self._stream(sender).admit(now):
            batch.rows.append(_row(trap, definition))
        else:
            batch.sampled_out += 1
        if sender is not None and sender.managed:
            self._classify(trap, sender, definition, batch, now)

    def _classify(
        self, trap: DecodedTrap, sender: Sender, definition: TrapDefinition, batch: Batch, now: float
    ) -> None:
        notification, stream, element_id = trap.notification, self._stream(sender), sender.element_id
        changes = batch.fact_changes.setdefault(element_id, [])
        if stream.storm and element_id not in self._in_storm:
            self._in_storm.add(element_id)
            changes.append(FactChange(STORM, "", raised=True))
        if definition.restarted:
            stream.restart()
            batch.restarted.add(element_id)
        number = notification.request_id
        gap = number is not None and stream.has_gap(number, notification.uptime) and sender.counts_traps
        self._sequence_changed.add(element_id)
        if gap or definition.lost:
            self.record_missed([sender], trap.datagram.at)
        for candidate in trap.candidates:
            if self._stream(candidate).is_worth_a_poll(notification.trap_oid, notification.varbinds, now):
                self._request_poll(candidate, definition.parts)
                if trap.candidates == (sender,):
                    _add_loss(trap, batch.losses.setdefault(element_id, {}))
        _cancel_loss(trap, batch.losses.get(element_id, {}))
        change = fact_change(definition, notification.varbinds, lists_alarms=sender.lists_alarms)
        if change is not None:
            changes.append(change)

    def record_missed(self, senders: Iterable[Sender], at: datetime) -> None:
        """Notifications of these elements were lost: only a poll of all their parts makes up for it."""
        for sender in senders:
            if sender.managed:
                stream = self._stream(sender)
                stream.missed_since = stream.missed_since or at
                self._request_poll(sender, PARTS)

    def _request_poll(self, sender: Sender, parts: Iterable[str]) -> None:
        pending = self._stream(sender).parts_to_poll
        pending.update(parts)
        if pending and sender.managed:
            self._poll_pending.add(sender.element_id)

    def finish(self, batch: Batch, now: float, *, flush: bool = False) -> None:
        """Fill `batch.events`: polls that are due (with `flush` all that are pending), facts, storms that are over."""
        for element_id in [each for each in self._in_storm if self._streams[each].storm_ended(now)]:
            self._in_storm.discard(element_id)
            batch.fact_changes.setdefault(element_id, []).append(FactChange(STORM, "", raised=False))
        polls = {
            each: self._start_poll(each, now)
            for each in list(self._poll_pending)
            if flush or self._due(each, now, lost=bool(batch.losses.get(each)))
        }
        for element_id in {*polls, *batch.fact_changes, *batch.restarted}:
            parts, missed_since = polls.get(element_id, (frozenset(), None))
            changes, restarted = tuple(batch.fact_changes.get(element_id, ())), element_id in batch.restarted
            losses = tuple(batch.losses.get(element_id, {}).values()) if parts else ()  # a poll has to confirm them
            if parts or changes or restarted:
                batch.events[element_id] = ElementEvents(parts, missed_since, changes, restarted, losses)

    def _due(self, element_id: UUID, now: float, *, lost: bool) -> bool:
        """Within the limits of the element and of all; what is lost does not wait for others of its group."""
        return self._streams[element_id].may_poll(now, pause=not lost) and self._polls.take(now)

    def _start_poll(self, element_id: UUID, now: float) -> tuple[frozenset[str], datetime | None]:
        stream = self._streams[element_id]
        parts, missed_since = frozenset(stream.parts_to_poll), stream.missed_since
        stream.poll_requested(now)
        self._poll_pending.discard(element_id)
        return parts, missed_since

    def take_sequences(self) -> dict[UUID, int]:
        """Number of the last trap, by element, of those that sent any since the last call."""
        changed, self._sequence_changed = self._sequence_changed, set()
        sequences = {element_id: self._streams[element_id].sequence for element_id in changed}
        return {element_id: number for element_id, number in sequences.items() if number is not None}

    def _stream(self, sender: Sender) -> TrapStream:
        stream = self._streams.get(sender.element_id)
        if stream is None:
            stream = self._streams[sender.element_id] = TrapStream(sequence=sender.sequence)
        return stream


def _add_loss(trap: DecodedTrap, losses: dict[str, tuple[Loss, datetime]]) -> None:
    loss = loss_of(trap.notification.trap_oid, trap.notification.varbinds)
    if loss is not None:
        losses[_subject(trap, trap.notification.trap_oid)] = loss, trap.datagram.at


def _cancel_loss(trap: DecodedTrap, losses: dict[str, tuple[Loss, datetime]]) -> None:
    """An object that came up later in the batch is not lost."""
    losses.pop(_subject(trap, OPPOSITES.get(trap.notification.trap_oid, "")), None)


def _subject(trap: DecodedTrap, trap_oid: str) -> str:
    return f"{trap_oid} {next(iter(trap.notification.varbinds), '')}"


def _row(trap: DecodedTrap, definition: TrapDefinition) -> TrapRow:
    notification = trap.notification
    return (
        trap.sender.element_id if trap.sender is not None else None,
        trap.datagram.source,
        notification.trap_oid,
        definition.name,
        json.dumps(notification.varbinds),
        trap.datagram.at,
        notification.request_id,
    )
