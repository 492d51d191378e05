"""The shapes of V2.6.1 in our OpenAPI document: made from those of the later version, or described by their views."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.yaml_text import openapi

OPENAPI = openapi()
SHAPES: dict[str, Any] = OPENAPI["components"]["schemas"]
V1 = [path for path in OPENAPI["paths"] if path.startswith(("/vnflcm/v1/", "/vnfpm/v1/"))]


def bodies(path: str) -> Iterator[tuple[str, Any]]:
    """Place and schema of all JSON bodies but problems."""
    for method, operation in OPENAPI["paths"][path].items():
        named = {"request": operation.get("requestBody", {}), **operation["responses"]}
        for name, body in named.items():
            if "application/json" in body.get("content", {}):
                yield f"{method} {path} {name}", body["content"]["application/json"]["schema"]


@pytest.mark.parametrize("path", V1)
def test_all_bodies_have_a_shape(path: str) -> None:
    for place, schema in bodies(path):
        assert "$ref" in schema.get("items", schema), place


def test_maps_are_arrays_with_their_key() -> None:
    infos = SHAPES["InstantiateVnfRequestRequestV1"]["properties"]["vimConnectionInfo"]
    assert (infos["type"], infos["items"]["properties"]["id"]) == ("array", {"type": "string"})
    assert SHAPES["ExtCpRequestV1"]["properties"]["cpConfig"]["type"] == "array"
    assert SHAPES["InstantiateVnfRequestRequest"]["properties"]["vimConnectionInfo"]["type"] == "object"


def test_attributes_have_their_names_of_then() -> None:
    instance, info, link = (
        SHAPES[name]["properties"] for name in ("VnfInstanceOutV1", "InstantiatedVnfInfoV1", "AffectedVirtualLinkV1")
    )
    assert instance["instantiatedVnfInfo"]["$ref"].endswith("/InstantiatedVnfInfoV1")
    assert "vnfPkgId" in instance
    assert "virtualLinkResourceInfo" in info
    assert not {"vnfVirtualLinkResourceInfo", "maxScaleLevels"} & info.keys()
    assert "virtualLinkDescId" in link
    assert "vnfVirtualLinkDescId" not in link


def test_what_the_version_does_not_have_keeps_its_shape() -> None:
    created = OPENAPI["paths"]["/vnflcm/v1/vnf_instances/{instance_id}/create_snapshot"]["post"]
    assert created["requestBody"]["content"]["application/json"]["schema"]["$ref"].endswith(
        "/CreateVnfSnapshotRequestRequest"
    )
