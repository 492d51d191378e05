"""The JSON of a request is parsed to its type: reserved names have attributes of their own, the rest are settings."""

from typing import Any

import pytest

from vnfm.lcm.domain.request_params import split_policies
from vnfm.lcm.domain.request_types import ExtCp, ExtVirtualLink, ScaleInfo
from vnfm.lcm.domain.requests import (
    ChangeVnfFlavourRequest,
    HealVnfRequest,
    InstantiateVnfRequest,
    OperateVnfRequest,
    Request,
    ScaleVnfRequest,
    TerminateVnfRequest,
    VnfInfoModificationRequest,
    parse_request,
)
from vnfm.lcm.domain.states import Operation

BODIES: dict[Operation, dict[str, Any]] = {
    Operation.INSTANTIATE: {"flavourId": "default"},
    Operation.SCALE: {"type": "SCALE_IN", "aspectId": "data-path"},
    Operation.SCALE_TO_LEVEL: {"instantiationLevelId": "small"},
    Operation.CHANGE_FLAVOUR: {"newFlavourId": "large"},
    Operation.OPERATE: {"changeStateTo": "STARTED"},
    Operation.HEAL: {},
    Operation.CHANGE_EXT_CONN: {"extVirtualLinks": []},
    Operation.CHANGE_VNFPKG: {"vnfdId": "6a0b7c4e-54b2-4c8f-9f2b-0e3a6a7d9c11"},
    Operation.MODIFY_INFO: {"metadata": {"site": None}},
    Operation.TERMINATE: {"terminationType": "FORCEFUL"},
    Operation.CREATE_SNAPSHOT: {"vnfSnapshotInfoId": "6a0b7c4e-54b2-4c8f-9f2b-0e3a6a7d9c11"},
    Operation.REVERT_TO_SNAPSHOT: {"vnfSnapshotInfoId": "6a0b7c4e-54b2-4c8f-9f2b-0e3a6a7d9c11"},
}


@pytest.mark.parametrize("operation", Operation)
def test_every_operation_has_a_request_of_its_own(operation: Operation) -> None:
    request = parse_request(operation, BODIES[operation])
    assert request.operation == operation
    assert request.malformed == ()


def test_reserved_names_of_an_instantiation_are_no_settings() -> None:
    params = {"createFlavors": True, "snmpPolicy": "core", "sshPolicy": None, "image": "vsr"}
    request = InstantiateVnfRequest.of({"flavourId": "default", "additionalParams": params})
    assert (request.settings, request.additional_params.create_flavors) == ({"image": "vsr"}, True)
    given = request.additional_params
    assert (given.policies, given.adopt_stack) == ({"snmpPolicy": "core"}, None)
    assert split_policies(params) == ({"createFlavors": True, "image": "vsr"}, {"snmpPolicy": "core"})


@pytest.mark.parametrize("value", ["no", 1, [], {}])
def test_leave_to_create_flavors_is_true_or_false(value: object) -> None:
    request = InstantiateVnfRequest.of({"flavourId": "default", "additionalParams": {"createFlavors": value}})
    assert request.additional_params.create_flavors is None
    assert [(error.field, error.message) for error in request.malformed] == [
        ("/additionalParams/createFlavors", "Give true or false.")
    ]


@pytest.mark.parametrize(("value", "stack_id"), [("s-1", "s-1"), ("", ""), (7, ""), (None, "")])
def test_an_adoption_names_its_stack(value: object, stack_id: str) -> None:
    params = {"adoptStack": value, "createFlavors": True}
    request = InstantiateVnfRequest.of({"flavourId": "", "additionalParams": params})
    given = request.additional_params
    assert (given.adopt_stack, given.create_flavors) == (stack_id, None)
    assert request.settings == {"createFlavors": True}, "an adoption creates nothing: there it is no name of ours"


def test_policies_of_a_change_are_settings_that_no_vnfd_has() -> None:
    params = {"snmpPolicy": "core", "createFlavors": False}
    link = {"id": "l", "resourceId": "net", "extCps": [{"cpdId": "a"}, {"cpdId": "b"}]}
    infos = [{"aspectId": "data-path", "scaleLevel": 2}]
    body = {
        "newFlavourId": "large",
        "targetScaleLevelInfo": infos,
        "extVirtualLinks": [link],
        "additionalParams": params,
        "extensions": {"x": 1},
        "vnfConfigurableProperties": {"y": 1},
    }
    request = ChangeVnfFlavourRequest.of(body)
    assert (request.new_flavour_id, request.target_scale_level_info) == ("large", (ScaleInfo("data-path", 2),))
    assert (request.settings, request.additional_params.create_flavors) == ({"snmpPolicy": "core"}, False)
    assert request.ext_virtual_links == (ExtVirtualLink("l", "net", (ExtCp("a"), ExtCp("b"))),)
    assert [error.field for error in request.malformed] == ["/extensions/x", "/vnfConfigurableProperties/y"]


@pytest.mark.parametrize(
    ("request_", "params", "pointers"),
    [
        (ScaleVnfRequest, {"vnfcToRemove": None}, ["vnfcToRemove"]),
        (ScaleVnfRequest, {"a": 1, "vnfcToRemove": [1]}, ["a", "vnfcToRemove"]),
        (TerminateVnfRequest, {"a": 1}, ["a"]),
        (OperateVnfRequest, {"a": 1}, ["a"]),
        (HealVnfRequest, {"method": ["start"], "vnfcToHeal": "A", "repair": 1}, ["vnfcToHeal", "repair", "method"]),
    ],
)
def test_an_unreadable_value_is_an_error_at_its_field(
    request_: type[Request], params: dict[str, Any], pointers: list[str]
) -> None:
    request = request_.of({**BODIES[request_.operation], "additionalParams": params})
    assert [error.field for error in request.malformed] == [f"/additionalParams/{name}" for name in pointers]


def test_the_vnfcs_to_remove_are_named_or_left_open() -> None:
    scale = BODIES[Operation.SCALE]
    assert ScaleVnfRequest.of(scale).additional_params.vnfc_to_remove is None
    none = ScaleVnfRequest.of({**scale, "additionalParams": {"vnfcToRemove": []}})
    assert none.additional_params.vnfc_to_remove == ()


def test_a_termination_waits_only_when_it_is_graceful() -> None:
    graceful = {"terminationType": "GRACEFUL"}
    assert TerminateVnfRequest.of(graceful).graceful_timeout == 60
    assert TerminateVnfRequest.of({**graceful, "gracefulTerminationTimeout": 0}).graceful_timeout == 0
    assert TerminateVnfRequest.of({"terminationType": "FORCEFUL"}).graceful_timeout is None


def test_a_merge_patch_leaves_removes_and_replaces() -> None:
    request = VnfInfoModificationRequest.of({"vnfInstanceDescription": None, "vnfInstanceName": "pe-2"})
    assert (request.name, request.description, request.metadata, request.vnfd_id) == ("pe-2", "", {}, None)
    assert VnfInfoModificationRequest.of({"metadata": {"a": None}}).metadata == {"a": None}
    assert VnfInfoModificationRequest.of({"metadata": {}}).description is None
