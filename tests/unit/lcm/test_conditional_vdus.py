"""Plans of a HOT with conditions: what its settings leave out is neither planned, counted nor scaled."""

from dataclasses import replace
from functools import cache
from typing import Any

from tests.factories.packages import schema
from tests.factories.templates import content
from tests.unit.catalog.derive.condition_templates import FILES, NEWEST
from tests.unit.lcm.deployments import Deployment
from vnfm.catalog.domain.derive.descriptor import derive
from vnfm.catalog.domain.package import VNFD, check_content
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.lcm.domain.operation_request import Rejection
from vnfm.lcm.domain.plan import Plan
from vnfm.lcm.domain.states import CONDITION_FALSE, Operation, OperationState, operation_actions


@cache
def vnfd() -> Vnfd:
    found = derive(content(FILES), NEWEST)
    return check_content(content({**FILES, VNFD: found.vnfd, **found.files}), schema("vnfd"), NEWEST).vnfd


def request(**settings: Any) -> dict[str, Any]:
    return {"flavourId": "default", "additionalParams": settings}


def planned(deployment: Deployment, operation: Operation, **body: Any) -> Plan:
    plan = deployment.planned(operation, body)
    assert isinstance(plan, Plan), plan
    return plan


def created(plan: Plan) -> set[str]:
    return {row.name for row in plan.resources if (row.type, row.action) == ("vnfc", "create")}


def deployed(**settings: Any) -> Deployment:
    empty = Deployment(vnfd())
    return empty.after(planned(empty, Operation.INSTANTIATE, **request(**settings)))


def test_a_false_condition_leaves_its_server_out_of_roster_and_quota_and_says_so() -> None:
    plan = planned(Deployment(vnfd()), Operation.INSTANTIATE, **request())
    assert created(plan) == {"Slot 1 (Web)", "Slot 1 (Vm)"}
    assert {row.resource: row.needed for row in plan.quota}["instances"] == 2
    assert any(text.startswith("Db is left out") and "deploy_db" in text for text in plan.warnings)


def test_a_true_one_is_planned() -> None:
    plan = planned(Deployment(vnfd()), Operation.INSTANTIATE, **request(deploy_db=True))
    assert created(plan) == {"Slot 1 (Web)", "Slot 1 (Vm)", "Slot 1 (Db)"}


def test_what_the_settings_leave_open_is_as_in_heats_preview() -> None:
    empty = Deployment(vnfd())
    empty = replace(empty, cloud=replace(empty.cloud, absent=("vm", "web")))
    plan = planned(empty, Operation.INSTANTIATE, **request())
    assert created(plan) == {"Slot 1 (Web)"}, "Web is certain, whatever the preview says"
    later = empty.after(plan).planned(Operation.CHANGE_FLAVOUR, {"newFlavourId": "default"})
    assert isinstance(later, Plan)
    assert created(later) == set(), "in a stack that exists it is as it is there"


def test_a_changed_setting_creates_and_deletes() -> None:
    change = {"newFlavourId": "default", "additionalParams": {"deploy_db": True}}
    plan = planned(deployed(), Operation.CHANGE_FLAVOUR, **change)
    assert created(plan) == {"Slot 1 (Db)"}
    back = planned(deployed(deploy_db=True), Operation.CHANGE_FLAVOUR, newFlavourId="default", additionalParams={
        "deploy_db": False
    })  # fmt: skip
    assert {row.name for row in back.resources if row.action == "delete"} == {"Slot 1 (Db)"}
    assert {row.resource: row.released for row in back.quota}["instances"] == 1


def test_a_group_that_does_not_exist_is_not_scaled() -> None:
    out = {"type": "SCALE_OUT", "aspectId": "workers", "numberOfSteps": 1}
    refused = deployed().planned(Operation.SCALE, out)
    assert isinstance(refused, Rejection)
    assert "there are none with the present settings" in refused.errors[0].message
    assert created(planned(deployed(mode="ha"), Operation.SCALE, **out)) == {"Slot 2 (Workers)"}


def test_a_retry_that_would_find_the_condition_false_again_is_not_offered() -> None:
    actions = {a.action: a for a in operation_actions(OperationState.FAILED_TEMP, problem=CONDITION_FALSE)}
    assert not actions["retry"].enabled
    assert actions["retry"].disabled_reason.startswith("Heat would find the condition false again")
    assert actions["rollback"].enabled
