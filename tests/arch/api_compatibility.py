"""The list of what a change of an OpenAPI document takes from clients of the released one. Pure.

Clients may send what the released document allows, and read every field that it promises. So these break them: a path
or method that is gone, a response or a field of one that is gone or has another type, a field or parameter that a
request must have now, a value that a request may not have any more.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

Document = Mapping[str, Any]
METHODS = ("get", "put", "post", "delete", "patch")


def breaking_changes(released: Document, present: Document) -> list[str]:
    """In sentences, sorted."""
    found: list[str] = []
    for path, operations in released["paths"].items():
        for method in METHODS:
            if method in operations:
                now = present["paths"].get(path, {}).get(method)
                where = f"{method.upper()} {path}"
                if now is None:
                    found.append(f"{where} is gone")
                else:
                    found += _of_operation(where, operations[method], now, released, present)
    return sorted(set(found))


def _of_operation(where: str, old: Document, new: Document, released: Document, present: Document) -> Iterator[str]:
    yield from _of_parameters(where, old.get("parameters", ()), new.get("parameters", ()))
    for code, response in old.get("responses", {}).items():
        if code in new.get("responses", {}):
            after = _flat(_schema(new["responses"][code]), present)
            yield from _of_response(f"{where} {code}", _flat(_schema(response), released), after)
        else:
            yield f"{where} has lost its response {code}"
    before = _flat(_schema(old.get("requestBody", {})), released)
    yield from _of_request(where, before, _flat(_schema(new.get("requestBody", {})), present))


def _of_parameters(where: str, old: Iterable[Document], new: Iterable[Document]) -> Iterator[str]:
    before, after = ({(each["in"], each["name"]): each for each in some} for some in (old, new))
    for key, each in after.items():
        if each.get("required") and not before.get(key, {}).get("required"):
            yield f"{where} must have the parameter {key[1]} now"
    for key in before.keys() - after.keys():
        yield f"{where} has lost the parameter {key[1]}"


def _of_response(where: str, before: "Fields", after: "Fields") -> Iterator[str]:
    yield from (f"{where} has lost {name}" for name in before.keys() - after.keys())
    for name in before.keys() & after.keys():
        if not after[name].types <= before[name].types:
            yield f"{where} gives {name} another type"


def _of_request(where: str, before: "Fields", after: "Fields") -> Iterator[str]:
    for name in after.keys() - before.keys():
        if after[name].required and _parent(name) in before:
            yield f"{where} must have {name} in its body now"
    for name in before.keys() & after.keys():
        if after[name].required and not before[name].required:
            yield f"{where} must have {name} in its body now"
        if not before[name].types <= after[name].types:
            yield f"{where} takes {name} of another type only"
        if gone := before[name].values - after[name].values if after[name].values else frozenset():
            yield f"{where} takes {name} no longer as {', '.join(sorted(map(str, gone)))}"


class _Field:
    """The keywords of a schema that restrict one value."""

    def __init__(self, types: frozenset[str], values: frozenset[Any], *, required: bool) -> None:
        self.types, self.values, self.required = types, values, required


Fields = dict[str, _Field]


def _parent(name: str) -> str:
    return name.rpartition(".")[0]


def _schema(holder: Document) -> Document:
    """Return the schema of the first content, which is JSON as a rule."""
    for content in holder.get("content", {}).values():
        return dict(content.get("schema", {}))
    return {}


def _flat(schema: Document, document: Document) -> Fields:
    """Every value of it by its dotted name; "" is the whole. Recursive schemas end at their first repetition."""
    found: Fields = {}

    def visit(part: Document, name: str, *, required: bool, inside: tuple[str, ...]) -> None:
        if reference := part.get("$ref"):
            if reference in inside:
                return
            target = document["components"]["schemas"][reference.rpartition("/")[2]]
            visit(target, name, required=required, inside=(*inside, reference))
            return
        given = part.get("type", ())
        types = frozenset([given] if isinstance(given, str) else given)
        earlier = found.get(name)
        values = frozenset(part.get("enum", ()))
        found[name] = _Field(
            types | (earlier.types if earlier else frozenset()),
            values | (earlier.values if earlier else frozenset()),
            required=required,
        )
        for branch in (*part.get("allOf", ()), *part.get("oneOf", ()), *part.get("anyOf", ())):
            visit(branch, name, required=required, inside=inside)
        needed = part.get("required", ())
        for key, value in part.get("properties", {}).items():
            visit(value, f"{name}.{key}", required=key in needed, inside=inside)
        for key, member in (("items", "[]"), ("additionalProperties", "{}")):
            if isinstance(part.get(key), Mapping):
                visit(part[key], f"{name}{member}", required=False, inside=inside)

    if schema:
        visit(schema, "", required=True, inside=())
    return found
