"""The report says what an element that is one VM lacks to be in service."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from tests.factories.deployed import make_deployed, make_vnfc
from tests.factories.elements import make_element
from vnfm.kit import clock
from vnfm.lcm.router_steps.verify_service import missing_service

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("driver", "missing"), [("frr", []), ("nokia-sros", ["pe-1 lists no card yet"])])
def test_only_routers_that_have_cards_are_expected_to_list_one(driver: str, missing: list[str]) -> None:
    instance, now = make_deployed(), clock.now()
    vnfc = make_vnfc(instance, "router/1", vdu="router")
    observed: dict[str, Any] = {"reachable": "True", "equipment_observed_at": now}
    element = make_element(
        name="pe-1", kind="VIRTUAL", driver=driver, vnf_instance=instance, vnfc=vnfc, management_address="192.0.2.1",
        **observed,
    )  # fmt: skip
    step: Any = None  # neither is needed for an element that is one VM
    assert [*missing_service(step, step, element, now - timedelta(seconds=1))] == missing


def test_the_card_of_a_vnfc_that_a_heal_leaves_down_is_not_waited_for() -> None:
    instance, now = make_deployed(), clock.now()
    down = make_vnfc(instance, "control/B", vdu="control", slot="B", status="SHUTOFF")
    observed: dict[str, Any] = {"reachable": "True", "equipment_observed_at": now}
    element = make_element(
        name="pe-1",
        kind="VIRTUAL",
        driver="nokia-sros",
        vnf_instance=instance,
        management_address="192.0.2.1",
        **observed,
    )
    step: Any = SimpleNamespace(element_spec=lambda _: SimpleNamespace(per_component="", cards=("control",)))
    for left_down, missing in (([], ["pe-1 slot B: no card yet"]), ([str(down.id)], [])):
        ctx: Any = SimpleNamespace(instance=instance, params={"leftDown": left_down})
        assert [*missing_service(ctx, step, element, now - timedelta(seconds=1))] == missing
