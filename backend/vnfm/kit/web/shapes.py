"""A message is declared once, as a frozen dataclass: serializer, JSON and description follow from it (ADR-0091).

The attribute `zone_id` is `zoneId` on the wire. Its type gives the type there, `None` in the type allows null, and the
docstring below it is its description. `wire` adds what a type cannot say.
"""

import ast
import inspect
from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import Enum
from functools import cache
from textwrap import dedent
from typing import Any, ClassVar

from django.db.models import Choices
from drf_spectacular.contrib.rest_framework_dataclasses import OpenApiDataclassSerializerExtensions
from rest_framework import serializers
from rest_framework_dataclasses.field_utils import TypeInfo
from rest_framework_dataclasses.serializers import DataclassSerializer

from vnfm.kit.web.message import PRESENT, from_stored, wire_names
from vnfm.kit.web.wire import AnswerSerializer, StrictSerializer, unsupported


class ShapeSerializer(DataclassSerializer[Any]):
    """Reads JSON into a dataclass; subclasses name it in `Meta.dataclass`."""

    @property
    def serializer_dataclass_field(self) -> type[DataclassSerializer[Any]]:
        """The serializer of dataclasses inside."""
        return ShapeSerializer

    def attributes(self) -> Mapping[str, str]:
        """The attributes of the dataclass by their names on the wire."""
        shape: Any = self.dataclass_definition.dataclass_type
        return wire_names(shape)

    def get_default_field_names(self, declared_fields: Iterable[str]) -> list[str]:
        return list(dict.fromkeys((*self.attributes(), *declared_fields)))

    def create_field(self, field_name: str, extra_kwargs: dict[str, Any]) -> Any:
        attribute = self.attributes()[field_name]
        made = super().create_field(field_name, extra_kwargs | {"source": attribute})
        source = self.dataclass_definition.fields[attribute].metadata.get("source") or attribute
        made.source = None if source == field_name else source
        return made

    def build_enum_field(self, field_name: str, type_info: TypeInfo) -> tuple[type[Any], dict[str, Any]]:
        values: type[Enum] = type_info.base_type
        choices = values.choices if issubclass(values, Choices) else [each.value for each in values]
        return serializers.ChoiceField, {"choices": choices}


class ShapeRequest(StrictSerializer, ShapeSerializer):
    """Reads and checks the JSON of a request; `validated_data` is the dataclass.

    None in a type means that the attribute may be absent; `wire(allow_null=True)` allows null. The dataclass may have
    `cannot` and `unknown` for the class attributes `cannot` and `strange` of StrictSerializer, and `conflicts`, which
    returns the values that contradict each other: names on the wire, "" for the whole, with messages.
    """

    base: ClassVar[type["ShapeRequest"]]
    """The class without a dataclass, by which dataclasses inside are read."""

    @classmethod
    def of(cls, shape: Any) -> type["ShapeRequest"]:
        """Return the serializer of requests that are declared by this dataclass."""
        return _reader(cls, shape)

    def to_internal_value(self, data: Any) -> Any:
        value = super().to_internal_value(data)
        if not hasattr(value, PRESENT):
            return value
        return replace(value, **{PRESENT: frozenset(self.attributes()[name] for name in data if name in self.fields)})

    def validate(self, attrs: Any) -> Any:
        errors: dict[str, list[str]] = {}
        for name, message in attrs.conflicts() if hasattr(attrs, "conflicts") else ():
            errors.setdefault(name or "non_field_errors", []).append(message)
        if errors:
            raise serializers.ValidationError(errors)
        return attrs

    def build_typed_field(
        self, field_name: str, type_info: TypeInfo, extra_kwargs: dict[str, Any]
    ) -> tuple[type[Any], dict[str, Any]]:
        field_class, kwargs = super().build_typed_field(field_name, type_info, extra_kwargs)
        kwargs.pop("allow_null", None)
        return (serializers.RegexField if "regex" in extra_kwargs else field_class), kwargs

    def build_standard_field(self, field_name: str, type_info: TypeInfo) -> tuple[type[Any], dict[str, Any]]:
        field_class, kwargs = super().build_standard_field(field_name, type_info)
        is_mapping = issubclass(type_info.base_type, dict)
        return field_class, kwargs | ({"container": type_info.base_type} if is_mapping else {})

    def build_dataclass_field(self, field_name: str, type_info: TypeInfo) -> tuple[type[Any], dict[str, Any]]:
        return self.base.of(type_info.base_type), {"many": type_info.is_many}


@cache
def _reader(base: type[ShapeRequest], shape: Any) -> type[ShapeRequest]:
    strange = getattr(shape, "unknown", "")
    members = {
        "Meta": type("Meta", (), {"dataclass": shape}),
        "base": base,
        "cannot": getattr(shape, "cannot", {}),
        "strange": unsupported(strange) if strange else base.strange,
    }
    return type(shape.__name__, (base,), members)


class ShapeAnswer(AnswerSerializer, ShapeSerializer):
    """Writes a dataclass, or whatever else has its attributes, such as a row of a table. All of them are in it.

    The JSON in which a column holds a dataclass, as `asdict` makes it, is read first.
    """

    def to_representation(self, instance: Any) -> dict[str, Any]:
        shape: Any = self.dataclass_definition.dataclass_type
        return super().to_representation(from_stored(shape, instance) if isinstance(instance, dict) else instance)

    @property
    def serializer_dataclass_field(self) -> type[DataclassSerializer[Any]]:
        return ShapeAnswer

    def build_typed_field(
        self, field_name: str, type_info: TypeInfo, extra_kwargs: dict[str, Any]
    ) -> tuple[type[Any], dict[str, Any]]:
        field_class, kwargs = super().build_typed_field(field_name, type_info, extra_kwargs)
        kwargs.pop("required", None)
        return field_class, kwargs


@cache
def answer(shape: type) -> type[ShapeAnswer]:
    """The serializer of answers that are declared by this dataclass."""
    return type(shape.__name__, (ShapeAnswer,), {"Meta": type("Meta", (), {"dataclass": shape})})


@cache
def _writer(shape: type) -> ShapeAnswer:
    return answer(shape)()


def as_answer(value: Any, shape: type | None = None) -> dict[str, Any]:
    """The answer with this value; `shape` where the value is not an instance of it, but has its attributes."""
    return _writer(shape or type(value)).to_representation(value)


@cache
def attribute_docs(shape: type) -> Mapping[str, str]:
    """The docstrings below the attributes of a class and its bases."""
    docs: dict[str, str] = {}
    for each in reversed(shape.__mro__[:-1]):
        (definition,) = ast.parse(dedent(inspect.getsource(each))).body
        assert isinstance(definition, ast.ClassDef)
        for attribute, doc in zip(definition.body, definition.body[1:], strict=False):
            if not isinstance(attribute, ast.AnnAssign) or not isinstance(doc, ast.Expr):
                continue
            if isinstance(attribute.target, ast.Name) and isinstance(doc.value, ast.Constant):
                docs[attribute.target.id] = inspect.cleandoc(str(doc.value.value))
    return docs


class ShapeSchema(OpenApiDataclassSerializerExtensions):  # type: ignore[no-untyped-call]  # it registers itself
    """Describes a shape in the OpenAPI document by the docstrings of its attributes."""

    target_class = "vnfm.kit.web.shapes.ShapeSerializer"
    priority = 1

    def map_serializer(self, auto_schema: Any, direction: Any) -> Any:
        docs = attribute_docs(self.target.dataclass_definition.dataclass_type)
        for name, attribute in self.target.attributes().items():
            self.target.fields[name].help_text = docs.get(attribute)
        schema = super().map_serializer(auto_schema, direction)
        return _described(schema, self.target.dataclass_definition.dataclass_type)


def _described(schema: dict[str, Any], shape: type) -> dict[str, Any]:
    """Drop our serializer's docstring, and add the shape's, unless it is the signature that Python makes."""
    schema.pop("description", None)
    doc = inspect.getdoc(shape) or ""
    is_own = doc and not doc.startswith(f"{shape.__name__}(")
    return {"type": schema.pop("type"), **({"description": doc} if is_own else {}), **schema}
