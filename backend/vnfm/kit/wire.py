"""Shapes on the wire that several contexts share."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, get_args

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail

from vnfm.kit.problem import Source
from vnfm.kit.query import MARKER, SORT

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
    nextStep = serializers.CharField()
    causes = CauseSerializer(many=True)
    errors = FieldErrorSerializer(many=True)  # type: ignore[assignment]  # as RFC 7807 extensions name it, not DRF


UNSUPPORTED = "unsupported"
"""Code of a validation error that is not the client's mistake: the request is valid, and we cannot honour it."""


def unsupported(message: str) -> ErrorDetail:
    """An error that becomes a 422, where others become a 400; see `kit.http`."""
    return ErrorDetail(message, code=UNSUPPORTED)


Reasons = Mapping[str, str]
"""Why an attribute cannot be honoured, by its name."""


class StrictSerializer(serializers.Serializer[Any]):
    """Refuses attributes that it does not know: one that is misspelt must not be lost."""

    cannot: ClassVar[Reasons] = {}
    """Attributes that the type has and we cannot honour; empty ones do no harm."""
    strange: ClassVar[str] = "There is no such attribute here."
    """What is said of an attribute that it does not know."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return super().to_internal_value(data)
        errors: dict[str, Any] = {
            name: [unsupported(self.cannot[name])] for name in data if name in self.cannot and data[name]
        }
        for name in data:
            if name not in self.known() and name not in self.cannot:
                errors[name] = [self.strange]
        try:
            value = super().to_internal_value(data)
        except serializers.ValidationError as error:
            errors |= _by_name(error)
        if errors:
            raise serializers.ValidationError(errors)
        return value

    def known(self) -> set[str]:
        """Names that may be given."""
        return set(self.fields)


def _by_name(error: serializers.ValidationError) -> dict[str, Any]:
    return error.detail if isinstance(error.detail, dict) else {"non_field_errors": error.detail}


def list_parameters(filterable: Iterable[str]) -> list[OpenApiParameter]:
    """The query parameters of a list that `kit.query` filters and pages."""
    names = ", ".join(sorted(filterable))
    return [
        OpenApiParameter("filter", str, description=f"(op,attribute,value);… over {names}"),
        OpenApiParameter(MARKER, str, description="As the Link of the page before says."),
    ]


def sort_parameter(sortable: Iterable[str]) -> OpenApiParameter:
    """The query parameter by which `kit.query.requested_order` orders a list."""
    names = ", ".join(sorted(sortable))
    return OpenApiParameter(SORT, str, description=f"One of {names}; with a minus before it from the other end.")
