"""A reading of which some tables are missing: last rows stand for them, and what is not current is named."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from vnfm.devices.types import Table, Unread
from vnfm.elements.domain.drivers.base import Driver, Reading
from vnfm.elements.domain.drivers.tables import table_name
from vnfm.elements.domain.snapshot import Omission, Snapshot

_FIELDS = {
    "EQUIPMENT": "equipment",
    "INTERFACES": "interfaces",
    "BGP": "bgp_peers",
    "FACTS": "facts",
    "NEIGHBOURS": "adjacencies",
}
"""Fields of `Snapshot` by part."""


@dataclass(frozen=True, slots=True)
class Interpretation:
    """`stale`: parts whose states are of before. A part of which nothing can be said is None in the snapshot."""

    snapshot: Snapshot
    stale: frozenset[str]
    unread: tuple[Omission, ...]
    failed: bool
    """Something could not be read or interpreted that another attempt soon may."""


def interpret(
    driver: Driver, reading: Reading, parts: frozenset[str], unread: Mapping[str, Unread], last: Table | None
) -> Interpretation:
    """The parts that `reading` allows, with the last rows of `unread` columns where there are any.

    A column without these leaves its values unknown, and one that the part requires leaves the part as it was. `last`
    is None for an element that was never read completely: nothing that is shown of it can be lost.
    """
    failed = frozenset(column for column, each in unread.items() if not each.cut)
    missing = failed - last.keys() if last is not None else frozenset[str]()
    sources = {part: source for part, source in driver.sources.items() if part in parts}
    kept = {part for part, source in sources.items() if not missing.isdisjoint((*source.states, *source.required))}
    stale = {part for part, source in sources.items() if not failed.isdisjoint(source.states)}
    known = replace(reading, table={**(last or {}), **reading.table})
    snapshot, problems = _snapshot(driver, known, parts - kept)
    named = dict.fromkeys(_line(column, each, column in known.table) for column, each in unread.items())
    lines = tuple(Omission(part, "", words) for part, words in problems.items())
    may_pass = bool(problems) or any(each.may_pass for each in unread.values())
    return Interpretation(snapshot, frozenset(kept | stale | problems.keys()), (*named, *lines), may_pass)


def _line(column: str, unread: Unread, known: bool) -> Omission:
    table = table_name(column)
    if unread.cut:
        return Omission(table, "", f"{table} is shown in part: {unread.reason}.")
    shown = "What is shown of it was read before." if known else "It is not shown."
    return Omission(table, "", f"{table} could not be read: {unread.reason}. {shown}")


def _snapshot(driver: Driver, reading: Reading, parts: frozenset[str]) -> tuple[Snapshot, dict[str, str]]:
    """Part by part where all together cannot be interpreted; and why a part is missing."""
    found, problems = Snapshot(), dict[str, str]()
    try:
        return driver.snapshot(reading, parts), problems
    except (ArithmeticError, LookupError, TypeError, ValueError):
        for part in sorted(parts):
            try:
                one = driver.snapshot(reading, {part})
            except (ArithmeticError, LookupError, TypeError, ValueError) as error:
                problems[part] = f"It has rows that the driver {driver.name} cannot interpret: {error!r:.200}"
            else:
                value = getattr(one, _FIELDS[part])
                found = replace(found, **{_FIELDS[part]: value}, omissions=(*found.omissions, *one.omissions))
    return found, problems
