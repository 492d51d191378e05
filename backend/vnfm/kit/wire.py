"""Shapes on the wire that several contexts share."""

from collections.abc import Iterable
from typing import Any, get_args

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from vnfm.kit.problem import Source
from vnfm.kit.query import MARKER

SOURCES = get_args(Source)


class LinkSerializer(serializers.Serializer[Any]):
    """Link (SOL013 and SOL003 4.4.1.3)."""

    href = serializers.CharField()


class CauseSerializer(serializers.Serializer[Any]):
    source = serializers.ChoiceField(choices=SOURCES)  # type: ignore[assignment]  # a field named as DRF's attribute
    message = serializers.CharField()


class FieldErrorSerializer(serializers.Serializer[Any]):
    field = serializers.CharField()
    message = serializers.CharField()


class ProblemDetails(serializers.Serializer[Any]):
    """RFC 7807 (SOL013 6.3) with our `code`, `nextStep`, `causes` and `errors`; see `kit.problem`."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField()
    nextStep = serializers.CharField()  # noqa: N815  # on the wire
    causes = CauseSerializer(many=True)
    errors = FieldErrorSerializer(many=True)  # type: ignore[assignment]  # as RFC 7807 extensions name it, not DRF


def list_parameters(filterable: Iterable[str]) -> list[OpenApiParameter]:
    """The query parameters of a list that `kit.query` filters and pages."""
    names = ", ".join(sorted(filterable))
    return [
        OpenApiParameter("filter", str, description=f"(op,attribute,value);… over {names}"),
        OpenApiParameter(MARKER, str, description="As the Link of the page before says."),
    ]
