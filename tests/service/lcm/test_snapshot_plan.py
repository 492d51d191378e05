"""The plan of a snapshot before there is one."""

from typing import TYPE_CHECKING, Any

import pytest

from tests.factories.catalog import onboarded
from tests.factories.packages import zipped
from tests.service.lcm.lifecycle import Lifecycle
from tests.service.lcm.snapshot_scenes import DISKS, preview
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import VnfSnapshot
from vnfm.lcm.sagas.create_snapshot import AS_IF_CUT, DISKS_ONLY, STOP_FIRST, VOLUMES_STAY

if TYPE_CHECKING:
    from rest_framework.test import APIClient

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_plan_needs_no_snapshot_yet_and_says_what_is_not_saved(api: "APIClient", lifecycle: Lifecycle) -> None:
    lifecycle.package = onboarded(zipped({"base.yaml": DISKS}))
    instance = lifecycle.instantiated(image="tiny", flavor="m1.tiny")
    body: dict[str, Any] = {"operation": "CREATE_SNAPSHOT", "vnfInstanceId": str(instance.id), "request": {}}
    assert api.post("/api/v1/plans", body, format="json").status_code == 202
    plan = preview(instance, Operation.CREATE_SNAPSHOT, {})
    assert plan.state == "READY", plan.problem
    assert [step["title"] for step in plan.result["steps"]][-1] == "Record the snapshot"
    assert plan.result["warnings"] == [DISKS_ONLY, VOLUMES_STAY, AS_IF_CUT, STOP_FIRST]
    assert sorted(row["detail"] for row in plan.result["resources"]) == [
        "image of its disk by Nova, snapshot of 1 volume, attached to it, by Cinder",
        "snapshot of 1 volume by Cinder",
    ]
    assert not VnfSnapshot.objects.exists()
    refused = api.post("/api/v1/plans", {**body, "operation": "REVERT_TO_SNAPSHOT"}, format="json")
    assert refused.status_code == 400
    url = f"/vnflcm/v2/vnf_instances/{instance.id}/create_snapshot"
    assert api.post(url, {}, format="json").status_code == 400, "the operation itself needs one"
