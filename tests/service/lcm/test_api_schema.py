"""Our answers are held against ETSI's schemas for an instance that really runs (on the simulated cloud)."""

from typing import TYPE_CHECKING, Any

import pytest

from tests.support.etsi_schema import errors

if TYPE_CHECKING:
    from rest_framework.test import APIClient

    from tests.service.lcm.lifecycle import Lifecycle

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("edition", ["v1", "v2"])
def test_an_instance_through_its_life(api: "APIClient", lifecycle: "Lifecycle", edition: str) -> None:
    created = api.post(
        f"/vnflcm/{edition}/vnf_instances",
        {"vnfdId": str(lifecycle.package.vnfd_id), "vnfInstanceName": "pe-1", "metadata": {"site": "Ulm"}},
        format="json",
    )
    assert created.status_code == 201, created.json()
    assert errors("VnfInstance", created.json(), edition) == []
    path = created.headers["Location"]
    assert f"/vnflcm/{edition}/vnf_instances/" in path
    body = lifecycle.instantiate_request()
    if edition == "v1":
        body["vimConnectionInfo"] = [{"id": key} | info for key, info in body["vimConnectionInfo"].items()]
    started = api.post(f"{path}/instantiate", body, format="json")
    assert started.status_code == 202, started.json()
    assert f"/vnflcm/{edition}/vnf_lcm_op_occs/" in started.headers["Location"]
    live = api.get(started.headers["Location"]).json()
    assert errors("VnfLcmOpOcc", live, edition) == []
    assert "cancel" in live["_links"]
    assert live["operationParams"] == body
    lifecycle.run(live["id"])

    instance = api.get(path).json()
    assert errors("VnfInstance", instance, edition) == []
    assert instance["instantiationState"] == "INSTANTIATED"
    whole = instance["instantiatedVnfInfo"]
    _references_lead_somewhere(whole)
    done = api.get(started.headers["Location"]).json()
    assert errors("VnfLcmOpOcc", done, edition) == []
    assert done["grantId"]
    for listed, name, single in (("vnf_instances", "VnfInstance", instance), ("vnf_lcm_op_occs", "VnfLcmOpOcc", done)):
        short = api.get(f"/vnflcm/{edition}/{listed}").json()
        full = api.get(f"/vnflcm/{edition}/{listed}?all_fields").json()
        assert errors(name, short[0], edition) == []
        assert full == [single]


def _references_lead_somewhere(info: dict[str, Any]) -> None:
    cps = {cp["id"]: cp for vnfc in info["vnfcResourceInfo"] for cp in vnfc["vnfcCpInfo"]}
    outer = {cp["id"] for cp in info["extCpInfo"]}
    assert outer
    assert {cp["associatedVnfcCpId"] for cp in info["extCpInfo"]} <= cps.keys()
    assert {cp["vnfExtCpId"] for cp in cps.values() if "vnfExtCpId" in cp} == outer
    ports = {port["id"] for link in info["extVirtualLinkInfo"] for port in link["extLinkPorts"]}
    assert {cp["extLinkPortId"] for cp in info["extCpInfo"]} == ports
    if "currentVnfExtCpData" in info["extVirtualLinkInfo"][0]:
        data = [cp for link in info["extVirtualLinkInfo"] for cp in link["currentVnfExtCpData"]]
        assert {cp["cpConfigId"] for cp in info["extCpInfo"]} == {key for cp in data for key in cp["cpConfig"]}


def test_a_stopped_operation_and_its_tasks(api: "APIClient", lifecycle: "Lifecycle") -> None:
    """In both editions, each with its own links."""
    from vnfm.lcm.domain.states import Operation

    instance = lifecycle.create("no-valid-host-1")
    op = lifecycle.run(lifecycle.start(instance, Operation.INSTANTIATE, lifecycle.instantiate_request()).id)
    assert op.state == "FAILED_TEMP"
    for edition in ("v1", "v2"):
        shown = api.get(f"/vnflcm/{edition}/vnf_lcm_op_occs/{op.id}").json()
        assert errors("VnfLcmOpOcc", shown, edition) == []
        assert {"retry", "rollback", "fail"} <= shown["_links"].keys()
        assert shown["_links"]["retry"]["href"] == f"http://testserver/vnflcm/{edition}/vnf_lcm_op_occs/{op.id}/retry"
        listed = api.get(f"/vnflcm/{edition}/vnf_lcm_op_occs?all_fields").json()
        assert listed == [shown]
    failed = api.post(f"/vnflcm/v2/vnf_lcm_op_occs/{op.id}/fail")
    assert failed.status_code == 200
    assert errors("VnfLcmOpOcc", failed.json()) == []
