"""What notifications mean for their elements, and how much of them is kept: in memory, from one batch to the next."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from vnfm.elements.domain.parts import PARTS
from vnfm.elements.domain.trap_catalogue import CATALOGUE, TrapDefinition
from vnfm.elements.domain.traps import STORM, FactChange, TokenBucket, TrapStream, fact_change
from vnfm.elements.services.traps import ElementEvents, TrapRow
from vnfm.elements.traps.decode import DecodedTrap
from vnfm.elements.traps.senders import Sender

UNKNOWN_AT_ONCE, UNKNOWN_PER_SECOND = 200, 5
"""Rows for notifications of nobody we know, all together."""
ALL_RINGS_AT_ONCE, ALL_RINGS_PER_SECOND = 100, 10
"""Of all elements: the poller has others to look at; whoever has to wait is polled anyway."""

_UNKNOWN = TrapDefinition("", "")


@dataclass(slots=True)
class Batch:
    """What is to be written. It may need several tries, so elements are taken out of `told` as they are done."""

    rows: list[TrapRow] = field(default_factory=list)
    owed: list[DecodedTrap] = field(default_factory=list)
    """Informs, whose senders wait for an answer."""
    told: dict[UUID, ElementEvents] = field(default_factory=dict)
    sampled_out: int = 0
    conditions: dict[UUID, list[FactChange]] = field(default_factory=dict)
    restarted: set[UUID] = field(default_factory=set)


class Classifier:
    """Times are of the monotonic clock, but for those of notifications."""

    def __init__(self) -> None:
        self._courses: dict[UUID, TrapStream] = {}
        self._ringing: set[UUID] = set()
        self._stormy: set[UUID] = set()
        self._counted: set[UUID] = set()
        self._rings = TokenBucket(ALL_RINGS_AT_ONCE, ALL_RINGS_PER_SECOND)
        self._strangers = TokenBucket(UNKNOWN_AT_ONCE, UNKNOWN_PER_SECOND)

    @property
    def rings_wait(self) -> bool:
        return bool(self._ringing)

    def storms_of_before(self, element_ids: Iterable[UUID], now: float) -> None:
        """Elements that were in a storm when the last process ended: it is over when they are calm."""
        for element_id in element_ids:
            course = self._courses.setdefault(element_id, TrapStream())
            course.storm, course.stored.level, course.stored.at = True, 0.0, now
            self._stormy.add(element_id)

    def only(self, element_ids: set[UUID]) -> None:
        """Forget the others: they were deleted."""
        for gone in self._courses.keys() - element_ids:
            del self._courses[gone]
        self._ringing &= element_ids
        self._stormy &= element_ids
        self._counted &= element_ids

    def sort(self, heard: DecodedTrap, batch: Batch, now: float) -> None:
        if heard.answer:
            batch.owed.append(heard)
        notice, teller = CATALOGUE.get(heard.notification.trap_oid, _UNKNOWN), heard.teller
        keep = self._strangers.take(now) if teller is None else self._course(teller).kept(now)
        if keep:
            batch.rows.append(_row(heard, notice))
        else:
            batch.sampled_out += 1
        if teller is not None and teller.managed:
            self._apply(heard, teller, notice, batch)

    def _apply(self, heard: DecodedTrap, teller: Sender, notice: TrapDefinition, batch: Batch) -> None:
        told, course, element_id = heard.notification, self._course(teller), teller.element_id
        conditions = batch.conditions.setdefault(element_id, [])
        if course.storm and element_id not in self._stormy:
            self._stormy.add(element_id)
            conditions.append(FactChange(STORM, "", raised=True))
        if notice.restarted:
            course.restarted()
            batch.restarted.add(element_id)
        missed = course.counted(told.request_id, told.uptime) and teller.counts_traps
        self._counted.add(element_id)
        if missed or notice.lost:
            self.missed([teller], heard.datagram.at)
        for one in heard.concerned:
            self._want(one, notice.parts)
        said = fact_change(notice, told.varbinds, lists_alarms=teller.lists_alarms)
        if said is not None:
            conditions.append(said)

    def missed(self, tellers: Iterable[Sender], at: datetime) -> None:
        """Notifications of these were lost: only a look at all that they are makes up for it."""
        for teller in tellers:
            if teller.managed:
                course = self._course(teller)
                course.missed_since = course.missed_since or at
                self._want(teller, PARTS)

    def _want(self, teller: Sender, parts: Iterable[str]) -> None:
        wanted = self._course(teller).wanted
        wanted.update(parts)
        if wanted and teller.managed:
            self._ringing.add(teller.element_id)

    def close(self, batch: Batch, now: float, *, at_once: bool = False) -> None:
        """Make up what the batch tells of each element: rings whose time has come, conditions, storms that are over."""
        for element_id in [one for one in self._stormy if self._courses[one].calmed(now)]:
            self._stormy.discard(element_id)
            batch.conditions.setdefault(element_id, []).append(FactChange(STORM, "", raised=False))
        rung = {one: self._ring(one, now) for one in list(self._ringing) if self._may_ring(one, now, at_once=at_once)}
        for element_id in {*rung, *batch.conditions, *batch.restarted}:
            parts, missed_since = rung.get(element_id, (frozenset(), None))
            conditions = tuple(batch.conditions.get(element_id, ()))
            restarted = element_id in batch.restarted
            if parts or conditions or restarted:
                batch.told[element_id] = ElementEvents(parts, missed_since, conditions, restarted)

    def _may_ring(self, element_id: UUID, now: float, *, at_once: bool) -> bool:
        return at_once or (self._courses[element_id].may_ring(now) and self._rings.take(now))

    def _ring(self, element_id: UUID, now: float) -> tuple[frozenset[str], datetime | None]:
        course = self._courses[element_id]
        parts, missed_since = frozenset(course.wanted), course.missed_since
        course.rung(now)
        self._ringing.discard(element_id)
        return parts, missed_since

    def numbers(self) -> dict[UUID, int]:
        """The last number of each element that told something since this was last asked."""
        counted, self._counted = self._counted, set()
        found = {one: self._courses[one].sequence for one in counted}
        return {one: number for one, number in found.items() if number is not None}

    def _course(self, teller: Sender) -> TrapStream:
        course = self._courses.get(teller.element_id)
        if course is None:
            course = self._courses[teller.element_id] = TrapStream(sequence=teller.sequence)
        return course


def _row(heard: DecodedTrap, notice: TrapDefinition) -> TrapRow:
    told = heard.notification
    return (
        heard.teller.element_id if heard.teller is not None else None,
        heard.datagram.source,
        told.trap_oid,
        notice.name,
        json.dumps(told.varbinds),
        heard.datagram.at,
        told.request_id,
    )
