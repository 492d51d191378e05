"""Rules for notifications: which element sent one, which are missing, how often to poll for them, how many to store.

Times are seconds of a monotonic clock.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from vnfm.elements.domain.trap_catalogue import OPPOSITES, TrapDefinition, TrapFact

SYS_NAME = "1.3.6.1.2.1.1.5.0"
IF_INDEX = "1.3.6.1.2.1.2.2.1.1."

STORM = "TrapStorm"
"""Fault type, and fact, of an element that sends more than is stored."""

SUBJECT_BURST, SUBJECT_RATE = 3, 1 / 120
"""Polls that notifications of one type about one object request: a BGP peer that never comes up must not use up those
for the others. FRR notifies of each of its attempts to connect (bgpBackwardTransNotification). An object that was up in
between has really changed, so its notification of that gives them back."""
MAX_SUBJECTS = 1000
"""Objects of an element that are remembered for that; with more, the list begins again."""

MAX_SUBJECT = 255
"""Characters of `ElementFact.subject`; object names in notifications may be longer."""

MAX_REORDERING = 1000
"""A number at most so far below the last one is late or a duplicate; one farther below means a restarted count."""

MAX_CONSECUTIVE_GAPS = 10
"""After this many gaps in a row the request-ids do not count as numbers, as each gap costs a full poll."""

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
    """Return the index of the candidate that sent the notification; None where that is not clear.

    Virtual Systems of a chassis may share its address. They differ by their sysName, in the context or among the
    objects, or by an interface that only one of them has.
    """
    if len(candidates) == 1:
        return 0
    names = {str(varbinds.get(SYS_NAME, "")), context} - {""}
    found = [number for number, candidate in enumerate(candidates) if candidate.sys_name in names]
    indexes = {int(name.rpartition(".")[2]) for name in varbinds if name.startswith(IF_INDEX)}
    if not found and indexes:
        found = [number for number, candidate in enumerate(candidates) if indexes <= candidate.if_indexes]
    return found[0] if len(found) == 1 else None


@dataclass(slots=True)
class TokenBucket:
    """Allows a burst of `size`, and `rate` a second in the long run."""

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

    def fill_ratio(self, now: float) -> float:
        """Return a number from 0 (empty) to 1 (full)."""
        self._fill(now)
        return self.level / self.size


STORE_BURST, STORE_RATE = 1200, 20
"""Stored traps of one element: a chassis that loses its cards sends a thousand, one for each port. More are sampled."""
STORM_OVER_LEVEL = 0.5
"""A storm is over when the bucket is filled to this ratio again: after half a minute without traps."""
POLL_BURST, POLL_RATE = 8, 0.25
"""Polls of one element that its traps request; regular polls come besides."""
POLL_MIN_SECONDS = 0.3
"""Notifications come in groups (a card, then its ports): one poll afterwards finds all of the changes."""


@dataclass(slots=True)
class TrapStream:
    """The notifications of one element so far."""

    sequence: int | None = None
    uptime: int | None = None
    consecutive_gaps: int = 0
    """Gaps without two consecutive numbers between them."""
    stored: TokenBucket = field(default_factory=lambda: TokenBucket(STORE_BURST, STORE_RATE))
    polls: TokenBucket = field(default_factory=lambda: TokenBucket(POLL_BURST, POLL_RATE))
    polled_at: float = float("-inf")
    storm: bool = False
    missed_since: datetime | None = None
    """Not stored yet."""
    parts_to_poll: set[str] = field(default_factory=set)
    """At the next poll that is requested."""
    subjects: dict[str, TokenBucket] = field(default_factory=dict)

    def is_worth_a_poll(self, trap_oid: str, varbinds: Varbinds, now: float) -> bool:
        """False for one of many about the same object; what it reports is found by the next regular poll."""
        first = next(iter(varbinds), "")
        if not first or first.endswith(".0"):
            return True
        subject = f"{trap_oid} {first}"
        if subject not in self.subjects and len(self.subjects) >= MAX_SUBJECTS:
            self.subjects.clear()
        self.subjects.pop(f"{OPPOSITES.get(trap_oid)} {first}", None)
        return self.subjects.setdefault(subject, TokenBucket(SUBJECT_BURST, SUBJECT_RATE)).take(now)

    def has_gap(self, number: int, uptime: int) -> bool:
        """Return whether notifications between the last and this one are missing; a restart resets their count."""
        last, self.sequence = self.sequence, number
        restarted = self.uptime is not None and uptime < self.uptime
        self.uptime = uptime
        if last is None or restarted:
            return False
        if number == last + 1:
            self.consecutive_gaps = 0
            return False
        if number <= last:
            self.sequence = last if number >= last - MAX_REORDERING else number
            return False
        self.consecutive_gaps += 1
        return self.consecutive_gaps <= MAX_CONSECUTIVE_GAPS

    def restart(self) -> None:
        self.sequence, self.uptime = None, None

    def admit(self, now: float) -> bool:
        """Whether this notification is stored; if not, it is a storm."""
        admitted = self.stored.take(now)
        self.storm = self.storm or not admitted
        return admitted

    def storm_ended(self, now: float) -> bool:
        """True once, when a storm is over."""
        if self.storm and self.stored.fill_ratio(now) >= STORM_OVER_LEVEL:
            self.storm = False
            return True
        return False

    def may_poll(self, now: float, *, pause: bool = True) -> bool:
        """`pause`: wait for other notifications of the same group."""
        too_soon = pause and now - self.polled_at < POLL_MIN_SECONDS
        return not too_soon and self.polls.fill_ratio(now) * POLL_BURST >= 1

    def poll_requested(self, now: float) -> None:
        self.polls.take(now)
        self.polled_at = now
        self.parts_to_poll.clear()
        self.missed_since = None


@dataclass(frozen=True, slots=True)
class FactChange:
    """A notification raises or clears an `ElementFact`."""

    name: str
    subject: str
    raised: bool


def fact_change(definition: TrapDefinition, varbinds: Varbinds, *, lists_alarms: bool) -> FactChange | None:
    """None where polled tables show what the notification reports."""
    fact = definition.fact
    if fact is None or (fact.in_alarm_list and lists_alarms):
        return None
    raised = next(iter(varbinds.values()), None) == 1 if fact.raised is None else fact.raised
    return FactChange(fact.name, _subject(fact, varbinds), raised)


def _subject(fact: TrapFact, varbinds: Varbinds) -> str:
    """The value of the subject's object; without one the name of the first object, unless that is a scalar."""
    if fact.subject:
        prefix = f"{fact.subject}."
        return next((str(value) for name, value in varbinds.items() if name.startswith(prefix)), "")[:MAX_SUBJECT]
    first = next(iter(varbinds), "")
    return first[:MAX_SUBJECT] if first.count(".") > 0 and not first.endswith(".0") else ""


@dataclass(frozen=True, slots=True)
class MemoryQuota:
    """Limits of a queue in memory; when half of `total` is used, one source has no more than its own limit."""

    total: int
    per_source: int

    def admits(self, used: int, used_by_source: int) -> bool:
        return used < self.total and (used < self.total // 2 or used_by_source < self.per_source)
