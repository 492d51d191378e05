"""The requests of SOL003 5.5.2 have ETSI's names and exclusions, in every edition; nothing is lost in silence.

Bodies are judged before anybody looks for the instance, so that none is needed here.
"""

from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from tests.support.etsi_schema import properties

if TYPE_CHECKING:
    from rest_framework.test import APIClient

pytestmark = pytest.mark.django_db

VIM = {"vimId": str(uuid4()), "vimType": "ETSINFV.OPENSTACK_KEYSTONE.V_3"}
LINK = {"id": "vl", "resourceId": "net", "extCps": [{"cpdId": "mgmt"}]}
INSTANTIATE = {"flavourId": "default"}


def cp(**config: Any) -> dict[str, Any]:
    return {"extVirtualLinks": [LINK | {"extCps": [{"cpdId": "mgmt", "cpConfig": {"c": config}}]}]}


def address(**wanted: Any) -> dict[str, Any]:
    layer = {"ipAddresses": [{"type": "IPV4", **wanted}]}
    return cp(cpProtocolData=[{"layerProtocol": "IP_OVER_ETHERNET", "ipOverEthernet": layer}])


def post(api: "APIClient", task: str, body: Any, edition: str = "v2") -> Any:
    return api.post(f"/vnflcm/{edition}/vnf_instances/{uuid4()}/{task}", body, format="json")


def patch(api: "APIClient", body: Any, edition: str = "v2") -> Any:
    path = f"/vnflcm/{edition}/vnf_instances/{uuid4()}"
    return api.patch(path, body, content_type="application/merge-patch+json")


MANAGED = {
    "extManagedVirtualLinks": [
        {"id": "x", "vnfVirtualLinkDescId": "fabric", "resourceId": "n", "vnfLinkPort": [{"vnfLinkPortId": "p"}]}
    ]
}
"""The request has a port of the NFVO's."""

OURS = {
    "CreateVnfRequest": {"additionalParams"},
    "InstantiateVnfRequest": {"targetScaleLevelInfo"},
    "ChangeVnfFlavourRequest": {"targetScaleLevelInfo"},
    "HealVnfRequest": {"vnfcInstanceId", "healScript"},
    "OperateVnfRequest": {"vnfcInstanceId"},
    "VnfInfoModificationRequest": {"vnfdId", "vimConnectionInfoDeleteIds"},
}
"""Beyond ETSI's file: what the text of SOL003 has and the file lacks, what came later, and what is of SOL002."""


def test_every_attribute_of_etsi_is_known_and_no_other() -> None:
    from vnfm.lcm.api.inputs import REQUESTS, CancelRequest, CreateVnfRequest

    kinds = {kind.__name__: kind for kind in (*REQUESTS.values(), CreateVnfRequest)} | {"CancelMode": CancelRequest}
    assert len(kinds) == 14
    for name, kind in kinds.items():
        assert set(kind().fields) | set(kind.cannot) == properties(name) | OURS.get(name, set()), name


@pytest.mark.parametrize("edition", ["v1", "v2"])
@pytest.mark.parametrize(
    ("task", "body"),
    [
        ("instantiate", INSTANTIATE),
        ("instantiate", INSTANTIATE | {"extManagedVirtualLinks": [], "extensions": {}, "extVirtualLinks": [LINK]}),
        ("scale", {"type": "SCALE_OUT", "aspectId": "data"}),
        ("scale_to_level", {"instantiationLevelId": "small"}),
        ("scale_to_level", {"scaleInfo": [{"aspectId": "data", "scaleLevel": 0}]}),
        ("change_flavour", {"newFlavourId": "big"}),
        ("terminate", {"terminationType": "GRACEFUL", "gracefulTerminationTimeout": 60}),
        ("heal", {}),
        ("heal", {"cause": "it is sick", "vnfcInstanceId": ["A"]}),
        ("operate", {"changeStateTo": "STARTED"}),
        ("operate", {"changeStateTo": "STOPPED", "vnfcInstanceId": ["A"]}),
        ("operate", {"changeStateTo": "STOPPED"}),
        ("operate", {"changeStateTo": "STOPPED", "stopType": "FORCEFUL"}),
        ("operate", {"changeStateTo": "STOPPED", "stopType": "GRACEFUL", "gracefulStopTimeout": 60}),
        ("change_ext_conn", {"extVirtualLinks": [LINK]}),
    ],
)
def test_valid_requests_reach_the_instance(api: "APIClient", edition: str, task: str, body: dict[str, Any]) -> None:
    answer = post(api, task, body, edition)
    assert answer.status_code == 404, answer.json()
    assert "VNF instance" in answer.json()["detail"]


def test_dynamic_addresses_may_be_requested(api: "APIClient") -> None:
    assert post(api, "instantiate", INSTANTIATE | address(numDynamicAddresses=1)).status_code == 404


@pytest.mark.parametrize(
    ("task", "body", "field"),
    [
        ("instantiate", {}, "/flavourId"),
        ("instantiate", INSTANTIATE | {"instantiationLevel": "small"}, "/instantiationLevel"),
        ("instantiate", INSTANTIATE | {"vimConnectionInfo": {"v": VIM | {"vimID": "x"}}}, "/vimConnectionInfo/v/vimID"),
        ("instantiate", INSTANTIATE | {"vimConnectionInfo": [VIM]}, "/vimConnectionInfo"),
        ("instantiate", INSTANTIATE | {"vimConnectionInfo": {"v": {}}}, "/vimConnectionInfo/v/vimType"),
        ("instantiate", INSTANTIATE | {"extVirtualLinks": [LINK | {"extCps": []}]}, "/extVirtualLinks/0/extCps"),
        ("instantiate", INSTANTIATE | {"extVirtualLinks": [{"id": "vl"}]}, "/extVirtualLinks/0/resourceId"),
        ("instantiate", INSTANTIATE | cp(port="p"), "/extVirtualLinks/0/extCps/0/cpConfig/c/port"),
        ("scale", {"type": "SCALE_UP", "aspectId": "data"}, "/type"),
        ("scale", {"type": "SCALE_IN", "aspectId": "data", "numberOfSteps": 0}, "/numberOfSteps"),
        ("scale", {"type": "SCALE_IN", "aspectId": "data", "steps": 2}, "/steps"),
        ("scale_to_level", {}, ""),
        ("scale_to_level", {"instantiationLevelId": "a", "scaleInfo": [{"aspectId": "b", "scaleLevel": 1}]}, ""),
        ("scale_to_level", {"scaleInfo": [{"aspectId": "b", "scaleLevel": n} for n in (1, 2)]}, "/scaleInfo"),
        ("scale_to_level", {"scaleInfo": [{"aspectId": "b", "scaleLevel": -1}]}, "/scaleInfo/0/scaleLevel"),
        ("scale_to_level", {"scaleInfo": [{"aspectId": "b", "scaleToLevel": 1}]}, "/scaleInfo/0/scaleToLevel"),
        ("terminate", {"terminationType": "FORCEFUL", "gracefulTerminationTimeout": 1}, "/gracefulTerminationTimeout"),
        ("terminate", {"terminationType": "GRACEFUL", "gracefulTerminationTimeout": -1}, "/gracefulTerminationTimeout"),
        ("operate", {"changeStateTo": "STARTED", "stopType": "FORCEFUL"}, "/stopType"),
        ("operate", {"changeStateTo": "STARTED", "gracefulStopTimeout": 5}, "/gracefulStopTimeout"),
        ("operate", {"changeStateTo": "STOPPED", "gracefulStopTimeout": 5}, "/gracefulStopTimeout"),
        ("operate", {"changeStateTo": "STOPPED", "stopType": "GRACEFUL"}, "/gracefulStopTimeout"),
        ("heal", {"cause": "x", "vnfcToHeal": ["A"]}, "/vnfcToHeal"),
        ("change_ext_conn", {"extVirtualLinks": []}, "/extVirtualLinks"),
        ("change_flavour", {"flavourId": "big"}, "/newFlavourId"),
        ("change_vnfpkg", {"vnfdId": "newest"}, "/vnfdId"),
    ],
)
def test_invalid_requests_are_refused_at_their_field(
    api: "APIClient", task: str, body: dict[str, Any], field: str
) -> None:
    answer = post(api, task, body)
    assert (answer.status_code, answer.json()["code"]) == (400, "INVALID_REQUEST")
    assert field in [error["field"] for error in answer.json()["errors"]]


ACCOUNT = {"username": "u", "password": " p ", "project": "p", "userDomain": "d", "projectDomain": "d", "region": ""}
CLOUD = {"endpoint": "https://198.51.100.7:5000/v3", "trustedCertificates": ["PEM"]}


def connection(interface: Any, access: Any) -> dict[str, Any]:
    info = {"vimType": VIM["vimType"], "interfaceInfo": interface, "accessInfo": access}
    return INSTANTIATE | {"vimConnectionInfo": {"v": info}}


def test_a_cloud_comes_with_its_login(api: "APIClient") -> None:
    assert (
        post(api, "instantiate", connection(CLOUD | {"skipCertificateVerification": False}, ACCOUNT)).status_code == 404
    )


@pytest.mark.parametrize(
    ("interface", "access", "field", "status"),
    [
        ({"token": "t"}, {}, "interfaceInfo/token", 422),
        ({"skipCertificateHostnameCheck": True}, {}, "interfaceInfo/skipCertificateHostnameCheck", 422),
        ({}, {"token": "t"}, "accessInfo/token", 422),
        ({}, {"applicationCredentialSecret": "s"}, "accessInfo/applicationCredentialSecret", 422),
        ({"endpoint": {"url": "x"}}, {}, "interfaceInfo/endpoint", 400),
        ({"trustedCertificates": "PEM"}, {}, "interfaceInfo/trustedCertificates", 400),
        ({}, {"password": 1234}, "accessInfo/password", 400),
        ({}, {"project": ["p"]}, "accessInfo/project", 400),
        ({}, "token", "accessInfo", 400),
    ],
)
def test_other_login_attributes_are_refused_and_not_stored(
    api: "APIClient", interface: Any, access: Any, field: str, status: int
) -> None:
    whole = ACCOUNT | access if isinstance(access, dict) else access
    answer = post(api, "instantiate", connection(CLOUD | interface, whole))
    assert answer.status_code == status, answer.json()
    assert [error["field"] for error in answer.json()["errors"]] == [f"/vimConnectionInfo/v/{field}"]


@pytest.mark.parametrize(
    ("task", "body", "field"),
    [
        ("instantiate", INSTANTIATE | MANAGED, "/extManagedVirtualLinks/0/vnfLinkPort"),
        (
            "instantiate",
            INSTANTIATE | {"vimConnectionInfo": {"v": VIM | {"extra": {"a": 1}}}},
            "/vimConnectionInfo/v/extra",
        ),
        (
            "instantiate",
            INSTANTIATE | {"extVirtualLinks": [LINK | {"extLinkPorts": [{"id": "p"}]}]},
            "/extVirtualLinks/0/extLinkPorts",
        ),
        ("instantiate", INSTANTIATE | cp(linkPortId="p"), "/extVirtualLinks/0/extCps/0/cpConfig/c/linkPortId"),
        (
            "instantiate",
            INSTANTIATE | address(fixedAddresses=["192.0.2.7"]),
            "/extVirtualLinks/0/extCps/0/cpConfig/c/cpProtocolData/0/ipOverEthernet/ipAddresses/0/fixedAddresses",
        ),
        (
            "change_ext_conn",
            address(numDynamicAddresses=2),
            "/extVirtualLinks/0/extCps/0/cpConfig/c/cpProtocolData/0/ipOverEthernet/ipAddresses/0/numDynamicAddresses",
        ),
        ("heal", {"healScript": "reboot.sh"}, "/healScript"),
        ("change_vnfpkg", {"vnfdId": str(uuid4())} | MANAGED, "/extManagedVirtualLinks/0/vnfLinkPort"),
    ],
)
def test_unsupported_attributes_are_refused(api: "APIClient", task: str, body: dict[str, Any], field: str) -> None:
    answer = post(api, task, body)
    assert (answer.status_code, answer.json()["code"]) == (422, "UNSUPPORTED_ATTRIBUTE"), answer.json()
    assert [error["field"] for error in answer.json()["errors"]] == [field]
    assert answer.json()["errors"][0]["message"]


def test_an_invalid_attribute_next_to_an_unsupported_one_is_a_400(api: "APIClient") -> None:
    answer = post(api, "instantiate", MANAGED)
    assert answer.status_code == 400
    fields = {error["field"] for error in answer.json()["errors"]}
    assert fields == {"/extManagedVirtualLinks/0/vnfLinkPort", "/flavourId"}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, ""),
        ({"name": "x"}, "/name"),
        ({"vnfInstanceName": "n" * 101}, "/vnfInstanceName"),
        ({"vnfdId": str(uuid4()), "vnfPkgId": str(uuid4())}, "/vnfPkgId"),
        ({"metadata": {"note": "n" * 70_000}}, "/metadata"),
    ],
)
def test_a_modification_that_makes_no_sense(api: "APIClient", body: dict[str, Any], field: str) -> None:
    answer = patch(api, body)
    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == [field]


def test_a_modification_is_a_merge_patch(api: "APIClient") -> None:
    removal = {"vnfInstanceDescription": None, "metadata": {"site": None}}
    assert patch(api, removal).status_code == 404
    answer = api.patch(f"/vnflcm/v2/vnf_instances/{uuid4()}", removal, content_type="text/plain")
    assert answer.status_code == 415


@pytest.mark.parametrize(
    ("mode", "status"), [({"cancelMode": "GRACEFUL"}, 404), ({"cancelMode": "NOW"}, 400), ({}, 400), ({"mode": 1}, 400)]
)
def test_cancelling_needs_a_mode(api: "APIClient", mode: dict[str, Any], status: int) -> None:
    answer = api.post(f"/vnflcm/v2/vnf_lcm_op_occs/{uuid4()}/cancel", mode, format="json")
    assert answer.status_code == status


def test_the_old_edition_accepts_arrays(api: "APIClient") -> None:
    """And says where in them something is wrong."""
    arrays = INSTANTIATE | {
        "vimConnectionInfo": [VIM | {"id": "a"}],
        "extVirtualLinks": [LINK | {"extCps": [{"cpdId": "mgmt", "cpConfig": [{"cpProtocolData": []}]}]}],
    }
    assert post(api, "instantiate", arrays, "v1").status_code == 404
    assert post(api, "instantiate", arrays, "v2").status_code == 400
    for wrong, field in (
        ({"vimConnectionInfo": {"a": VIM}}, "/vimConnectionInfo"),
        ({"vimConnectionInfo": [VIM]}, "/vimConnectionInfo"),
        ({"vimConnectionInfo": [VIM | {"id": "a"}, VIM | {"id": "a"}]}, "/vimConnectionInfo"),
        ({"vimConnectionInfo": [VIM | {"id": "a"}, {"id": "b"}]}, "/vimConnectionInfo/1/vimType"),
        (
            {"extVirtualLinks": [LINK | {"extCps": [{"cpdId": "m", "cpConfig": [{}, {"x": 1}]}]}]},
            "/extVirtualLinks/0/extCps/0/cpConfig/1/x",
        ),
    ):
        answer = post(api, "instantiate", INSTANTIATE | wrong, "v1")
        assert answer.status_code == 400
        assert [error["field"] for error in answer.json()["errors"]] == [field]


def test_the_old_edition_lacks_later_attributes(api: "APIClient") -> None:
    later = INSTANTIATE | {"targetScaleLevelInfo": [{"aspectId": "data", "scaleLevel": 1}]}
    assert post(api, "instantiate", later, "v2").status_code == 404
    assert [error["field"] for error in post(api, "instantiate", later, "v1").json()["errors"]] == [
        "/targetScaleLevelInfo"
    ]


def test_the_old_edition_has_later_tasks_for_clients_that_mix_the_versions(api: "APIClient") -> None:
    unknown = post(api, "change_vnfpkg", {"vnfdId": str(uuid4())}, "v1")
    assert (unknown.status_code, unknown.json()["code"]) == (404, "NOT_FOUND")
    assert "VNF instance" in unknown.json()["detail"]
    snapshot = {"vnfSnapshotResId": str(uuid4())}
    assert "VNF instance" in post(api, "create_snapshot", snapshot, "v1").json()["detail"]
    assert "VNF instance" in post(api, "revert_to_snapshot", snapshot, "v1").json()["detail"]
    ident = api.post("/vnflcm/v1/vnf_snapshots", {}, format="json").json()["id"]
    one = f"/vnflcm/v1/vnf_snapshots/{ident}"
    assert api.patch(one, {"vnfSnapshotPkgId": "pkg-7"}, format="json").status_code == 200
    assert api.get("/vnflcm/v1/vnf_snapshots").json() == [api.get(one).json()]
    assert api.delete(one).status_code == 204


@pytest.mark.parametrize("method", ["get", "put", "patch", "delete"])
def test_tasks_are_only_posted_to(api: "APIClient", method: str) -> None:
    answer = getattr(api, method)(f"/vnflcm/v2/vnf_instances/{uuid4()}/heal")
    assert answer.status_code == 405
    assert answer.headers["Content-Type"] == "application/problem+json"
