"""The shipped VSR-PE as the lifecycle's domain sees it: no database, no cloud."""

from hashlib import sha256
from typing import Any

import pytest

from tests.factories.packages import schema, vsr_files
from vnfm.catalog.domain.package import Content, FileInfo, check_package
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.lcm.domain.plan import Plan, PlannedResource


@pytest.fixture(scope="session")
def vsr() -> Vnfd:
    files = vsr_files()
    infos = {path: FileInfo(sha256(data).hexdigest(), len(data)) for path, data in files.items()}
    return check_package(Content(infos, files.__getitem__), schema("manifest"), schema("vnfd")).vnfd


@pytest.fixture
def plan() -> Plan:
    """Of an instantiation at the smallest level."""
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
