"""A foreign EM coordinates: asked before VNFCs go, obeyed, waited for without a thread. One over HTTP stands in."""

import json
from typing import Any

import pytest
from rest_framework.renderers import JSONRenderer

# ruff: noqa: F811 - fixtures of the other file
from tests.service.lcm.coordination_scene import (  # noqa: F401 - fixtures, too
    COORDINATE,
    STOP,
    coordinating,
    em,
    instance,
    look,
    running,
    step,
    stop,
)
from tests.service.lcm.lifecycle import SCALE_IN, SCALE_OUT, Lifecycle
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.em_standin import EmStandIn, busy, ending, working
from tests.support.etsi_schema import errors
from tests.support.nfvo_standin import hanging, problem
from vnfm.inventory.models import VnfInstance
from vnfm.kit import clock
from vnfm.kit.etsi.selection import EVERYTHING
from vnfm.lcm.domain.requests import parse_request
from vnfm.lcm.domain.states import CancelMode, Operation
from vnfm.lcm.models import Step
from vnfm.lcm.reconcilers.preview import compute_preview
from vnfm.lcm.selectors.operations import op_story
from vnfm.lcm.services.operations import op_cancel
from vnfm.lcm.services.plans import plan_request
from vnfm.lcm.wire.editions import V1, V2
from vnfm.lcm.wire.op_occ import op_occ, op_occ_page, op_occs
from vnfm.nfvo import registry

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_em_that_agrees_at_once(lifecycle: Lifecycle, em: EmStandIn, instance: VnfInstance) -> None:
    em.then(ending("CONTINUE", warnings="One call was lost."))
    op = lifecycle.run(stop(lifecycle, instance).id)
    assert op.state == "COMPLETED", lifecycle.story(op)
    (request,) = em.coordination_requests()
    ids = [str(vnfc.id) for vnfc in instance.vnfcs.all()]
    assert sorted(request.pop("inputParams")["vnfcInstanceIds"]) == sorted(ids)
    links = request.pop("_links")
    assert links["vnfLcmOpOcc"]["href"] == op_occ(op)["_links"]["self"]["href"]
    assert links["vnfInstance"]["href"].endswith(f"/vnflcm/v2/vnf_instances/{instance.id}")
    assert request == {
        "vnfInstanceId": str(instance.id),
        "vnfLcmOpOccId": str(op.id),
        "lcmOperationType": "OPERATE",
        "coordinationActionName": "drain",
    }
    (shown,) = op_occ(op)["lcmCoordinations"]
    assert shown["id"] in em.coordinations
    assert (shown["coordinationActionName"], shown["coordinationResult"]) == ("drain", "CONTINUE")
    assert shown["endpointType"] == "MGMT"
    assert shown["startTime"] <= shown["endTime"]
    assert "lcmCoordinations" not in op_occ(op, V1)
    assert any("One call was lost." in sentence.text for sentence in op_story(op))
    assert op_occ(op)["warnings"] == ["The element manager, drain: One call was lost."]
    (listed,) = op_occ_page([*op_occs(EVERYTHING).filter(id=op.id)], V2, EVERYTHING)
    assert listed["warnings"] == op_occ(op)["warnings"]


def test_the_preview_has_the_coordination(lifecycle: Lifecycle, em: EmStandIn, instance: VnfInstance) -> None:
    preview = plan_request(
        request=parse_request(Operation.OPERATE, STOP), vnfd_id=None, instance_id=instance.id, actor="test"
    )
    compute_preview(preview.id)
    preview.refresh_from_db()
    assert preview.result["steps"][0]["title"] == "Have the element manager coordinate (drain) before 3 VNFCs go"
    assert em.requests == []


@pytest.mark.parametrize(("params", "warning"), [({"drain": False}, "the request says so"), ({}, "VNFM_EM_COORD_URL")])
def test_without_a_coordination_the_plan_warns(
    lifecycle: Lifecycle, em: EmStandIn, instance: VnfInstance, params: dict[str, Any], warning: str
) -> None:
    if not params:
        registry.install_em(None)
    op = lifecycle.run(stop(lifecycle, instance, additionalParams=params).id)
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert em.requests == []
    assert any(warning in text for text in op_occ(op)["warnings"])


def test_a_vnf_that_names_no_em_is_ours(lifecycle: Lifecycle, em: EmStandIn) -> None:
    lifecycle.done(lifecycle.instantiated(), Operation.OPERATE, STOP)
    assert em.requests == []


def test_an_abort_stops_the_operation_in_the_words_of_the_em_and_a_retry_begins_another(
    lifecycle: Lifecycle, em: EmStandIn, instance: VnfInstance
) -> None:
    error = {"title": "No", "status": 409, "detail": "An emergency call is on."}
    em.then(ending("ABORT", error=error, warnings="Night shift."))
    op = lifecycle.run(stop(lifecycle, instance).id)
    assert (op.state, op.problem["code"]) == ("FAILED_TEMP", "COORDINATION_ABORTED")
    assert "An emergency call is on." in op.problem["detail"]
    assert "drain set to false" in op.problem["nextStep"]
    assert running(lifecycle, instance)
    op = lifecycle.handle(op, "retry")
    assert op.state == "COMPLETED", lifecycle.story(op)
    results = [one["coordinationResult"] for one in op_occ(op)["lcmCoordinations"]]
    assert results == ["ABORT", "CONTINUE"]
    assert op_occ(op)["warnings"] == ["The element manager, drain: Night shift."], "that of the first attempt"


def test_a_later_answer_is_waited_for_without_a_thread(
    lifecycle: Lifecycle, em: EmStandIn, instance: VnfInstance
) -> None:
    em.then(working(40))
    op = look(lifecycle, stop(lifecycle, instance))
    assert 30 < (op.wake_at - clock.now()).total_seconds() <= 40
    assert errors("VnfLcmOpOcc", json.loads(JSONRenderer().render(op_occ(op)))) == []
    (shown,) = op_occ(op)["lcmCoordinations"]
    assert shown["delay"] > shown["startTime"]
    assert not {"coordinationResult", "endTime"} & shown.keys()
    look(lifecycle, op)
    assert [each.method for each in em.requests] == ["POST"], "not asked before it said"
    receipt = step(op).receipt
    Step.objects.filter(op=op, kind=COORDINATE).update(receipt={**receipt, "until": clock.now().isoformat()})
    em.end("CONTINUE")
    op = lifecycle.run(op.id)
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert [each.method for each in em.requests] == ["POST", "GET"]
    assert "delay" not in op_occ(op)["lcmCoordinations"][0]


def test_an_em_without_time_gets_the_request_again_when_it_says(
    lifecycle: Lifecycle, em: EmStandIn, instance: VnfInstance
) -> None:
    em.then(busy(0), busy(0))
    op = lifecycle.run(stop(lifecycle, instance).id)
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert [each.method for each in em.requests] == ["POST"] * 3
    assert errors("VnfLcmOpOcc", json.loads(JSONRenderer().render(op_occ(op)))) == []
    rejected = op_occ(op)["rejectedLcmCoordinations"]
    assert [(one["coordinationActionName"], one["endpointType"]) for one in rejected] == [("drain", "MGMT")] * 2
    assert all(one["rejectionTime"] <= one["delay"] for one in rejected)
    assert "delay" not in op_occ(op)["lcmCoordinations"][0]


@pytest.mark.parametrize("status", [400, 403, 409])
def test_a_refusal_has_the_words_of_the_em(
    lifecycle: Lifecycle, em: EmStandIn, instance: VnfInstance, status: int
) -> None:
    em.then(problem(status, "This VNF is not mine."))
    op = lifecycle.run(stop(lifecycle, instance).id)
    assert (op.state, op.problem["code"]) == ("FAILED_TEMP", "COORDINATION_REJECTED")
    assert "This VNF is not mine." in op.problem["detail"]
    assert op.problem["causes"][0]["source"] == "em"
    assert "lcmCoordinations" not in op_occ(op)
    op = lifecycle.handle(op, "rollback")
    assert op.state == "ROLLED_BACK", lifecycle.story(op)
    assert em.cancelled == []


def test_one_that_hangs_is_found_by_a_search_when_it_is_back(
    lifecycle: Lifecycle, em: EmStandIn, instance: VnfInstance
) -> None:
    em.then(hanging)
    op = look(lifecycle, stop(lifecycle, instance))
    assert (op.state, step(op).state) == ("PROCESSING", "WAITING")
    em.begin(em.coordination_requests()[0])
    em.end("CONTINUE")
    op = lifecycle.run(op.id)
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert len(em.coordination_requests()) == 1


def test_after_the_time_limit_a_retry_waits_on_and_a_rollback_cancels(
    lifecycle: Lifecycle, em: EmStandIn, instance: VnfInstance
) -> None:
    op = coordinating(lifecycle, instance, em)
    op = lifecycle.run_out(op.id)
    assert (op.state, op.problem["code"]) == ("FAILED_TEMP", "COORDINATION_TIMED_OUT")
    (shown,) = op_occ(op)["lcmCoordinations"]
    assert "endTime" in shown
    assert "coordinationResult" not in shown
    op = lifecycle.handle(op, "rollback")
    assert op.state == "ROLLED_BACK", lifecycle.story(op)
    assert em.cancelled == [*em.coordinations]
    assert running(lifecycle, instance)


def test_a_retry_after_the_time_limit_goes_on_with_the_same(
    lifecycle: Lifecycle, em: EmStandIn, instance: VnfInstance
) -> None:
    op = lifecycle.run_out(coordinating(lifecycle, instance, em).id)
    em.end("CONTINUE")
    op = lifecycle.handle(op, "retry")
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert len(em.coordinations) == 1


def test_a_coordination_that_the_em_lost_begins_again_by_a_retry(
    lifecycle: Lifecycle, em: EmStandIn, instance: VnfInstance
) -> None:
    op = coordinating(lifecycle, instance, em)
    em.coordinations.clear()
    op = lifecycle.run(op.id)
    assert "does not know the coordination any more" in op.problem["title"]
    op = lifecycle.handle(op, "retry")
    assert op.state == "COMPLETED", lifecycle.story(op)


@pytest.mark.parametrize("mode", list(CancelMode))
def test_a_cancellation_cancels_at_the_em(
    lifecycle: Lifecycle, em: EmStandIn, instance: VnfInstance, mode: CancelMode
) -> None:
    op = coordinating(lifecycle, instance, em)
    op_cancel(op_id=op.id, mode=mode, actor="test")
    op = lifecycle.run(op.id)
    assert (op.state, op.problem["code"]) == ("FAILED_TEMP", "CANCELLED")
    assert em.cancelled == [*em.coordinations]
    assert [one["coordinationResult"] for one in op_occ(op)["lcmCoordinations"]] == ["CANCELLED"]
    assert running(lifecycle, instance)
    op = lifecycle.handle(op, "retry")
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert len(em.coordinations) == 2


def test_a_cancellation_that_comes_too_late_stops_after_the_coordination(
    lifecycle: Lifecycle, em: EmStandIn, instance: VnfInstance
) -> None:
    op = coordinating(lifecycle, instance, em)
    em.obeys_cancel = False
    op_cancel(op_id=op.id, mode=CancelMode.GRACEFUL, actor="test")
    look(lifecycle, op)
    em.end("CONTINUE")
    op = lifecycle.run(op.id)
    assert (op.state, op.problem["code"]) == ("FAILED_TEMP", "CANCELLED")
    assert len(em.cancelled) == 1
    assert step(op).state == "DONE"
    assert running(lifecycle, instance)


def test_a_scale_in_is_coordinated_and_a_scale_out_is_not(
    lifecycle: Lifecycle, em: EmStandIn, instance: VnfInstance
) -> None:
    lifecycle.done(instance, Operation.SCALE, {**SCALE_OUT, "numberOfSteps": 1})
    assert em.requests == []
    before = {slot: str(instance.vnfcs.get(slot=slot).id) for slot in lifecycle.servers_of(instance)}
    op = lifecycle.done(instance, Operation.SCALE, SCALE_IN)
    assert op.steps.order_by("seq").first().kind == COORDINATE
    gone = before.keys() - lifecycle.servers_of(instance).keys()
    (request,) = em.coordination_requests()
    assert request["inputParams"]["vnfcInstanceIds"] == [before[slot] for slot in gone]


def test_a_heal_is_coordinated_for_the_vnfcs_that_work(
    lifecycle: Lifecycle, em: EmStandIn, instance: VnfInstance, cloudsim: CloudsimProcess
) -> None:
    """One that is down carries nothing."""
    servers = lifecycle.servers_of(instance)
    down, works = (instance.vnfcs.get(slot=slot) for slot in sorted(servers)[-2:])
    cloudsim.control("POST", f"/servers/{servers[down.slot]}/stop")
    op = lifecycle.done(instance, Operation.HEAL, {"vnfcInstanceId": [str(down.id), str(works.id)]})
    assert op.steps.order_by("seq").first().kind == COORDINATE
    (request,) = em.coordination_requests()
    assert request["inputParams"]["vnfcInstanceIds"] == [str(works.id)]
    assert request["lcmOperationType"] == "HEAL"
