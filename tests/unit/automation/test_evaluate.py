"""Laws of the decision, and the table of why it past_actions and why not."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vnfm.automation.domain.evaluate import AutomationAction, Decision, DecisionOutcome, evaluate
from vnfm.automation.domain.load import Load, Sample
from vnfm.automation.domain.policy import HOUR, HealRule, LoadThreshold, Policy, ScaleRule
from vnfm.automation.domain.policy_input import Blocker, DownVnfc, PastAction, PolicyInput, Reason

NOW = datetime(2016, 2, 9, 14, 0, tzinfo=UTC)
HALF_A_MINUTE = timedelta(seconds=30)
HEAL = Policy(HealRule(HALF_A_MINUTE), cool_down=timedelta(minutes=5), per_hour=3, dry_run=False, paused=False)
RULE = ScaleRule("data-path", LoadThreshold(80, timedelta(minutes=2)), LoadThreshold(20, timedelta(minutes=10)))
SCALE = Policy(RULE, cool_down=timedelta(minutes=10), per_hour=4, dry_run=False, paused=False)


def ago(seconds: float) -> datetime:
    return NOW - timedelta(seconds=seconds)


def down(vnfc: str = "iom-1", seconds: float = 60, **more: object) -> DownVnfc:
    return DownVnfc(f"alarm-{vnfc}", vnfc, vnfc, ago(seconds), "VmDown, Nova says SHUTOFF", **more)  # type: ignore[arg-type]


def act(seconds: float, vnfc: str = "iom-1", *, took: float | None = 20, dry: bool = False) -> PastAction:
    ended = None if took is None else ago(seconds - took)
    return PastAction(ago(seconds), frozenset({vnfc}), frozenset({f"alarm-{vnfc}"}), dry, ended)


def load(*samples: tuple[float, float | None]) -> Load:
    """Samples as (seconds ago, value)."""
    return Load(tuple(Sample(ago(seconds), value) for seconds, value in samples))


RUNS = Blocker(Reason.OPERATION_RUNNING, "Scaling (7) is under way.")
MAINTAINED = Blocker(Reason.MAINTENANCE, "vsr-1 is in maintenance.")
BLIND = Blocker(Reason.VIM_UNKNOWN, "sim is not known to be reachable.")
PAUSED, DRY = replace(HEAL, paused=True), replace(HEAL, dry_run=True)

HEALS = {
    "nothing is down": (HEAL, PolicyInput(), "AT_REST NOTHING_TO_DO"),
    "down for long enough": (HEAL, PolicyInput((down(),)), "ACTED DUE"),
    "just long enough": (HEAL, PolicyInput((down(seconds=30),)), "ACTED DUE"),
    "a moment too early": (HEAL, PolicyInput((down(seconds=29.9),)), "HELD_BACK NOT_YET"),
    "paused": (PAUSED, PolicyInput((down(),)), "HELD_BACK PAUSED"),
    "dry": (DRY, PolicyInput((down(),)), "WOULD_ACT DUE"),
    "dry, recorded already": (
        DRY,
        PolicyInput((down(),), past_actions=(act(9000, dry=True),)),
        "HELD_BACK WOULD_HAVE_ACTED",
    ),
    "dry runs do not count in earnest": (
        HEAL,
        PolicyInput((down(),), past_actions=(act(10, took=0, dry=True),)),
        "ACTED DUE",
    ),
    "stopped by a person": (HEAL, PolicyInput((down(stopped_by_operator=True),)), "HELD_BACK STOPPED_ON_PURPOSE"),
    "no means": (HEAL, PolicyInput((down(not_allowed="The package allows only start."),)), "HELD_BACK NOT_ALLOWED"),
    "an operation runs": (HEAL, PolicyInput((down(),), blockers=(RUNS,)), "HELD_BACK OPERATION_RUNNING"),
    "in maintenance": (HEAL, PolicyInput((down(),), blockers=(RUNS, MAINTAINED)), "HELD_BACK MAINTENANCE"),
    "the cloud is away": (HEAL, PolicyInput((down(),), blockers=(BLIND,)), "HELD_BACK VIM_UNKNOWN"),
    "cooling down": (HEAL, PolicyInput((down(),), past_actions=(act(310, took=20),)), "HELD_BACK COOL_DOWN"),
    "cooled down": (HEAL, PolicyInput((down(),), past_actions=(act(320, took=20),)), "ACTED DUE"),
    "another VNFC cools down": (HEAL, PolicyInput((down(),), past_actions=(act(60, "iom-2"),)), "ACTED DUE"),
    "its own operation has no end yet": (
        HEAL,
        PolicyInput((down(),), past_actions=(act(3000, took=None),)),
        "HELD_BACK COOL_DOWN",
    ),
    "limit reached": (
        HEAL,
        PolicyInput((down(),), past_actions=(act(3000), act(2000), act(1000))),
        "HELD_BACK LIMIT_REACHED",
    ),
    "an hour later": (HEAL, PolicyInput((down(),), past_actions=(act(3600), act(2000), act(1000))), "ACTED DUE"),
    "given up": (HEAL, PolicyInput((down(),), stopped_since=ago(9000)), "HELD_BACK LIMIT_REACHED"),
}

HIGH, LOW = load((900, 50), (120, 90)), load((900, 50), (600, 10))
SCALES = {
    "not instantiated": (PolicyInput(), "AT_REST NOTHING_TO_DO"),
    "within bounds": (PolicyInput(load=load((900, 50))), "AT_REST NOTHING_TO_DO"),
    "high for long enough": (PolicyInput(load=HIGH, max_level=3), "ACTED DUE"),
    "high for too short": (PolicyInput(load=load((900, 50), (119, 90)), max_level=3), "HELD_BACK NOT_YET"),
    "high, dropped and high": (
        PolicyInput(load=load((900, 90), (60, 70), (30, 90)), max_level=3),
        "HELD_BACK NOT_YET",
    ),
    "high, unseen and high": (
        PolicyInput(load=load((900, 90), (60, None), (30, 90)), max_level=3),
        "HELD_BACK NOT_YET",
    ),
    "high at the top": (PolicyInput(load=HIGH, level=3, max_level=3), "HELD_BACK NOT_ALLOWED"),
    "low for long enough": (PolicyInput(load=LOW, level=1, max_level=3), "ACTED DUE"),
    "low at the bottom": (PolicyInput(load=LOW, max_level=3), "HELD_BACK NOT_ALLOWED"),
    "no such aspect": (PolicyInput(load=HIGH, max_level=3, no_aspect="It has none."), "HELD_BACK NOT_ALLOWED"),
    "unknown": (PolicyInput(load=load((900, 90), (10, None)), max_level=3), "HELD_BACK SOURCE_UNKNOWN"),
    "cooling down": (PolicyInput(load=HIGH, max_level=3, past_actions=(act(300, "data-path"),)), "HELD_BACK COOL_DOWN"),
}


@pytest.mark.parametrize(("policy", "facts", "expected"), HEALS.values(), ids=HEALS)
def test_healing(policy: Policy, facts: PolicyInput, expected: str) -> None:
    decision = evaluate(policy, facts, NOW)
    assert f"{decision.outcome} {decision.reason}" == expected
    assert decision.message


@pytest.mark.parametrize(("facts", "expected"), SCALES.values(), ids=SCALES)
def test_scaling(facts: PolicyInput, expected: str) -> None:
    decision = evaluate(SCALE, facts, NOW)
    assert f"{decision.outcome} {decision.reason}" == expected


def test_only_due_vnfcs_are_healed_together() -> None:
    causes = (down("a"), down("b", seconds=10), down("c", stopped_by_operator=True), down("d"))
    decision = evaluate(HEAL, PolicyInput(causes), NOW)
    assert [candidate.subject for candidate in decision.actions] == ["a", "d"]


def test_a_load_leads_out_and_back() -> None:
    out = evaluate(SCALE, PolicyInput(load=HIGH, level=1, max_level=3), NOW)
    back = evaluate(SCALE, PolicyInput(load=LOW, level=1, max_level=3), NOW)
    assert [out.actions[0].action, back.actions[0].action] == [AutomationAction.SCALE_OUT, AutomationAction.SCALE_IN]


def test_retry_time_of_a_decision() -> None:
    waits = evaluate(HEAL, PolicyInput((down(seconds=10), down("b", seconds=20))), NOW)
    assert waits.retry_at == NOW + timedelta(seconds=10)
    cools = evaluate(HEAL, PolicyInput((down(),), past_actions=(act(100, took=20),)), NOW)
    assert cools.retry_at == NOW + timedelta(seconds=220)


def test_a_heal_that_reaches_its_limit_stops_and_a_scaling_only_waits() -> None:
    heal = evaluate(HEAL, PolicyInput((down(),), past_actions=(act(3000), act(2000), act(1000))), NOW)
    assert heal.stops
    past_actions = tuple(act(seconds, "data-path") for seconds in (3500, 3000, 2000, 1000))
    scale = evaluate(SCALE, PolicyInput(load=HIGH, max_level=9, past_actions=past_actions), NOW)
    assert (scale.reason, scale.stops) == (Reason.LIMIT_REACHED, False)
    assert scale.retry_at == NOW + timedelta(seconds=100)


def test_the_message_names_the_cause_and_the_reason() -> None:
    decision = evaluate(HEAL, PolicyInput((down(),), blockers=(RUNS,)), NOW)
    assert decision.message == (
        "iom-1 is down since 2016-02-09 13:59:00 UTC (VmDown, Nova says SHUTOFF). Scaling (7) is under way."
    )


# Laws

vnfcs = st.sampled_from(["a", "b", "c"])
seconds = st.integers(0, 9000)
causes = st.builds(
    lambda vnfc, age, purpose, no: down(vnfc, age, stopped_by_operator=purpose, not_allowed="No means." if no else ""),
    vnfcs,
    seconds,
    st.booleans(),
    st.booleans(),
)
past_actions = st.builds(
    lambda age, vnfc, took, dry: act(age, vnfc, took=took, dry=dry),
    seconds,
    vnfcs,
    st.none() | st.integers(0, 300),
    st.booleans(),
)
blockers = st.lists(st.sampled_from([RUNS, BLIND, MAINTAINED]), max_size=2)
loads = st.builds(
    lambda items: load(*items),
    st.lists(st.tuples(seconds, st.none() | st.integers(0, 100)), min_size=1, max_size=6),
)
inputs = st.builds(
    PolicyInput,
    vnfcs_down=st.lists(causes, max_size=4, unique_by=lambda down: down.vnfc_id).map(tuple),
    load=loads,
    level=st.integers(0, 3),
    max_level=st.just(3),
    blockers=blockers.map(tuple),
    past_actions=st.lists(past_actions, max_size=5).map(tuple),
    stopped_since=st.none() | st.just(ago(50)),
)
policies = st.builds(
    Policy,
    rule=st.sampled_from([HEAL.rule, RULE]),
    cool_down=st.sampled_from([timedelta(0), timedelta(minutes=5)]),
    per_hour=st.integers(1, 4),
    dry_run=st.booleans(),
    paused=st.booleans(),
)


@given(policies, inputs)
def test_an_action_has_no_blocker(policy: Policy, facts: PolicyInput) -> None:
    decision = evaluate(policy, facts, NOW)
    if decision.outcome not in (DecisionOutcome.ACTED, DecisionOutcome.WOULD_ACT):
        assert decision.reason is not Reason.DUE
        return
    assert decision.reason is Reason.DUE
    assert decision.actions
    assert not policy.paused
    assert not facts.blockers
    assert facts.stopped_since is None
    assert policy.dry_run == (decision.outcome is DecisionOutcome.WOULD_ACT)
    for candidate in decision.actions:
        assert not candidate.stopped_by_operator
        assert not candidate.not_allowed
        assert candidate.since + candidate.lasting <= NOW
    counted = [done for done in facts.past_actions if done.dry == policy.dry_run and done.at > NOW - HOUR]
    assert len(counted) < policy.per_hour


@given(policies, inputs, st.randoms(use_true_random=False))
def test_the_order_of_the_facts_does_not_matter(policy: Policy, facts: PolicyInput, random: Random) -> None:
    def mixed(items: Iterable[Any]) -> tuple[Any, ...]:
        shuffled = list(items)
        random.shuffle(shuffled)
        return tuple(shuffled)

    assert facts.load is not None
    other = replace(
        facts,
        vnfcs_down=mixed(facts.vnfcs_down),
        past_actions=mixed(facts.past_actions),
        blockers=mixed(facts.blockers),
        load=Load(mixed(facts.load.samples)),
    )
    assert evaluate(policy, other, NOW) == evaluate(policy, facts, NOW)


@st.composite
def lives(draw: st.DrawFn) -> tuple[Policy, list[tuple[int, frozenset[str], int]]]:
    """A policy, and moments: seconds since the one before, VNFCs that are down then, and how long a heal takes."""
    policy = replace(draw(policies), rule=HEAL.rule, paused=False)
    moment = st.tuples(st.integers(1, 900), st.frozensets(vnfcs), st.integers(0, 400))
    return policy, draw(st.lists(moment, max_size=40))


@given(lives())
def test_the_limit_and_the_cool_down_hold_in_any_history(
    life: tuple[Policy, list[tuple[int, frozenset[str], int]]],
) -> None:
    """Heals help or not, as the moments have it; whatever was done is seen the next time."""
    policy, moments = life
    now, since, done = NOW, dict[str, datetime](), list[PastAction]()
    for later, ill, took in moments:
        now += timedelta(seconds=later)
        since = {vnfc: since.get(vnfc, now) for vnfc in ill}
        seen = tuple(DownVnfc(f"{vnfc}@{start}", vnfc, vnfc, start, "VmDown") for vnfc, start in since.items())
        decision = evaluate(policy, PolicyInput(seen, past_actions=tuple(done)), now)
        if decision.outcome in (DecisionOutcome.ACTED, DecisionOutcome.WOULD_ACT):
            done.append(_done(decision, now, now if policy.dry_run else now + timedelta(seconds=took)))
    for number, each in enumerate(done):
        within_an_hour = [other for other in done if each.at - HOUR < other.at <= each.at]
        assert len(within_an_hour) <= policy.per_hour
        for earlier in done[:number]:
            assert earlier.ended_at is not None
            if each.subjects & earlier.subjects:
                assert each.at >= earlier.ended_at + policy.cool_down
    assert all(each.dry == policy.dry_run for each in done)


def _done(decision: Decision, at: datetime, ended_at: datetime) -> PastAction:
    return PastAction(
        at,
        frozenset(candidate.subject for candidate in decision.actions),
        frozenset(candidate.cause for candidate in decision.actions),
        decision.outcome is DecisionOutcome.WOULD_ACT,
        ended_at,
    )
