"""Laws of the difference between open alarms and a verdict."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from vnfm.faults.domain.changes import Changes, Circumstances, Explained, OpenAlarm, Silence, changes
from vnfm.faults.domain.evaluate import ObservedInstance, ObservedPort, ObservedVnfc, evaluate
from vnfm.faults.domain.fault_type import Severity
from vnfm.faults.domain.hosts import ObservedVim
from vnfm.faults.domain.policy import Policy
from vnfm.faults.domain.verdict import Fault, Key, ObjectType, Owner, Verdict

NOW = datetime(2016, 2, 9, 14, 5, tzinfo=UTC)
NOTHING = Circumstances()
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


explanations = st.builds(Explained, everything=st.booleans(), stack=st.booleans(), maintenance=st.booleans())
HOST_DOWN = Key("compute-1", "HypervisorDown", Owner(ObjectType.VIM, "vim-id"))
STACK_DRIFT = Key("stack-id", "StackDrift")


def given_of(explained: Explained) -> Circumstances:
    return Circumstances(explained=explained)


def applied(alarms: Mapping[Key, OpenAlarm], news: Changes) -> dict[Key, OpenAlarm]:
    after = {key: alarm for key, alarm in alarms.items() if key not in news.clear}
    after |= {change.key: change.after for change in news.put}
    return after | {key: replace(after[key], root=root) for key, root in news.reroot.items()}


@given(st.lists(st.tuples(instances(), explanations), min_size=1, max_size=4))
def test_applied_and_asked_again_nothing_is_left_to_do(story: list[tuple[ObservedInstance, Explained]]) -> None:
    alarms: dict[Key, OpenAlarm] = {}
    for observed, explained in story:
        verdict = evaluate(observed, NOW)
        alarms = applied(alarms, changes(alarms, verdict, NOW, given_of(explained)))
        assert not changes(alarms, verdict, NOW, given_of(explained))


@given(instances())
def test_exactly_what_was_raised_is_cleared(observed: ObservedInstance) -> None:
    verdict = evaluate(observed, NOW)
    raised = changes({}, verdict, NOW)
    alarms = applied({}, raised)
    cleared = changes(alarms, HEALTHY, NOW)
    assert set(cleared.clear) == {change.key for change in raised.put}
    assert not cleared.put
    assert not cleared.reroot


@given(instances(), instances())
def test_blind_nothing_but_the_vims_own_alarms_is_raised_or_cleared(
    before: ObservedInstance, after: ObservedInstance
) -> None:
    alarms = applied({}, changes({}, evaluate(before, NOW), NOW))
    verdict = evaluate(after, NOW)
    news = changes(alarms, verdict, NOW)
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
    alarms = applied({}, changes({}, verdict, NOW, given_of(explained)))
    assert alarms.keys() == {fault.key for fault in verdict.faults}
    assert all(alarm.silence == explained.silences(key) for key, alarm in alarms.items())
    news = changes(alarms, verdict, NOW)
    assert {change.key for change in news.put if change.raises} == {key for key in alarms if explained.silences(key)}


@given(instances())
def test_an_alarm_that_was_heard_is_not_taken_back_by_an_operation(observed: ObservedInstance) -> None:
    verdict = evaluate(observed, NOW)
    heard = applied({}, changes({}, verdict, NOW))
    assert not changes(heard, verdict, NOW, given_of(Explained(everything=True, stack=True, maintenance=True)))


def alarm(**fields: object) -> OpenAlarm:
    given: dict[str, object] = {"severity": "WARNING", "details": ("renamed",), "vnfc_ids": (), "root": None}
    return OpenAlarm(**given | fields)  # type: ignore[arg-type]  # as the caller says


def fault(*roots: Key, key: Key = STACK_DRIFT, details: tuple[str, ...] = ("renamed",)) -> Fault:
    return Fault(key, Severity.WARNING, "vsr-1", details, roots=roots)


def test_what_cannot_be_judged_stays_open_as_it_is() -> None:
    known = {STACK_DRIFT: alarm()}
    assert not changes(known, Verdict((), undecided=frozenset({"StackDrift"})), NOW)
    assert changes(known, Verdict(()), NOW).clear == (STACK_DRIFT,)


def test_of_the_possible_root_causes_the_first_that_is_open_is_taken() -> None:
    other = replace(HOST_DOWN, fault_type="ForcedDown")
    verdict = Verdict((fault(HOST_DOWN, other),))
    for there, root in (((), None), ((other,), other), ((HOST_DOWN, other), HOST_DOWN)):
        (change,) = changes({}, verdict, NOW, Circumstances(elsewhere=there)).put
        assert change.after.root == root


def test_a_child_whose_root_cause_is_gone_stands_alone() -> None:
    known = {STACK_DRIFT: alarm(root=HOST_DOWN)}
    (change,) = changes(known, Verdict((fault(HOST_DOWN),)), NOW).put
    assert (change.after.root, change.raises) == (None, False)


def test_what_has_not_lasted_long_enough_is_held_back_and_told_when_it_has() -> None:
    given = Circumstances(policy_of=lambda _: Policy(debounce=timedelta(seconds=30)))
    first = changes({}, Verdict((fault(),)), NOW, given)
    (change,) = first.put
    assert (change.after.silence, change.raises) == (Silence.DEBOUNCE, False)
    assert first.again_at == NOW + timedelta(seconds=30)
    held = {STACK_DRIFT: change.after}
    assert not changes(held, Verdict((fault(),)), NOW + timedelta(seconds=29), given)
    (told,) = changes(held, Verdict((fault(),)), NOW + timedelta(seconds=30), given).put
    assert (told.after.silence, told.raises) == (Silence.NONE, True)
    assert changes(held, HEALTHY, NOW + timedelta(seconds=5), given).clear == (STACK_DRIFT,)


def test_what_was_cleared_by_hand_stays_so_until_it_says_something_else_or_has_been_gone() -> None:
    given = Circumstances(dismissed={STACK_DRIFT: ("renamed",)})
    assert not changes({}, Verdict((fault(),)), NOW, given)
    (change,) = changes({}, Verdict((fault(details=("renamed", "moved")),)), NOW, given).put
    assert change.raises
    assert changes({}, HEALTHY, NOW, given).release == (STACK_DRIFT,)
    assert not changes({}, Verdict((), undecided=frozenset({"StackDrift"})), NOW, given)


def test_a_maintenance_window_silences_even_the_loss_of_a_vim() -> None:
    verdict = Verdict((fault(key=Key("vim-id", "VimUnreachable")),))
    for explained, silence in (
        (Explained(everything=True), Silence.NONE),
        (Explained(maintenance=True), Silence.MAINTENANCE),
    ):
        (change,) = changes({}, verdict, NOW, given_of(explained)).put
        assert change.after.silence == silence
