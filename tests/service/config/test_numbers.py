"""Numbers that are none, or that no column holds: each is refused with a sentence, wherever the API takes a number."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any
from uuid import uuid4

import pytest
import yaml
from rest_framework.test import APIClient

from tests.factories.deployed import make_deployed
from tests.factories.elements import make_element
from tests.support.validating_client import OPENAPI

pytestmark = pytest.mark.django_db
Place = tuple[str, ...]
TOO_LARGE = ("1" + "0" * 400, "-1" + "0" * 400, "1e400", "9" * 5000, "NaN", "Infinity", "-Infinity")
OF_A_QUERY = ("nan", "inf", "-Infinity", "1e400", "9" * 400, "1" + "0" * 5000)


@cache
def described() -> Mapping[str, Any]:
    document: Mapping[str, Any] = yaml.load(OPENAPI.read_text(), yaml.CSafeLoader)
    return document


def numbers_in(schema: Mapping[str, Any], place: Place = (), within: frozenset[str] = frozenset()) -> Iterator[Place]:
    """The places of numbers: keys, "0" for the members of an array, "key" for those of a map."""
    if name := schema.get("$ref", "").rpartition("/")[2]:
        if name not in within:
            yield from numbers_in(described()["components"]["schemas"][name], place, within | {name})
        return
    for part in (*schema.get("allOf", ()), *schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from numbers_in(part, place, within)
    types = schema.get("type", ())
    if {"integer", "number"} & {*([types] if isinstance(types, str) else types)}:
        yield place
    if "items" in schema:
        yield from numbers_in(schema["items"], (*place, "0"), within)
    if isinstance(schema.get("additionalProperties"), dict):
        yield from numbers_in(schema["additionalProperties"], (*place, "key"), within)
    for key, value in schema.get("properties", {}).items():
        yield from numbers_in(value, (*place, key), within)


def body_numbers() -> Iterator[tuple[str, str, str, Place]]:
    """Method, path, media type and place of each number that a body may have."""
    for path, methods in described()["paths"].items():
        for method, operation in methods.items():
            content = operation.get("requestBody", {}).get("content", {}) if method != "parameters" else {}
            json_types = [media for media in content if media.endswith("json")]
            for place in {*numbers_in(content[json_types[0]]["schema"])} if json_types else ():
                yield method, path, json_types[0], place


def query_numbers() -> list[tuple[str, str]]:
    """Path and name of each number of a query."""
    return sorted(
        (path, parameter["name"])
        for path, methods in described()["paths"].items()
        for parameter in methods.get("get", {}).get("parameters", ())
        if parameter["in"] == "query" and [*numbers_in(parameter["schema"])]
    )


def text_at(place: Place, number: str) -> str:
    """JSON with the number there."""
    text = number
    for key in reversed(place):
        text = f"[{text}]" if key == "0" else f"{{{json.dumps(key)}: {text}}}"
    return text


def test_no_body_may_have_a_number_that_is_too_large(api: APIClient) -> None:
    operations = sorted(body_numbers())
    assert len(operations) > 50
    for method, path, media, place in operations:
        where = path.format_map(_Ids())
        for number in TOO_LARGE:
            answer = api.generic(method.upper(), where, text_at(place, number), content_type=media)
            assert answer.status_code in {400, 404}, (method, path, place, number, answer.content)
            if answer.status_code == 400:
                assert any(each["message"] for each in answer.json()["errors"]), (method, path, answer.content)


def test_no_query_may_have_a_number_that_is_none(api: APIClient) -> None:
    board = api.post("/api/v1/boards", {"name": "Load", "charts": []}, format="json")
    ids = _Ids(
        element_id=make_element().id,
        instance_id=make_deployed().id,
        board_id=board.json()["id"],
    )
    found = {(path, name) for path, name in query_numbers() if "{vnfc_id}" not in path}
    assert {name for _, name in found} == {"step", "pageSize"}
    for path, name in sorted(found):
        for number in OF_A_QUERY:
            answer = api.get(path.format_map(ids), {name: number, "counter": "cpu", "object": "(element)"})
            assert answer.status_code == 400 or "{policy_id}" in path, (path, name, number, answer.content)


class _Ids(dict[str, Any]):
    """Ids of objects; of others that there are none."""

    def __missing__(self, key: str) -> str:
        return str(uuid4())
