"""/api/v1/vims from the outside; the cloud is the simulated one, over HTTP."""

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from launcher.ports import free_port
from tests.factories.inventory import make_instance
from tests.factories.vims import make_vim
from tests.support.cloudsim_process import CloudsimProcess
from vnfm.inventory.models import VnfInstance
from vnfm.kit.models import OutboxEvent, WorkerRequest
from vnfm.vims.domain.clouds_yaml import connection_named
from vnfm.vims.models import Vim

pytestmark = pytest.mark.django_db
VIMS = "/api/v1/vims"
PEM = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"

Form = Callable[..., dict[str, Any]]


def register(api: APIClient, body: dict[str, Any]) -> Any:
    return api.post(VIMS, body, format="json")


@pytest.mark.usefixtures("worker")
def test_a_cloud_is_registered_with_the_findings_of_its_probe(api: APIClient, form: Form) -> None:
    answer = register(api, form())
    assert answer.status_code == 201, answer.json()
    vim = answer.json()
    assert answer["Location"].endswith(f"{VIMS}/{vim['id']}")
    assert answer["ETag"] == f'"{vim["version"]}"'
    assert vim["name"] == "sim"
    assert vim["hasPassword"] is True
    assert "password" not in vim
    assert vim["interface"] == "public"
    assert vim["versions"]["compute"] == "2.12"
    assert vim["capabilities"]["heat_mark_unhealthy"] is False
    assert set(vim["quotas"]["instances"]) == {"limit", "used"}
    (condition,) = vim["conditions"]
    assert (condition["type"], condition["status"], condition["reason"]) == ("VimReachable", "True", "Answers")
    assert condition["observedAt"]

    resources = api.get(f"{VIMS}/{vim['id']}/resources").json()
    assert (resources["zones"], resources["keyPairs"]) == (["nova"], [])
    assert resources["volumeTypes"], "Cinder has a type from its beginning"
    assert resources["observedAt"] == vim["probedAt"]
    flavor = next(f for f in resources["flavors"] if f["extraSpecs"])
    assert flavor["memoryMib"] > 0
    assert resources["images"][0]["status"] == "active"
    external = next(network for network in resources["networks"] if network["external"])
    assert all(subnet["cidr"] and subnet["id"] for subnet in external["subnets"])
    assert external["subnets"], "subnets identify the network"

    assert api.get(f"{VIMS}/{vim['id']}").json() == vim
    assert [row["id"] for row in api.get(VIMS).json()] == [vim["id"]]
    assert not WorkerRequest.objects.exists()
    assert b"password" not in bytes(Vim.objects.get().sealed_credentials)
    events = OutboxEvent.objects.filter(topic="vim.changed", aggregate_id=vim["id"])
    assert max(event.version for event in events) == vim["version"]
    assert [event.payload["reachable"] for event in events if event.payload] == ["True"]


@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize(
    ("change", "code", "fields"),
    [
        ({"password": "wrong"}, "VIM_DENIED", ["/username", "/password"]),
        ({"username": "stranger"}, "VIM_DENIED", ["/username", "/password"]),
        ({"projectName": "no-such-project"}, "VIM_DENIED", ["/projectName"]),
        ({"region": "Atlantis"}, "VIM_NOT_IN_CATALOG", ["/region"]),
        ({"authUrl": "http://127.0.0.1:{closed}/v3"}, "VIM_UNREACHABLE", ["/authUrl"]),
        (
            {"endpointOverrides": {"compute": "http://127.0.0.1:{closed}/v2.1"}},
            "VIM_UNREACHABLE",
            ["/endpointOverrides"],
        ),
    ],
)
def test_a_refusal_points_at_the_field_and_leaves_nothing(
    api: APIClient, form: Form, change: dict[str, Any], code: str, fields: list[str]
) -> None:
    port = str(free_port())
    filled = {
        key: value.replace("{closed}", port)
        if isinstance(value, str)
        else {inner: url.replace("{closed}", port) for inner, url in value.items()}
        for key, value in change.items()
    }
    answer = register(api, form(**filled))
    assert answer.status_code == 422
    assert answer["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert problem["code"] == code
    assert [error["field"] for error in problem["errors"]] == fields
    assert problem["nextStep"]
    assert problem["causes"][0]["message"]
    assert not Vim.objects.exists()
    assert not WorkerRequest.objects.exists()


@pytest.mark.usefixtures("worker")
def test_tls_where_there_is_none_points_at_the_certificate(api: APIClient, form: Form) -> None:
    answer = register(api, form(authUrl=form()["authUrl"].replace("http:", "https:")))
    assert answer.status_code == 422
    assert answer.json()["code"] == "VIM_TLS_FAILED"
    assert [error["field"] for error in answer.json()["errors"]] == ["/cacert"]


@pytest.mark.parametrize(
    ("change", "status", "field"),
    [
        ({"authUrl": "keystone"}, 422, "/authUrl"),
        ({"authUrl": "ftp://cloud.example/v3"}, 422, "/authUrl"),
        ({"authUrl": "http://cloud.example:port/v3"}, 422, "/authUrl"),
        ({"cacert": "no certificate"}, 422, "/cacert"),
        ({"cacert": PEM}, 422, "/cacert"),
        ({"endpointOverrides": {"volume": "http://x.example"}}, 422, "/endpointOverrides/volume"),
        ({"endpointOverrides": {"compute": "nonsense"}}, 422, "/endpointOverrides/compute"),
        ({"interface": "private"}, 400, "/interface"),
        ({"password": ""}, 400, "/password"),
        ({"name": ""}, 400, "/name"),
    ],
)
def test_invalid_registrations_are_refused_without_a_cloud(
    api: APIClient, form: Form, change: dict[str, Any], status: int, field: str
) -> None:
    answer = register(api, form(**change))
    assert answer.status_code == status, answer.json()
    assert [error["field"] for error in answer.json()["errors"]] == [field]


def test_a_name_in_use_is_refused_without_a_probe(api: APIClient, form: Form) -> None:
    make_vim(name="sim")
    answer = register(api, form())
    assert answer.status_code == 409
    assert answer.json()["code"] == "NAME_TAKEN"
    assert answer.json()["errors"][0]["field"] == "/name"


@pytest.mark.django_db(transaction=True)
def test_without_a_worker_it_says_so(api: APIClient, form: Form, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vnfm.kit.durable.worker_request.WAIT_SECONDS", 0.2)  # no worker runs
    answer = register(api, form())
    assert answer.status_code == 503
    assert answer.json()["code"] == "NO_WORKER"
    assert not Vim.objects.exists()
    assert not WorkerRequest.objects.exists()


@pytest.mark.usefixtures("worker")
def test_a_changed_connection_is_probed_before_it_is_stored(api: APIClient, form: Form) -> None:
    vim = register(api, form()).json()
    url = f"{VIMS}/{vim['id']}"

    refused = api.patch(url, {"password": "wrong"}, format="json")
    assert refused.status_code == 422
    assert api.get(url).json() == vim

    renamed = api.patch(url, {"name": "sim-2", "description": "Another"}, format="json", headers={"If-Match": "*"})
    assert renamed.status_code == 200
    assert (renamed.json()["name"], renamed.json()["description"]) == ("sim-2", "Another")
    assert renamed.json()["version"] > vim["version"]
    assert renamed.json()["authUrl"] == vim["authUrl"]

    stale = api.patch(url, {"name": "sim-3"}, format="json", headers={"If-Match": f'"{vim["version"]}"'})
    assert stale.status_code == 412

    bare = form()["authUrl"].removesuffix("/v3")
    moved = api.patch(url, {"authUrl": bare, "password": form()["password"]}, format="json")
    assert moved.status_code == 200, moved.json()
    assert moved.json()["authUrl"] == bare


@pytest.mark.usefixtures("worker")
def test_a_project_id_registers_a_vim(api: APIClient, form: Form) -> None:
    project = Vim.objects.get(id=register(api, form()).json()["id"]).scoped_project_id
    body = {key: value for key, value in form(name="by-id", projectId=project).items() if key != "projectName"}
    vim = register(api, body).json()
    assert (vim["projectId"], vim["projectName"]) == (project, form()["projectName"])
    by_name = api.get(VIMS, {"filter": f"(eq,projectName,{vim['projectName']})"}).json()
    assert vim["id"] in [row["id"] for row in by_name]
    wrong = register(api, body | {"name": "wrong", "projectId": "f" * 32}).json()
    assert [error["field"] for error in wrong["errors"]] == ["/projectId"], wrong
    without = register(api, body | {"name": "wrong", "projectId": ""}).json()
    assert [error["field"] for error in without["errors"]] == ["/projectName"]


@pytest.mark.parametrize(
    "change",
    [
        {"authUrl": "http://192.0.2.1:5000/v3"},
        {"insecure": True},
        {"cacert": "-----BEGIN CERTIFICATE-----"},
        {"endpointOverrides": {"compute": "http://192.0.2.1"}},
    ],
    ids=lambda change: next(iter(change)),
)
def test_the_stored_password_is_not_sent_to_another_server(api: APIClient, change: dict[str, object]) -> None:
    vim = make_vim(name="kept")
    answer = api.patch(f"{VIMS}/{vim.id}", change, format="json")
    assert (answer.status_code, answer.json()["code"]) == (422, "PASSWORD_NEEDED")
    assert [error["field"] for error in answer.json()["errors"]] == ["/password"]
    assert not WorkerRequest.objects.exists(), "nothing was probed"


def test_scheduler_filters_are_those_that_were_entered(api: APIClient) -> None:
    vim = make_vim(name="filtered")
    url = f"/api/v1/vims/{vim.id}"
    assert api.get(url).data["schedulerFilters"] is None, "OpenStack does not tell"
    for filters in (["NUMATopologyFilter", "PciPassthroughFilter"], [], None):
        answer = api.patch(url, {"schedulerFilters": filters}, format="json")
        assert (answer.status_code, answer.data["schedulerFilters"]) == (200, filters)
    answer = api.patch(url, {"schedulerFilters": ["NUMA Topology"]}, format="json")
    assert answer.status_code in (400, 422)
    assert "/schedulerFilters" in answer.data["errors"][0]["field"]


def test_renaming_to_a_name_in_use(api: APIClient) -> None:
    make_vim(name="one")
    two = make_vim(name="two")
    answer = api.patch(f"{VIMS}/{two.id}", {"name": "one"}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "NAME_TAKEN")
    assert api.patch(f"{VIMS}/{two.id}", {"name": "two"}, format="json").status_code == 200


def test_a_vim_in_use_is_not_deleted_and_its_users_are_named(api: APIClient) -> None:
    vim = make_vim()
    make_instance(name="vsr-1", vim=vim)
    make_instance(name="vsr-2", vim=vim)
    answer = api.delete(f"{VIMS}/{vim.id}")
    assert answer.status_code == 409
    assert answer.json()["code"] == "VIM_IN_USE"
    assert answer.json()["usedBy"] == ["vsr-1", "vsr-2"]
    assert "vsr-1, vsr-2" in answer.json()["detail"]
    assert Vim.objects.filter(id=vim.id).exists()


@pytest.mark.usefixtures("worker")
def test_a_vim_in_use_keeps_its_project(api: APIClient, form: Form, cloudsim: CloudsimProcess) -> None:
    """Heat and Nova of another project answer 404 for all that lives in this one, as if it were deleted."""
    vim = register(api, form()).json()
    make_instance(name="vsr-1", vim=Vim.objects.get(id=vim["id"]))
    admin = connection_named(cloudsim.clouds_yaml.read_text(), "cloudsim-admin")
    other = {"username": admin.username, "password": admin.password, "projectName": admin.project_name}
    refused = api.patch(f"{VIMS}/{vim['id']}", other, format="json")
    assert (refused.status_code, refused.json()["code"], refused.json()["usedBy"]) == (409, "VIM_IN_USE", ["vsr-1"])
    assert api.get(f"{VIMS}/{vim['id']}").json() == vim
    VnfInstance.objects.all().delete()
    assert api.patch(f"{VIMS}/{vim['id']}", other, format="json").status_code == 200


def test_an_unused_vim_is_deleted(api: APIClient) -> None:
    vim = make_vim()
    assert api.delete(f"{VIMS}/{vim.id}").status_code == 204
    assert api.get(f"{VIMS}/{vim.id}").status_code == 404
    assert OutboxEvent.objects.filter(topic="vim.changed", aggregate_id=vim.id).exists()


def test_a_probe_request_does_not_wait(operator_api: APIClient) -> None:
    vim = make_vim()
    answer = operator_api.post(f"{VIMS}/{vim.id}/probe")
    assert answer.status_code == 202
    assert answer.json()["conditions"][0]["status"] == "Unknown"
    assert answer.json()["probedAt"] is None


def test_before_the_first_probe_there_is_nothing_to_pick_from(viewer_api: APIClient) -> None:
    vim = make_vim()
    resources = viewer_api.get(f"{VIMS}/{vim.id}/resources").json()
    named = {"zones": None, "keyPairs": None, "volumeTypes": None}
    known = {"hotFunctions": None, "resourceTypes": None, "networkExtensions": None}
    assert resources == {"flavors": [], "images": [], "networks": [], **named, **known, "observedAt": None}


def test_operators_read_and_administrators_write(
    operator_api: APIClient, viewer_api: APIClient, anonymous_api: APIClient, form: Form
) -> None:
    vim = make_vim()
    url = f"{VIMS}/{vim.id}"
    assert anonymous_api.get(VIMS).status_code == 401
    assert viewer_api.get(url).status_code == 200
    assert viewer_api.post(f"{url}/probe").status_code == 403
    assert operator_api.post(VIMS, form(), format="json").status_code == 403
    assert operator_api.patch(url, {"name": "x"}, format="json").status_code == 403
    assert operator_api.delete(url).status_code == 403


def test_the_list_is_filtered(api: APIClient) -> None:
    make_vim(name="north")
    make_vim(name="south")
    assert [vim["name"] for vim in api.get(f"{VIMS}?filter=(eq,name,south)").json()] == ["south"]


def test_a_vim_that_never_was(api: APIClient) -> None:
    answer = api.get(f"{VIMS}/00000000-0000-4000-8000-000000000000")
    assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND")


def test_a_cloud_without_a_user_name_is_refused_at_the_field(api: Any) -> None:
    body = {"name": "x", "authUrl": "https://cloud.example:5000/v3", "password": "secret"}
    refused = api.post("/api/v1/vims", body, format="json")
    assert refused.status_code == 422, refused.json()
    assert "/username" in [error["field"] for error in refused.json()["errors"]]
