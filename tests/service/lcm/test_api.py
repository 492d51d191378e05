"""SOL003's lifecycle API as a client sees it; no worker runs, so an accepted operation stays STARTING."""

import threading
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import pytest

if TYPE_CHECKING:
    from rest_framework.test import APIClient

    from tests.service.lcm.lifecycle import Lifecycle

INSTANCES = "/vnflcm/v2/vnf_instances"
OPERATIONS = "/vnflcm/v2/vnf_lcm_op_occs"

pytestmark = pytest.mark.django_db(transaction=True)


def create(api: "APIClient", life: "Lifecycle", name: str = "pe-1") -> dict[str, Any]:
    response = api.post(INSTANCES, {"vnfdId": str(life.package.vnfd_id), "vnfInstanceName": name}, format="json")
    assert response.status_code == 201, response.json()
    assert response.headers["Location"].endswith(response.json()["id"])
    return dict(response.json())


def test_the_minimal_instantiate_is_accepted_with_its_op_occ(api: "APIClient", lifecycle: "Lifecycle") -> None:
    instance = create(api, lifecycle)
    assert instance["instantiationState"] == "NOT_INSTANTIATED"
    assert "instantiate" in instance["_links"]
    body = {
        "flavourId": "default",
        "vimConnectionInfo": {"vim1": {"vimId": str(lifecycle.vim.id), "vimType": "ETSINFV.OPENSTACK_KEYSTONE.V_3"}},
    }
    response = api.post(f"{INSTANCES}/{instance['id']}/instantiate", body, format="json")
    assert response.status_code == 202
    op = api.get(response.headers["Location"]).json()
    assert (op["operationState"], op["operation"], op["vnfInstanceId"]) == ("STARTING", "INSTANTIATE", instance["id"])
    assert "instantiate" not in api.get(f"{INSTANCES}/{instance['id']}").json()["_links"]


def test_several_instances_may_have_one_name(api: "APIClient", lifecycle: "Lifecycle") -> None:
    first, second = create(api, lifecycle), create(api, lifecycle)
    assert first["id"] != second["id"]
    assert first["vnfInstanceName"] == second["vnfInstanceName"] == "pe-1"
    for each in (first, second):
        accepted = api.post(f"{INSTANCES}/{each['id']}/instantiate", lifecycle.instantiate_request(), format="json")
        assert lifecycle.run(UUID(accepted.headers["Location"].rpartition("/")[2])).state == "COMPLETED"


def test_a_second_click_gets_a_conflict_that_names_the_first(api: "APIClient", lifecycle: "Lifecycle") -> None:
    instance = create(api, lifecycle)
    path = f"{INSTANCES}/{instance['id']}/instantiate"
    first = api.post(path, lifecycle.instantiate_request(), format="json")
    second = api.post(path, lifecycle.instantiate_request(), format="json")
    assert second.status_code == 409
    assert second.json()["vnfLcmOpOccId"] == first.headers["Location"].rsplit("/", 1)[-1]
    assert int(second.headers["Retry-After"]) > 0


def test_two_clicks_at_once_start_one_operation(api: "APIClient", lifecycle: "Lifecycle") -> None:
    from django.db import connections

    instance = create(api, lifecycle)
    codes: list[int] = []
    start = threading.Barrier(4)

    def click() -> None:
        start.wait()
        path = f"{INSTANCES}/{instance['id']}/instantiate"
        codes.append(api.post(path, lifecycle.instantiate_request(), format="json").status_code)
        connections.close_all()

    clicks = [threading.Thread(target=click) for _ in range(4)]
    for thread in clicks:
        thread.start()
    for thread in clicks:
        thread.join()
    assert sorted(codes) == [202, 409, 409, 409]
    assert len(api.get(f"{OPERATIONS}?filter=(eq,vnfInstanceId,{instance['id']})").json()) == 1


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"flavourId": "huge"}, "/flavourId"),
        ({"instantiationLevelId": "giant"}, "/instantiationLevelId"),
        ({"targetScaleLevelInfo": [{"aspectId": "nothing", "scaleLevel": 1}]}, "/targetScaleLevelInfo/0/aspectId"),
        ({"targetScaleLevelInfo": [{"aspectId": "data-path", "scaleLevel": 99}]}, "/targetScaleLevelInfo/0/scaleLevel"),
        ({"additionalParams": {"management_cidr": "10.0.0.0/99"}}, "/additionalParams/management_cidr"),
        ({"additionalParams": {"no_such_setting": 1}}, "/additionalParams/no_such_setting"),
        ({"additionalParams": {"management_ip_active": "192.0.2.1"}}, "/additionalParams/management_ip_active"),
        ({"vimConnectionInfo": {"v": {"vimId": str(uuid4()), "vimType": "ETSINFV.OPENSTACK_KEYSTONE.V_3"}}},
         "/vimConnectionInfo/v/vimId"),
    ],
)  # fmt: skip
def test_a_value_that_the_vnfd_forbids_is_refused_at_its_field(
    api: "APIClient", lifecycle: "Lifecycle", change: dict[str, Any], field: str
) -> None:
    instance = create(api, lifecycle)
    body = lifecycle.instantiate_request() | change
    response = api.post(f"{INSTANCES}/{instance['id']}/instantiate", body, format="json")
    assert response.status_code == 422, response.json()
    assert field in [error["field"] for error in response.json()["errors"]]
    assert response.json()["nextStep"]
    assert api.get(OPERATIONS).json() == []


def test_the_wrong_state_is_named(api: "APIClient", lifecycle: "Lifecycle") -> None:
    instance = create(api, lifecycle)
    body = {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1}
    response = api.post(f"{INSTANCES}/{instance['id']}/scale", body, format="json")
    assert response.status_code == 409
    assert response.json()["detail"] == "Cannot scale now. The instance is not instantiated."


def test_a_viewer_reads_and_does_not_write(viewer_api: "APIClient", api: "APIClient", lifecycle: "Lifecycle") -> None:
    instance = create(api, lifecycle)
    assert viewer_api.get(f"{INSTANCES}/{instance['id']}").status_code == 200
    path = f"{INSTANCES}/{instance['id']}/instantiate"
    assert viewer_api.post(path, lifecycle.instantiate_request(), format="json").status_code == 403


def test_delete_needs_the_version_that_was_read(api: "APIClient", lifecycle: "Lifecycle") -> None:
    instance = create(api, lifecycle)
    path = f"{INSTANCES}/{instance['id']}"
    assert api.delete(path, headers={"If-Match": '"999"'}).status_code == 412
    assert api.delete(path, headers={"If-Match": api.get(path).headers["ETag"]}).status_code == 204
    assert api.get(path).status_code == 404


def test_secrets_of_a_request_are_neither_stored_nor_returned(api: "APIClient", lifecycle: "Lifecycle") -> None:
    from vnfm.lcm.domain.requests import InstantiateVnfRequest
    from vnfm.lcm.services.request_reader import redacted

    access = {"username": "u", "password": "hush", "project": "p", "token": "hush as well"}
    info = {"accessInfo": access, "interfaceInfo": {"endpoint": "x"}}
    from vnfm.catalog import selectors as catalog

    request = InstantiateVnfRequest.of({"flavourId": "x", "vimConnectionInfo": {"v": info}})
    shown = redacted(request, catalog.vnfd_of(lifecycle.package))
    assert "hush" not in str(shown)
    assert shown["vimConnectionInfo"]["v"]["accessInfo"]["username"] == "u"


def test_an_unusable_package_is_refused_at_its_field(api: "APIClient", lifecycle: "Lifecycle") -> None:
    path = f"{INSTANCES}/{create(api, lifecycle)['id']}"
    package = lifecycle.package
    for name, value in (("vnfdId", uuid4()), ("vnfPkgId", uuid4())):
        answer = api.patch(path, {name: str(value)}, content_type="application/merge-patch+json")
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, f"/{name}")
    type(package).objects.filter(id=package.id).update(operational_state="DISABLED")
    for name, value in (("vnfdId", package.vnfd_id), ("vnfPkgId", package.id)):
        answer = api.patch(path, {name: str(value)}, content_type="application/merge-patch+json")
        assert (answer.status_code, answer.json()["code"]) == (422, "PACKAGE_DISABLED")
        assert answer.json()["errors"][0]["field"] == f"/{name}"
    assert api.get(OPERATIONS).json() == []


def test_the_old_edition_shows_nothing_of_a_request_that_came_later(api: "APIClient", lifecycle: "Lifecycle") -> None:
    body = lifecycle.instantiate_request() | {"targetScaleLevelInfo": [{"aspectId": "data-path", "scaleLevel": 1}]}
    answer = api.post(f"{INSTANCES}/{create(api, lifecycle)['id']}/instantiate", body, format="json")
    location = answer.headers["Location"]
    assert "targetScaleLevelInfo" in api.get(location).json()["operationParams"]
    assert "targetScaleLevelInfo" not in api.get(location.replace("/v2/", "/v1/")).json()["operationParams"]


def test_an_operator_cannot_guess_the_password_of_a_cloud(operator_api: "APIClient", lifecycle: "Lifecycle") -> None:
    from vnfm.vims import selectors as vims

    known = vims.connection_of(lifecycle.vim)
    access = {"username": known.username, "project": known.project_name, "region": known.region}
    answers = []
    for password, user in ((known.password, known.username), ("a guess", known.username), ("a guess", "stranger")):
        info = {
            "vimType": "ETSINFV.OPENSTACK_KEYSTONE.V_3",
            "interfaceInfo": {"endpoint": known.auth_url},
            "accessInfo": access | {"username": user, "password": password},
        }
        path = f"{INSTANCES}/{create(operator_api, lifecycle, f'pe-{len(answers)}')['id']}/instantiate"
        body = {"flavourId": "default", "vimConnectionInfo": {"vim1": info}}
        answers.append(operator_api.post(path, body, format="json"))
    right, wrong, unknown = answers
    assert right.status_code == wrong.status_code == 202, "the same whatever the password"
    assert (unknown.status_code, unknown.json()["code"]) == (403, "VIM_NOT_REGISTERED")
    assert "for user stranger" in unknown.json()["detail"]


def test_full_credentials_register_the_vim(api: "APIClient", lifecycle: "Lifecycle") -> None:
    from vnfm.vims import selectors as vims

    known = vims.connection_of(lifecycle.vim)
    info = {
        "vimType": "ETSINFV.OPENSTACK_KEYSTONE.V_3",
        "interfaceInfo": {"endpoint": known.auth_url},
        "accessInfo": {"username": known.username, "password": known.password, "project": known.project_name,
                       "region": known.region},
    }  # fmt: skip
    instance = create(api, lifecycle)
    body = {"flavourId": "default", "vimConnectionInfo": {"vim1": info}}
    response = api.post(f"{INSTANCES}/{instance['id']}/instantiate", body, format="json")
    assert response.status_code == 202, response.json()
    shown = api.get(f"{INSTANCES}/{instance['id']}").json()["vimConnectionInfo"]
    assert [each["vimId"] for each in shown.values()] == [str(lifecycle.vim.id)]
    stored = api.get(response.headers["Location"]).json()["operationParams"]["vimConnectionInfo"]["vim1"]
    assert stored["accessInfo"]["password"] == "******"
