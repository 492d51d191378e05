"""A message is declared once, as a frozen dataclass: serializer, JSON and description follow from it (ADR-0091).

The attribute `zone_id` is `zoneId` on the wire. Its type gives the type there, `None` in the type allows null, and the
docstring below it is its description. `wire` adds what a type cannot say.
"""

import ast
import inspect
from collections.abc import Iterable, Mapping
from enum import Enum
from functools import cache
from textwrap import dedent
from typing import Any

from django.db.models import Choices
from drf_spectacular.contrib.rest_framework_dataclasses import OpenApiDataclassSerializerExtensions
from rest_framework import serializers
from rest_framework_dataclasses.field_utils import TypeInfo
from rest_framework_dataclasses.serializers import DataclassSerializer

from vnfm.kit.message import wire_names
from vnfm.kit.wire import AnswerSerializer


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
        return super().create_field(
            field_name, extra_kwargs | ({} if attribute == field_name else {"source": attribute})
        )

    def build_enum_field(self, field_name: str, type_info: TypeInfo) -> tuple[type[Any], dict[str, Any]]:
        values: type[Enum] = type_info.base_type
        choices = values.choices if issubclass(values, Choices) else [each.value for each in values]
        return serializers.ChoiceField, {"choices": choices}


class ShapeAnswer(AnswerSerializer, ShapeSerializer):
    """Writes a dataclass, or whatever else has its attributes, such as a row of a table. All of them are in it."""

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

    target_class = "vnfm.kit.shapes.ShapeSerializer"
    priority = 1

    def map_serializer(self, auto_schema: Any, direction: Any) -> Any:
        docs = attribute_docs(self.target.dataclass_definition.dataclass_type)
        for name, attribute in self.target.attributes().items():
            self.target.fields[name].help_text = docs.get(attribute)
        schema = super().map_serializer(auto_schema, direction)
        return _described(schema, self.target.dataclass_definition.dataclass_type)


def _described(schema: dict[str, Any], shape: type) -> dict[str, Any]:
    """Without the docstring of our serializer, and with the shape's, unless it is the signature that Python makes."""
    schema.pop("description", None)
    doc = inspect.getdoc(shape) or ""
    is_own = doc and not doc.startswith(f"{shape.__name__}(")
    return {"type": schema.pop("type"), **({"description": doc} if is_own else {}), **schema}
