"""Checks the references of figures.yaml, within itself and to the VNFD: ids, units, VDUs."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from vnfm.catalog.domain.dimensioning.dimensions import DIMENSIONS, FORWARDING, RATES
from vnfm.catalog.domain.dimensioning.units import UNITS, Bases
from vnfm.catalog.domain.documents import Document, Path
from vnfm.catalog.domain.errors import PackageFault
from vnfm.catalog.domain.vnfd import Vnfd

IMIX = "IMIX"
Json = Mapping[str, Any]
_Place = tuple[Path, Json]
_BIT: Bases = UNITS["B"][1]
_SECOND: Bases = UNITS["s"][1]


def row_id(column: Json, row: Json) -> str:
    """Id of the figure at this column and row."""
    return f"{column['id']}-{str(row['frame']).lower()}"


def columns_of(data: Json) -> dict[str, tuple[str, ...]]:
    """Id of each table column to the ids of its figures."""
    return {
        column["id"]: tuple(row_id(column, row) for row in table["rows"])
        for table in data.get("tables", ())
        for column in table["columns"]
    }


def reference_faults(document: Document, vnfd: Vnfd | None) -> Iterator[PackageFault]:
    """Faults of a document that has passed the schema."""
    data = document.data
    yield from _tables(document)
    yield from _twice(document)
    yield from _sources(document)
    units = _units(data)
    for index, contradiction in enumerate(data.get("contradictions", ())):
        yield from _known(document, ("contradictions", index, "figures"), contradiction["figures"], units)
    if vnfd is not None:
        yield from _flavours(document, vnfd)
    if "sizing" in data:
        yield from _sizing(document, units)
        yield from _vdus(document, vnfd)


def _measured(data: Json) -> Iterator[_Place]:
    """Figures and columns with their places."""
    for index, figure in enumerate(data.get("figures", ())):
        yield ("figures", index), figure
    for index, table in enumerate(data.get("tables", ())):
        for number, column in enumerate(table["columns"]):
            yield ("tables", index, "columns", number), column


def _units(data: Json) -> dict[str, str]:
    """Id of every figure and column to its unit."""
    units = {raw["id"]: raw["unit"] for _, raw in _measured(data)}
    return {each: units[column] for column, ids in columns_of(data).items() for each in ids} | units


def _tables(document: Document) -> Iterator[PackageFault]:
    for index, table in enumerate(document.data.get("tables", ())):
        for number, row in enumerate(table["rows"]):
            if len(row["values"]) != len(table["columns"]):
                message = f"The row has {len(row['values'])} values, the table {len(table['columns'])} columns."
                yield document.fault(("tables", index, "rows", number), message)


def _twice(document: Document) -> Iterator[PackageFault]:
    data = document.data
    counted = Counter([raw["id"] for _, raw in _measured(data)])
    counted.update(each for ids in columns_of(data).values() for each in ids)
    for where, raw in _measured(data):
        if counted[raw["id"]] > 1:
            yield document.fault((*where, "id"), f"There is another figure {raw['id']!r}.")


def _sources(document: Document) -> Iterator[PackageFault]:
    data = document.data
    documents = data.get("documents", {})
    hosts = {host["id"] for host in data.get("hosts", ())}
    places: list[_Place] = [(("hosts", index), host) for index, host in enumerate(data.get("hosts", ()))]
    places += [(("tables", index), table) for index, table in enumerate(data.get("tables", ()))]
    places += _measured(data)
    for where, raw in places:
        source = raw.get("source")
        if source and source["document"] not in documents:
            message = f"There is no document {source['document']!r}, only {', '.join(documents) or 'none'}."
            yield document.fault((*where, "source", "document"), message)
        host = raw.get("conditions", {}).get("host")
        if host and host not in hosts:
            message = f"There is no host {host!r}, only {', '.join(sorted(hosts)) or 'none'}."
            yield document.fault((*where, "conditions", "host"), message)


def _known(document: Document, where: Path, ids: list[str], units: Mapping[str, str]) -> Iterator[PackageFault]:
    for index, each in enumerate(ids):
        if each not in units:
            yield document.fault((*where, index), f"There is no figure {each!r}.")


def _sizing(document: Document, units: Mapping[str, str]) -> Iterator[PackageFault]:
    sizing = document.data["sizing"]
    counted = {UNITS[unit][1] for unit in ("VM", "vRouter", "socket", "server", "core")}
    for index, bound in enumerate(sizing["bounds"]):
        where = ("sizing", "bounds", index)
        rates = RATES if bound["dimension"] == FORWARDING else (bound["dimension"],)
        yield from _of_kind(document, (*where, "figures"), units, {DIMENSIONS[each].bases for each in rates})
        yield from _of_kind(document, (*where, "pool"), units, counted)
        if bound["per"] == "unit" and "chosenBy" in sizing.get("unit", {"chosenBy": ""}):
            yield document.fault((*where, "per"), "No unit is added for capacity here: bound the instance.")
    if "together" in sizing.get("unit", {}):
        yield from _of_kind(document, ("sizing", "unit", "together"), units, counted)
    for index, companion in enumerate(sizing.get("companions", ())):
        for key in ("figure", "beside"):
            yield from _known(document, ("sizing", "companions", index), [companion[key]], units)
    for vdu in sizing.get("cores", {}):
        yield from _of_kind(document, ("sizing", "cores", vdu), units, {UNITS["core"][1]})
    for index, count in enumerate(sizing.get("counts", ())):
        key = "perUnit" if "perUnit" in count else "unitsEach"
        yield from _of_kind(document, ("sizing", "counts", index, key), units, counted)
    for index, outcome in enumerate(sizing.get("outcomes", ())):
        kinds = {_BIT} if "memoryOf" in outcome else {_BIT, _SECOND}
        yield from _of_kind(document, ("sizing", "outcomes", index, "figures"), units, kinds)


def _of_kind(document: Document, where: Path, units: Mapping[str, str], kinds: set[Bases]) -> Iterator[PackageFault]:
    """Figures that do not exist, or whose unit is not of one of the kinds."""
    ids: Any = document.data
    for step in where:
        ids = ids.get(step, []) if isinstance(ids, Mapping) else ids[step]
    yield from _known(document, where, ids, units)
    for index, each in enumerate(ids):
        if each in units and UNITS[units[each]][1] not in kinds:
            yield document.fault((*where, index), f"{each} is in {units[each]}, which does not fit here.")


def _flavours(document: Document, vnfd: Vnfd) -> Iterator[PackageFault]:
    for index, host in enumerate(document.data.get("hosts", ())):
        if "flavour" in host and vnfd.flavour(host["flavour"]) is None:
            known = ", ".join(flavour.id for flavour in vnfd.flavours)
            message = f"The VNFD has no flavour {host['flavour']!r}, only {known}."
            yield document.fault(("hosts", index, "flavour"), message)


def _vdus(document: Document, vnfd: Vnfd | None) -> Iterator[PackageFault]:
    sizing = document.data["sizing"]
    named: list[tuple[Path, str]] = [(("sizing", "cores", vdu), vdu) for vdu in sizing.get("cores", {})]
    named += [
        (("sizing", "companions", index, "vdu"), each["vdu"]) for index, each in enumerate(sizing.get("companions", ()))
    ]
    named += [
        (("sizing", "outcomes", index, "memoryOf"), each["memoryOf"])
        for index, each in enumerate(sizing.get("outcomes", ()))
        if "memoryOf" in each
    ]
    if "unit" in sizing:
        named.append((("sizing", "unit", "vdu"), sizing["unit"]["vdu"]))
    known = [vdu.id for vdu in vnfd.vdus] if vnfd else []
    for where, vdu in named:
        if vdu not in known:
            yield document.fault(where, f"There is no VDU {vdu!r}, only {', '.join(known) or 'none'}.")
