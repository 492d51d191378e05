"""The Version header and api_versions (SOL013 clause 9)."""

import pytest
from rest_framework.test import APIClient

pytestmark = pytest.mark.django_db
OPERATIONS = "/vnflcm/v2/vnf_lcm_op_occs"


@pytest.mark.parametrize(
    ("path", "wanted", "used"),
    [
        (OPERATIONS, None, "2.3.0"),
        (OPERATIONS, "2.3.0", "2.3.0"),
        (OPERATIONS, "2.0.0", "2.0.0"),
        (OPERATIONS, "2.1.0-impl:example.com:vnfm:7", "2.1.0-impl:example.com:vnfm:7"),
        ("/vnffm/v1/alarms", "1.3.0", "1.3.0"),
        ("/vnfpkgm/v1/vnf_packages", None, "1.2.0"),
    ],
)
def test_the_version_used_is_in_the_answer(api: APIClient, path: str, wanted: str | None, used: str) -> None:
    answer = api.get(path, headers={"Version": wanted} if wanted else {})
    assert answer.status_code == 200
    assert answer.headers["Version"] == used


@pytest.mark.parametrize("wanted", ["3.0.0", "1.3.0", "2.4.0", "2", "latest"])
def test_a_version_that_is_not_served_is_refused(api: APIClient, wanted: str) -> None:
    answer = api.get(OPERATIONS, headers={"Version": wanted})
    assert (answer.status_code, answer.json()["code"]) == (406, "VERSION_NOT_SUPPORTED")
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.headers["Version"] == "2.3.0"
    assert "2.3.0" in answer.json()["detail"]


def test_refusals_and_strange_paths_carry_it_too(anonymous_api: APIClient, api: APIClient) -> None:
    assert anonymous_api.get(OPERATIONS).headers["Version"] == "2.3.0"
    assert api.get("/vnflcm/v2/nothing").headers["Version"] == "2.3.0"


def test_our_own_interface_has_none(api: APIClient) -> None:
    assert "Version" not in api.get("/api/v1/session", headers={"Version": "9.9.9"}).headers


def test_served_versions_are_listed(api: APIClient) -> None:
    every = api.get("/vnflcm/api_versions").json()
    assert every["uriPrefix"] == "http://testserver/vnflcm"
    assert [each["version"] for each in every["apiVersions"]] == ["1.3.0", "2.0.0", "2.3.0"]
    two = api.get("/vnflcm/v2/api_versions", headers={"Version": "1.0.0"}).json()
    assert two["uriPrefix"] == "http://testserver/vnflcm/v2"
    assert two["apiVersions"] == [
        {"version": "2.0.0", "isDeprecated": False},
        {"version": "2.3.0", "isDeprecated": False},
    ]
    assert api.get("/vnflcm/v3/api_versions").status_code == 404
    assert api.post("/vnflcm/api_versions").status_code == 405
