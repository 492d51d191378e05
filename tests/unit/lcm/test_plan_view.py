"""The JSON of a plan preview."""

from dataclasses import replace

import pytest

from tests.unit.lcm.deployments import Deployment, catalog_vnfds
from vnfm.clouds.types import ResourceChange
from vnfm.lcm.domain.plan import Plan, PlannedQuota
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.sagas.heat_preview import Preview
from vnfm.lcm.sagas.plan_view import plan_view
from vnfm.lcm.sagas.planning import Planned


@pytest.mark.parametrize(("created", "warns"), [(4, False), (5, False), (6, True)])
def test_a_need_by_heats_preview_that_has_no_room_is_a_warning(created: int, warns: bool) -> None:
    vnfd = catalog_vnfds()[0]
    request = {"flavourId": vnfd.flavours[0].id, "additionalParams": {"createFlavors": True}}
    plan = Deployment(vnfd).planned(Operation.INSTANTIATE, request)
    assert isinstance(plan, Plan), plan
    planned = Planned(replace(plan, quota=(PlannedQuota("ports", 5, 5, 10),)), [])
    shown = plan_view(planned, Preview([ResourceChange("create", "p", "OS::Neutron::Port")] * created))
    assert shown["quota"] == [{"resource": "ports", "needed": max(5, created), "used": 5, "limit": 10}]
    words = f"By Heat's preview: Quota ports: {created} more needed, 5 of 10 in use."
    assert shown["warnings"] == [*plan.warnings, *([words] if warns else [])]
