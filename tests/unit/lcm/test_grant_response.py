"""The grant of an NFVO is followed, or said not to be possible; nothing of it is passed over."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.lcm.domain.grant_response import GrantDecision, OperationVim, apply_grant, check_grant, read_grant
from vnfm.lcm.domain.operation_request import Rejection
from vnfm.lcm.domain.requests import ChangeExtVnfConnectivityRequest, InstantiateVnfRequest, ScaleVnfRequest
from vnfm.lcm.domain.states import Operation
from vnfm.vims.domain.project import Project

ETSI = json.loads((Path(__file__).parent / "sol003_granting.json").read_text())
SCHEMA = Draft202012Validator({**ETSI, "$ref": "#/$defs/Grant"})

OP, INSTANCE = "7f3e4a52-0000-4000-8000-000000000001", "7f3e4a52-0000-4000-8000-000000000002"
WANTED = {"add/control/A", "add/control/A/control-management"}
PROJECT_ID = "1c86ad7b1f9b4f4b9f5f6f7a8b9c0d1e"
VIM = OperationVim(
    "7f3e4a52-0000-4000-8000-00000000000c", "https://cloud.example:5000/v3", Project("nfv", PROJECT_ID), "RegionOne"
)
LINK = {"id": "ext-1", "resourceId": "net-9", "extCps": [{"cpdId": "control-management", "cpConfig": {}}]}
PASSWORD = "a password that only the VIM should know"


def grant(**changes: Any) -> dict[str, Any]:
    link = {"href": "https://nfvo.example/x"}
    body = {
        "id": "grant-1",
        "vnfInstanceId": INSTANCE,
        "vnfLcmOpOccId": OP,
        "addResources": [{"resourceDefinitionId": name} for name in sorted(WANTED)],
        "_links": {"self": link, "vnfLcmOpOcc": link, "vnfInstance": link},
        **changes,
    }
    assert list(SCHEMA.iter_errors(body)) == [], "the test's own grant is not as ETSI has it"
    return body


def placed(**info: Any) -> list[dict[str, Any]]:
    return [{"resourceDefinitionId": name, **info} for name in sorted(WANTED)]


def decided(**changes: Any) -> GrantDecision:
    decision = read_grant(grant(**changes), OP, INSTANCE)
    assert isinstance(decision, GrantDecision), decision
    assert GrantDecision.from_json(json.loads(json.dumps(decision.as_json()))) == decision
    return decision


def against(
    decision: GrantDecision, zones: tuple[str, ...] = ("nova",), operation: Operation = Operation.INSTANTIATE
) -> str:
    """Every word against it, "" when it can be followed."""
    checks = check_grant(decision, operation, WANTED, VIM, zones)
    assert all(check.binding for check in checks)
    return " ".join(check.message for check in checks if check.status != "True")


def test_a_grant_of_exactly_the_request_is_followed() -> None:
    assert against(decided()) == ""


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"vnfLcmOpOccId": INSTANCE}, "another operation's"),
        ({"vnfInstanceId": OP}, "another operation's"),
    ],
)
def test_a_grant_for_another_operation_is_invalid(changes: dict[str, Any], words: str) -> None:
    assert words in str(read_grant(grant(**changes), OP, INSTANCE))


@pytest.mark.parametrize(
    "change",
    [{"id": 7}, {"id": ""}, {"addResources": {"a": 1}}, {"addResources": [{}]}, {"zones": "nova"}, {"vimAssets": []}],
    ids=str,
)
def test_an_invalid_grant_is_reported_at_its_first_fault(change: dict[str, Any]) -> None:
    error = read_grant({**grant(), **change}, OP, INSTANCE)
    assert isinstance(error, str)
    assert f"$.{next(iter(change))}" in error


def test_refused_resources_are_named() -> None:
    decision = decided(addResources=[{"resourceDefinitionId": "add/control/A"}])
    assert "does not cover add/control/A/control-management" in against(decision)


def test_no_credentials_are_stored() -> None:
    access = {"username": "nfv", "password": PASSWORD, "project": "nfv"}
    info = {"vimType": "ETSINFV.OPENSTACK_KEYSTONE.V_3", "vimId": VIM.id, "accessInfo": access}
    decision = decided(vimConnectionInfo={"vim1": info})
    assert PASSWORD not in json.dumps(decision.as_json())
    assert against(decision) == ""


@pytest.mark.parametrize(
    ("info", "ours"),
    [
        ({"vimId": VIM.id}, True),
        ({"interfaceInfo": {"endpoint": VIM.auth_url + "/"}}, True),
        ({"vimId": "theirs", "interfaceInfo": {"endpoint": VIM.auth_url}, "accessInfo": {"project": "nfv"}}, True),
        ({"interfaceInfo": {"endpoint": VIM.auth_url}, "accessInfo": {"project": "other"}}, False),
        ({"interfaceInfo": {"endpoint": VIM.auth_url}, "accessInfo": {"project": PROJECT_ID}}, True),
        ({"interfaceInfo": {"endpoint": VIM.auth_url}, "accessInfo": {"projectId": PROJECT_ID}}, True),
        ({"interfaceInfo": {"endpoint": VIM.auth_url}, "accessInfo": {"projectId": "nfv"}}, True),
        ({"interfaceInfo": {"endpoint": VIM.auth_url}, "accessInfo": {"projectName": "nfv"}}, True),
        ({"interfaceInfo": {"endpoint": VIM.auth_url}, "accessInfo": {"projectName": "other"}}, False),
        ({"interfaceInfo": {"endpoint": VIM.auth_url}, "accessInfo": {"projectId": "f" * 32}}, False),
        # The id is exact, a name one of several domains'.
        (
            {"interfaceInfo": {"endpoint": VIM.auth_url}, "accessInfo": {"project": "nfv", "projectId": "f" * 32}},
            False,
        ),
        ({"interfaceInfo": {"endpoint": VIM.auth_url}, "accessInfo": {"region": "RegionTwo"}}, False),
        ({"interfaceInfo": {"endpoint": "https://other.example:5000/v3"}}, False),
        ({"vimId": "theirs"}, False),
    ],
    ids=str,
)
def test_another_vim_than_ours_is_refused(info: dict[str, Any], ours: bool) -> None:
    connections = {"chosen": {"vimType": "ETSINFV.OPENSTACK_KEYSTONE.V_3", **info}}
    for resources in (placed(), placed(vimConnectionId="chosen")):
        words = against(decided(vimConnectionInfo=connections, addResources=resources))
        assert (words == "") is ours
        assert ours or "It wants the VIM chosen used" in words


def test_an_undescribed_connection_is_rejected_unless_it_is_ours() -> None:
    assert against(decided(addResources=placed(vimConnectionId="vim1"))) == ""
    assert "the VIM east used" in against(decided(addResources=placed(vimConnectionId="east")))


ZONES = [{"id": "z1", "zoneId": "nova"}, {"id": "z2", "zoneId": "east"}]


@pytest.mark.parametrize(
    ("zones", "resources", "has", "followed"),
    [
        (ZONES[:1], placed(), ("nova",), True),
        (ZONES[:1], placed(zoneId="z1"), ("nova",), True),
        (ZONES, placed(), ("east", "nova"), True),
        (ZONES[:1], placed(), ("east", "nova"), False),
        (ZONES, placed(zoneId="z2"), ("nova",), False),
        (ZONES, [*placed(zoneId="z1"), {"resourceDefinitionId": "more", "zoneId": "z2"}], ("east", "nova"), False),
    ],
)
def test_a_zone_is_followed_where_nova_has_no_other_choice(
    zones: list[Any], resources: list[Any], has: tuple[str, ...], followed: bool
) -> None:
    words = against(decided(zones=zones, addResources=resources), has)
    assert (words == "") is followed
    assert followed or "Nova would choose by itself" in words


def test_zones_do_not_matter_without_new_resources() -> None:
    decision = decided(zones=ZONES[1:])
    assert all(check.name != "Zones" for check in check_grant(decision, Operation.SCALE, set(), VIM, ("nova",)))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"addResources": placed(reservationId="r-1")}, "reservations used (r-1)"),
        ({"addResources": placed(resourceProviderId="p-1")}, "other resource providers used (p-1)"),
        ({"addResources": placed(zoneId="nowhere")}, "zone 'nowhere', which it does not describe"),
        ({"additionalParams": {"colour": "blue"}}, "mean nothing here: colour"),
        (
            {"extManagedVirtualLinks": [{"id": "m", "vnfVirtualLinkDescId": "fabric", "resourceId": "n"}]},
            "extManagedVirtualLinks",
        ),
    ],
    ids=str,
)
def test_a_change_without_a_step_is_refused(changes: dict[str, Any], words: str) -> None:
    assert words in against(decided(**changes))


def test_links_are_refused_where_the_operation_attaches_none() -> None:
    assert "SCALE attaches none" in against(decided(extVirtualLinks=[LINK]), operation=Operation.SCALE)
    assert against(decided(extVirtualLinks=[LINK])) == ""


ASSETS = {
    "computeResourceFlavours": [{"vnfdVirtualComputeDescId": "control", "vimFlavourId": "flavor-7"}],
    "softwareImages": [{"vnfdSoftwareImageId": "vsr", "vimSoftwareImageId": "image-7"}],
}


def test_the_nfvos_images_and_flavors_are_used(vsr: Vnfd) -> None:
    request = InstantiateVnfRequest.of({"flavourId": "default", "additionalParams": {"anti_affinity": False}})
    granted = apply_grant(decided(vimAssets=ASSETS), request, vsr)
    assert isinstance(granted, InstantiateVnfRequest)
    assert granted.settings == {"anti_affinity": False, "control_flavor": "flavor-7", "image": "image-7"}


def test_an_image_that_the_operator_chose_otherwise_is_not_replaced(vsr: Vnfd) -> None:
    params = {"image": "mine", "control_flavor": "flavor-7"}
    request = InstantiateVnfRequest.of({"flavourId": "default", "additionalParams": params})
    refused = apply_grant(decided(vimAssets=ASSETS), request, vsr)
    assert isinstance(refused, Rejection)
    assert [error.field for error in refused.errors] == ["/additionalParams/image"]
    assert "grants 'image-7', the request wants 'mine'" in refused.errors[0].message


def test_assets_in_use_are_no_news_to_a_scaling(vsr: Vnfd) -> None:
    request = ScaleVnfRequest(aspect_id="data-path", type="SCALE_OUT")
    assert apply_grant(decided(vimAssets=ASSETS), request, vsr) == request


def test_links_of_the_grant_go_before_those_of_the_request_with_the_same_id(vsr: Vnfd) -> None:
    other = {**LINK, "id": "ext-2"}
    request = ChangeExtVnfConnectivityRequest.of({"extVirtualLinks": [{**LINK, "resourceId": "mine"}, other]})
    granted = apply_grant(decided(extVirtualLinks=[LINK]), request, vsr)
    assert granted == ChangeExtVnfConnectivityRequest.of({"extVirtualLinks": [LINK, other]})


def test_a_link_without_its_network_is_no_grant():
    fault = read_grant({**grant(), "extVirtualLinks": [{"id": "ext-1", "extCps": []}]}, OP, INSTANCE)
    assert isinstance(fault, str)
    assert fault.endswith("at $.extVirtualLinks[0]: 'resourceId' is a required property")
