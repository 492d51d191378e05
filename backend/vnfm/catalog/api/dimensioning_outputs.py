"""The answer of dimensioning on the wire."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rest_framework import serializers

from vnfm.catalog.api.figure_outputs import FigureOut, QuantityOut, quantity_view
from vnfm.catalog.domain.dimensioning.answer import Answer, DimensionResult, Fit
from vnfm.catalog.domain.dimensioning.dimensions import DIMENSIONS
from vnfm.catalog.domain.vnfd import Vnfd


class DimensionOut(serializers.Serializer[Any]):
    """One dimension of the demand against one figure."""

    dimension = serializers.ChoiceField(choices=list(DIMENSIONS))
    label = serializers.CharField()  # type: ignore[assignment]  # the base class has one of that name
    demand = QuantityOut()
    capacity = QuantityOut(help_text="Of the proposed size.")
    used = serializers.FloatField(allow_null=True, help_text="Share of the capacity that the demand takes.")
    headroom = serializers.FloatField(
        allow_null=True, help_text="Share that is left; negative where there is too little."
    )
    binds = serializers.BooleanField(help_text="Whether it determines the size.")
    figureId = serializers.CharField()
    perUnit = serializers.BooleanField(help_text="The capacity grows with the size.")
    unitsNeeded = serializers.IntegerField(allow_null=True, help_text="Units that this dimension alone would need.")
    note = serializers.CharField(allow_blank=True)


class VduSizeOut(serializers.Serializer[Any]):
    vduId = serializers.CharField()
    name = serializers.CharField()
    vms = serializers.IntegerField()
    coresEach = serializers.FloatField(allow_null=True, help_text="By a figure; null where no source has it.")
    vcpusEach = serializers.IntegerField(help_text="By the package's flavour.")
    memoryMibEach = serializers.IntegerField()


class CountedOut(serializers.Serializer[Any]):
    name = serializers.CharField()
    number = serializers.IntegerField()
    figureId = serializers.CharField(allow_blank=True)


class ResultOut(serializers.Serializer[Any]):
    name = serializers.CharField()
    value = QuantityOut(allow_null=True, help_text="Null: it was not measured under these conditions.")
    figureId = serializers.CharField(allow_blank=True)
    atMost = serializers.BooleanField(help_text="The figure was measured under harder conditions.")


class TotalsOut(serializers.Serializer[Any]):
    vms = serializers.IntegerField()
    cores = serializers.FloatField(allow_null=True, help_text="By figures; null where some are not known.")
    vcpus = serializers.IntegerField()
    memoryMib = serializers.IntegerField()


class DimensioningAnswer(serializers.Serializer[Any]):
    verdict = serializers.ChoiceField(choices=[each.value for each in Fit])
    hostType = serializers.CharField(allow_blank=True)
    flavourId = serializers.CharField()
    instantiationLevelId = serializers.CharField(
        allow_blank=True, help_text="The smallest that suffices; empty: none does, use the scale levels."
    )
    levelIsExact = serializers.BooleanField(help_text="The level's scale levels are those below.")
    scaleLevels = serializers.DictField(child=serializers.IntegerField(), help_text="Scaling aspect to level.")
    dimensions = DimensionOut(many=True)
    vdus = VduSizeOut(many=True)
    counted = CountedOut(many=True, help_text="Units, sockets, servers.")
    totals = TotalsOut()
    results = ResultOut(many=True, help_text="Times, latencies, memory.")
    reasons = serializers.ListField(child=serializers.CharField(), help_text="Why it does not fit.")
    warnings = serializers.ListField(child=serializers.CharField())
    unknown = serializers.ListField(child=serializers.CharField())
    figures = FigureOut(many=True, help_text="The figures that the answer uses.")


def answer_view(answer: Answer, vnfd: Vnfd, host: str, units: Mapping[str, str]) -> dict[str, Any]:
    """`units`: dimension to the unit of the demand."""
    cores = [None if each.cores_each is None else each.cores_each * each.vms for each in answer.vdus]
    known = [each for each in cores if each is not None]
    return {
        "verdict": answer.fit.value,
        "hostType": host,
        "flavourId": answer.flavour,
        "instantiationLevelId": answer.level,
        "levelIsExact": answer.level_is_exact,
        "scaleLevels": dict(answer.scale_levels),
        "dimensions": [_row(row, units[row.dimension]) for row in answer.rows],
        "vdus": [
            {
                "vduId": each.vdu,
                "name": vnfd.vdu(each.vdu).name,
                "vms": each.vms,
                "coresEach": _number(each.cores_each),
                "vcpusEach": each.vcpus_each,
                "memoryMibEach": each.memory_mib_each,
            }
            for each in answer.vdus
        ],
        "counted": [
            {"name": each.name, "number": each.number, "figureId": each.figure.id if each.figure else ""}
            for each in answer.counted
        ],
        "totals": {
            "vms": answer.vms,
            "cores": float(sum(known)) if known and len(known) == len(cores) else None,
            "vcpus": sum(each.vms * each.vcpus_each for each in answer.vdus),
            "memoryMib": sum(each.vms * each.memory_mib_each for each in answer.vdus),
        },
        "results": [
            {
                "name": each.name,
                "value": {"value": each.figure.number, "unit": each.figure.unit} if each.figure else None,
                "figureId": each.figure.id if each.figure else "",
                "atMost": each.at_most,
            }
            for each in answer.results
        ],
        "reasons": list(answer.reasons),
        "warnings": list(answer.warnings),
        "unknown": list(answer.unknown),
        "figures": FigureOut(answer.figures, many=True).data,
    }


def _row(row: DimensionResult, unit: str) -> dict[str, Any]:
    return {
        "dimension": row.dimension,
        "label": DIMENSIONS[row.dimension].label,
        "demand": quantity_view(row.demand, unit),
        "capacity": quantity_view(row.capacity, unit),
        "used": _number(row.used),
        "headroom": _number(row.headroom),
        "binds": row.binds,
        "figureId": row.figure.id,
        "perUnit": row.per_unit,
        "unitsNeeded": row.units,
        "note": row.note,
    }


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)
