"""Laws of the decision, and the table of why it acts and why not."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vnfm.automation.domain.decide import Action, Decision, Outcome, decide
from vnfm.automation.domain.load import Load, Sample
from vnfm.automation.domain.policy import HOUR, HealRule, Policy, ScaleRule, Trigger
from vnfm.automation.domain.sight import Act, Cause, Hindrance, Reason, Sight

NOW = datetime(2016, 2, 9, 14, 0, tzinfo=UTC)
HALF_A_MINUTE = timedelta(seconds=30)
HEAL = Policy(HealRule(HALF_A_MINUTE), cool_down=timedelta(minutes=5), per_hour=3, dry_run=False, paused=False)
RULE = ScaleRule("data-path", Trigger(80, timedelta(minutes=2)), Trigger(20, timedelta(minutes=10)))
SCALE = Policy(RULE, cool_down=timedelta(minutes=10), per_hour=4, dry_run=False, paused=False)


def ago(seconds: float) -> datetime:
    return NOW - timedelta(seconds=seconds)


def down(vnfc: str = "iom-1", seconds: float = 60, **more: object) -> Cause:
    return Cause(f"alarm-{vnfc}", vnfc, vnfc, ago(seconds), "VmDown, Nova says SHUTOFF", **more)  # type: ignore[arg-type]


def act(seconds: float, vnfc: str = "iom-1", *, took: float | None = 20, dry: bool = False) -> Act:
    ended = None if took is None else ago(seconds - took)
    return Act(ago(seconds), frozenset({vnfc}), frozenset({f"alarm-{vnfc}"}), dry, ended)


def load(*samples: tuple[float, float | None]) -> Load:
    """Samples as (seconds ago, value)."""
    return Load(tuple(Sample(ago(seconds), value) for seconds, value in samples))


RUNS = Hindrance(Reason.OPERATION_RUNNING, "Scaling (7) is under way.")
MAINTAINED = Hindrance(Reason.MAINTENANCE, "vsr-1 is in maintenance.")
BLIND = Hindrance(Reason.VIM_UNKNOWN, "sim is not known to be reachable.")
PAUSED, DRY = replace(HEAL, paused=True), replace(HEAL, dry_run=True)

HEALS = {
    "nothing is down": (HEAL, Sight(), "AT_REST NOTHING_TO_DO"),
    "down for long enough": (HEAL, Sight((down(),)), "ACTED DUE"),
    "just long enough": (HEAL, Sight((down(seconds=30),)), "ACTED DUE"),
    "a moment too early": (HEAL, Sight((down(seconds=29.9),)), "HELD_BACK NOT_YET"),
    "paused": (PAUSED, Sight((down(),)), "HELD_BACK PAUSED"),
    "dry": (DRY, Sight((down(),)), "WOULD_ACT DUE"),
    "dry, told already": (DRY, Sight((down(),), acts=(act(9000, dry=True),)), "HELD_BACK WOULD_HAVE_ACTED"),
    "dry runs do not count in earnest": (HEAL, Sight((down(),), acts=(act(10, took=0, dry=True),)), "ACTED DUE"),
    "stopped by a person": (HEAL, Sight((down(on_purpose=True),)), "HELD_BACK STOPPED_ON_PURPOSE"),
    "no means": (HEAL, Sight((down(forbidden="The package allows only start."),)), "HELD_BACK NOT_ALLOWED"),
    "an operation runs": (HEAL, Sight((down(),), hindrances=(RUNS,)), "HELD_BACK OPERATION_RUNNING"),
    "in maintenance": (HEAL, Sight((down(),), hindrances=(RUNS, MAINTAINED)), "HELD_BACK MAINTENANCE"),
    "the cloud is away": (HEAL, Sight((down(),), hindrances=(BLIND,)), "HELD_BACK VIM_UNKNOWN"),
    "cooling down": (HEAL, Sight((down(),), acts=(act(310, took=20),)), "HELD_BACK COOL_DOWN"),
    "cooled down": (HEAL, Sight((down(),), acts=(act(320, took=20),)), "ACTED DUE"),
    "another VNFC cools down": (HEAL, Sight((down(),), acts=(act(60, "iom-2"),)), "ACTED DUE"),
    "its own operation has no end yet": (HEAL, Sight((down(),), acts=(act(3000, took=None),)), "HELD_BACK COOL_DOWN"),
    "limit reached": (HEAL, Sight((down(),), acts=(act(3000), act(2000), act(1000))), "HELD_BACK LIMIT_REACHED"),
    "an hour later": (HEAL, Sight((down(),), acts=(act(3600), act(2000), act(1000))), "ACTED DUE"),
    "given up": (HEAL, Sight((down(),), stopped_since=ago(9000)), "HELD_BACK LIMIT_REACHED"),
}

HIGH, LOW = load((900, 50), (120, 90)), load((900, 50), (600, 10))
SCALES = {
    "not instantiated": (Sight(), "AT_REST NOTHING_TO_DO"),
    "within bounds": (Sight(load=load((900, 50))), "AT_REST NOTHING_TO_DO"),
    "high for long enough": (Sight(load=HIGH, highest_level=3), "ACTED DUE"),
    "high for too short": (Sight(load=load((900, 50), (119, 90)), highest_level=3), "HELD_BACK NOT_YET"),
    "high, dropped and high": (Sight(load=load((900, 90), (60, 70), (30, 90)), highest_level=3), "HELD_BACK NOT_YET"),
    "high, unseen and high": (Sight(load=load((900, 90), (60, None), (30, 90)), highest_level=3), "HELD_BACK NOT_YET"),
    "high at the top": (Sight(load=HIGH, level=3, highest_level=3), "HELD_BACK NOT_ALLOWED"),
    "low for long enough": (Sight(load=LOW, level=1, highest_level=3), "ACTED DUE"),
    "low at the bottom": (Sight(load=LOW, highest_level=3), "HELD_BACK NOT_ALLOWED"),
    "no such aspect": (Sight(load=HIGH, highest_level=3, no_aspect="It has none."), "HELD_BACK NOT_ALLOWED"),
    "unknown": (Sight(load=load((900, 90), (10, None)), highest_level=3), "HELD_BACK SOURCE_UNKNOWN"),
    "cooling down": (Sight(load=HIGH, highest_level=3, acts=(act(300, "data-path"),)), "HELD_BACK COOL_DOWN"),
}


@pytest.mark.parametrize(("policy", "sight", "expected"), HEALS.values(), ids=HEALS)
def test_healing(policy: Policy, sight: Sight, expected: str) -> None:
    decision = decide(policy, sight, NOW)
    assert f"{decision.outcome} {decision.reason}" == expected
    assert decision.message


@pytest.mark.parametrize(("sight", "expected"), SCALES.values(), ids=SCALES)
def test_scaling(sight: Sight, expected: str) -> None:
    decision = decide(SCALE, sight, NOW)
    assert f"{decision.outcome} {decision.reason}" == expected


def test_what_is_due_is_healed_together_and_the_rest_is_not() -> None:
    causes = (down("a"), down("b", seconds=10), down("c", on_purpose=True), down("d"))
    decision = decide(HEAL, Sight(causes), NOW)
    assert [demand.subject for demand in decision.demands] == ["a", "d"]


def test_a_load_leads_out_and_back() -> None:
    out = decide(SCALE, Sight(load=HIGH, level=1, highest_level=3), NOW)
    back = decide(SCALE, Sight(load=LOW, level=1, highest_level=3), NOW)
    assert [out.demands[0].action, back.demands[0].action] == [Action.SCALE_OUT, Action.SCALE_IN]


def test_it_says_when_to_look_again() -> None:
    waits = decide(HEAL, Sight((down(seconds=10), down("b", seconds=20))), NOW)
    assert waits.again_at == NOW + timedelta(seconds=10)
    cools = decide(HEAL, Sight((down(),), acts=(act(100, took=20),)), NOW)
    assert cools.again_at == NOW + timedelta(seconds=220)


def test_a_heal_that_reaches_its_limit_stops_and_a_scaling_only_waits() -> None:
    heal = decide(HEAL, Sight((down(),), acts=(act(3000), act(2000), act(1000))), NOW)
    assert heal.stops
    acts = tuple(act(seconds, "data-path") for seconds in (3500, 3000, 2000, 1000))
    scale = decide(SCALE, Sight(load=HIGH, highest_level=9, acts=acts), NOW)
    assert (scale.reason, scale.stops) == (Reason.LIMIT_REACHED, False)
    assert scale.again_at == NOW + timedelta(seconds=100)


def test_what_it_says_names_what_was_seen_and_why_nothing_is_done() -> None:
    decision = decide(HEAL, Sight((down(),), hindrances=(RUNS,)), NOW)
    assert decision.message == (
        "iom-1 is down since 2016-02-09 13:59:00 UTC (VmDown, Nova says SHUTOFF). Scaling (7) is under way."
    )


# Laws

vnfcs = st.sampled_from(["a", "b", "c"])
seconds = st.integers(0, 9000)
causes = st.builds(
    lambda vnfc, age, purpose, no: down(vnfc, age, on_purpose=purpose, forbidden="No means." if no else ""),
    vnfcs,
    seconds,
    st.booleans(),
    st.booleans(),
)
acts = st.builds(
    lambda age, vnfc, took, dry: act(age, vnfc, took=took, dry=dry),
    seconds,
    vnfcs,
    st.none() | st.integers(0, 300),
    st.booleans(),
)
hindrances = st.lists(st.sampled_from([RUNS, BLIND, MAINTAINED]), max_size=2)
loads = st.builds(
    lambda items: load(*items),
    st.lists(st.tuples(seconds, st.none() | st.integers(0, 100)), min_size=1, max_size=6),
)
sights = st.builds(
    Sight,
    causes=st.lists(causes, max_size=4).map(tuple),
    load=loads,
    level=st.integers(0, 3),
    highest_level=st.just(3),
    hindrances=hindrances.map(tuple),
    acts=st.lists(acts, max_size=5).map(tuple),
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


@given(policies, sights)
def test_nothing_speaks_against_what_it_does(policy: Policy, sight: Sight) -> None:
    decision = decide(policy, sight, NOW)
    if decision.outcome not in (Outcome.ACTED, Outcome.WOULD_ACT):
        assert decision.reason is not Reason.DUE
        return
    assert decision.reason is Reason.DUE
    assert decision.demands
    assert not policy.paused
    assert not sight.hindrances
    assert sight.stopped_since is None
    assert policy.dry_run == (decision.outcome is Outcome.WOULD_ACT)
    for demand in decision.demands:
        assert not demand.on_purpose
        assert not demand.forbidden
        assert demand.since + demand.lasting <= NOW
    counted = [done for done in sight.acts if done.dry == policy.dry_run and done.at > NOW - HOUR]
    assert len(counted) < policy.per_hour


@given(policies, sights, st.randoms(use_true_random=False))
def test_the_order_of_what_is_seen_does_not_matter(policy: Policy, sight: Sight, random: Random) -> None:
    def mixed(items: Iterable[Any]) -> tuple[Any, ...]:
        shuffled = list(items)
        random.shuffle(shuffled)
        return tuple(shuffled)

    assert sight.load is not None
    other = replace(
        sight,
        causes=mixed(sight.causes),
        acts=mixed(sight.acts),
        hindrances=mixed(sight.hindrances),
        load=Load(mixed(sight.load.samples)),
    )
    assert decide(policy, other, NOW) == decide(policy, sight, NOW)


@st.composite
def lives(draw: st.DrawFn) -> tuple[Policy, list[tuple[int, frozenset[str], int]]]:
    """A policy, and moments: seconds since the one before, VNFCs that are down then, and how long a heal takes."""
    policy = replace(draw(policies), rule=HEAL.rule, paused=False)
    moment = st.tuples(st.integers(1, 900), st.frozensets(vnfcs), st.integers(0, 400))
    return policy, draw(st.lists(moment, max_size=40))


@given(lives())
def test_however_it_goes_the_limit_and_the_cool_down_are_kept(
    life: tuple[Policy, list[tuple[int, frozenset[str], int]]],
) -> None:
    """Heals help or not, as the moments have it; whatever was done is seen the next time."""
    policy, moments = life
    now, since, done = NOW, dict[str, datetime](), list[Act]()
    for later, ill, took in moments:
        now += timedelta(seconds=later)
        since = {vnfc: since.get(vnfc, now) for vnfc in ill}
        seen = tuple(Cause(f"{vnfc}@{start}", vnfc, vnfc, start, "VmDown") for vnfc, start in since.items())
        decision = decide(policy, Sight(seen, acts=tuple(done)), now)
        if decision.outcome in (Outcome.ACTED, Outcome.WOULD_ACT):
            done.append(_done(decision, now, now if policy.dry_run else now + timedelta(seconds=took)))
    for number, each in enumerate(done):
        within_an_hour = [other for other in done if each.at - HOUR < other.at <= each.at]
        assert len(within_an_hour) <= policy.per_hour
        for earlier in done[:number]:
            assert earlier.ended_at is not None
            if each.subjects & earlier.subjects:
                assert each.at >= earlier.ended_at + policy.cool_down
    assert all(each.dry == policy.dry_run for each in done)


def _done(decision: Decision, at: datetime, ended_at: datetime) -> Act:
    return Act(
        at,
        frozenset(demand.subject for demand in decision.demands),
        frozenset(demand.cause for demand in decision.demands),
        decision.outcome is Outcome.WOULD_ACT,
        ended_at,
    )
