"""Reads `Figures` from figures.yaml and checks form, references and units; faults have file and line."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from jsonschema import Draft202012Validator

from vnfm.catalog.domain.dimensioning.dimensions import DIMENSIONS
from vnfm.catalog.domain.dimensioning.figures import (
    Bound,
    Companion,
    Conditions,
    Contradiction,
    Count,
    Figure,
    Figures,
    FigureSource,
    HostType,
    Outcome,
    Sizing,
    SourceDocument,
    Unit,
)
from vnfm.catalog.domain.dimensioning.references import IMIX, columns_of, reference_faults, row_id
from vnfm.catalog.domain.dimensioning.units import quantity
from vnfm.catalog.domain.documents import Document as Yaml
from vnfm.catalog.domain.documents import parse_yaml
from vnfm.catalog.domain.errors import PackageError, PackageFault
from vnfm.catalog.domain.vnfd import Vnfd

NAME = "figures.yaml"
Json = Mapping[str, Any]


def check_figures(path: str, content: bytes, schema: Json, vnfd: Vnfd | None) -> Figures:
    """Validate and read new figures; raises PackageError with all faults of the first stage that has any.

    `vnfd` is None for figures of something other than a VNF package.
    """
    document = parse_yaml(path, content)
    document.require_unique_keys()
    errors = sorted(Draft202012Validator(schema).iter_errors(document.data), key=lambda e: list(map(str, e.path)))
    _refuse([document.fault(tuple(error.absolute_path), f"{error.message[:300]}.") for error in errors])
    _refuse(list(reference_faults(document, vnfd)))
    return _figures(document)


def read_figures(path: str, content: bytes) -> Figures:
    """Read figures that `check_figures` has accepted."""
    return _figures(parse_yaml(path, content))


def _refuse(faults: list[PackageFault]) -> None:
    if faults:
        raise PackageError("FIGURES_INVALID", faults, "Correct the findings and build the package again.")


def _figures(document: Yaml) -> Figures:
    data = document.data
    documents = {
        each: SourceDocument(each, raw["title"], raw.get("seed", "")) for each, raw in data.get("documents", {}).items()
    }
    figures = [_figure(raw, documents) for raw in data.get("figures", ())]
    figures += [figure for table in data.get("tables", ()) for figure in _table(table, documents)]
    columns = columns_of(data)
    return Figures(
        figures={figure.id: figure for figure in figures},
        hosts=tuple(_host(raw, documents) for raw in data.get("hosts", ())),
        contradictions=tuple(
            Contradiction(_ids(raw["figures"], columns), raw["text"]) for raw in data.get("contradictions", ())
        ),
        unknown=tuple(data.get("unknown", ())),
        sizing=_sizing(data["sizing"], columns) if "sizing" in data else None,
    )


def _host(raw: Json, documents: Mapping[str, SourceDocument]) -> HostType:
    return HostType(
        id=raw["id"],
        name=raw["name"],
        description=raw["description"],
        source=_source(raw, documents),
        flavour=raw.get("flavour", ""),
        sriov_ports=raw.get("sriovPorts", 0),
    )


def _figure(raw: Json, documents: Mapping[str, SourceDocument]) -> Figure:
    return Figure(
        id=raw["id"],
        name=raw["name"],
        number=raw["value"],
        unit=raw["unit"],
        value=quantity(raw["value"], raw["unit"]),
        meaning=raw.get("meaning", "value"),
        conditions=_conditions(raw.get("conditions", {})),
        source=_source(raw, documents),
        quote=raw["quote"],
        derived=raw.get("derived", ""),
        caveats=tuple(raw.get("caveats", ())),
    )


def _table(table: Json, documents: Mapping[str, SourceDocument]) -> Iterator[Figure]:
    for row in table["rows"]:
        mix = row["frame"] == IMIX
        frame = {"imix": True, "meanFrame": table["meanFrame"]} if mix else {"frame": row["frame"]}
        for column, value in zip(table["columns"], row["values"], strict=True):
            raw = {
                **column,
                "id": row_id(column, row),
                "value": value,
                "conditions": {**column.get("conditions", {}), **frame},
                "source": table["source"],
                "quote": row["quote"],
            }
            yield _figure(raw, documents)


def _source(raw: Json, documents: Mapping[str, SourceDocument]) -> FigureSource:
    return FigureSource(documents[raw["source"]["document"]], raw["source"]["place"])


def _conditions(raw: Json) -> Conditions:
    return Conditions(
        host=raw.get("host", ""),
        frame=raw.get("frame"),
        frame_at_least=raw.get("frameAtLeast"),
        imix=raw.get("imix", False),
        mean_frame=Fraction(str(raw["meanFrame"])) if "meanFrame" in raw else None,
        wire=raw.get("wire", False),
        at={each: quantity(amount, DIMENSIONS[each].units[0]) for each, amount in raw.get("at", {}).items()},
        notes=tuple(raw.get("notes", ())),
    )


def _ids(ids: list[str], columns: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Ids of figures, with a column's id replaced by those of its figures."""
    return tuple(each for named in ids for each in columns.get(named, (named,)))


def _sizing(raw: Json, columns: Mapping[str, tuple[str, ...]]) -> Sizing:
    return Sizing(
        bounds=tuple(_bound(each, columns) for each in raw["bounds"]),
        unit=_unit(raw["unit"], columns) if "unit" in raw else None,
        companions=tuple(Companion(each["vdu"], each["figure"], each["beside"]) for each in raw.get("companions", ())),
        cores={vdu: _ids(ids, columns) for vdu, ids in raw.get("cores", {}).items()},
        counts=tuple(
            Count(each["name"], _ids(each.get("perUnit") or each["unitsEach"], columns), "unitsEach" in each)
            for each in raw.get("counts", ())
        ),
        outcomes=tuple(
            Outcome(
                name=each["name"],
                figures=_ids(each["figures"], columns),
                depends_on=tuple(each.get("given", ())),
                exact=each.get("exact", False),
                memory_of=each.get("memoryOf", ""),
            )
            for each in raw.get("outcomes", ())
        ),
    )


def _unit(raw: Json, columns: Mapping[str, tuple[str, ...]]) -> Unit:
    return Unit(
        name=raw["name"],
        plural=raw["plural"],
        vdu=raw["vdu"],
        vms=raw.get("vms", 1),
        chosen_by=raw.get("chosenBy", ""),
        together=_ids(raw.get("together", []), columns),
    )


def _bound(raw: Json, columns: Mapping[str, tuple[str, ...]]) -> Bound:
    return Bound(
        dimension=raw["dimension"],
        figures=_ids(raw["figures"], columns),
        per_unit=raw["per"] == "unit",
        depends_on=tuple(raw.get("given", ())),
        load=tuple(raw.get("load", ())),
        pool=_ids(raw.get("pool", []), columns),
        any_frame=raw.get("anyFrame", False),
    )
