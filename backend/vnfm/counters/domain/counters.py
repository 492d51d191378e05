"""Counters, their SNMP columns, and the increase between two readings.

A row of history covers a number of seconds: counts as increases, percentages multiplied by the seconds. All columns can
be summed, and a sum divided by its seconds is a rate, or a mean.
"""

from collections import Counter as Occurrences
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from vnfm.devices.types import Index, Table

SYSTEM = "(element)"
"""The object name for an element's processor and memory; all other objects are interfaces, by name."""


@dataclass(frozen=True, slots=True)
class ElementCounter:
    """`column`: in history. `high`: columns of ifXTable (64 bits). `low`: columns of ifTable (32 bits).

    With `of` it is the percentage of `column` in that column.
    """

    column: str
    unit: str
    high: tuple[str, ...] = ()
    low: tuple[str, ...] = ()
    of: str = ""


_IF, _IFX = "1.3.6.1.2.1.2.2.1", "1.3.6.1.2.1.31.1.1.1"
DISCONTINUITY = f"{_IFX}.19"
"""ifCounterDiscontinuityTime: it changes when an interface's counters are reset (RFC 2863)."""
SYS_UPTIME = "1.3.6.1.2.1.1.3.0"


def _traffic(column: str, unit: str, high: Iterable[int], low: Iterable[int]) -> ElementCounter:
    return ElementCounter(column, unit, tuple(f"{_IFX}.{n}" for n in high), tuple(f"{_IF}.{n}" for n in low))


COUNTERS: Mapping[str, ElementCounter] = {
    "octetsIn": _traffic("octets_in", "octet/s", (6,), (10,)),
    "octetsOut": _traffic("octets_out", "octet/s", (10,), (16,)),
    "packetsIn": _traffic("packets_in", "packet/s", (7, 8, 9), (11, 12)),
    "packetsOut": _traffic("packets_out", "packet/s", (11, 12, 13), (17, 18)),
    "errorsIn": _traffic("errors_in", "packet/s", (), (14,)),
    "errorsOut": _traffic("errors_out", "packet/s", (), (20,)),
    "discardsIn": _traffic("discards_in", "packet/s", (), (13,)),
    "discardsOut": _traffic("discards_out", "packet/s", (), (19,)),
    "utilisationIn": ElementCounter("octets_in", "%", of="capacity"),
    "utilisationOut": ElementCounter("octets_out", "%", of="capacity"),
    "cpu": ElementCounter("cpu", "%"),
    "memory": ElementCounter("memory", "%"),
}
"""The counters by their names in JSON."""

COLUMNS_64 = tuple(column for counter in COUNTERS.values() for column in counter.high)
COLUMNS_32 = tuple(column for counter in COUNTERS.values() for column in counter.low)
PREFERRED_COLUMNS = (
    *COLUMNS_64,
    *(column for counter in COUNTERS.values() if not counter.high for column in counter.low),
)
FALLBACK_COLUMNS = tuple(column for counter in COUNTERS.values() if counter.high for column in counter.low)
"""The 32-bit counterparts of 64-bit columns: only for elements that have interfaces without those."""
WRAP = 2**32
NO_COUNT = 2**64 - WRAP
"""A Counter64 from here on is a negative number: a line card that has no counters at the moment answers -1."""
OCTET = 8
MARGIN = 1.05
"""Above what the speed allows: the times of readings are ours, not those at which the element counted."""
FASTEST_CAPACITY = 10**15
"""Octets that no interface carries between two readings, link aggregations included; where no speed is known."""
SMALLEST_PACKET = 20
"""Octets: a bare IPv4 header. More packets, errors or discards than these at line rate are none."""
RESTART_TOLERANCE = 5.0
"""Seconds by which an agent's uptime may lag behind our clock."""
MAX_GAP_INTERVALS = 2.5
"""Readings farther apart are a gap: it is unknown when in between the counters increased."""


class CounterReading(NamedTuple):
    """A counter's value. 32 bits wrap; 64 bits do not within centuries."""

    value: int
    bits: int


CounterReadings = tuple[CounterReading, ...]
"""Their sum counts: packets are counted by kind of address."""


@dataclass(frozen=True, slots=True)
class ElementReading:
    """All that an element answered at one time. `at`: seconds of any clock; `uptime` in seconds."""

    at: float
    uptime: float
    interfaces: Mapping[str, tuple[int, Mapping[str, CounterReadings]]]
    """Name → discontinuity time, and counters by column of history."""
    cpu: float | None = None
    memory: float | None = None
    speeds: Mapping[str, int] = field(default_factory=dict)
    """Interface name → bit/s; only known ones."""


@dataclass(frozen=True, slots=True)
class Delta:
    """The increase of an object's counters in `seconds` from `at` on; None: unknown."""

    at: float
    seconds: float
    name: str
    values: Mapping[str, float | None] = field(default_factory=dict)


def share(counter: ElementCounter, values: Mapping[str, float | None]) -> float | None:
    """The counter's value from those of the columns; None where a part is unknown, or the whole is 0."""
    value = values.get(counter.column)
    if value is None or not counter.of:
        return value
    whole = values.get(counter.of)
    return 100.0 * value / whole if whole else None


def counter_value(counter: ElementCounter, values: Mapping[str, float | None], seconds: float) -> float | None:
    """The counter's value over `seconds`, of which `values` are a row of history; None where a part is unknown."""
    value = share(counter, values)
    if value is None or counter.of:
        return value
    return value / seconds if seconds else None


def needs_32_bit_columns(table: Table) -> bool:
    """True if an interface has no 64-bit counters, as slow ones need not (RFC 2863, 3.1.6); `table` has FIRST."""
    long = set(table.get(COLUMNS_64[0], {}))
    return not long or any(row not in long for column in PREFERRED_COLUMNS for row in table.get(column, {}))


def interface_counters(table: Table, names: Mapping[int, str]) -> dict[str, tuple[int, dict[str, CounterReadings]]]:
    """Discontinuity time and counters of each interface, by name."""
    found: dict[str, tuple[int, dict[str, CounterReadings]]] = {}
    for index, name in _row_names(table, names).items():
        values = {c.column: _counter_values(c, table, index) for c in COUNTERS.values() if c.high or c.low}
        reset_at = table.get(DISCONTINUITY, {}).get(index)
        found[name] = (reset_at if isinstance(reset_at, int) else 0, values)
    return found


def interface_speeds(table: Table, names: Mapping[int, str], by_number: Mapping[int, int]) -> dict[str, int]:
    """Speeds, given by ifIndex, by the names of `interface_counters`."""
    rows = _row_names(table, names)
    return {name: by_number[index[0]] for index, name in rows.items() if index[0] in by_number}


def _row_names(table: Table, names: Mapping[int, str]) -> dict[Index, str]:
    """The interface's name in history, by row."""
    rows = {row for column in (*COLUMNS_64, *COLUMNS_32) for row in table.get(column, {})}
    known = object_names({number: names.get(number, "") for number in {*names, *(row[0] for row in rows)}})
    return {row: known[row[0]] for row in rows}


def object_names(names: Mapping[int, str]) -> dict[int, str]:
    """The names of an element's interfaces in history, by ifIndex: the ifIndex where they have none.

    The ifIndex is appended to names that are not unique (VPRNs may each have an interface of one name), or are SYSTEM.
    """
    plain = {number: name or str(number) for number, name in names.items()}
    occurrences = Occurrences(plain.values())
    return {
        number: f"{name} ({number})" if occurrences[name] > 1 or name == SYSTEM else name
        for number, name in plain.items()
    }


def _counter_values(counter: ElementCounter, table: Table, index: Index) -> CounterReadings:
    """64-bit counters where they exist, as 32-bit ones of a fast interface may wrap more than once between readings."""
    return _column_values(table, counter.high, index, 64) or _column_values(table, counter.low, index, 32)


def _column_values(table: Table, columns: Iterable[str], index: Index, bits: int) -> CounterReadings:
    values = [table[column].get(index) for column in columns if column in table]
    return tuple([CounterReading(value, bits) for value in values if isinstance(value, int)])


def deltas_between(before: ElementReading, after: ElementReading, interval: float) -> list[Delta]:
    """The increases from one reading to the next; empty over a restart or a gap."""
    seconds = after.at - before.at
    if not 0 < seconds <= MAX_GAP_INTERVALS * interval or after.uptime < before.uptime + seconds - RESTART_TOLERANCE:
        return []
    found = []
    for name, (reset_at, current) in after.interfaces.items():
        known = before.interfaces.get(name)
        if known is not None and known[0] == reset_at:
            speed = max(before.speeds.get(name, 0), after.speeds.get(name, 0))
            values = {
                column: _increase(column, known[1].get(column, ()), now, speed / OCTET * seconds * MARGIN)
                for column, now in current.items()
            }
            if name in after.speeds:
                values["capacity"] = after.speeds[name] / OCTET * seconds
            found.append(Delta(before.at, seconds, name, values))
    load = {"cpu": after.cpu, "memory": after.memory}
    if any(value is not None for value in load.values()):
        spent = {name: None if value is None else value * seconds for name, value in load.items()}
        found.append(Delta(before.at, seconds, SYSTEM, spent))
    return found


def _increase(column: str, before: CounterReadings, after: CounterReadings, capacity: float) -> float | None:
    """None where it is unknown: after a reset, beyond `capacity`, or where 32 bits may have wrapped more than once.

    `capacity`: octets that the interface can carry in the time; 0 where its speed is unknown.
    """
    if len(before) != len(after) or not after:
        return None
    octets, total = column.startswith("octets"), 0
    if octets and capacity > WRAP and after[0].bits == 32:  # noqa: PLR2004 - Counter32 (RFC 2578, 7.1.6)
        return None
    for old, new in zip(before, after, strict=True):
        step = new.value - old.value
        if step < 0 and old.bits == new.bits == 32:  # noqa: PLR2004 - as above
            step += WRAP
        if step < 0 or old.bits != new.bits or new.value >= NO_COUNT:
            return None
        total += step
    most = capacity or FASTEST_CAPACITY
    return float(total) if total <= (most if octets else most / SMALLEST_PACKET) else None
