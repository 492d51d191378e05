"""Rules of SOL013 that all of ETSI's interfaces share: unknown query parameters, paths, titles of errors."""

import json
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest
from pytest_django.live_server_helper import LiveServer

from tests.validating_client import ValidatingClient

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


def test_selectors_are_refused_where_there_are_none(operator_api: ValidatingClient) -> None:
    assert operator_api.get("/vnflcm/v2/vnf_instances?all_fields").status_code == 200
    assert operator_api.get("/vnffm/v1/alarms?fields=nope").status_code == 400
    one = "/vnflcm/v2/vnf_instances/00000000-0000-0000-0000-000000000001"
    assert operator_api.get(f"{one}?fields=id").status_code == 400
    assert operator_api.get(one).status_code == 404


def test_a_path_may_begin_with_two_slashes(live_server: LiveServer) -> None:
    place = urlsplit(live_server.url)
    connection = HTTPConnection(str(place.hostname), place.port)
    connection.request("GET", "//vnflcm/v2/api_versions")
    answer = connection.getresponse()
    assert (answer.status, json.load(answer)["code"]) == (401, "NOT_AUTHENTICATED"), "a page that there is not is 404"


def test_an_error_of_the_framework_has_the_title_of_its_status(operator_api: ValidatingClient) -> None:
    path = "/vnflcm/v2/vnf_instances"
    answers = {
        "Method Not Allowed": operator_api.delete(path),
        "Unsupported Media Type": operator_api.post(path, "x", content_type="text/plain"),
        "Unauthorized": ValidatingClient().get(path),
    }
    assert {title: answer.json()["title"] for title, answer in answers.items()} == {title: title for title in answers}
