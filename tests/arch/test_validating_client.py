"""The client that validates every answer in the tests rejects what the description does not have."""

import json
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.validating_client import mismatches

INSTANCE = {
    "id": "5f0c1c2e-7c1d-4f0a-9a53-000000000001",
    "vnfInstanceName": "pe-1",
    "vnfInstanceDescription": "",
    "vnfdId": "5f0c1c2e-7c1d-4f0a-9a53-000000000002",
    "vnfProvider": "Nokia",
    "vnfProductName": "VSR-PE",
    "vnfSoftwareVersion": "1",
    "vnfdVersion": "1",
    "instantiationState": "NOT_INSTANTIATED",
    "_links": {"self": {"href": "https://vnfm.example/vnflcm/v2/vnf_instances/1"}},
}
PROBLEM = {"status": 409, "detail": "It is busy."}
V1, V2 = "/vnflcm/v1/vnf_instances/1", "/vnflcm/v2/vnf_instances/1"


def answer(body: Any, status: int = 200, media: str = "application/json") -> Any:
    return SimpleNamespace(
        content=json.dumps(body).encode(), status_code=status, headers={"Content-Type": media}, json=lambda: body
    )


@pytest.mark.parametrize("query", ["", "all_fields"])
@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"vnfInstanceNam": "pe-1"}, "vnfInstanceNam"),
        ({"vnfdId": None}, "vnfdId"),
        ({"id": "7"}, "is not a 'uuid'"),
        ({"instantiationState": "UNKNOWN"}, "instantiationState"),
    ],
)
def test_another_attribute_or_value_is_rejected(change: dict[str, Any], found: str, query: str) -> None:
    whole = mismatches("GET", V2, query, answer(INSTANCE | change))
    assert found in "; ".join(whole)
    assert mismatches("GET", V2, query, answer(INSTANCE)) == []


def test_an_answer_lacks_only_unselected_attributes() -> None:
    partial = {key: value for key, value in INSTANCE.items() if key != "vnfdId"}
    assert "vnfdId" in "; ".join(mismatches("GET", V2, "", answer(partial)))
    assert mismatches("GET", V2, "exclude_fields=vnfdId", answer(partial)) == []


@pytest.mark.parametrize(
    ("method", "response", "found"),
    [
        ("GET", answer(INSTANCE, 202), "status 202 is not described"),
        ("GET", answer(INSTANCE, media="text/html"), "text/html is not described"),
        ("PUT", answer(INSTANCE), "is not described"),
    ],
)
def test_another_status_media_type_or_method_is_rejected(method: str, response: Any, found: str) -> None:
    assert found in "; ".join(mismatches(method, V2, "", response))


def test_the_earlier_edition_is_closed_and_its_errors_are_problems() -> None:
    assert mismatches("GET", V1, "", answer(INSTANCE)) == []
    assert "vnfInstanceNam" in "; ".join(mismatches("GET", V1, "", answer(INSTANCE | {"vnfInstanceNam": "pe-1"})))
    assert mismatches("POST", V1, "", answer(PROBLEM, 409)) == []
    assert "detail" in "; ".join(mismatches("POST", V1, "", answer({"status": 409}, 409)))
