"""Objects by the names that people give."""

from collections.abc import Mapping, Sequence
from typing import Any

from demo.api import Api, DemoError

Row = Mapping[str, Any]


def instance_of(api: Api, named: str) -> Row:
    """A VNF instance by id or by name; names need not be unique."""
    return _one(api.pages("/api/v1/vnf_instances"), "VNF instance", named, ("id", "name"))


def vnfd_of(api: Api, named: str) -> Row:
    """A VNFD by id, product, or product and software version."""
    rows = [
        {**row, "versioned": f"{row['productName']} {row['softwareVersion']}"} for row in api.pages("/api/v1/vnfds")
    ]
    return _one(rows, "VNFD", named, ("vnfdId", "versioned", "productName"))


def vim_of(api: Api, named: str) -> Row:
    """A cloud by id or name; without a name the only one."""
    rows: list[Row] = api.pages("/api/v1/vims")
    if not named and len(rows) == 1:
        return rows[0]
    if not named:
        raise DemoError(f"Name a cloud by --vim; there are {_list(rows, 'name')}.", "AMBIGUOUS")
    return _one(rows, "cloud", named, ("id", "name"))


def _one(rows: Sequence[Row], what: str, named: str, attributes: Sequence[str]) -> Row:
    for attribute in attributes:
        found = [row for row in rows if row[attribute] == named]
        if len(found) == 1:
            return found[0]
        if found:
            ids = _list(found, attributes[0])
            raise DemoError(f"There are {len(found)} with the name {named}; use one of the ids {ids}.", "AMBIGUOUS")
    raise DemoError(f"There is no {what} {named}; there are {_list(rows, attributes[-1])}.", "NOT_FOUND")


def _list(rows: Sequence[Row], attribute: str) -> str:
    return ", ".join(sorted({str(row[attribute]) for row in rows})) or "none"
