"""Requests that hold only for a certain version (If-Match, 412), only once (Idempotency-Key), or only for our VIM."""

from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

if TYPE_CHECKING:
    from rest_framework.test import APIClient

    from tests.service.lcm.lifecycle import Lifecycle

INSTANCES = "/vnflcm/v2/vnf_instances"

pytestmark = pytest.mark.django_db(transaction=True)


def with_etag(api: "APIClient", path: str) -> dict[str, str]:
    return {"If-Match": api.get(path).headers["ETag"]}


def test_a_task_holds_for_the_version_that_was_read(api: "APIClient", lifecycle: "Lifecycle") -> None:
    path = f"{INSTANCES}/{lifecycle.create().id}"
    body = lifecycle.instantiate_request()
    stale = api.post(f"{path}/instantiate", body, format="json", headers={"If-Match": '"99"'})
    assert (stale.status_code, stale.json()["code"]) == (412, "PRECONDITION_FAILED")
    assert api.get(path).headers["ETag"].partition(".")[0].strip('"') in stale.json()["detail"]
    before = with_etag(api, path)
    assert api.post(f"{path}/instantiate", body, format="json", headers=before).status_code == 202
    assert api.post(f"{path}/heal", {}, format="json", headers=before).status_code == 412
    assert api.delete(path, headers=before).status_code == 412
    patch = api.patch(path, {"vnfInstanceName": "x"}, content_type="application/merge-patch+json", headers=before)
    assert patch.status_code == 412


def test_a_deletion_holds_for_the_version_that_was_read(api: "APIClient", lifecycle: "Lifecycle") -> None:
    path = f"{INSTANCES}/{lifecycle.create().id}"
    assert api.delete(path, headers={"If-Match": '"99"'}).status_code == 412
    assert api.delete(path, headers=with_etag(api, path)).status_code == 204


@pytest.mark.parametrize("edition", ["v1", "v2"])
def test_the_tasks_of_an_operation_hold_for_the_version_that_was_read(
    api: "APIClient", lifecycle: "Lifecycle", edition: str
) -> None:
    from vnfm.lcm.domain.states import Operation

    instance = lifecycle.create("no-valid-host-1")
    op = lifecycle.run(lifecycle.start(instance, Operation.INSTANTIATE, lifecycle.instantiate_request()).id)
    path = f"/vnflcm/{edition}/vnf_lcm_op_occs/{op.id}"
    read = with_etag(api, path)
    for task in ("retry", "rollback", "fail"):
        assert api.post(f"{path}/{task}", headers={"If-Match": '"1"'}).status_code == 412, task
    accepted = api.post(f"{path}/rollback", headers=read)
    assert accepted.status_code == 202
    assert accepted.headers["Location"].endswith(path)
    graceful = {"cancelMode": "GRACEFUL"}
    assert api.post(f"{path}/cancel", graceful, format="json", headers=read).status_code == 412
    cancelled = api.post(f"{path}/cancel", graceful, format="json", headers=with_etag(api, path))
    assert cancelled.status_code == 202
    shown = api.get(path).json()
    assert (shown["isCancelPending"], shown["cancelMode"]) == (True, "GRACEFUL")
    again = api.post(f"{path}/cancel", graceful, format="json")
    assert (again.status_code, again.json()["code"]) == (409, "WRONG_STATE")
    assert "cancel" in shown["_links"], "by force, without waiting for the step"
    forceful = {"cancelMode": "FORCEFUL"}
    assert api.post(f"{path}/cancel", forceful, format="json").status_code == 202
    shown = api.get(path).json()
    assert (shown["cancelMode"], "cancel" in shown["_links"]) == ("FORCEFUL", False)
    assert api.post(f"{path}/cancel", forceful, format="json").status_code == 409


def test_a_repeated_instantiation_is_one_operation(api: "APIClient", lifecycle: "Lifecycle") -> None:
    """Without the key the second gets a conflict; with it, the first answer."""
    path = f"{INSTANCES}/{lifecycle.create().id}/instantiate"
    key = {"Idempotency-Key": str(uuid4())}
    first, again = (api.post(path, lifecycle.instantiate_request(), format="json", headers=key) for _ in range(2))
    assert (first.status_code, again.status_code) == (202, 202)
    assert first.headers["Location"] == again.headers["Location"]
    assert api.post(path, lifecycle.instantiate_request(), format="json").status_code == 409
    assert len(api.get("/vnflcm/v2/vnf_lcm_op_occs").json()) == 1


def test_the_name_and_the_notes_of_an_instance_are_modified(api: "APIClient", lifecycle: "Lifecycle") -> None:
    path = f"/vnflcm/v1/vnf_instances/{lifecycle.create('before').id}"

    def modify(body: dict[str, Any]) -> Any:
        answer = api.patch(path, body, content_type="application/merge-patch+json", headers=with_etag(api, path))
        if answer.status_code == 202:
            lifecycle.run(api.get(answer.headers["Location"]).json()["id"])
        return answer

    assert modify({"vnfInstanceName": "after", "metadata": {"site": "Ulm", "rack": {"row": 1}}}).status_code == 202
    answer = modify({"vnfInstanceDescription": "a router", "metadata": {"site": None, "rack": {"unit": 2}}})
    assert answer.status_code == 202
    instance = api.get(path).json()
    assert (instance["vnfInstanceName"], instance["vnfInstanceDescription"]) == ("after", "a router")
    assert instance["metadata"] == {"rack": {"row": 1, "unit": 2}}
    op = api.get(answer.headers["Location"]).json()
    assert (op["operation"], op["operationState"]) == ("MODIFY_INFO", "COMPLETED")
    assert op["changedInfo"] == op["operationParams"]
    lifecycle.create("taken")
    assert modify({"vnfInstanceName": "taken"}).status_code == 202, "names are for people"


def test_the_package_may_be_named_by_its_own_id(api: "APIClient", lifecycle: "Lifecycle") -> None:
    path = f"/vnflcm/v1/vnf_instances/{lifecycle.create().id}"

    def package(package_id: object) -> Any:
        return api.patch(path, {"vnfPkgId": str(package_id)}, content_type="application/merge-patch+json")

    unknown = package(uuid4())
    assert (unknown.status_code, unknown.json()["errors"][0]["field"]) == (422, "/vnfPkgId")
    answer = package(lifecycle.package.id)
    assert answer.status_code == 202
    assert api.get(answer.headers["Location"]).json()["operationParams"] == {"vnfdId": str(lifecycle.package.vnfd_id)}


@pytest.mark.parametrize("edition", ["v1", "v2"])
def test_an_instance_stays_in_its_vim(api: "APIClient", lifecycle: "Lifecycle", edition: str) -> None:
    path = f"/vnflcm/{edition}/vnf_instances/{lifecycle.create().id}"
    other = {"vimId": str(uuid4()), "vimType": "ETSINFV.OPENSTACK_KEYSTONE.V_3"}
    infos = {"a": other} if edition == "v2" else [{"id": "a"} | other]
    answer = api.patch(path, {"vimConnectionInfo": infos}, content_type="application/merge-patch+json")
    place = "a" if edition == "v2" else "0"
    assert (answer.status_code, answer.json()["code"]) == (422, "OTHER_VIM")
    assert [error["field"] for error in answer.json()["errors"]] == [f"/vimConnectionInfo/{place}"]


def test_an_unknown_vim_is_named_where_the_old_edition_has_it(api: "APIClient", lifecycle: "Lifecycle") -> None:
    path = f"/vnflcm/v1/vnf_instances/{lifecycle.create().id}/instantiate"
    info = {"id": "first", "vimId": str(uuid4()), "vimType": "ETSINFV.OPENSTACK_KEYSTONE.V_3"}
    answer = api.post(path, {"flavourId": "default", "vimConnectionInfo": [info]}, format="json")
    assert answer.status_code == 422
    assert [error["field"] for error in answer.json()["errors"]] == ["/vimConnectionInfo/0/vimId"]


def test_an_unusable_vnfd_is_a_422_and_no_404(api: "APIClient", lifecycle: "Lifecycle") -> None:
    """422 and not 404: the path was right (SOL003 5.4.2.3.1)."""
    from vnfm.catalog.models import VnfPackage

    unknown = api.post(INSTANCES, {"vnfdId": str(uuid4())}, format="json")
    VnfPackage.objects.filter(id=lifecycle.package.id).update(operational_state="DISABLED")
    disabled = api.post(INSTANCES, {"vnfdId": str(lifecycle.package.vnfd_id)}, format="json")
    for answer in (unknown, disabled):
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "/vnfdId")


def test_contradictory_links_are_refused(api: "APIClient", lifecycle: "Lifecycle") -> None:
    cps = [{"cpdId": "control-management"}]
    links = [{"id": net, "resourceId": net, "extCps": cps} for net in ("net-1", "net-2")]
    path = f"{INSTANCES}/{lifecycle.create().id}/instantiate"
    answer = api.post(path, lifecycle.instantiate_request() | {"extVirtualLinks": links}, format="json")
    assert answer.status_code == 422
    assert [error["field"] for error in answer.json()["errors"]] == ["/extVirtualLinks/1/resourceId"]
