"""Answers the rows of a file, which are the recorded answers of an agent.

The first line decides between three formats: YAML with `rows: [[oid, type, value], …]`, the output of `snmpwalk -On`
(Net-SNMP), and records of snmpsim (`oid|tag|value`).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from routersim.snmp.ber import Oid, Tag, Value, oid_octets
from routersim.snmp.mib import Cell, Column, Table
from routersim.snmp.snmpwalk import walk_rows
from routersim.snmp.typed_values import BadRow, Row, checked_oid, octets_of_hex, typed

if TYPE_CHECKING:
    from routersim.snmp.mib import Scope

MAX_FILE_OCTETS, MAX_YAML_OCTETS = 96 * 2**20, 4 * 2**20
"""Limits of a file: a walk of a chassis with a full routing table has about 60 MiB, and YAML is 100 times slower."""
MAX_ROWS = 1_000_000

_SNMPREC_TAGS = {
    "2": Tag.INTEGER, "4": Tag.OCTETS, "5": Tag.NULL, "6": Tag.OID, "64": Tag.IP_ADDRESS, "65": Tag.COUNTER32,
    "66": Tag.GAUGE32, "67": Tag.TIMETICKS, "68": Tag.OPAQUE, "70": Tag.COUNTER64,
}  # fmt: skip
_SNMPREC = re.compile(r"\.?[0-9][0-9.]*\|")
_WALK = re.compile(r"(?:\.?[0-9]+|iso)(?:\.[0-9]+)+ = |[A-Za-z][A-Za-z0-9-]*::\S+ = ")
_YAML_TAGS = {
    "INTEGER": Tag.INTEGER, "STRING": Tag.OCTETS, "HEX": Tag.OCTETS, "OID": Tag.OID, "IPADDRESS": Tag.IP_ADDRESS,
    "COUNTER": Tag.COUNTER32, "COUNTER32": Tag.COUNTER32, "GAUGE": Tag.GAUGE32, "GAUGE32": Tag.GAUGE32,
    "UNSIGNED32": Tag.GAUGE32, "TIMETICKS": Tag.TIMETICKS, "OPAQUE": Tag.OPAQUE, "COUNTER64": Tag.COUNTER64,
    "NULL": Tag.NULL,
}  # fmt: skip


class InvalidRecording(ValueError):
    """The file has no rows that an agent could answer; the message has the line and the reason."""


def load_recording(path: Path) -> RecordedMib:
    """Load the rows of a file. Raises InvalidRecording with the number of the line."""
    try:
        with path.open("rb") as file:
            octets = file.read(MAX_FILE_OCTETS + 1)
    except OSError as error:
        raise InvalidRecording(f"{path}: {error.strerror}") from error
    if len(octets) > MAX_FILE_OCTETS:
        raise InvalidRecording(f"{path} has more than {MAX_FILE_OCTETS} octets")
    try:
        return RecordedMib(_rows(octets.decode(errors="surrogateescape")))
    except BadRow as error:
        raise InvalidRecording(f"{path}, {error}") from error


def _rows(text: str) -> Mapping[Oid, tuple[Tag, Value]]:
    rows: dict[Oid, tuple[Tag, Value]] = {}
    for oid, tag, value in _reader(text)(text):
        rows.setdefault(oid, (tag, value))
        if len(rows) > MAX_ROWS:
            raise BadRow(f"the file has more than {MAX_ROWS} rows")
    if not rows:
        raise BadRow("no line is a row: the file must be YAML with rows, output of snmpwalk -On, or snmpsim records")
    return rows


def _reader(text: str) -> Callable[[str], Iterator[Row]]:
    for line in islice(text.split("\n"), 200):
        if _SNMPREC.match(line):
            return _snmprec_rows
        if _WALK.match(line):
            return walk_rows
    return _yaml_rows


def _snmprec_rows(text: str) -> Iterator[Row]:
    """Yield rows of snmpsim; tags with an `x` have hexadecimal values, variation modules (with a colon) are skipped."""
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        name, tag_text, value = (*line.rstrip("\r").split("|", 2), "", "")[:3]
        try:
            yield _snmprec_row(name, tag_text, value)
        except BadRow as error:
            raise BadRow(f"line {number}: {error}") from error


def _snmprec_row(name: str, tag_text: str, value: str) -> Row:
    tag = _SNMPREC_TAGS.get(tag_text.removesuffix("x"))
    if tag is None:
        raise BadRow(f"the tag {tag_text[:20]!r} is not one of {', '.join(_SNMPREC_TAGS)}, with x for hexadecimal")
    return checked_oid(name), tag, octets_of_hex(tag, value) if tag_text.endswith("x") else typed(tag, value)


def _yaml_rows(text: str) -> Iterator[Row]:
    if len(text) > MAX_YAML_OCTETS:
        raise BadRow(
            f"the file is neither output of snmpwalk -On nor snmpsim's, and as YAML has over {MAX_YAML_OCTETS} octets"
        )
    try:
        root = yaml.compose(text, Loader=yaml.CSafeLoader)
    except (yaml.YAMLError, RecursionError, UnicodeError) as error:
        mark = getattr(error, "problem_mark", None)
        raise BadRow(f"line {mark.line + 1 if mark else 1}: not valid YAML: {error!s:.200}") from error
    entries = dict(_members(root)).get("rows")
    for node in entries.value if isinstance(entries, yaml.SequenceNode) else ():
        try:
            yield _yaml_row(node)
        except BadRow as error:
            raise BadRow(f"line {node.start_mark.line + 1}: {error}") from error


def _yaml_row(node: Any) -> Row:
    row = [each.value for each in node.value if isinstance(each, yaml.ScalarNode)] if node.id == "sequence" else []
    if len(row) != len(("oid", "type", "value")):
        raise BadRow("a row must be [oid, type, value]")
    name, kind, value = row[0], row[1].upper(), row[2]
    tag = _YAML_TAGS.get(kind)
    if tag is None:
        raise BadRow(f"the type {kind[:20]!r} is not one of {', '.join(_YAML_TAGS)}")
    return checked_oid(name), tag, octets_of_hex(tag, value) if kind == "HEX" else typed(tag, value)


def _members(root: Any) -> Iterator[tuple[str, Any]]:
    for key, value in root.value if isinstance(root, yaml.MappingNode) else ():
        if isinstance(key, yaml.ScalarNode):
            yield key.value, value


_TABLE = Table("recording", (0, 0), lambda _: {}, ())


class RecordedMib:
    """A replacement of `snmp.mib.Mib` with the rows of a file, in order of their names."""

    def __init__(self, rows: Mapping[Oid, tuple[Tag, Value]]) -> None:
        self.rows = rows
        self._names = sorted(rows)

    def find(self, _scope: Scope, oid: Oid) -> Cell | Tag:
        """Do the same as `Mib.find`; a column that has other rows counts as an object (RFC 3416, 4.2.1)."""
        if oid in self.rows:
            tag, value = self.rows[oid]
            return Cell(_TABLE, Column(0, "", tag, lambda _, row: row), (), value, oid_octets(oid))
        column = oid[:-1]
        after = bisect_left(self._names, column)
        known = after < len(self._names) and self._names[after][: len(column)] == column
        return Tag.NO_SUCH_INSTANCE if known else Tag.NO_SUCH_OBJECT

    def walk(self, _scope: Scope, oid: Oid) -> Iterator[tuple[bytes, Tag, Value]]:
        """Do the same as `Mib.walk`."""
        for name in islice(self._names, bisect_right(self._names, oid), None):
            yield oid_octets(name), *self.rows[name]
