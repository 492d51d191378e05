"""Shapes on the wire that several contexts share."""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from operator import attrgetter, itemgetter
from typing import Any, ClassVar, get_args

from django.db.models import Manager
from django.http import QueryDict
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail
from rest_framework.utils.encoders import JSONEncoder

from vnfm.kit.etsi.query import MARKER, PAGE_SIZE, SIZE, SORT
from vnfm.kit.problem import Source
from vnfm.kit.web.message import Reasons

SOURCES = get_args(Source)


class AnswerSerializer(serializers.Serializer[Any]):
    """An answer: its fields say what is in it, of which type, and where the value is: at `source`, or what the method
    `get_<field>` returns.

    Values go to the JSON encoder as they are: DRF's fields take longer to convert a page of a hundred rows than the
    database to read it. A field that is not required is left out while its value is None.
    """

    getter: ClassVar["type[attrgetter[Any] | itemgetter[Any]]"] = attrgetter
    """`itemgetter` where rows are mappings."""

    def to_representation(self, instance: Any) -> dict[str, Any]:
        answer = {name: read(instance) for name, read in self._readers}
        for name in self._optional:
            if answer[name] is None:
                del answer[name]
        return answer

    @cached_property
    def _readers(self) -> list[tuple[str, Callable[[Any], Any]]]:
        return [(name, self._reader(name, field)) for name, field in self.fields.items() if not field.write_only]

    @cached_property
    def _optional(self) -> list[str]:
        return [name for name, field in self.fields.items() if not (field.required or field.write_only)]

    def _reader(self, name: str, field: serializers.Field[Any, Any, Any, Any]) -> Callable[[Any], Any]:
        own = not hasattr(AnswerSerializer, f"get_{name}")  # a field may be called as DRF's get_value, get_initial …
        method: Callable[[Any], Any] | None = getattr(self, f"get_{name}", None) if own else None
        nested = getattr(field, "child", field)
        if method is not None and not isinstance(nested, AnswerSerializer):
            return method  # it returns JSON already
        read = method or (self.getter(str(field.source)) if field.source_attrs else _itself)
        if isinstance(field, serializers.UUIDField):  # as text, which the encoder is slow to make
            return lambda row: None if (value := read(row)) is None else str(value)
        if not isinstance(nested, serializers.BaseSerializer):
            return read
        represent = nested.to_representation
        if isinstance(field, serializers.DictField):
            return lambda row: None if (by_key := read(row)) is None else {k: represent(v) for k, v in by_key.items()}
        if nested is not field:
            return lambda row: None if (rows := read(row)) is None else [represent(each) for each in _rows(rows)]
        return lambda row: None if (value := read(row)) is None else represent(value)


def _itself(row: Any) -> Any:
    return row


def _rows(many: Any) -> Iterable[Any]:
    return many.all() if isinstance(many, Manager) else many


def as_json(answer: Mapping[str, Any]) -> dict[str, Any]:
    """The answer as a client reads it, of JSON's types alone."""
    parsed: dict[str, Any] = json.loads(json.dumps(answer, cls=JSONEncoder))
    return parsed


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
    """An error that becomes a 422, where others become a 400; see `kit.web.http`."""
    return ErrorDetail(message, code=UNSUPPORTED)


class JsonSerializer(serializers.Serializer[Any]):
    """Refuses a value of another JSON type than its field's, which DRF would convert, such as 0 to false, or 7 to a
    text.

    Texts of a query string are left to DRF.
    """

    def to_internal_value(self, data: Any) -> Any:
        errors: dict[str, Any] = {}
        if isinstance(data, dict) and not isinstance(data, QueryDict):
            errors = {
                name: [field.error_messages["invalid"]]
                for name, field in self.fields.items()
                if name in data and not field.read_only and _is_converted(field, data[name])
            }
        try:
            value = super().to_internal_value(data)
        except serializers.ValidationError as error:
            errors |= _by_name(error)
        if errors:
            raise serializers.ValidationError(errors)
        return value


def _is_converted(field: "serializers.Field[Any, Any, Any, Any]", value: object) -> bool:
    """True if DRF would take the value for one of another type."""
    if isinstance(field, serializers.CharField | serializers.UUIDField):
        return isinstance(value, bool | int | float)
    if isinstance(field, serializers.IntegerField | serializers.FloatField):
        return isinstance(value, bool | str)
    is_flag = isinstance(field, serializers.BooleanField)
    return is_flag and isinstance(value, int | float | str) and not isinstance(value, bool)


class StrictSerializer(JsonSerializer):
    """Refuses attributes that it does not know: one that is misspelt must not be lost."""

    cannot: ClassVar[Reasons] = {}
    """Attributes that the type has and we cannot honour; empty ones do no harm."""
    strange: ClassVar[str] = "There is no such attribute here."
    """The error of an attribute that it does not know."""

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


UUID_PATTERN = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
"""It matches ids inside a text."""


def list_parameters(filterable: Iterable[str]) -> list[OpenApiParameter]:
    """The query parameters of a list that `kit.etsi.query` filters and pages."""
    names = ", ".join(sorted(filterable))
    return [
        OpenApiParameter("filter", str, description=f"(op,attribute,value);… over {names}"),
        OpenApiParameter(MARKER, str, description="As the Link of the page before says."),
    ]


def sort_parameter(sortable: Iterable[str]) -> OpenApiParameter:
    """The query parameter by which `kit.etsi.query.requested_order` orders a list."""
    names = sorted(sortable)
    words = f"One of {', '.join(names)}; with a minus before it from the other end."
    return OpenApiParameter(SORT, {"type": "string", "pattern": f"^(-?({'|'.join(names)}))?$"}, description=words)


def size_parameter(default: int = PAGE_SIZE) -> OpenApiParameter:
    """The query parameter by which `kit.etsi.query.requested_size` sizes the pages of a list."""
    schema = {"type": "integer", "minimum": 1, "maximum": PAGE_SIZE, "default": default}
    return OpenApiParameter(SIZE, schema, description="Rows of a page.")
