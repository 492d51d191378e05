"""The output of commands: a table, or JSON for programs."""

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

NONE = "-"


def show(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str], *, as_json: bool) -> None:
    """Print rows as a table, where `columns` maps each heading to an attribute, or as the API's JSON."""
    if as_json:
        show_json(list(rows))
        return
    table = [list(columns), *([_text(row.get(name)) for name in columns.values()] for row in rows)]
    widths = [max(len(line[number]) for line in table) for number in range(len(columns))]
    for line in table:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        sys.stdout.write("  ".join(cells).rstrip() + "\n")


def show_one(row: Mapping[str, Any], attributes: Mapping[str, str], *, as_json: bool) -> None:
    """Print one object with a line per attribute, or as the API's JSON."""
    if as_json:
        show_json(dict(row))
        return
    width = max(map(len, attributes))
    for heading, name in attributes.items():
        sys.stdout.write(f"{heading.ljust(width)}  {_text(row.get(name))}\n")


def show_json(value: Any) -> None:
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def _text(value: Any) -> str:
    if value is None or value == "":
        return NONE
    if isinstance(value, list):
        return ", ".join(map(str, value)) or NONE
    return str(value).replace("\n", " ")
