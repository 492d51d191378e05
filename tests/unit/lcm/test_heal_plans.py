"""Laws of heal plans, for every VNFC of the shipped VNFDs and of generated ones."""

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from tests.unit.lcm.deployments import Deployment, deployments
from vnfm.catalog.domain.vnfd import HealMethod
from vnfm.lcm.domain.heal_plan import HealPlan, plan_heal
from vnfm.lcm.domain.healing import (
    HealParameters,
    HealProgress,
    HealTarget,
    ServerState,
    is_healthy,
    next_action,
    start,
    validate_heal,
)
from vnfm.lcm.domain.operation_request import OperationRequest, Rejection, VnfcState
from vnfm.lcm.domain.request_params import AUTO
from vnfm.lcm.domain.requests import HealVnfRequest
from vnfm.lcm.domain.vnfc_names import label, slot_name

DEPLOYMENTS = deployments(histories=1).filter(lambda one: one.state.vnfcs)
STATES = st.builds(
    ServerState,
    status=st.sampled_from(["ACTIVE", "ACTIVE", "SHUTOFF", "ERROR", "PAUSED", "MISSING"]),
    busy=st.booleans(),
    host_down=st.sampled_from([None, False, True]),
    image=st.sampled_from(["", "image"]),
)
UP = ServerState("ACTIVE", image="image")


def drawn_plan(
    data: st.DataObject, deployment: Deployment, parameters: HealParameters
) -> tuple[dict[VnfcState, ServerState], HealPlan | Rejection, bool]:
    states = {vnfc: data.draw(STATES) for vnfc in deployment.state.vnfcs}
    servers, must_check = {vnfc.id: state for vnfc, state in states.items()}, data.draw(st.booleans())
    found = plan_heal(parameters, deployment.vnfd, deployment.state.vnfcs, servers, must_check=must_check)
    return states, found, must_check


@given(DEPLOYMENTS, st.data())
def test_a_healed_vnfc_keeps_its_slot_and_no_other_is_touched(deployment: Deployment, data: st.DataObject) -> None:
    vnfcs = deployment.state.vnfcs
    named = tuple(data.draw(st.lists(st.sampled_from(vnfcs), unique=True, max_size=3)))
    states, plan, must_check = drawn_plan(data, deployment, HealParameters(named))
    assert isinstance(plan, HealPlan), "every VDU allows some action"
    wanted = named or tuple(vnfc for vnfc in vnfcs if not is_healthy(vnfc, states[vnfc]))
    assert [(t.id, t.vdu_id, t.slot, t.server_id) for t in plan.targets] == [
        (str(v.id), v.vdu_id, v.slot, v.server_id) for v in wanted
    ]
    assert all(target.escalation == deployment.vnfd.vdu(target.vdu_id).healing for target in plan.targets)
    assert all(target.requested == bool(named) for target in plan.targets)
    names = [slot_name(deployment.vnfd.vdu(v.vdu_id).name, v.slot) for v in vnfcs]
    assert [resource.name for resource in plan.resources] == names
    for vnfc, resource in zip(vnfcs, plan.resources, strict=True):
        missing = states[vnfc].status == "MISSING" and "recreate" in deployment.vnfd.vdu(vnfc.vdu_id).healing
        assert resource.action == ("keep" if vnfc not in wanted else "replace" if missing else "update")
    healed = {label(vnfc) for vnfc in wanted}
    endangered = {text.rpartition(" is ")[0] for text in plan.endangered}
    assert not endangered & healed
    dead = {label(v) for v in vnfcs if states[v].status not in ("ACTIVE", "SHUTOFF") and not states[v].busy}
    assert endangered == (dead - healed if must_check and plan.may_replace else set())


@given(DEPLOYMENTS)
def test_with_every_server_in_its_desired_state_nothing_is_healed(deployment: Deployment) -> None:
    vnfcs = deployment.state.vnfcs
    plan = plan_heal(HealParameters(), deployment.vnfd, vnfcs, {v.id: UP for v in vnfcs}, must_check=True)
    assert isinstance(plan, HealPlan)
    assert (plan.targets, plan.endangered, plan.warnings, plan.may_replace) == ((), (), (), False)
    assert {resource.action for resource in plan.resources} == {"keep"}


@given(DEPLOYMENTS, st.sampled_from(get_args(HealMethod)), st.data())
def test_a_method_is_the_only_action_or_rejected(
    deployment: Deployment, method: HealMethod, data: st.DataObject
) -> None:
    states, plan, _ = drawn_plan(data, deployment, HealParameters(method=method))
    ill = [vnfc for vnfc, state in states.items() if not is_healthy(vnfc, state)]
    forbidden = {v.vdu_id for v in ill if method not in deployment.vnfd.vdu(v.vdu_id).healing}
    assert isinstance(plan, Rejection) == bool(forbidden)
    if isinstance(plan, HealPlan):
        assert {target.escalation for target in plan.targets} <= {(method,)}
    else:
        assert len(plan.errors) == len(forbidden)


@given(DEPLOYMENTS, st.data())
def test_a_vnfc_has_no_name_in_common_with_another(deployment: Deployment, data: st.DataObject) -> None:
    vnfc = data.draw(st.sampled_from(deployment.state.vnfcs))
    names = [str(vnfc.id), vnfc.name, vnfc.server_id, f"{vnfc.vdu_id}/{vnfc.slot}"]
    unique = sum(other.slot == vnfc.slot for other in deployment.state.vnfcs) == 1
    for name in [*names, vnfc.slot]:
        request = OperationRequest(HealVnfRequest(vnfc_instance_id=(name,)), deployment.vnfd, deployment.state)
        found = validate_heal(request)
        if name == vnfc.slot and not unique:
            assert isinstance(found, Rejection)
            assert "means several VNFCs" in found.errors[0].message
        else:
            assert found == HealParameters((vnfc,), AUTO)


@given(DEPLOYMENTS, STATES, st.data())
def test_the_first_action_can_help_the_server(deployment: Deployment, state: ServerState, data: st.DataObject) -> None:
    vnfc = data.draw(st.sampled_from(deployment.state.vnfcs))
    target = HealTarget.of(vnfc, deployment.vnfd.vdu(vnfc.vdu_id).healing, state, requested=True)
    assert start(target, server_exists=True) == HealProgress()
    progress = next_action(target, HealProgress(), state, 5.0)
    if progress.result:
        assert progress.result == ("replace" if "recreate" in target.escalation else "failed")
        return
    skipped = target.escalation[: target.escalation.index(progress.action)]  # type: ignore[arg-type]  # no result
    assert len(progress.tried) == len(skipped)
    assert progress.since == 5.0
    usable = {"start": state.status == "SHUTOFF", "reboot": True, "rebuild": bool(state.image)}
    possible = {name: able and not state.host_down for name, able in usable.items()} | {"evacuate": state.host_down}
    assert possible[progress.action]
    assert not any(possible[action] for action in skipped)
