"""The plan as it is stored: a worker of release 1.0 that runs a step of the operation reads it, too."""

from typing import Any

from vnfm.lcm.domain.plan import Plan, PlannedResource

RELEASED = {"action", "type", "name", "detail"}
"""The fields of a planned resource in release 1.0, which refuses others."""


def stored() -> dict[str, Any]:
    row = PlannedResource.of_vnfc("delete", "Card", "3", "It failed.", gone=True)
    return Plan("default", "small", {}, {}, {}, {}, {}, {}, {}, {}, resources=(row,)).as_json()


def test_release_1_0_knows_every_key_of_a_stored_resource() -> None:
    (row,) = stored()["resources"]
    assert row.keys() == RELEASED


def test_keys_that_a_newer_release_stored_are_passed_over() -> None:
    data = stored()
    newer = {**data, "later": 1, "resources": [{**data["resources"][0], "later": 1}]}
    assert Plan.from_json(newer) == Plan.from_json(data)
