"""Requests to scale: the levels that they lead to, and every reason against them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.lcm.deployments import Deployment, catalog_vnfds, deployments, instantiated
from tests.unit.lcm.examples import fields
from vnfm.lcm.domain.operation_request import InstanceState, OperationRequest, Rejection, Target
from vnfm.lcm.domain.requests import ScaleVnfRequest, parse_request
from vnfm.lcm.domain.scaling import instantiation_level_of, validate_scale
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.domain.validation import validate


@pytest.fixture(scope="module")
def router() -> Deployment:
    """With three data-path VNFCs, at level 2 of 0 to 19."""
    vsr = next(one for one in catalog_vnfds() if one.product_name == "VSR-PE")
    return instantiated(vsr, vsr.flavours[0], {"data-path": 2})


def requested(deployment: Deployment, operation: Operation, **request: Any) -> Any:
    return validate(OperationRequest(parse_request(operation, request), deployment.vnfd, deployment.state))


OUT, IN = {"type": "SCALE_OUT", "aspectId": "data-path"}, {"type": "SCALE_IN", "aspectId": "data-path"}


@pytest.mark.parametrize(
    ("request_", "level"),
    [(OUT, 3), ({**OUT, "numberOfSteps": 17}, 19), (IN, 1), ({**IN, "numberOfSteps": 2}, 0)],
)
def test_a_scale_moves_the_level_by_its_steps(router: Deployment, request_: dict[str, Any], level: int) -> None:
    target = requested(router, Operation.SCALE, **request_)
    assert isinstance(target, Target)
    assert (target.scale_levels, target.remove) == ({"data-path": level}, {})
    assert target.changed == frozenset()


@pytest.mark.parametrize(
    ("request_", "pointers"),
    [
        ({**OUT, "numberOfSteps": 18}, ["/numberOfSteps"]),
        ({**IN, "numberOfSteps": 3}, ["/numberOfSteps"]),
        ({**OUT, "aspectId": "other"}, ["/aspectId"]),
        ({**OUT, "additionalParams": {"speed": 1}}, ["/additionalParams/speed"]),
        ({**IN, "additionalParams": {"vnfcToRemove": "3"}}, ["/additionalParams/vnfcToRemove"]),
        ({**IN, "additionalParams": {"vnfcToRemove": ["9"]}}, ["/additionalParams/vnfcToRemove/0"]),
        ({**IN, "additionalParams": {"vnfcToRemove": []}}, ["/additionalParams/vnfcToRemove"]),
        ({**IN, "additionalParams": {"vnfcToRemove": ["2", "3"]}}, ["/additionalParams/vnfcToRemove"]),
        ({**IN, "additionalParams": {"vnfcToRemove": ["A"]}}, ["/additionalParams/vnfcToRemove"] * 2),
        ({**OUT, "additionalParams": {"vnfcToRemove": ["3"]}}, ["/additionalParams/vnfcToRemove"]),
    ],
)
def test_reasons_against_a_scale(router: Deployment, request_: dict[str, Any], pointers: list[str]) -> None:
    assert fields(requested(router, Operation.SCALE, **request_)) == pointers


@pytest.mark.parametrize(
    ("request_", "pointers"),
    [
        ({}, ["/instantiationLevelId"]),
        ({"instantiationLevelId": "huge"}, ["/instantiationLevelId"]),
        ({"scaleInfo": [{"aspectId": "data-path", "scaleLevel": 20}]}, ["/scaleInfo/0/scaleLevel"]),
        (
            {"scaleInfo": [{"aspectId": "x", "scaleLevel": 1}, {"aspectId": "data-path", "scaleLevel": -1}]},
            ["/scaleInfo/0/aspectId", "/scaleInfo/1/scaleLevel"],
        ),
    ],
)
def test_reasons_against_a_level(router: Deployment, request_: dict[str, Any], pointers: list[str]) -> None:
    assert fields(requested(router, Operation.SCALE_TO_LEVEL, **request_)) == pointers


def test_a_level_by_its_name_sets_every_aspect(router: Deployment) -> None:
    flavour = router.vnfd.flavours[0]
    for level in flavour.levels:
        target = requested(router, Operation.SCALE_TO_LEVEL, instantiationLevelId=level.id)
        assert target.scale_levels == level.scale_levels
        assert target.instantiation_level_id == instantiation_level_of(flavour, level.scale_levels)
    assert instantiation_level_of(flavour, {"data-path": 7}) == ""


def test_a_flavour_that_the_package_lost_rejects_the_request(router: Deployment) -> None:
    request = OperationRequest(ScaleVnfRequest.of(OUT), router.vnfd, InstanceState("lost"))
    assert fields(validate_scale(request)) == [""]


@given(deployments(histories=1), st.booleans(), st.integers(1, 30), st.data())
def test_a_level_stays_in_its_range(deployment: Deployment, out: bool, steps: int, data: st.DataObject) -> None:
    flavour = deployment.current.flavour
    assert flavour is not None
    for aspect in flavour.aspects:
        request = {"type": "SCALE_OUT" if out else "SCALE_IN", "aspectId": aspect.id, "numberOfSteps": steps}
        found = validate_scale(OperationRequest(ScaleVnfRequest.of(request), deployment.vnfd, deployment.state))
        level = deployment.state.scale_levels[aspect.id] + (steps if out else -steps)
        assert isinstance(found, Rejection) == (not 0 <= level <= aspect.max_scale_level)
        if isinstance(found, Target):
            assert found.scale_levels == {**deployment.state.scale_levels, aspect.id: level}
