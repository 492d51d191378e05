"""Healing is as gentle as possible: one action after the other, each only where it can help, none forever."""

from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.lcm.examples import ALL_METHODS as ALL
from tests.unit.lcm.examples import fields, vdu, vnfc, vnfd
from vnfm.catalog.domain.vnfd import HealMethod, Vdu
from vnfm.lcm.domain.heal_plan import HealPlan, plan_heal
from vnfm.lcm.domain.healing import (
    ACTION_SECONDS,
    HealParameters,
    HealProgress,
    HealTarget,
    ServerState,
    escalation,
    evaluate,
    is_healthy,
    next_action,
    start,
)
from vnfm.lcm.domain.operation_request import InstanceState, OperationRequest, VnfcState
from vnfm.lcm.domain.requests import HealVnfRequest, Power
from vnfm.lcm.domain.validation import validate

UP = ServerState("ACTIVE", host="compute-1", host_down=False, image="image")


A, B = vnfc("A"), vnfc("B")


def heal_target(actions: tuple[HealMethod, ...] = ALL, before: str = "ERROR", *, requested: bool = False) -> HealTarget:
    return HealTarget.of(A, actions, ServerState(before), requested=requested)


def validated(request: dict[str, Any], *vdus: Vdu, vnfcs: tuple[VnfcState, ...] = (A, B)) -> Any:
    return validate(
        OperationRequest(HealVnfRequest.of(request), vnfd(*vdus or (vdu("cpm"),)), InstanceState(vnfcs=vnfcs))
    )


# The request


NAMES = {"id": str(A.id), "name": A.name, "VDU and slot": "cpm/A", "slot": "A", "server": A.server_id}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_vnfc_is_named_by_any_of_its_names(name: str) -> None:
    assert validated({"vnfcInstanceId": [name]}) == HealParameters((A,))
    assert validated({"additionalParams": {"vnfcToHeal": [name]}}) == HealParameters((A,))


def test_named_twice_it_is_healed_once() -> None:
    assert validated(
        {"vnfcInstanceId": [str(A.id), "A"], "additionalParams": {"vnfcToHeal": ["cpm/A"]}}
    ) == HealParameters((A,))


def test_without_names_unhealthy_vnfcs_are_healed() -> None:
    assert validated({"cause": "alarm"}) == HealParameters()


def test_every_reason_against_is_at_its_field() -> None:
    params = {"vnfcToHeal": ["A", "missing"], "method": "pray", "repair": "yes", "speed": 9}
    assert sorted(fields(validated({"vnfcInstanceId": ["missing"], "additionalParams": params}))) == [
        "/additionalParams/method",
        "/additionalParams/repair",
        "/additionalParams/speed",
        "/additionalParams/vnfcToHeal/1",
        "/vnfcInstanceId/0",
    ]


def test_a_method_that_the_package_forbids_is_refused_for_the_named_vnfcs() -> None:
    request = {"vnfcInstanceId": ["A"], "additionalParams": {"method": "rebuild"}}
    assert fields(validated(request, vdu("cpm", ("start", "recreate")))) == ["/additionalParams/method"]
    assert validated(request) == HealParameters((A,), "rebuild")


def test_the_escalation_has_the_packages_actions_in_its_order() -> None:
    one = vnfd(vdu("cpm", ("reboot", "start", "recreate")))
    assert escalation(one, "cpm", "auto") == ("reboot", "start", "recreate")
    assert escalation(one, "cpm", "start") == ("start",)
    assert escalation(one, "cpm", "evacuate") == ()


# Health


@pytest.mark.parametrize(
    ("desired", "server", "healthy"),
    [
        ("STARTED", UP, True),
        ("STARTED", ServerState("ACTIVE"), True),
        ("STARTED", ServerState("ACTIVE", host="c", host_down=True), False),
        ("STARTED", ServerState("SHUTOFF"), False),
        ("STARTED", ServerState("HARD_REBOOT", busy=True), False),
        ("STOPPED", ServerState("SHUTOFF"), True),
        ("STOPPED", UP, False),
        ("STOPPED", ServerState("MISSING"), False),
    ],
)
def test_a_vnfc_is_healthy_in_its_desired_state(desired: Power, server: ServerState, healthy: bool) -> None:
    assert is_healthy(vnfc("A", desired=desired), server) is healthy


# The escalation


def healed(target: HealTarget, *servers: ServerState) -> HealProgress:
    """Apply the rules as the step does; each server state is Nova's report after the previous request."""
    progress, elapsed = HealProgress(), 0.0
    for server in servers:
        progress, move = evaluate(target, progress, server, elapsed)
        if progress.result:
            return progress
        if move == "next":
            progress = next_action(target, progress, server, elapsed)
        elapsed += 1.0
        if progress.result:
            return progress
    return progress


def test_a_stopped_server_is_started_and_that_is_all() -> None:
    progress = healed(heal_target(before="SHUTOFF"), ServerState("SHUTOFF"), ServerState("SHUTOFF", busy=True), UP)
    assert (progress.action, progress.result, progress.tried) == ("start", "recovered", ("start brought it back",))


def test_a_server_in_error_is_rebooted_first() -> None:
    progress = healed(heal_target(), ServerState("ERROR"), ServerState("HARD_REBOOT", busy=True), UP)
    assert (progress.action, progress.result) == ("reboot", "recovered")


def test_a_server_left_in_error_escalates_to_a_new_server() -> None:
    bad = ServerState("ERROR", fault="no disk", image="image")
    progress = healed(heal_target(), bad, bad, bad)
    assert progress.result == "replace"
    assert progress.tried == (
        "start: it is ERROR, and only what is SHUTOFF can be started",
        "hard reboot: ERROR: no disk",
        "rebuild: ERROR: no disk",
        "evacuation: its host is not known to be down",
    )


def test_without_a_new_server_allowed_it_fails_with_the_outcome_of_each_action() -> None:
    progress = healed(heal_target(("reboot",)), ServerState("ERROR"), ServerState("ERROR", fault="broken"))
    assert (progress.result, progress.tried) == ("failed", ("hard reboot: ERROR: broken",))


def test_an_action_that_takes_too_long_leads_to_the_next() -> None:
    rebooting = ServerState("HARD_REBOOT", busy=True, image="image")
    progress = HealProgress("reboot", since=10.0)
    assert evaluate(heal_target(), progress, rebooting, 10.0 + ACTION_SECONDS["reboot"])[1] == "wait"
    late, move = evaluate(heal_target(), progress, rebooting, 11.0 + ACTION_SECONDS["reboot"])
    assert (move, late.tried) == ("next", ("hard reboot: not back after 180 s",))
    assert next_action(heal_target(), late, rebooting, 200.0).action == "rebuild"


def test_an_action_that_left_no_trace_in_nova_is_requested_once_more() -> None:
    error = ServerState("ERROR", updated="10:00:00")
    target, progress = heal_target(("reboot", "recreate")), HealProgress()
    progress = next_action(target, progress, error, 0.0)
    progress, move = evaluate(target, progress, error, 1.0)
    assert (progress.action, move) == ("reboot", "repeat")
    again, move = evaluate(target, progress, error, 2.0)
    assert (again.tried, move) == (("hard reboot: ERROR",), "next"), "not a third time"
    tried = ServerState("ERROR", updated="10:00:03")
    assert evaluate(target, next_action(target, HealProgress(), error, 0.0), tried, 1.0)[1] == "next", "it was tried"


def test_a_task_of_nova_is_waited_for_first() -> None:
    building = ServerState("BUILD", busy=True)
    assert evaluate(heal_target(), HealProgress(), building, 1.0) == (HealProgress(), "wait")
    assert evaluate(heal_target(), HealProgress(), building, ACTION_SECONDS[""] + 1.0)[1] == "next"


def test_a_missing_server_goes_straight_to_a_new_one() -> None:
    assert start(heal_target(before="MISSING"), server_exists=False).result == "replace"
    assert healed(heal_target(), ServerState("ERROR"), ServerState("MISSING")).result == "replace"
    forbidden = start(heal_target(("start", "reboot"), before="MISSING"), server_exists=False)
    assert forbidden.result == "failed"
    assert "no new server" in forbidden.tried[0]


def test_with_a_new_server_requested_no_other_action_is_tried() -> None:
    assert start(heal_target(("recreate",)), server_exists=True) == HealProgress(result="replace")
    assert start(heal_target(), server_exists=True) == HealProgress()


def test_on_a_host_that_is_down_only_evacuation_is_of_use() -> None:
    down = ServerState("ACTIVE", host="compute-1", host_down=True, image="image")
    progress = healed(heal_target(before="ACTIVE"), down, ServerState("REBUILD", busy=True), UP)
    assert (progress.action, progress.result) == ("evacuate", "recovered")
    assert progress.tried[:3] == tuple(
        f"{action}: its host compute-1 is down" for action in ("start", "hard reboot", "rebuild")
    )
    assert healed(heal_target(("start", "reboot", "recreate"), before="ACTIVE"), down).result == "replace"


def test_a_rebuild_of_a_stopped_server_is_followed_by_one_start() -> None:
    one = heal_target(("rebuild", "recreate"), before="SHUTOFF")
    off = ServerState("SHUTOFF", image="image")
    progress = next_action(one, HealProgress(), off, 0.0)
    progress, move = evaluate(one, progress, off, 1.0)
    assert (progress.started, move) == (True, "start")
    assert evaluate(one, progress, off, 2.0)[1] == "next", "started once, it did not stay up"


def test_a_server_that_boots_from_a_volume_is_not_rebuilt() -> None:
    assert healed(heal_target(("rebuild", "recreate")), ServerState("ERROR")).tried == (
        "rebuild: it boots from a volume",
    )


def test_a_requested_vnfc_gets_an_action_even_if_active_and_others_do_not() -> None:
    assert healed(heal_target(before="ACTIVE", requested=True), UP).action == "reboot"
    assert healed(heal_target(before="ACTIVE"), UP).result == "recovered"
    assert healed(heal_target(("start",), before="ACTIVE", requested=True), UP).result == "recovered"


SERVERS = st.builds(
    ServerState,
    status=st.sampled_from(["ACTIVE", "SHUTOFF", "ERROR", "PAUSED", "HARD_REBOOT", "BUILD", "MISSING"]),
    busy=st.booleans(),
    host=st.just("compute-1"),
    host_down=st.sampled_from([None, True, False]),
    image=st.sampled_from(["", "image"]),
)
ESCALATIONS = st.lists(st.sampled_from(ALL), unique=True, min_size=1).map(tuple)


@given(actions=ESCALATIONS, before=SERVERS, requested=st.booleans(), servers=st.lists(SERVERS, min_size=1, max_size=40))
def test_no_action_is_repeated_and_every_escalation_ends(
    actions: tuple[HealMethod, ...], before: ServerState, requested: bool, servers: list[ServerState]
) -> None:
    target = HealTarget.of(A, actions, before, requested=requested)
    progress, elapsed, order = start(target, server_exists=before.status != "MISSING"), 0.0, [-1]
    for server in servers + [ServerState("ERROR", busy=False)] * (len(actions) + 1):
        if progress.result:
            break
        progress, move = evaluate(target, progress, server, elapsed)
        if not progress.result and move == "next":
            progress = next_action(target, progress, server, elapsed)
            if not progress.result:
                order.append(actions.index(progress.action))  # type: ignore[arg-type]  # not "" any more
        elapsed += 700.0
        assert HealProgress.from_json(progress.as_json()) == progress
    assert progress.result
    assert order == sorted(set(order)), "an action was repeated, or a gentler one followed"
    assert progress.result != "replace" or "recreate" in actions
    assert HealTarget.from_json(target.as_json()) == target


# The plan


def planned(
    parameters: HealParameters,
    servers: dict[UUID, ServerState],
    *,
    must_check: bool = True,
    vnfcs: tuple[VnfcState, ...] = (A, B),
) -> HealPlan:
    found = plan_heal(parameters, vnfd(vdu("cpm")), vnfcs, servers, must_check=must_check)
    assert isinstance(found, HealPlan)
    return found


def test_with_all_healthy_nothing_is_healed_or_changed() -> None:
    found = planned(HealParameters(), {A.id: UP, B.id: UP})
    assert (found.targets, found.warnings, found.may_replace) == ((), (), False)
    assert [r.action for r in found.resources] == ["keep", "keep"]


def test_the_plan_has_the_effect_on_each() -> None:
    found = planned(HealParameters(), {A.id: ServerState("MISSING"), B.id: UP})
    assert [(r.name, r.action) for r in found.resources] == [("Slot A (CPM)", "replace"), ("Slot B (CPM)", "keep")]
    gentle = planned(HealParameters(), {A.id: ServerState("ERROR"), B.id: ServerState("SHUTOFF", busy=True)})
    assert [r.action for r in gentle.resources] == ["update", "update"]


def test_a_server_that_is_missing_is_not_replaced_by_a_method_that_creates_none() -> None:
    found = planned(HealParameters((A,), "start"), {A.id: ServerState("MISSING"), B.id: UP})
    assert [(r.action, r.detail) for r in found.resources] == [
        ("update", "Missing; start"), ("keep", "Active, stays as it is"),
    ]  # fmt: skip
    assert found.warnings == (
        "Slot A (CPM) has no server, and only recreate gives it one: choose recreate, or no method.",
    )


def test_what_is_down_and_not_healed_is_named_since_its_service_is_not_waited_for() -> None:
    servers = {A.id: ServerState("MISSING"), B.id: ServerState("SHUTOFF")}
    some = planned(HealParameters((A,)), servers, must_check=False)
    assert some.left_down == (str(B.id),)
    assert "Slot B (CPM) is stopped and not healed: the heal does not wait for its service." in some.warnings
    assert planned(HealParameters(), servers).left_down == ()


def test_a_new_uuid_and_a_pair_healed_at_once_are_warned_of() -> None:
    found = planned(HealParameters((A, B), "recreate"), {A.id: UP, B.id: UP})
    assert sum("another UUID" in text for text in found.warnings) == 2
    assert any("service is down" in text for text in found.warnings)
    assert not any("if nothing gentler" in text for text in found.warnings)


def test_a_sibling_endangered_by_a_check_is_named_and_a_stopped_one_is_started() -> None:
    servers = {A.id: ServerState("ERROR"), B.id: ServerState("PAUSED")}
    assert planned(HealParameters((A,)), servers).endangered == (f"{B.name} (cpm/B) is PAUSED",)
    assert planned(HealParameters((A,)), servers, must_check=False).endangered == ()
    assert planned(HealParameters((A,), "reboot"), servers).endangered == (), "no check is requested"
    stopped = planned(HealParameters((A,)), {**servers, B.id: ServerState("SHUTOFF")})
    assert stopped.endangered == ()
    assert any("Slot B (CPM) is stopped, and runs for a while" in text for text in stopped.warnings)
    assert "then is stopped again" in stopped.resources[1].detail


def test_a_method_that_a_vdu_forbids_is_rejected() -> None:
    one = vnfd(vdu("cpm", ("start", "reboot")))
    rejection = plan_heal(
        HealParameters(method="recreate"), one, (A, B), {A.id: ServerState("ERROR"), B.id: UP}, must_check=True
    )
    assert fields(rejection) == ["/additionalParams/method"]
