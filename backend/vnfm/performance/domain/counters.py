"""What is counted, from which columns, and how two readings become what happened between them. Pure.

A row of history says what was counted from a moment on, for so many seconds: counts as they are, percentages multiplied
by the seconds. So all of it can be added up, and a sum divided by the seconds that it covers is a rate, or a mean.
"""

from collections import Counter as Times
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from vnfm.devices.types import Index, Table

SYSTEM = "(element)"
"""The object that an element's processor and memory are of; the others are its interfaces by name, each by its own."""


@dataclass(frozen=True, slots=True)
class Counter:
    """`column` is that of history; `high` are columns of ifXTable with 64 bits, `low` of ifTable with 32.

    With `of` it is not counted itself, but the share that `column` has of that column.
    """

    column: str
    unit: str
    high: tuple[str, ...] = ()
    low: tuple[str, ...] = ()
    of: str = ""


_IF, _IFX = "1.3.6.1.2.1.2.2.1", "1.3.6.1.2.1.31.1.1.1"
DISCONTINUITY = f"{_IFX}.19"
"""ifCounterDiscontinuityTime: another than before, and the interface's counters began anew (RFC 2863)."""
SYS_UPTIME = "1.3.6.1.2.1.1.3.0"


def _traffic(column: str, unit: str, high: Iterable[int], low: Iterable[int]) -> Counter:
    return Counter(column, unit, tuple(f"{_IFX}.{n}" for n in high), tuple(f"{_IF}.{n}" for n in low))


COUNTERS: Mapping[str, Counter] = {
    "octetsIn": _traffic("octets_in", "octet/s", (6,), (10,)),
    "octetsOut": _traffic("octets_out", "octet/s", (10,), (16,)),
    "packetsIn": _traffic("packets_in", "packet/s", (7, 8, 9), (11, 12)),
    "packetsOut": _traffic("packets_out", "packet/s", (11, 12, 13), (17, 18)),
    "errorsIn": _traffic("errors_in", "packet/s", (), (14,)),
    "errorsOut": _traffic("errors_out", "packet/s", (), (20,)),
    "discardsIn": _traffic("discards_in", "packet/s", (), (13,)),
    "discardsOut": _traffic("discards_out", "packet/s", (), (19,)),
    "utilisationIn": Counter("octets_in", "%", of="capacity"),
    "utilisationOut": Counter("octets_out", "%", of="capacity"),
    "cpu": Counter("cpu", "%"),
    "memory": Counter("memory", "%"),
}
"""By their names on the wire."""

HIGH = tuple(column for counter in COUNTERS.values() for column in counter.high)
LOW = tuple(column for counter in COUNTERS.values() for column in counter.low)
FIRST = (*HIGH, *(column for counter in COUNTERS.values() if not counter.high for column in counter.low))
INSTEAD = tuple(column for counter in COUNTERS.values() if counter.high for column in counter.low)
"""The 32-bit twins of the 64-bit columns: only for who has interfaces without those."""
WRAP = 2**32
OCTET = 8
RESTART_TOLERANCE = 5.0
"""Seconds by which an agent's uptime may lag behind our clock."""
FARTHEST = 2.5
"""Two readings farther apart than so many intervals are none: nobody knows when between them what was counted."""


class Part(NamedTuple):
    """A counter's value; with 32 bits it wraps, with 64 it does not within centuries."""

    value: int
    bits: int


Parts = tuple[Part, ...]
"""What is added up: packets are counted by their kind of address."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What an element answered. `at` in seconds of any clock, uptime in seconds."""

    at: float
    uptime: float
    interfaces: Mapping[str, tuple[int, Mapping[str, Parts]]]
    """Name to the discontinuity and the counters by column of history."""
    cpu: float | None = None
    memory: float | None = None
    speeds: Mapping[str, int] = field(default_factory=dict)
    """Of interfaces by name, in bit/s, as far as they are known."""


@dataclass(frozen=True, slots=True)
class Counted:
    """What was counted of an object in `seconds` from `at` on; None where that is not known."""

    at: float
    seconds: float
    name: str
    values: Mapping[str, float | None] = field(default_factory=dict)


def share(counter: Counter, values: Mapping[str, float | None]) -> float | None:
    """The counter's value, from those of the columns; a share of what is not known, or of nothing, is not known."""
    value, whole = values[counter.column], values[counter.of] if counter.of else None
    if value is None or not counter.of:
        return value
    return 100.0 * value / whole if whole else None


def short_ones_needed(table: Table) -> bool:
    """Whether an interface has no 64-bit counters, as slow ones need not (RFC 2863, 3.1.6); `table` has FIRST."""
    long = set(table.get(HIGH[0], {}))
    return not long or any(row not in long for column in FIRST for row in table.get(column, {}))


def interfaces(table: Table, names: Mapping[int, str]) -> dict[str, tuple[int, dict[str, Parts]]]:
    """The interfaces of tables as read, by what they are called."""
    found: dict[str, tuple[int, dict[str, Parts]]] = {}
    for index, name in _called(table, names).items():
        values = {c.column: _parts(c, table, index) for c in COUNTERS.values() if c.high or c.low}
        begun = table.get(DISCONTINUITY, {}).get(index)
        found[name] = (begun if isinstance(begun, int) else 0, values)
    return found


def speeds(table: Table, names: Mapping[int, str], by_number: Mapping[int, int]) -> dict[str, int]:
    """The speeds of interfaces, given by ifIndex, by what `interfaces` calls them."""
    called = _called(table, names)
    return {name: by_number[index[0]] for index, name in called.items() if index[0] in by_number}


def _called(table: Table, names: Mapping[int, str]) -> dict[Index, str]:
    """What each row is called: by its name, or its number where it has none.

    Names that several have (VPRNs may each have their own of it), and that of the element itself, get the number too.
    """
    rows = {row for column in (*HIGH, *LOW) for row in table.get(column, {})}
    called = {number: names.get(number) or str(number) for number in {*names, *(row[0] for row in rows)}}
    times = Times(called.values())
    return {row: _unique(called[row[0]], row[0], times) for row in rows}


def _unique(name: str, number: int, times: Mapping[str, int]) -> str:
    return f"{name} ({number})" if times[name] > 1 or name == SYSTEM else name


def _parts(counter: Counter, table: Table, index: Index) -> Parts:
    """The long counters where there are any, as the short ones of a fast interface wrap while nobody looks."""
    return _read(table, counter.high, index, 64) or _read(table, counter.low, index, 32)


def _read(table: Table, columns: Iterable[str], index: Index, bits: int) -> Parts:
    values = [table[column].get(index) for column in columns if column in table]
    return tuple([Part(value, bits) for value in values if isinstance(value, int)])


def between(before: Reading, after: Reading, interval: float) -> list[Counted]:
    """What was counted from one reading to the next; nothing over a restart or a time too long."""
    seconds = after.at - before.at
    if not 0 < seconds <= FARTHEST * interval or after.uptime < before.uptime + seconds - RESTART_TOLERANCE:
        return []
    found = []
    for name, (begun, parts) in after.interfaces.items():
        known = before.interfaces.get(name)
        if known is not None and known[0] == begun:
            values = {column: _grown(known[1].get(column, ()), now) for column, now in parts.items()}
            if name in after.speeds:
                values["capacity"] = after.speeds[name] / OCTET * seconds
            found.append(Counted(before.at, seconds, name, values))
    load = {"cpu": after.cpu, "memory": after.memory}
    if any(value is not None for value in load.values()):
        spent = {name: None if value is None else value * seconds for name, value in load.items()}
        found.append(Counted(before.at, seconds, SYSTEM, spent))
    return found


def _grown(before: Parts, after: Parts) -> float | None:
    if len(before) != len(after) or not after:
        return None
    total = 0
    for old, new in zip(before, after, strict=True):
        step = new.value - old.value
        if step < 0 and old.bits == new.bits == 32:  # noqa: PLR2004 - Counter32 (RFC 2578, 7.1.6)
            step += WRAP
        if step < 0 or old.bits != new.bits:
            return None
        total += step
    return float(total)
