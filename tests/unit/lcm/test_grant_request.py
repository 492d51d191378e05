"""A GrantRequest matches the schema of ETSI: one entry for each resource that is added, removed or changed."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from jsonschema import Draft202012Validator

from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.lcm.domain.grant_request import GrantContext, GrantVnfc, grant_request, needs_grant, resource_ids
from vnfm.lcm.domain.plan import Plan, PlannedResource
from vnfm.lcm.domain.states import Operation

ETSI = json.loads((Path(__file__).parent / "sol003_granting.json").read_text())
SCHEMA = Draft202012Validator({**ETSI, "$ref": "#/$defs/GrantRequest"})

OP, INSTANCE = "7f3e4a52-0000-4000-8000-000000000001", "7f3e4a52-0000-4000-8000-000000000002"
SUCCESSOR = UUID("7f3e4a52-0000-4000-8000-000000000003")
EXTERNAL = ["data-path-management", "data-path-data1", "data-path-data2"]


def subject(vnfd: Vnfd, plan: Plan, operation: Operation, **changes: Any) -> GrantContext:
    vnfcs = (
        GrantVnfc("control", "A", "server-a", {"control-management": "port-am", "control-fabric": "port-af"}),
        GrantVnfc("data-path", "1", "server-1", {f"data-path-{name}": f"port-1{name}" for name in ("data1", "fabric")}),
    )
    networks = {"fabric": "net-fabric"}
    before = GrantContext(OP, INSTANCE, operation, False, vnfd, None, plan, vnfcs, networks, "https://vnfm.example")
    return replace(before, **changes)


def request_of(subject: GrantContext) -> dict[str, Any]:
    body = grant_request(subject)
    assert list(SCHEMA.iter_errors(body)) == []
    return body


def test_an_instantiation_names_every_server_external_port_and_network_that_comes(vsr: Vnfd, plan: Plan) -> None:
    body = request_of(subject(vsr, plan, Operation.INSTANTIATE))
    assert body["flavourId"] == "default"
    assert body["instantiationLevelId"] == "small"
    kinds = [(row["type"], row["resourceTemplateId"]) for row in body["addResources"]]
    assert kinds.count(("COMPUTE", "control")) == 2
    assert kinds.count(("COMPUTE", "data-path")) == 1
    assert [template for kind, template in kinds if kind == "LINKPORT"] == ["control-management"] * 2 + EXTERNAL
    assert [template for kind, template in kinds if kind == "VL"] == ["fabric"], "the other link is an existing network"
    assert len({row["id"] for row in body["addResources"]}) == len(kinds)
    assert not any("resource" in row for row in body["addResources"]), "nothing of it is there yet"
    assert "removeResources" not in body
    assert body["_links"] == {
        "vnfLcmOpOcc": {"href": f"https://vnfm.example/vnflcm/v2/vnf_lcm_op_occs/{OP}"},
        "vnfInstance": {"href": f"https://vnfm.example/vnflcm/v2/vnf_instances/{INSTANCE}"},
    }


def test_only_a_compute_resource_has_a_vdu(vsr: Vnfd, plan: Plan) -> None:
    rows = request_of(subject(vsr, plan, Operation.INSTANTIATE))["addResources"]
    assert all(("vduId" in row) == (row["type"] == "COMPUTE") for row in rows)


def test_a_level_that_the_request_deviates_from_is_not_named(vsr: Vnfd, plan: Plan) -> None:
    body = request_of(subject(vsr, replace(plan, scale_levels={"data-path": 2}), Operation.INSTANTIATE))
    assert "instantiationLevelId" not in body


def test_equal_plans_have_equal_requests(vsr: Vnfd, plan: Plan) -> None:
    one = subject(vsr, plan, Operation.INSTANTIATE)
    assert grant_request(one) == grant_request(one)
    assert resource_ids(grant_request(one)) >= {"add/control/A", "add/control/A/control-management", "add/fabric"}


def test_removed_resources_have_their_ids_in_the_cloud(vsr: Vnfd, plan: Plan) -> None:
    scale_in = replace(plan, added={}, removed={"data-path": ["1"]}, resources=())
    body = request_of(subject(vsr, scale_in, Operation.SCALE, automatic=True))
    assert body["isAutomaticInvocation"]
    assert "flavourId" not in body
    server, *ports = body["removeResources"]
    assert server["resource"] == {
        "vimConnectionId": "vim1",
        "resourceId": "server-1",
        "vimLevelResourceType": "OS::Nova::Server",
    }
    assert [row.get("resource", {}).get("resourceId") for row in ports] == [None, "port-1data1", None]
    assert "addResources" not in body


def test_a_termination_gives_everything_back(vsr: Vnfd, plan: Plan) -> None:
    body = request_of(subject(vsr, replace(plan, added={}), Operation.TERMINATE))
    assert [row["id"] for row in body["removeResources"] if row["type"] != "LINKPORT"] == [
        "remove/control/A",
        "remove/data-path/1",
        "remove/fabric",
    ]


def test_a_change_in_place_is_an_update(vsr: Vnfd, plan: Plan) -> None:
    rows = (
        PlannedResource("update", "vnfc", "Slot A (Control VM)"),
        PlannedResource("keep", "vnfc", "Slot 1 (Data path VM)"),
    )
    heal = replace(plan, added={}, resources=rows)
    body = request_of(subject(vsr, heal, Operation.HEAL))
    assert [row["id"] for row in body["updateResources"]] == ["update/control/A", "update/control/A/control-management"]
    assert body["updateResources"][0]["resource"]["resourceId"] == "server-a"


def test_created_and_left_networks_are_listed(vsr: Vnfd, plan: Plan) -> None:
    rows = (PlannedResource("create", "network", "Data 1"), PlannedResource("delete", "network", "Fabric"))
    body = request_of(subject(vsr, replace(plan, added={}, resources=rows), Operation.CHANGE_EXT_CONN))
    assert [row["id"] for row in body["addResources"]] == ["add/data1"]
    assert [(row["id"], row["resource"]["resourceId"]) for row in body["removeResources"]] == [
        ("remove/fabric", "net-fabric")
    ]


def test_a_change_of_the_package_names_both_and_says_of_which_each_resource_is(vsr: Vnfd, plan: Plan) -> None:
    rows = (PlannedResource("replace", "vnfc", "Slot A (Control VM)"),)
    change = replace(plan, added={"data-path": ["2"]}, removed={"data-path": ["1"]}, resources=rows)
    body = request_of(subject(vsr, change, Operation.CHANGE_VNFPKG, successor=replace(vsr, vnfd_id=SUCCESSOR)))
    assert (body["vnfdId"], body["dstVnfdId"]) == (str(vsr.vnfd_id), str(SUCCESSOR))
    assert {row["vnfdId"] for row in body["addResources"] + body["updateResources"]} == {str(SUCCESSOR)}
    assert {row["vnfdId"] for row in body["removeResources"]} == {str(vsr.vnfd_id)}


@pytest.mark.parametrize("operation", [one for one in Operation if one != Operation.MODIFY_INFO])
def test_every_operation_but_modify_info_needs_a_grant(vsr: Vnfd, plan: Plan, operation: Operation) -> None:
    assert needs_grant(operation)
    request_of(subject(vsr, replace(plan, added={}), operation))
    assert not needs_grant(Operation.MODIFY_INFO)
