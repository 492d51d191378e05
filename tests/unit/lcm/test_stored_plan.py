"""The plan as it is stored: a worker of release 1.0 that runs a step of the operation reads it, too."""

from typing import Any

import pytest

from vnfm.lcm.domain.plan import (
    Artefact,
    Plan,
    PlannedFlavor,
    PlannedNetwork,
    PlannedQuota,
    PlannedResource,
    Stage,
)

RELEASED = {
    "": {
        *("flavour_id", "instantiation_level_id", "scale_levels", "settings", "rosters", "removed", "added"),
        *("registry", "parameters", "undo_parameters", "undo_slots", "stages", "touched", "rebuilt", "one_way"),
        *("package_id", "artefacts", "resources", "flavors", "networks", "quota", "warnings"),
    },
    "artefacts": {"kind", "key", "subject"},
    "resources": {"action", "type", "name", "detail"},
    "flavors": {
        *("vdu_id", "parameter", "flavor_name", "source", "needs", "candidates", "reason", "surplus", "command"),
    },
    "networks": {"vl_id", "parameter", "choice", "network_name", "network_id"},
    "quota": {"resource", "needed", "used", "limit", "released"},
    "stages": {"title", "parameters", "registry", "rebuilt", "resized"},
}
"""The keys of a plan and of its parts in release 1.0, which refuses others."""


def stored() -> dict[str, Any]:
    """A plan with one of each part."""
    return Plan(
        *("default", "small", {}, {}, {}, {}, {}, {}, {}, {}),
        artefacts=(Artefact("image", "vnfm-vsr", "vsr"),),
        resources=(PlannedResource.of_vnfc("delete", "Card", "3", "It failed.", gone=True),),
        flavors=(PlannedFlavor("card", "flavor", "small", "matched", {}, ("small",), "It fits."),),
        networks=(PlannedNetwork("lan", "network", "existing", "lan", "net-1"),),
        quota=(PlannedQuota("cores", 2, 0, None),),
        stages=(Stage("Resize"),),
    ).as_json()


@pytest.mark.parametrize("part", RELEASED)
def test_release_1_0_knows_every_key_of_a_stored_plan(part: str) -> None:
    plan = stored()
    (row,) = plan[part] if part else (plan,)
    assert row.keys() == RELEASED[part]


def test_each_part_of_a_stored_plan_is_compared() -> None:
    rows = {name for name, value in stored().items() if isinstance(value, tuple | list) and value}
    assert rows == RELEASED.keys() - {""}


@pytest.mark.parametrize("part", RELEASED)
def test_keys_that_a_newer_release_stored_are_passed_over(part: str) -> None:
    data = stored()
    newer = {**data, part: [{**data[part][0], "later": 1}]} if part else {**data, "later": 1}
    assert Plan.from_json(newer) == Plan.from_json(data)
