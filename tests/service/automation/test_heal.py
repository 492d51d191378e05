"""A VNFC that is stopped behind our back comes back by itself: once, alone, and only when nothing speaks against it.

The clock is the test's: what is evaluated at and decided gets its time as an argument.
"""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connections, transaction

from tests.service.automation.scenario import Scenario
from tests.service.lcm.lifecycle import SCALE_OUT, CrashError, Lifecycle
from tests.service.lcm.vnfc_status import STOP, statuses, vnfc_id
from tests.support.cloudsim_process import CloudsimProcess
from vnfm.automation.domain.policy_condition import PolicyCondition
from vnfm.automation.models import AutomationDecision, AutomationPolicy, AutomationStatus
from vnfm.automation.reconcilers.evaluation import due_instances, evaluate_instance, sweep
from vnfm.automation.selectors.policies import condition_of, policy_get
from vnfm.automation.services.policies import decisions_prune, policy_resume, policy_update
from vnfm.lcm.domain.states import Operation
from vnfm.vims.models import Vim

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def world(lifecycle: Lifecycle, cloudsim: CloudsimProcess) -> Scenario:
    return Scenario(lifecycle, lifecycle.instantiated(), cloudsim)


def condition(policy: AutomationPolicy) -> PolicyCondition:
    return condition_of(policy_get(policy_id=policy.id))


def test_a_stopped_vnfc_is_started_again_once_and_its_siblings_are_not_touched(world: Scenario) -> None:
    policy = world.policy()
    world.passes(1)
    world.nova_stop("1")
    world.passes(5)
    world.passes(29)
    assert world.heals() == []
    world.passes(1)
    (op,) = world.heals()
    assert (op.started_by, op.automatic) == ("automation:heal", True)
    assert op.params["vnfcInstanceId"] == [vnfc_id(world.instance, "1")]
    world.passes(1)
    world.healed()
    assert set(statuses(world.life, world.instance).values()) == {"ACTIVE"}
    assert world.life.servers_of(world.instance) == world.before, "started, not recreated"
    world.passes(5)
    world.passes(3000)
    assert len(world.heals()) == 1
    assert world.trail() == ["HELD_BACK NOT_YET", "ACTED DUE", "AT_REST NOTHING_TO_DO"]
    acted = AutomationDecision.objects.get(outcome="ACTED")
    assert (acted.op_id, acted.action, acted.rule) == (op.id, "HEAL", "A VNFC down for 30 s is healed.")
    assert acted.evidence[0]["subject"] == vnfc_id(world.instance, "1")
    assert "VmDown, Nova says SHUTOFF" in acted.message
    assert condition(policy).reason == "Watching"


def test_a_deleted_vnfc_is_recreated_in_its_slot(world: Scenario) -> None:
    world.policy()
    world.cloudsim.control("POST", f"/servers/{world.before['1']}/delete")
    world.passes(5)
    world.passes(30)
    world.healed()
    after = world.life.servers_of(world.instance)
    assert {slot for slot in world.before if after[slot] != world.before[slot]} == {"1"}
    assert set(statuses(world.life, world.instance).values()) == {"ACTIVE"}


def test_a_vnfc_that_recovers_in_time_is_not_healed(world: Scenario) -> None:
    world.policy()
    world.nova_stop("1")
    world.passes(5)
    world.cloudsim.control("POST", f"/servers/{world.before['1']}/start")
    world.passes(20)
    world.passes(20)
    assert world.heals() == []
    assert world.trail() == ["HELD_BACK NOT_YET", "AT_REST NOTHING_TO_DO"]


def test_two_at_once_are_healed_by_one_operation(world: Scenario) -> None:
    world.policy()
    for slot in ("1", "B"):
        world.nova_stop(slot)
    world.passes(5)
    world.passes(30)
    (op,) = world.heals()
    assert set(op.params["vnfcInstanceId"]) == {vnfc_id(world.instance, slot) for slot in ("1", "B")}


def test_a_dry_run_records_its_action_once_and_takes_none(world: Scenario) -> None:
    policy = world.policy(dry_run=True, cool_down_seconds=0)
    world.nova_stop("1")
    world.passes(5)
    for _ in range(4):
        world.passes(900)
    assert world.heals() == []
    assert statuses(world.life, world.instance)["1"] == "SHUTOFF"
    assert world.trail() == ["HELD_BACK NOT_YET", "WOULD_ACT DUE", "HELD_BACK WOULD_HAVE_ACTED"]
    row = AutomationDecision.objects.get(outcome="WOULD_ACT")
    assert row.request["vnfcInstanceId"] == [vnfc_id(world.instance, "1")]
    assert row.op_id is None
    policy_update(policy=policy, changes={"dry_run": False}, now=world.now)
    world.passes(1)
    assert len(world.heals()) == 1, "in earnest, what it would have done does not count"


def test_after_a_heal_the_same_vnfc_is_left_alone_for_the_cool_down(world: Scenario) -> None:
    world.policy(heal_after_seconds=0, cool_down_seconds=600)
    world.nova_stop("1")
    world.passes(1)
    world.healed()
    world.passes(1)
    world.nova_stop("1")
    world.passes(300)
    assert len(world.heals()) == 1
    assert world.trail()[-1] == "HELD_BACK COOL_DOWN"
    world.nova_stop("B")
    world.passes(5)
    assert len(world.heals()) == 2, "another VNFC does not have to wait for it"
    world.healed()
    world.passes(600)
    assert len(world.heals()) == 3


def test_a_policy_stops_for_an_instance_that_fails_again_until_it_is_resumed(world: Scenario) -> None:
    policy = world.policy(heal_after_seconds=0, cool_down_seconds=0, actions_per_hour=2)
    for _ in range(2):
        world.nova_stop("1")
        world.passes(5)
        world.healed()
        world.passes(5)
    world.nova_stop("1")
    world.passes(5)
    assert len(world.heals()) == 2
    assert world.trail()[-1] == "HELD_BACK LIMIT_REACHED"
    stopped = condition(policy)
    assert (stopped.status, stopped.reason) == ("False", "LimitReached")
    assert world.instance.name in stopped.message
    recorded = len(world.trail())
    world.passes(7200)
    assert (len(world.heals()), len(world.trail())) == (2, recorded), (
        "the hour does not bring it back, and once is enough"
    )
    policy_resume(policy=policy, now=world.now)
    world.passes(1)
    assert len(world.heals()) == 3
    assert condition(policy).status == "True"


def test_a_cloud_that_is_away_is_not_a_vnf_that_is_down(world: Scenario) -> None:
    world.policy()
    world.nova_stop("1")
    world.passes(5)
    world.cloudsim.control("POST", "/failures", {"service": "compute", "effect": "status", "times": 1000})
    for _ in range(4):
        world.passes(30)
    assert Vim.objects.get().reachable == "False"
    assert world.heals() == []
    assert world.trail() == ["HELD_BACK NOT_YET", "HELD_BACK VIM_UNKNOWN"]
    world.cloudsim.control("DELETE", "/failures")
    world.passes(5)
    assert len(world.heals()) == 1


@pytest.mark.parametrize("of", ["instance", "VIM"])
def test_a_maintenance_window_blocks_actions_and_restarts_the_hold_time(world: Scenario, of: str) -> None:
    world.policy()
    world.maintenance(of, seconds=600)
    world.nova_stop("1")
    world.passes(5)
    assert due_instances(world.now) == [], "it is evaluated at already"
    world.passes(500)
    assert (world.heals(), world.trail()) == ([], ["HELD_BACK MAINTENANCE"])
    assert "in maintenance until" in AutomationDecision.objects.get().message
    world.passes(100)
    world.passes(20)
    assert world.heals() == []
    world.passes(20)
    assert len(world.heals()) == 1


def test_the_sweep_finds_failures_in_a_maintenance_window(world: Scenario) -> None:
    world.policy()
    world.maintenance("instance", seconds=600)
    world.nova_stop("1")
    world.poll()
    assert due_instances(world.now) == [world.instance.id]


def test_a_vim_without_polls_is_no_vnf_that_is_down(world: Scenario) -> None:
    """The watcher is dead: what is on record is old, and may be over."""
    world.policy()
    world.nova_stop("1")
    world.passes(5)
    evaluate_instance(world.instance.id, world.later(120))
    assert world.heals() == []
    assert world.trail()[-1] == "HELD_BACK VIM_UNKNOWN"


def test_a_vnfc_that_an_operator_stopped_stays_stopped(world: Scenario) -> None:
    """Not even a server that is gone is brought back: it is wanted STOPPED."""
    world.policy()
    request = {**STOP, "vnfcInstanceId": [vnfc_id(world.instance, "1")]}
    world.life.done(world.instance, Operation.OPERATE, request)
    world.passes(60)
    assert world.trail() == []
    world.cloudsim.control("POST", f"/servers/{world.before['1']}/delete")
    world.passes(5)
    world.passes(60)
    assert world.heals() == []
    assert world.trail() == ["HELD_BACK STOPPED_ON_PURPOSE"]


def test_it_waits_for_an_operation_that_runs(world: Scenario) -> None:
    world.policy()
    world.nova_stop("1")
    world.passes(5)
    op = world.life.start(world.instance, Operation.SCALE, SCALE_OUT)
    world.passes(60)
    assert world.heals() == []
    assert world.trail() == ["HELD_BACK NOT_YET", "HELD_BACK OPERATION_RUNNING"]
    assert str(op.id) in AutomationDecision.objects.latest("id").message


def test_a_paused_policy_only_records_its_decision(world: Scenario) -> None:
    policy = world.policy(paused=True)
    world.nova_stop("1")
    world.passes(5)
    world.passes(60)
    assert world.heals() == []
    assert world.trail() == ["HELD_BACK PAUSED"]
    policy_update(policy=policy, changes={"paused": False}, now=world.now)
    world.passes(1)
    assert len(world.heals()) == 1


def test_workers_at_the_same_moment_act_once(world: Scenario) -> None:
    world.policy()
    world.nova_stop("1")
    world.passes(5)
    now = world.later(60)
    start = Barrier(4)

    def work(_: int) -> None:
        start.wait()
        evaluate_instance(world.instance.id, now)
        connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert len(world.heals()) == 1
    assert world.trail() == ["HELD_BACK NOT_YET", "ACTED DUE"]


def test_a_worker_that_dies_has_done_nothing_or_all(world: Scenario) -> None:
    world.policy()
    world.nova_stop("1")
    world.passes(5)
    now = world.later(60)

    @transaction.atomic
    def dies() -> None:
        evaluate_instance(world.instance.id, now)
        raise CrashError

    with pytest.raises(CrashError):
        dies()
    assert (world.heals(), world.trail()) == ([], ["HELD_BACK NOT_YET"])
    evaluate_instance(world.instance.id, now)
    evaluate_instance(world.instance.id, now)
    assert len(world.heals()) == 1


def test_the_sweep_finds_lost_events(world: Scenario) -> None:
    world.policy(heal_after_seconds=0)
    world.nova_stop("1")
    world.poll()
    assert sweep() == 1
    assert len(world.heals()) == 1
    world.healed()
    world.poll()
    AutomationStatus.objects.update(due_at=world.now)
    assert sweep() == 1
    assert (AutomationStatus.objects.get().due_at, sweep()) == (None, 0), "what rests is not evaluated at"


def test_a_policy_of_a_package_holds_for_its_instances_unless_they_have_one_of_their_own(world: Scenario) -> None:
    other = Scenario(world.life, world.life.instantiated(), world.cloudsim)
    everyone = world.policy(name="all", instance_id=None, package_id=world.instance.package_id)
    own = world.policy(name="own", dry_run=True)
    for each in (world, other):
        each.nova_stop("1")
    for seconds in (5, 40):  # one cloud, one clock: no look is older than the one before
        world.passes(seconds)
        other.passes(seconds)
    assert (world.heals(), [op.started_by for op in other.heals()]) == ([], ["automation:all"])
    assert set(AutomationDecision.objects.filter(instance=world.instance).values_list("policy", flat=True)) == {own.id}
    assert set(AutomationDecision.objects.filter(instance=other.instance).values_list("policy", flat=True)) == {
        everyone.id
    }


def test_decisions_are_stored_for_ninety_days(world: Scenario) -> None:
    world.policy(paused=True)
    world.nova_stop("1")
    world.passes(5)
    assert decisions_prune(now=world.later(89 * 86_400)) == 0
    assert decisions_prune(now=world.later(91 * 86_400)) == 1
