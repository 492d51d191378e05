"""The JSON of a plan preview."""

from dataclasses import replace
from typing import Any

import pytest

from tests.unit.lcm.deployments import Deployment, catalog_vnfds, instantiated
from vnfm.clouds.types import ResourceChange
from vnfm.lcm.domain.plan import Plan, PlannedQuota, PlannedResource
from vnfm.lcm.domain.plan_summary import GONE, MINUS, plan_summary
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.sagas.heat_preview import Preview, counted
from vnfm.lcm.sagas.plan_view import plan_view
from vnfm.lcm.sagas.planning import Planned


@pytest.mark.parametrize(("created", "warns"), [(4, False), (5, False), (6, True)])
def test_a_need_by_heats_preview_that_has_no_room_is_a_warning(created: int, warns: bool) -> None:
    vnfd = catalog_vnfds()[0]
    request = {"flavourId": vnfd.flavours[0].id, "additionalParams": {"createFlavors": True}}
    plan = Deployment(vnfd).planned(Operation.INSTANTIATE, request)
    assert isinstance(plan, Plan), plan
    planned = Planned(replace(plan, quota=(PlannedQuota("ports", 5, 5, 10),)), [])
    preview = Preview([ResourceChange("create", "p", "OS::Neutron::Port", "0")] * created)
    view = plan_view(planned, preview, Operation.INSTANTIATE)
    assert view["quota"] == [{"resource": "ports", "needed": max(5, created), "used": 5, "limit": 10}]
    words = f"By Heat's preview: Quota ports: {created} more needed, 5 of 10 in use."
    assert view["warnings"] == [*plan.warnings, *([words] if warns else [])]
    rows = view["resources"]
    assert [row["source"] for row in rows] == ["plan"] * len(plan.resources) + ["heat"] * created
    assert {row["name"] for row in rows if row["source"] == "heat"} == {"0/p"}


def deployed(product: str = "VSR-PE", **levels: int) -> Deployment:
    vnfd = next(one for one in catalog_vnfds() if one.product_name == product)
    return instantiated(vnfd, vnfd.flavours[0], levels)


def planned(deployment: Deployment, operation: Operation, **request: Any) -> Plan:
    plan = deployment.planned(operation, request)
    assert isinstance(plan, Plan), plan
    return plan


def test_the_first_line_says_what_comes_what_it_costs_and_what_is_interrupted() -> None:
    out = {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1}
    needs = deployed().vnfd.vdu("data-path").needs
    plan = planned(deployed(), Operation.SCALE, **out)
    [slot] = plan.added["data-path"]
    cost = f"{needs.vcpus} vCPUs"
    assert plan_summary(Operation.SCALE, plan) == (
        f"+1 VM (slot {slot}), +{cost}, +{needs.memory_mib / 1024:g} GiB memory, no interruption"
    )
    plan = planned(deployed(**{"data-path": 1}), Operation.SCALE, **{**out, "type": "SCALE_IN"})
    assert plan_summary(Operation.SCALE, plan).startswith(f"{MINUS}1 VM (slot {slot}), {MINUS}{cost}")
    assert plan_summary(Operation.SCALE, plan).endswith(", no other VM is interrupted")


def test_what_changes_comes_before_what_stays() -> None:
    out = {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1}
    view = plan_view(Planned(planned(deployed(), Operation.SCALE, **out), []), Preview(), Operation.SCALE)
    actions = [row["action"] for row in view["resources"]]
    assert actions == sorted(actions, key=lambda action: action == "keep")
    assert actions[0] == "create"
    assert "keep" in actions


def vnfc(action: str, slot: str, detail: str = "") -> PlannedResource:
    return PlannedResource.of_vnfc(action, "VM", slot, detail, gone=detail == GONE)  # type: ignore[arg-type]  # of the table below


@pytest.mark.parametrize(
    ("operation", "rows", "line"),
    [
        (
            Operation.TERMINATE,
            [vnfc("delete", "1"), vnfc("delete", "2"), vnfc("delete", "3", GONE)],
            f"{MINUS}2 VMs (slots 1, 2), 1 already gone, {MINUS}8 vCPUs, the service ends",
        ),
        (Operation.OPERATE, [vnfc("update", "A", "Active → Stopped"), vnfc("keep", "B")], "1 VM stops (slot A)"),
        (Operation.OPERATE, [vnfc("update", "A", "Stopped → Active")] * 2, "2 VMs start (slots A, A)"),
        (Operation.OPERATE, [vnfc("keep", "A", "Stopped already")], "Nothing to do"),
        (Operation.HEAL, [vnfc("keep", "A", "ACTIVE, stays as it is")], "Nothing to heal: all VMs stay as they are"),
        (Operation.HEAL, [vnfc("replace", "4"), vnfc("keep", "1")], "1 VM replaced (slot 4)"),
        (Operation.CHANGE_EXT_CONN, [vnfc("update", "1")], "1 VM changed (slot 1), no interruption"),
    ],
)
def test_first_lines(operation: Operation, rows: list[PlannedResource], line: str) -> None:
    quota = (PlannedQuota("cores", 0, None, None, 8),) if operation == Operation.TERMINATE else ()
    plan = replace(
        planned(deployed(), Operation.CHANGE_FLAVOUR, newFlavourId="default"), resources=tuple(rows), quota=quota
    )
    assert plan_summary(operation, plan) == line


def test_the_preview_of_an_update_says_that_it_does_not_show_nested_stacks() -> None:
    assert "root stack alone" in counted([], whole=False)
    assert counted([], whole=True) == "Heat would create nothing."
    changes = [ResourceChange("create", "n", "OS::Neutron::Net")]
    assert counted(changes, whole=False).startswith("In the root stack Heat would create 1 OS::Neutron::Net;")
