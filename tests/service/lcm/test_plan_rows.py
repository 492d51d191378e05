"""The plans of a termination, a stop and a scale out show what changes, and nothing else."""

from typing import Any

import pytest

from tests.service.lcm.lifecycle import Lifecycle
from vnfm.inventory.models import VnfInstance
from vnfm.lcm.domain.plan_summary import MINUS
from vnfm.lcm.domain.requests import parse_request
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.sagas.operations import plan_with_preview
from vnfm.lcm.sagas.plan_view import plan_view
from vnfm.lcm.sagas.planning import Planning
from vnfm.vims.domain.findings import rows_of

pytestmark = pytest.mark.django_db(transaction=True)


def plan_of(instance: VnfInstance, operation: Operation, **request: Any) -> dict[str, Any]:
    planned, preview = plan_with_preview(Planning(parse_request(operation, request), instance), dict)
    return plan_view(planned, preview, operation)


def test_a_termination_counts_the_servers_that_exist_and_what_it_releases(
    lifecycle: Lifecycle,
) -> None:
    instance = lifecycle.instantiated()
    vnfcs = list(instance.vnfcs.order_by("vdu_id", "slot"))
    vnfcs[-1].status = "MISSING"
    vnfcs[-1].save()
    assert instance.vim is not None
    instance.vim.resources = {"flavors": rows_of(lifecycle.cloud.flavors.list())}
    plan = plan_of(instance, Operation.TERMINATE, terminationType="FORCEFUL")
    rows = [row for row in plan["resources"] if row["type"] == "vnfc"]
    assert [row["detail"] == "already gone" for row in rows] == [False] * (len(vnfcs) - 1) + [True]
    assert rows[-1]["name"] == f"Slot {vnfcs[-1].slot} (Data path VM)"
    assert [row["gone"] for row in rows] == [row["detail"] == "already gone" for row in rows]
    released = {row["resource"]: row["needed"] for row in plan["quota"]}
    assert released["instances"] == 1 - len(vnfcs)
    assert released["cores"] < 0
    assert plan["summary"].startswith(f"{MINUS}{len(vnfcs) - 1} VMs")
    assert "1 already gone" in plan["summary"]
    assert plan["summary"].endswith("the service ends")


def test_a_stop_lists_no_network(lifecycle: Lifecycle) -> None:
    plan = plan_of(lifecycle.instantiated(), Operation.OPERATE, changeStateTo="STOPPED", stopType="FORCEFUL")
    assert plan["networks"] == []
    assert {row["detail"] for row in plan["resources"]} == {"Active → Stopped"}


def test_a_scale_out_never_says_that_heat_creates_nothing(lifecycle: Lifecycle) -> None:
    plan = plan_of(lifecycle.instantiated(), Operation.SCALE, type="SCALE_OUT", aspectId="data-path", numberOfSteps=1)
    assert plan["networks"] != []
    assert plan["resources"][0] == {
        "action": "create",
        "type": "vnfc",
        "name": "Slot 2 (Data path VM)",
        "detail": plan["resources"][0]["detail"],
        "gone": False,
        "source": "plan",
    }
    words = " ".join(finding["message"] for finding in plan["findings"])
    assert "delete nothing" not in words
    assert "Its preview shows the root stack alone" in words
    assert plan["summary"].startswith("+1 VM (slot 2), +")
    assert plan["summary"].endswith("no interruption")
