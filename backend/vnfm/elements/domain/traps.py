"""What follows from notifications: which element tells, whether any were missed, how often to look, what to keep.

Pure; times are of any clock that goes evenly, in seconds.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from vnfm.elements.domain.trap_catalogue import TrapDefinition, TrapFact

TRAP_ADDRESS = "1.3.6.1.6.3.18.1.3.0"
"""snmpTrapAddress (RFC 3584): of the element, where another has passed its notification on."""
SYS_NAME = "1.3.6.1.2.1.1.5.0"
IF_INDEX = "1.3.6.1.2.1.2.2.1.1."

STORM = "TrapStorm"
"""Fault type, and fact, of an element that tells more than is stored."""

MAX_SUBJECT = 255
"""Characters of a subject; what notifications name may be longer."""

MAX_REORDERING = 1000
"""So far behind the last number a notification is late, or came twice; farther, and the element counts anew."""

MAX_CONSECUTIVE_GAPS = 10
"""After so many gaps in a row its numbers are no count: it would be read anew for ever, and nothing be missing."""

Varbinds = Mapping[str, int | str | None]


class Candidate(Protocol):
    """An element with the address that a notification came from."""

    @property
    def sys_name(self) -> str: ...
    @property
    def hosted(self) -> bool: ...
    @property
    def if_indexes(self) -> AbstractSet[int]: ...


def identify_sender(candidates: Sequence[Candidate], varbinds: Varbinds, context: str) -> int | None:
    """Which of several elements of one address tells, as far as the notification says; None where it does not.

    Virtual Systems of a chassis may share its address: then their name, in the context or among the objects, or
    an interface that only one of them has, tells them apart.
    """
    if len(candidates) == 1:
        return 0
    said = {str(varbinds.get(SYS_NAME, "")), context} - {""}
    found = [number for number, one in enumerate(candidates) if one.sys_name in said]
    indexes = {int(name.rpartition(".")[2]) for name in varbinds if name.startswith(IF_INDEX)}
    if not found and indexes:
        found = [number for number, one in enumerate(candidates) if indexes <= one.if_indexes]
    return found[0] if len(found) == 1 else None


@dataclass(slots=True)
class TokenBucket:
    """So many at once, and so many a second later on."""

    size: float
    rate: float
    level: float = -1.0
    at: float = 0.0

    def _fill(self, now: float) -> None:
        self.level = self.size if self.level < 0 else min(self.size, self.level + (now - self.at) * self.rate)
        self.at = now

    def take(self, now: float) -> bool:
        self._fill(now)
        if self.level < 1:
            return False
        self.level -= 1
        return True

    def share(self, now: float) -> float:
        """How full it is, from 0 to 1."""
        self._fill(now)
        return self.level / self.size


STORE_BURST, STORE_RATE = 1200, 20
"""Of one element: a chassis that loses all its cards tells more than a thousand ports at once. Beyond, a sample."""
STORM_OVER_LEVEL = 0.5
"""A storm is over when so much of its bucket is full again: half a minute of quiet, or less noise for longer."""
POLL_BURST, POLL_RATE = 8, 0.25
"""Of one element: what is found by looking does not get better by looking more often, and it is polled anyway."""
POLL_MIN_SECONDS = 0.3
"""Notifications come in flocks: a card takes its ports along. The look after the next one sees them all."""


@dataclass(slots=True)
class TrapStream:
    """How notifications of one element have been coming."""

    sequence: int | None = None
    uptime: int | None = None
    doubt: int = 0
    """Gaps in a row, without two numbers that follow each other between them."""
    stored: TokenBucket = field(default_factory=lambda: TokenBucket(STORE_BURST, STORE_RATE))
    rings: TokenBucket = field(default_factory=lambda: TokenBucket(POLL_BURST, POLL_RATE))
    rung_at: float = float("-inf")
    storm: bool = False
    missed_since: datetime | None = None
    """Not yet told to the database, as are the next two."""
    wanted: set[str] = field(default_factory=set)
    """Parts to read anew at the next ring."""

    def counted(self, number: int, uptime: int) -> bool:
        """Whether notifications between the last and this one are missing. A restart counts anew."""
        last, self.sequence = self.sequence, number
        again = self.uptime is not None and uptime < self.uptime
        self.uptime = uptime
        if last is None or again:
            return False
        if number == last + 1:
            self.doubt = 0
            return False
        if number <= last:
            self.sequence = last if number >= last - MAX_REORDERING else number
            return False
        self.doubt += 1
        return self.doubt <= MAX_CONSECUTIVE_GAPS

    def restarted(self) -> None:
        self.sequence, self.uptime = None, None

    def kept(self, now: float) -> bool:
        """Whether this one is stored as a row; when not, it is a storm."""
        keep = self.stored.take(now)
        self.storm = self.storm or not keep
        return keep

    def calmed(self, now: float) -> bool:
        """Whether a storm is over by now."""
        if self.storm and self.stored.share(now) >= STORM_OVER_LEVEL:
            self.storm = False
            return True
        return False

    def may_ring(self, now: float) -> bool:
        return now - self.rung_at >= POLL_MIN_SECONDS and self.rings.share(now) * POLL_BURST >= 1

    def rung(self, now: float) -> None:
        self.rings.take(now)
        self.rung_at = now
        self.wanted.clear()
        self.missed_since = None


@dataclass(frozen=True, slots=True)
class FactChange:
    """What a notification says of an `ElementFact` of its own."""

    name: str
    subject: str
    raised: bool


def fact_change(notice: TrapDefinition, varbinds: Varbinds, *, lists_alarms: bool) -> FactChange | None:
    """None where the notification tells of nothing that the tables do not have."""
    tells = notice.tells
    if tells is None or (tells.listed and lists_alarms):
        return None
    raised = next(iter(varbinds.values()), None) == 1 if tells.raised is None else tells.raised
    return FactChange(tells.fact, _subject(tells, varbinds), raised)


def _subject(tells: TrapFact, varbinds: Varbinds) -> str:
    """The named object's value; else the row that the first object stands in, as its instance says. As long as fits."""
    if tells.subject:
        prefix = f"{tells.subject}."
        return next((str(value) for name, value in varbinds.items() if name.startswith(prefix)), "")[:MAX_SUBJECT]
    first = next(iter(varbinds), "")
    return first[:MAX_SUBJECT] if first.count(".") > 0 and not first.endswith(".0") else ""


@dataclass(frozen=True, slots=True)
class MemoryQuota:
    """Of what waits in memory, one source may have so much: what one element storms is not what others lose."""

    waiting: int
    of_one: int

    def takes(self, waiting: int, of_this: int) -> bool:
        return waiting < self.waiting and (waiting < self.waiting // 2 or of_this < self.of_one)
