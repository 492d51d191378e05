"""Writes hot/heat.json from two releases of Heat: Liberty's 5.0.0 and the installed one.

    python3 -m venv /tmp/heat && /tmp/heat/bin/pip install openstack-heat==24.1.2 six
    git clone --branch 5.0.0 https://opendev.org/openstack/heat /tmp/heat-5.0.0
    PYTHONPATH=. /tmp/heat/bin/python tools/heat_schemas.py /tmp/heat-5.0.0 > hot/heat.json

The schemas are read from the imported code of both releases, so that the tables hold everything that Heat itself
evaluates: names that are hidden, deprecated or translated, attributes that a type's own `get_attribute` reads, and
constraints. The rows have short keys and leave out default values; `hot.schemas` reads them:

types       s: since release; gone: not in the installed Heat; hidden: works without being listed; free: any property is
            accepted; any: any attribute is; x: Neutron's extension; p: properties; a: attributes; as: those of them
            that are newer
properties  t: kind; r: required; r5: required by Liberty only; s: since release; gone; v: allowed values;
            v5: Liberty's, where they are fewer; n: range; l: length; x: pattern; p: members; e: items;
            for: the property that this old name stands for
"""

import json
import subprocess
import sys
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from tools.heat_tables import read_types
from tools.old_heat import make_importable

Row = dict[str, Any]
LIBERTY = 5
_RENAMED = {"OS::Aodh::": 6}
"""Prefix of types that were renamed, and the release that renamed them; their support status states the age of the
old name (OS::Ceilometer)."""


def merged(name: str, old: Row | None, new: Row | None) -> Row:
    """Return the row of one type from its rows in Liberty (`old`) and in the installed Heat (`new`)."""
    gone = new is None or (new["hidden"] and not new["p"])
    known = old if gone and old else new or old
    assert known is not None, "it is in one of them"
    renamed = next((release for prefix, release in _RENAMED.items() if name.startswith(prefix)), 0)
    attributes = {**(old or {}).get("a", {}), **known["a"]}
    since = 0 if old else max(_plausible(known["s"]), renamed, LIBERTY + 1)
    late = {
        key: _release(known["a"].get(key, 0), key in old["a"]) if old else _plausible(known["a"][key])
        for key in sorted(attributes)
    }
    return _short(
        s=since,
        gone=gone,
        hidden=not gone and any(row["hidden"] for row in (old, new) if row),
        free=known["free"],
        any=known["any"],
        x=known["x"],
        p=_members(old["p"] if old else None, known["p"]),
        a=sorted(attributes),
        **{"as": {key: release for key, release in late.items() if release > since}},
    )


def _members(old: Mapping[str, Row] | None, new: Mapping[str, Row]) -> dict[str, Row]:
    """Merge the members of a map; where Liberty does not have the map (`old` is None) the rows state their own age."""
    rows = {name: _property((old or {}).get(name), row, compare=old is not None) for name, row in new.items()}
    for name in sorted((old or {}).keys() - new.keys()):
        assert old is not None
        rows[name] = {**_property(old[name], old[name], compare=True), "gone": True}
    return dict(sorted(rows.items()))


def _property(old: Row | None, new: Row, *, compare: bool) -> Row:
    was = old or {}
    members, element = new.get("p"), new.get("e")
    row = _short(
        t="" if new["t"] == "s" else new["t"],
        r=new["r"],
        r5=was.get("r", False) and not new["r"],
        s=_release(new["s"], old is not None) if compare else _plausible(new["s"]),
        **_allowed(was.get("v") if old else new.get("v"), new.get("v")),
        # Where the releases differ in a bound, none is checked here: Heat decides.
        **{key: new[key] for key in ("n", "l", "x") if key in new and (not old or was.get(key) == new[key])},
        p=_members(was.get("p"), members) if members else None,
        **{"for": new.get("for")},
    )
    if element is not None:
        row["e"] = _property(was.get("e"), element, compare="e" in was)
    return row


def _allowed(old: list[Any] | None, new: list[Any] | None) -> Row:
    if not new or old is None:
        return {}
    both = [*new, *(value for value in old if value not in new)]
    return {"v": both, **({"v5": old} if len(old) < len(both) else {})}


def _release(stated: int, in_liberty: bool) -> int:
    """Return the release that introduced a member, 0 if Liberty has it even if its status names a later release."""
    return 0 if in_liberty else max(_plausible(stated), LIBERTY + 1)


def _plausible(stated: int) -> int:
    """Return a release after Liberty, else 0; a release such as 2015.1 (Kilo) is older than Liberty."""
    return stated if LIBERTY < stated < 2000 else 0  # noqa: PLR2004


def _short(**row: Any) -> Row:
    return {key: value for key, value in row.items() if value}


def main() -> None:
    """Write one type per line, so that the diff to another release is by type."""
    if sys.argv[1] == "--liberty":
        make_importable(sys.argv[2])
        json.dump(read_types(), sys.stdout)
        return
    command = [sys.executable, __file__, "--liberty", sys.argv[1]]
    liberty: dict[str, Row] = json.loads(subprocess.check_output(command, stderr=subprocess.DEVNULL))  # noqa: S603 (this file)
    today = read_types()
    names = sorted(liberty.keys() | today.keys())
    lines = [
        f"{json.dumps(name)}:{json.dumps(merged(name, liberty.get(name), today.get(name)), separators=(',', ':'))}"
        for name in names
    ]
    release = version("openstack-heat")
    sys.stdout.write(f'{{"heat":{json.dumps(release)},"types":{{\n' + ",\n".join(lines) + "\n}}\n")


if __name__ == "__main__":
    main()
