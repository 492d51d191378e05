"""Laws of the difference between open alarms and a verdict."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from vnfm.faults.domain.changes import Changes, Explained, OpenAlarm, changes
from vnfm.faults.domain.evaluate import (
    Key,
    ObservedInstance,
    ObservedPort,
    ObservedVim,
    ObservedVnfc,
    Verdict,
    evaluate,
)

NOW = datetime(2016, 2, 9, 14, 5, tzinfo=UTC)
NOTHING = Explained()
HEALTHY = Verdict(())

moments = st.sampled_from([NOW - timedelta(seconds=s) for s in (1, 60, 3600)])
statuses = st.sampled_from(["ACTIVE", "SHUTOFF", "ERROR", "MISSING", "REBOOT", "UNKNOWN", "PAUSED"])
ports = st.builds(
    ObservedPort,
    port_id=st.sampled_from(["p1", "p2"]),
    cp_id=st.just("mgmt"),
    status=st.sampled_from(["ACTIVE", "DOWN"]),
    status_since=moments,
    vif_type=st.sampled_from(["ovs", "binding_failed"]),
    internal=st.booleans(),
)


@st.composite
def instances(draw: st.DrawFn) -> ObservedInstance:
    vim = ObservedVim(
        "vim-id",
        "vim1",
        reachable=draw(st.booleans()),
        reason=draw(st.sampled_from(["Unreachable", "CredentialsRefused"])),
        since=NOW,
        servers_seen=draw(st.booleans()),
    )
    vnfcs = tuple(
        ObservedVnfc(
            vnfc_id=f"v{number}",
            vdu_id=draw(st.sampled_from(["cpm", "iom"])),
            name=f"vm-{number}",
            server_id=f"s{number}",
            desired_stopped=draw(st.booleans()),
            status=draw(statuses),
            status_since=draw(moments),
            nova_fault=draw(st.sampled_from(["", "No valid host was found."])),
            ports=tuple({p.port_id: p for p in draw(st.lists(ports, max_size=2))}.values()) if number == 0 else (),
        )
        for number in range(draw(st.integers(0, 4)))
    )
    stack = draw(
        st.sampled_from(["CREATE_COMPLETE", "CREATE_FAILED", "UPDATE_FAILED", "MISSING", "UPDATE_IN_PROGRESS"])
    )
    return ObservedInstance(draw(st.sampled_from([vim, None])), "stack-id", "vsr-1", stack, "", vnfcs)


explanations = st.builds(Explained, everything=st.booleans(), stack=st.booleans())


def applied(alarms: Mapping[Key, OpenAlarm], news: Changes) -> dict[Key, OpenAlarm]:
    after = {key: alarm for key, alarm in alarms.items() if key not in news.clear}
    after |= {change.key: change.after for change in news.put}
    return after | {key: replace(after[key], root=root) for key, root in news.reroot.items()}


@given(st.lists(st.tuples(instances(), explanations), min_size=1, max_size=4))
def test_applied_and_asked_again_nothing_is_left_to_do(story: list[tuple[ObservedInstance, Explained]]) -> None:
    alarms: dict[Key, OpenAlarm] = {}
    for observed, explained in story:
        verdict = evaluate(observed, NOW)
        alarms = applied(alarms, changes(alarms, verdict, explained))
        assert not changes(alarms, verdict, explained)


@given(instances())
def test_exactly_what_was_raised_is_cleared(observed: ObservedInstance) -> None:
    verdict = evaluate(observed, NOW)
    raised = changes({}, verdict, NOTHING)
    alarms = applied({}, raised)
    cleared = changes(alarms, HEALTHY, NOTHING)
    assert set(cleared.clear) == {change.key for change in raised.put}
    assert not cleared.put
    assert not cleared.reroot


@given(instances(), instances())
def test_blind_nothing_but_the_vims_own_alarms_is_raised_or_cleared(
    before: ObservedInstance, after: ObservedInstance
) -> None:
    alarms = applied({}, changes({}, evaluate(before, NOW), NOTHING))
    verdict = evaluate(after, NOW)
    news = changes(alarms, verdict, NOTHING)
    if verdict.blind is not None:
        touched = {change.key.fault_type for change in news.put} | {key.fault_type for key in news.clear}
        assert touched <= {"VimUnreachable", "VimAuthFailed"}
        left = applied(alarms, news)
        assert all(alarm.root == verdict.blind for key, alarm in left.items() if key != verdict.blind)


@given(instances(), explanations)
def test_what_an_operation_explains_is_recorded_unheard_and_told_when_it_outlives_it(
    observed: ObservedInstance, explained: Explained
) -> None:
    verdict = evaluate(observed, NOW)
    alarms = applied({}, changes({}, verdict, explained))
    assert alarms.keys() == {fault.key for fault in verdict.faults}
    assert {key for key, alarm in alarms.items() if alarm.suppressed} == {
        key for key in alarms if explained.covers(key)
    }
    news = changes(alarms, verdict, NOTHING)
    assert {change.key for change in news.put if change.raises} == {key for key in alarms if explained.covers(key)}


@given(instances())
def test_an_alarm_that_was_heard_is_not_taken_back_by_an_operation(observed: ObservedInstance) -> None:
    verdict = evaluate(observed, NOW)
    heard = applied({}, changes({}, verdict, NOTHING))
    assert not changes(heard, verdict, Explained(everything=True, stack=True))


def test_what_cannot_be_judged_stays_open_as_it_is() -> None:
    drift = Key("stack-id", "StackDrift")
    known = {drift: OpenAlarm("WARNING", ("renamed",), (), None, suppressed=False)}
    assert not changes(known, Verdict((), undecided=frozenset({"StackDrift"})), Explained())
    assert changes(known, Verdict(()), Explained()).clear == (drift,)
