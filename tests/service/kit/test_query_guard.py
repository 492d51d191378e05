"""Rules of SOL013 that all of ETSI's interfaces share: unknown query parameters, paths, titles of errors."""

import json
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest
from pytest_django.live_server_helper import LiveServer
from rest_framework.test import APIClient

from tests.factories.accounts import make_user
from tests.support.validating_client import ValidatingClient
from vnfm.accounts.tokens import token_issue

pytestmark = pytest.mark.django_db
LISTS = (
    "/vnflcm/v1/vnf_instances",
    "/vnflcm/v2/vnf_instances",
    "/vnflcm/v2/vnf_lcm_op_occs",
    "/vnflcm/v2/subscriptions",
    "/vnffm/v1/alarms",
    "/vnffm/v1/subscriptions",
    "/vnfpkgm/v1/vnf_packages",
)


@pytest.mark.parametrize("path", LISTS)
def test_an_unknown_query_parameter_is_refused(operator_api: ValidatingClient, path: str) -> None:
    assert operator_api.get(path, {"filter": "(eq,id,00000000-0000-0000-0000-000000000001)"}).json() == []
    refused = operator_api.get(f"{path}?filtr=(eq,id,x)")
    assert (refused.status_code, refused.json()["code"]) == (400, "UNKNOWN_PARAMETER")
    assert [error["field"] for error in refused.json()["errors"]] == ["/filtr"]
    assert "filter" in refused.json()["detail"]


@pytest.mark.parametrize("selector", ["all_fields", "exclude_default", "fields=filter", "exclude_fields=filter"])
@pytest.mark.parametrize("path", ["/vnflcm/v1/subscriptions", "/vnffm/v1/alarms", "/vnffm/v1/subscriptions"])
def test_selectors_change_nothing_in_lists_that_leave_nothing_out(
    operator_api: ValidatingClient, path: str, selector: str
) -> None:
    assert operator_api.get(f"{path}?{selector}").json() == []
    assert operator_api.get(f"{path}?{selector}&nope=1").json()["code"] == "UNKNOWN_PARAMETER"


def test_selectors_of_one_resource_are_refused(operator_api: ValidatingClient) -> None:
    assert operator_api.get("/vnflcm/v2/vnf_instances?all_fields").status_code == 200
    assert operator_api.get("/vnflcm/v2/vnf_instances?fields=nope").status_code == 400
    one = "/vnflcm/v2/vnf_instances/00000000-0000-0000-0000-000000000001"
    assert operator_api.get(f"{one}?fields=id").status_code == 400
    assert operator_api.get(one).status_code == 404


def test_a_path_may_begin_with_two_slashes(live_server: LiveServer) -> None:
    place = urlsplit(live_server.url)
    connection = HTTPConnection(str(place.hostname), place.port)
    connection.request("GET", "//vnflcm/v2/api_versions")
    answer = connection.getresponse()
    assert (answer.status, json.load(answer)["code"]) == (401, "NOT_AUTHENTICATED"), "a page that there is not is 404"


@pytest.fixture
def plain() -> APIClient:
    """An operator who leaves what our OpenAPI document describes."""
    _, secret = token_issue(user=make_user(role="operator"), name="test")
    return APIClient(headers={"Authorization": f"Bearer {secret}"})


def test_a_path_may_end_in_a_slash(plain: APIClient) -> None:
    assert plain.get("/vnflcm/v2/vnf_instances/").json() == []
    assert plain.post("/vnffm/v1/subscriptions/", {}, format="json").status_code == 400


@pytest.mark.parametrize(
    ("path", "refused", "allowed"),
    [
        ("/vnfpm/v1/pm_jobs/newId", "POST", {"GET", "DELETE", "HEAD", "OPTIONS"}),
        ("/vnfpm/v2/thresholds/a.b", "PUT", {"GET", "PATCH", "DELETE", "HEAD", "OPTIONS"}),
        ("/vnfpm/v2/pm_jobs/x/reports/y", "DELETE", {"GET", "HEAD", "OPTIONS"}),
        ("/vnflcm/v1/subscriptions/42", "PUT", {"GET", "DELETE", "HEAD", "OPTIONS"}),
        ("/vnfpkgm/v2/subscriptions/42", "PATCH", {"GET", "DELETE", "HEAD", "OPTIONS"}),
        ("/vnflcm/v2/vnf_instances/vnf-1/instantiate", "GET", {"POST", "OPTIONS"}),
    ],
)
def test_a_wrong_method_is_refused_whatever_the_identifier(
    plain: APIClient, path: str, refused: str, allowed: set[str]
) -> None:
    answer = plain.generic(refused, path, "{}", content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (405, "METHOD_NOT_ALLOWED")
    assert {each.strip() for each in answer.headers["Allow"].split(",")} == allowed
    assert APIClient().generic(refused, path).status_code == 401
    right = min(allowed & {"GET", "POST"})
    assert plain.generic(right, path, "{}", content_type="application/json").status_code == 404


def test_options_describe_the_methods_in_words(plain: APIClient) -> None:
    shown = plain.options("/vnflcm/v2/subscriptions").json()
    assert shown["methods"]["GET"] == "All subscriptions to operations and VNF instances, of all users."
    assert "Api" not in json.dumps(shown)


def test_an_error_of_the_framework_has_the_title_of_its_status(operator_api: ValidatingClient) -> None:
    path = "/vnflcm/v2/vnf_instances"
    answers = {
        "Method Not Allowed": operator_api.delete(path),
        "Unsupported Media Type": operator_api.post(path, "x", content_type="text/plain"),
        "Unauthorized": ValidatingClient().get(path),
    }
    assert {title: answer.json()["title"] for title, answer in answers.items()} == {title: title for title in answers}
