"""Look-up of objects by the name or id that the user types."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from demo.api import Api, DemoError

INSTANCES = "/api/v1/vnf_instances"
LISTED = 10
"""The most names that a message lists."""

Row = Mapping[str, Any]


def instance_of(api: Api, named: str) -> Row:
    """Return a VNF instance by id or by name. Raises DemoError if none or several have the name."""
    if _is_id(named) and (rows := _instances(api, "id", named)):
        return rows[0]
    return _one(_instances(api, "name", named) or api.get(INSTANCES), "VNF instance", named, ("id", "name"))


def _instances(api: Api, attribute: str, value: str) -> Sequence[Row]:
    quoted = "'" + value.replace("'", "''") + "'"  # SOL013 5.2.2
    return api.pages(f"{INSTANCES}?{urlencode({'filter': f'(eq,{attribute},{quoted})'})}")


def _is_id(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def vnfd_of(api: Api, named: str) -> Row:
    """Return a VNFD by id, product, or "product version". Raises DemoError if none or several match."""
    rows = [
        {**row, "versioned": f"{row['productName']} {row['softwareVersion']}"} for row in api.pages("/api/v1/vnfds")
    ]
    return _one(rows, "VNFD", named, ("vnfdId", "versioned", "productName"))


def vim_of(api: Api, named: str) -> Row:
    """Return a cloud by id or name; without a name, the only cloud. Raises DemoError if none or several match."""
    rows: list[Row] = api.pages("/api/v1/vims")
    if not named and len(rows) == 1:
        return rows[0]
    if not named:
        raise DemoError(f"Name a cloud with --vim: one of {_list(rows, 'name')}.", "AMBIGUOUS")
    return _one(rows, "cloud", named, ("id", "name"))


def _one(rows: Sequence[Row], what: str, named: str, attributes: Sequence[str]) -> Row:
    for attribute in attributes:
        found = [row for row in rows if row[attribute] == named]
        if len(found) == 1:
            return found[0]
        if found:
            ids = _list(found, attributes[0])
            raise DemoError(f"{len(found)} have the name {named}: use one of the ids {ids}.", "AMBIGUOUS")
    raise DemoError(f"No {what} has the name or id {named}: use one of {_list(rows, attributes[-1])}.", "NOT_FOUND")


def _list(rows: Sequence[Row], attribute: str) -> str:
    names = sorted({str(row[attribute]) for row in rows})
    return ", ".join(names[:LISTED]) + (" and others" if len(names) > LISTED else "") or "none"
