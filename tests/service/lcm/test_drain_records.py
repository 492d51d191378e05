"""Routers that go are planned for, and their steps act, by the records of two route reflectors."""

# ruff: noqa: F811 - a fixture of the other file
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.factories.catalog import onboarded
from tests.factories.packages import vsr_next
from tests.service.lcm.drain_pair import DRAIN, REFLECTOR, RESTORE, UNDRAIN, VERIFY, pair_of_records, session_of  # noqa: F401 - a fixture
from vnfm.configuration.domain.drain import DrainChange
from vnfm.configuration.models import ConfigurationVersion
from vnfm.configuration.reconcilers import push
from vnfm.configuration.services.versions import version_record
from vnfm.devices.errors import Refused
from vnfm.elements.models import BgpPeer, Interface, NetworkElement
from vnfm.inventory.models import VnfInstance
from vnfm.kit import clock
from vnfm.kit.problem import ProblemError
from vnfm.lcm.domain.plan import Stage
from vnfm.lcm.domain.request_params import RemovalParams
from vnfm.lcm.domain.requests import ChangeCurrentVnfPkgRequest, ScaleVnfRequest
from vnfm.lcm.domain.steps import Blocked, Done, Receipt, Waiting
from vnfm.lcm.models import LcmOpOcc, Step
from vnfm.lcm.router_steps.drain import DrainRouters, UndrainRouters, VerifyNeighbours, drained_by_us
from vnfm.lcm.router_steps.restore import KeepConfiguration, last_version
from vnfm.lcm.sagas import step_kinds
from vnfm.lcm.sagas.drain_steps import with_drain
from vnfm.lcm.sagas.planning import Planned, Planning, unchanged_plan
from vnfm.lcm.sagas.router_stages import with_stage_steps
from vnfm.lcm.sagas.stack_update import stack_update_steps
from vnfm.lcm.steps.base import Context

pytestmark = pytest.mark.django_db(transaction=True)


def planned(instance: VnfInstance, elements: list[NetworkElement], *, drain: bool = True) -> tuple[Planned, Any]:
    """Return what is planned around a scale-in of slot 2."""
    plan = replace(unchanged_plan(instance), removed={"router": ("2",)})
    request = ScaleVnfRequest(
        aspect_id="redundancy", type="SCALE_IN", additional_params=RemovalParams({"drain": drain})
    )
    return with_drain(Planning(request, instance), Planned(plan, []), elements)


def test_without_another_path_it_is_refused_and_an_override_says_the_cost(
    pair_of_records: tuple[VnfInstance, list[NetworkElement]],
) -> None:
    instance, elements = pair_of_records
    session_of(elements[1], "10.9.9.9", 65009)
    session_of(elements[0], "10.9.8.9", 65009, "ACTIVE")
    with pytest.raises(ProblemError) as refused:
        planned(instance, elements)
    problem = refused.value.problem
    assert (problem.status, problem.code) == (409, "NO_OTHER_PATH")
    assert "AS 65009 reach this VNF by rr-2 alone" in problem.detail
    assert problem.errors[0].field == "/additionalParams/drain"
    result, after = planned(instance, elements, drain=False)
    assert ([*result.steps], after) == ([], [])
    assert "rr-2 is not drained: the request says so" in result.plan.warnings[0]


def test_with_another_path_it_is_drained_and_the_sessions_of_the_others_are_verified(
    pair_of_records: tuple[VnfInstance, list[NetworkElement]],
) -> None:
    """The neighbour has an address for each router."""
    instance, elements = pair_of_records
    session_of(elements[1], "10.9.9.9", 65009)
    peer = session_of(elements[0], "10.9.8.9", 65009)
    result, (verify,) = planned(instance, elements)
    assert [step.kind for step in result.steps] == [DRAIN]
    assert result.steps[0].params == {"slots": {"router": ["2"]}}
    op = LcmOpOcc(instance=instance, state="PROCESSING", plan=result.plan.as_json())
    context = Context(op, instance, verify.params, step_kinds.STEP_KINDS)
    assert isinstance(VerifyNeighbours().observe(context, {}), Done)
    BgpPeer.objects.filter(id=peer.id).update(state="IDLE")
    assert VerifyNeighbours().observe(context, {}) == Waiting("rr-1 has no session with 10.9.8.9")
    context.elapsed = 121
    lost = VerifyNeighbours().observe(context, {})
    assert isinstance(lost, Blocked)
    assert lost.problem.code == "SESSIONS_LOST"


def test_routers_are_rebuilt_one_after_the_other_each_drained_configured_and_verified(
    pair_of_records: tuple[VnfInstance, list[NetworkElement]],
) -> None:
    instance, elements = pair_of_records
    session_of(elements[0], "10.9.8.9", 65009)
    session_of(elements[1], "10.9.9.9", 65009)
    stages = tuple(Stage(f"Upgrade {slot}", rebuilt={"router": [slot]}) for slot in "21")
    plan = replace(unchanged_plan(instance), stages=stages)
    planning = Planning(ChangeCurrentVnfPkgRequest(vnfd_id=instance.package.vnfd_id), instance)
    result = with_stage_steps(planning, Planned(plan, stack_update_steps(plan, "")), elements)
    update = ["update_stack@1", "record_vnfcs@1"]
    stage = [DRAIN, "keep_configuration@1", *update, "forget_host_keys@1", RESTORE, UNDRAIN, VERIFY]
    assert [step.kind for step in result.steps] == ["keep_record@1", *stage, *stage]
    drained = [step.params["slots"] for step in result.steps if step.kind == DRAIN]
    assert drained == [{"router": ["2"]}, {"router": ["1"]}]
    verified = [step.params for step in result.steps if step.kind == VERIFY]
    assert [len(params["peers"]) for params in verified] == [2, 2]
    assert [params["returned"] for params in verified] == [[str(elements[1].id)], [str(elements[0].id)]]


def test_a_rebuild_of_the_only_path_is_refused_and_without_drain_it_is_configured_nevertheless(
    pair_of_records: tuple[VnfInstance, list[NetworkElement]],
) -> None:
    instance, elements = pair_of_records
    session_of(elements[1], "10.9.9.9", 65009)
    plan = replace(unchanged_plan(instance), stages=(Stage("Upgrade 2", rebuilt={"router": ["2"]}),))
    planned = Planned(plan, stack_update_steps(plan, ""))
    request = ChangeCurrentVnfPkgRequest(vnfd_id=instance.package.vnfd_id)
    with pytest.raises(ProblemError, match="by rr-2 alone"):
        with_stage_steps(Planning(request, instance), planned, elements)
    result = with_stage_steps(Planning(request.with_params({"drain": False}), instance), planned, elements)
    assert DRAIN not in [step.kind for step in result.steps]
    assert RESTORE in [step.kind for step in result.steps]
    assert "the request says so" in result.plan.warnings[0]


def test_a_router_that_cannot_be_drained_is_named_in_the_plan(
    pair_of_records: tuple[VnfInstance, list[NetworkElement]],
) -> None:
    instance, elements = pair_of_records
    elements[1].ssh_policy = None
    result, after = planned(instance, elements)
    assert ([*result.steps], after) == ([], [])
    assert "rr-2 is not drained: it has no SSH policy. What crosses it is lost" in result.plan.warnings[0]


def test_those_that_can_be_drained_are_although_another_cannot(
    pair_of_records: tuple[VnfInstance, list[NetworkElement]],
) -> None:
    instance, elements = pair_of_records
    elements[0].ssh_policy = None
    plan = replace(unchanged_plan(instance), removed={"router": ("1", "2")})
    request = ScaleVnfRequest(aspect_id="redundancy", type="SCALE_IN")
    result, _ = with_drain(Planning(request, instance), Planned(plan, []), elements)
    assert [step.params["slots"] for step in result.steps] == [{"router": ["2"]}]
    assert [warning.partition(":")[0] for warning in result.plan.warnings] == ["rr-1 is not drained"]


def test_a_router_that_does_not_answer_is_rebuilt_without_a_drain(
    pair_of_records: tuple[VnfInstance, list[NetworkElement]],
) -> None:
    instance, elements = pair_of_records
    elements[1].reachable = "False"
    plan = replace(unchanged_plan(instance), stages=(Stage("Upgrade 2", rebuilt={"router": ["2"]}),))
    planning = Planning(ChangeCurrentVnfPkgRequest(vnfd_id=instance.package.vnfd_id), instance)
    result = with_stage_steps(planning, Planned(plan, stack_update_steps(plan, "")), elements)
    kinds = [step.kind for step in result.steps]
    assert (DRAIN in kinds, RESTORE in kinds) == (False, True)
    assert "rr-2 is not drained: it does not answer" in result.plan.warnings[0]


def test_sessions_with_the_router_that_goes_are_not_waited_for(
    pair_of_records: tuple[VnfInstance, list[NetworkElement]],
) -> None:
    """Each reflector has a session with the other one, at an address of its own."""
    instance, elements = pair_of_records
    own = {"if_index": 1, "admin": "UP", "oper": "UP", "since": clock.now(), "addresses": ["10.0.0.2/32"]}
    Interface.objects.create(element=elements[1], **own)
    session_of(elements[0], "10.0.0.2", 65001)
    session_of(elements[0], elements[1].management_address, 65001)
    session_of(elements[0], "10.9.8.9", 65009)
    _, (verify,) = planned(instance, elements)
    assert verify.params == {"peers": {str(elements[0].id): [["", "10.9.8.9"]]}}


LINE = [["configure router bgp"], "med-out 4294967295", "no med-out"]


def operation(instance: VnfInstance, start: datetime, *steps: Step, state: str = "FAILED") -> LcmOpOcc:
    fields = {"operation": "SCALE", "params": {}, "deadline": start, "start_time": start, "state": state}
    plan = unchanged_plan(instance).as_json()
    op = LcmOpOcc.objects.create(instance=instance, instance_uuid=instance.id, plan=plan, **fields)
    for seq, step in enumerate(steps):
        step.op, step.seq = op, seq
        step.save()
    return op


def drained(element: NetworkElement, *changes: Any, state: str = "DONE") -> Step:
    receipt = {"routers": {str(element.id): {"changes": list(changes), "made": True}}}
    return Step(kind=DRAIN, state=state, receipt=receipt)


def test_a_drain_that_found_the_lines_of_an_earlier_one_takes_those_back(
    pair_of_records: tuple[VnfInstance, list[NetworkElement]],
) -> None:
    instance, (_, element) = pair_of_records
    now, second = clock.now(), timedelta(seconds=1)
    undrain = {"kind": UNDRAIN, "state": "DONE", "receipt": {}}
    ours = [DrainChange(("configure router bgp",), "med-out 4294967295", "no med-out")]
    assert drained_by_us(element) == []
    operation(instance, now, drained(element, LINE))
    operation(instance, now + second, drained(element, state="UNDONE"))
    operation(instance, now + 2 * second, drained(element), Step(**undrain, params={"slots": {"router": ["1"]}}))
    assert drained_by_us(element) == ours
    operation(instance, now + 3 * second, Step(**undrain, params={"slots": {"router": ["2"]}}))
    operation(instance, now + 4 * second, drained(element))
    assert drained_by_us(element) == [], "what is in force is an operator's own"
    operation(instance, now + 5 * second, drained(element, LINE, state="UNDONE"), drained(element))
    assert drained_by_us(element) == []


def test_what_ran_before_the_drain_is_restored_with_an_operators_changes_since_the_last_backup(
    pair_of_records: tuple[VnfInstance, list[NetworkElement]],
) -> None:
    instance, (_, element) = pair_of_records
    start = clock.now()
    op = operation(instance, start, drained(element, LINE), state="PROCESSING")
    context = Context(op, instance, {}, step_kinds.STEP_KINDS)

    def read(seconds: int, text: str, reason: str) -> ConfigurationVersion:
        at = start + timedelta(seconds=seconds)
        return version_record(element=element, text=text, reason=reason, by=push.DEPLOYMENT, now=at)

    backup = read(-60, "configure\n", "SCHEDULE")
    assert last_version(element, context) == backup
    running = read(5, "configure\n    card 1\n", "BEFORE_PUSH")
    read(6, "configure\n    drained\n", "PUSH")
    read(60, "fresh\n", "BEFORE_PUSH")
    read(61, "fresh, restored\n", "PUSH")
    assert last_version(element, context) == running
    op.steps.all().delete()
    assert last_version(element, context) == backup, "an operation that has not drained it has not kept what ran"
    read(-30, "<data/>", "SCHEDULE")
    assert last_version(element, context) == backup, "it is configured at its command line"


def test_routers_whose_update_never_began_keep_what_they_have(
    pair_of_records: tuple[VnfInstance, list[NetworkElement]],
) -> None:
    instance, (_, element) = pair_of_records
    NetworkElement.objects.filter(id=element.id).update(ssh_host_key="pinned")
    keep = Step(kind="keep_configuration@1", state="UNDOING", params={"slots": {"router": ["2"]}}, receipt={})
    update = Step(kind="update_stack@1")
    op = operation(instance, clock.now(), keep, update, state="ROLLING_BACK")
    context = Context(op, instance, keep.params, step_kinds.STEP_KINDS)
    assert KeepConfiguration().undo(context, {}) == Done("They were not rebuilt")
    assert NetworkElement.objects.get(id=element.id).ssh_host_key == "pinned"
    Step.objects.filter(kind=update.kind).update(receipt={"stackId": "1"}, state="UNDONE")
    assert KeepConfiguration().undo(context, {}) == Waiting("Their host keys are forgotten", {"undo": {"restored": {}}})
    assert NetworkElement.objects.get(id=element.id).ssh_host_key == ""


def test_a_rollback_configures_by_the_package_from_before(
    pair_of_records: tuple[VnfInstance, list[NetworkElement]],
) -> None:
    instance, _ = pair_of_records
    newer = onboarded(vsr_next(folder=REFLECTOR))
    op = operation(instance, clock.now(), state="ROLLING_BACK")
    op.plan = replace(unchanged_plan(instance), package_id=str(newer.id)).as_json()
    context = Context(op, instance, {}, step_kinds.STEP_KINDS)
    assert KeepConfiguration().vnfd(context).vnfd_id == instance.package.vnfd_id


def test_in_a_heal_the_others_are_drained_although_one_is_sick(
    pair_of_records: tuple[VnfInstance, list[NetworkElement]],
) -> None:
    """Nothing listens at the address of the first."""
    instance, elements = pair_of_records
    op = operation(instance, clock.now(), state="PROCESSING")
    slots = {"slots": {"router": ["1", "2"]}, "required": False}
    context = Context(op, instance, slots, step_kinds.STEP_KINDS, elapsed=11.0)
    receipt: Receipt = {"routers": {str(elements[1].id): {"changes": [], "made": True}}}
    given_up = DrainRouters().observe(context, receipt)
    assert isinstance(given_up, Waiting)
    assert given_up.receipt is not None
    end = DrainRouters().observe(context, given_up.receipt)
    assert isinstance(end, Done)
    assert end.message.startswith("rr-1 is not drained, as it has to be healed: ")


@pytest.mark.parametrize("step", [DrainRouters, UndrainRouters, KeepConfiguration])
def test_a_refused_login_is_repeated_once_and_after_a_pause(
    pair_of_records: tuple[VnfInstance, list[NetworkElement]], step: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A third login could lock the user out; the second is not at once, and what is done is not done again."""
    instance, elements = pair_of_records
    logins: list[str] = []

    def login(element: NetworkElement, *_: Any, **__: Any) -> str:
        logins.append(element.name)
        if element.name == "rr-2":
            raise Refused("wrong password", address=element.management_address)
        return element.name

    monkeypatch.setattr("vnfm.lcm.router_steps.drain.undrain", login)
    monkeypatch.setattr(
        "vnfm.lcm.router_steps.drain.drained_by_us", lambda _: [DrainChange(("bgp",), "drain", "no drain")]
    )
    monkeypatch.setattr("vnfm.lcm.router_steps.restore.restored", lambda _ctx, _step, element, _binding: login(element))
    monkeypatch.setattr("vnfm.lcm.router_steps.restore._update_began", lambda _: True)
    op = operation(instance, clock.now(), state="ROLLING_BACK")
    op.plan = unchanged_plan(instance).as_json()
    entry = {"changes": [[["bgp"], "drain", "no drain"]], "made": True}
    receipt: Receipt = {"routers": {str(one.id): entry for one in elements}, "undo": {"restored": {}}}
    if step is UndrainRouters:
        receipt = {}
    elapsed, outcome = 0.0, None
    for elapsed in (0.0, 1.0, 2.0, 16.5, 17.0):
        context = Context(op, instance, {"slots": {"router": ["1", "2"]}}, step_kinds.STEP_KINDS, elapsed=elapsed)
        work = step().observe if step is UndrainRouters else step().undo
        outcome = work(context, receipt)
        if not isinstance(outcome, Waiting):
            break
        receipt = receipt if outcome.receipt is None else outcome.receipt
    assert isinstance(outcome, Blocked)
    assert elapsed == 16.5
    assert logins == ["rr-1", "rr-2", "rr-2"]
