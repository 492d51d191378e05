"""Sums that the VNFD limits, as of a chassis whose slots several VDUs share: refused before anything is touched."""

from typing import Any

import pytest

from tests.factories.catalog import onboarded
from tests.factories.packages import gateway_zip
from tests.service.lcm.lifecycle import Lifecycle
from vnfm.inventory.models import VnfInstance
from vnfm.kit.problem import ProblemError
from vnfm.lcm.domain.requests import parse_request
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.services.plans import plan_request

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def life(lifecycle: Lifecycle) -> Lifecycle:
    lifecycle.package = onboarded(gateway_zip())
    return lifecycle


def count(life: Lifecycle) -> dict[str, int]:
    vdus = [server.metadata["vdu"] for server in life.cloud.servers.list()]
    return {vdu: vdus.count(vdu) for vdu in ("lb", "mg")}


def refused(life: Lifecycle, instance: VnfInstance, operation: Operation, request: dict[str, Any]) -> str:
    with pytest.raises(ProblemError) as caught:
        life.start(instance, operation, request)
    assert caught.value.problem.status == 422
    (error,) = caught.value.problem.errors
    return error.message


def test_limits_apply_to_instantiation_and_scaling(life: Lifecycle) -> None:
    instance = life.create()
    wide = {**life.instantiate_request(), "instantiationLevelId": "wide"}
    assert life.run(life.start(instance, Operation.INSTANTIATE, wide).id).state == "COMPLETED", "8 + 2 x 6 is 20"
    assert count(life) == {"lb": 8, "mg": 6}
    one_more = {"type": "SCALE_OUT", "aspectId": "mg"}
    words = "A chassis has 20 slots. It would be 22, and 20 is the most."
    assert refused(life, instance, Operation.SCALE, one_more) == words
    levels = {"scaleInfo": [{"aspectId": "mg", "scaleLevel": 7}]}
    assert refused(life, instance, Operation.SCALE_TO_LEVEL, levels) == words.replace("22", "26")
    assert list(LcmOpOcc.objects.values_list("operation", flat=True)) == ["INSTANTIATE"]
    life.done(instance, Operation.SCALE, {"type": "SCALE_IN", "aspectId": "lb", "numberOfSteps": 2})
    life.done(instance, Operation.SCALE, one_more)
    assert count(life) == {"lb": 6, "mg": 7}
    assert refused(life, instance, Operation.SCALE, {"type": "SCALE_OUT", "aspectId": "lb"}).startswith("A chassis")


def test_levels_that_do_not_fit_make_nothing(life: Lifecycle) -> None:
    instance = life.create()
    levels = [{"aspectId": "lb", "scaleLevel": 6}, {"aspectId": "mg", "scaleLevel": 5}]
    request = {**life.instantiate_request(), "targetScaleLevelInfo": levels}
    assert "It would be 22" in refused(life, instance, Operation.INSTANTIATE, request)
    assert not LcmOpOcc.objects.exists()
    assert (life.cloud.servers.list(), life.cloud.stacks.list()) == ([], [])


def test_there_is_no_preview_of_it(life: Lifecycle) -> None:
    levels = [{"aspectId": "lb", "scaleLevel": 6}, {"aspectId": "mg", "scaleLevel": 5}]
    with pytest.raises(ProblemError, match=r"A chassis has 20 slots. It would be 22"):
        plan_request(
            request=parse_request(
                Operation.INSTANTIATE, {**life.instantiate_request(), "targetScaleLevelInfo": levels}
            ),
            vnfd_id=life.package.vnfd_id,
            instance_id=None,
            actor="test",
        )
