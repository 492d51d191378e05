"""Shipped packages as the lifecycle's domain sees them: no database, no cloud."""

from typing import Any

import pytest

from tests.factories.packages import SHIPPED, VMG, shipped_package
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.lcm.domain.plan import Plan, PlannedResource


@pytest.fixture(scope="session")
def vsr() -> Vnfd:
    return shipped_package(SHIPPED).vnfd


@pytest.fixture(scope="session")
def vmg() -> Vnfd:
    return shipped_package(VMG).vnfd


@pytest.fixture
def plan() -> Plan:
    """Return the plan of an instantiation at the smallest level."""
    nothing: dict[str, Any] = {}
    return Plan(
        flavour_id="default",
        instantiation_level_id="small",
        scale_levels={"data-path": 0},
        settings=nothing,
        rosters={"control": {"slots": {"0": "A", "1": "B"}}, "data-path": {"slots": {"0": "1"}}},
        removed={},
        added={"control": ["A", "B"], "data-path": ["1"]},
        registry={},
        parameters=nothing,
        undo_parameters=nothing,
        resources=(PlannedResource("create", "network", "Fabric"),),
    )
