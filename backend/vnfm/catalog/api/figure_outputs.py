"""Measured figures on the wire."""

from collections.abc import Mapping
from typing import Any, get_args

from rest_framework import serializers

from vnfm.catalog.domain.dimensioning.dimensions import DIMENSIONS, FORWARDING
from vnfm.catalog.domain.dimensioning.figures import Figures, Meaning
from vnfm.catalog.domain.dimensioning.sizing import dimensions_of
from vnfm.catalog.domain.dimensioning.units import Quantity


class QuantityOut(serializers.Serializer[Any]):
    value = serializers.FloatField()
    unit = serializers.CharField()


class AmountsField(serializers.DictField):
    def to_representation(self, value: Mapping[str, Quantity]) -> dict[str, Any]:
        return {each: quantity_view(amount, DIMENSIONS[each].units[0]) for each, amount in value.items()}


class FigureSourceOut(serializers.Serializer[Any]):
    title = serializers.CharField(source="document.title")
    seed = serializers.CharField(
        source="document.seed", allow_blank=True, help_text="File name of the copy that the figure was read from."
    )
    place = serializers.CharField(help_text="Page, table or heading.")


class FigureConditionsOut(serializers.Serializer[Any]):
    host = serializers.CharField(allow_blank=True, help_text="Id of one of hosts; empty: any host.")
    frame = serializers.IntegerField(allow_null=True, help_text="Bytes of every Ethernet frame.")
    frameAtLeast = serializers.IntegerField(source="frame_at_least", allow_null=True)
    imix = serializers.BooleanField()
    wire = serializers.BooleanField(help_text="The bit rate includes preamble and gap.")
    at = AmountsField(child=QuantityOut(), help_text="Dimension to its amount during the measurement.")
    notes = serializers.ListField(child=serializers.CharField())


class FigureOut(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    value = serializers.FloatField(source="number")
    unit = serializers.CharField()
    meaning = serializers.ChoiceField(
        choices=get_args(Meaning), help_text="maximum: the limit; tested: it worked, more was not tried."
    )
    conditions = FigureConditionsOut()
    source = FigureSourceOut()  # type: ignore[assignment]  # the base class has one of that name
    quote = serializers.CharField()
    derived = serializers.CharField(
        allow_blank=True, help_text="How it was computed, where the source does not have it."
    )
    caveats = serializers.ListField(child=serializers.CharField())


class FigureHostOut(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    flavourId = serializers.CharField(
        source="flavour", allow_blank=True, help_text="The deployment flavour for such hosts."
    )


class ContradictionOut(serializers.Serializer[Any]):
    figures = serializers.ListField(child=serializers.CharField())
    text = serializers.CharField()


class DemandedOut(serializers.Serializer[Any]):
    """A dimension that a demand may have."""

    dimension = serializers.ChoiceField(source="id", choices=list(DIMENSIONS))
    label = serializers.CharField()  # type: ignore[assignment]
    description = serializers.CharField()
    units = serializers.ListField(child=serializers.CharField())


class FiguresOut(serializers.Serializer[Any]):
    figures = FigureOut(many=True)
    hosts = FigureHostOut(many=True)
    contradictions = ContradictionOut(many=True)
    unknown = serializers.ListField(child=serializers.CharField(), help_text="Open questions of the sources.")
    demand = DemandedOut(many=True)
    frames = serializers.ListField(child=serializers.IntegerField(), help_text="Frame sizes that were measured, bytes.")
    imix = serializers.BooleanField(help_text="Whether a mix of frame sizes was measured.")


class ReferenceFiguresOut(FiguresOut):
    id = serializers.CharField()


def figures_view(figures: Figures) -> dict[str, Any]:
    bounds = figures.sizing.bounds if figures.sizing else ()
    rated = [figures.figures[each] for bound in bounds if bound.dimension == FORWARDING for each in bound.figures]
    demand = [DIMENSIONS[each] for each in dimensions_of(figures.sizing)]
    return {
        "figures": FigureOut(list(figures.figures.values()), many=True).data,
        "hosts": FigureHostOut(figures.hosts, many=True).data,
        "contradictions": ContradictionOut(figures.contradictions, many=True).data,
        "unknown": list(figures.unknown),
        "demand": DemandedOut(demand, many=True).data,
        "frames": sorted({figure.conditions.frame for figure in rated if figure.conditions.frame}),
        "imix": any(figure.conditions.imix for figure in rated),
    }


def quantity_view(amount: Quantity, unit: str) -> dict[str, Any]:
    return {"value": float(amount.number_in(unit)), "unit": unit}
