"""Laws of the difference between open alarms and an evaluation."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from vnfm.faults.domain.alarm_changes import (
    AlarmChanges,
    EvaluationContext,
    OpenAlarm,
    Suppression,
    SuppressionScope,
    alarm_changes,
)
from vnfm.faults.domain.evaluate_instance import ObservedInstance, ObservedPort, ObservedVnfc, evaluate_instance
from vnfm.faults.domain.evaluate_vim import ObservedVim
from vnfm.faults.domain.evaluation_result import EvaluationResult, Fault, FaultKey, ManagedObject, ObjectType
from vnfm.faults.domain.fault_type import Severity
from vnfm.faults.domain.policy import PolicySettings

NOW = datetime(2016, 2, 9, 14, 5, tzinfo=UTC)
NOTHING = EvaluationContext()
HEALTHY = EvaluationResult(())

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
        servers_listed=draw(st.booleans()),
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


scopes = st.builds(SuppressionScope, everything=st.booleans(), stack=st.booleans(), maintenance=st.booleans())
HOST_DOWN = FaultKey("compute-1", "HypervisorDown", ManagedObject(ObjectType.VIM, "vim-id"))
STACK_DRIFT = FaultKey("stack-id", "StackDrift")


def context_of(scope: SuppressionScope) -> EvaluationContext:
    return EvaluationContext(scope=scope)


def applied(alarms: Mapping[FaultKey, OpenAlarm], changes: AlarmChanges) -> dict[FaultKey, OpenAlarm]:
    after = {key: alarm for key, alarm in alarms.items() if key not in changes.clear}
    after |= {change.key: change.after for change in changes.put}
    return after | {key: replace(after[key], root=root) for key, root in changes.reroot.items()}


@given(st.lists(st.tuples(instances(), scopes), min_size=1, max_size=4))
def test_applying_the_changes_leaves_none(story: list[tuple[ObservedInstance, SuppressionScope]]) -> None:
    alarms: dict[FaultKey, OpenAlarm] = {}
    for observed, scope in story:
        result = evaluate_instance(observed, NOW)
        alarms = applied(alarms, alarm_changes(alarms, result, NOW, context_of(scope)))
        assert not alarm_changes(alarms, result, NOW, context_of(scope))


@given(instances())
def test_a_healthy_object_clears_exactly_its_alarms(observed: ObservedInstance) -> None:
    result = evaluate_instance(observed, NOW)
    raised = alarm_changes({}, result, NOW)
    alarms = applied({}, raised)
    cleared = alarm_changes(alarms, HEALTHY, NOW)
    assert set(cleared.clear) == {change.key for change in raised.put}
    assert not cleared.put
    assert not cleared.reroot


@given(instances(), instances())
def test_while_unobservable_only_alarms_of_the_vim_change(before: ObservedInstance, after: ObservedInstance) -> None:
    alarms = applied({}, alarm_changes({}, evaluate_instance(before, NOW), NOW))
    result = evaluate_instance(after, NOW)
    changes = alarm_changes(alarms, result, NOW)
    if result.unobservable is not None:
        touched = {change.key.fault_type for change in changes.put} | {key.fault_type for key in changes.clear}
        assert touched <= {"VimUnreachable", "VimAuthFailed"}
        left = applied(alarms, changes)
        assert all(alarm.root == result.unobservable for key, alarm in left.items() if key != result.unobservable)


@given(instances(), scopes)
def test_a_suppressed_alarm_is_recorded_and_published_when_it_outlasts_the_suppression(
    observed: ObservedInstance, scope: SuppressionScope
) -> None:
    result = evaluate_instance(observed, NOW)
    alarms = applied({}, alarm_changes({}, result, NOW, context_of(scope)))
    assert alarms.keys() == {fault.key for fault in result.faults}
    assert all(alarm.suppression == scope.suppression_of(key) for key, alarm in alarms.items())
    changes = alarm_changes(alarms, result, NOW)
    assert {change.key for change in changes.put if change.raises} == {
        key for key in alarms if scope.suppression_of(key)
    }


@given(instances())
def test_an_operation_does_not_suppress_a_published_alarm(observed: ObservedInstance) -> None:
    result = evaluate_instance(observed, NOW)
    published = applied({}, alarm_changes({}, result, NOW))
    assert not alarm_changes(
        published, result, NOW, context_of(SuppressionScope(everything=True, stack=True, maintenance=True))
    )


def alarm(**fields: object) -> OpenAlarm:
    defaults: dict[str, object] = {"severity": "WARNING", "details": ("renamed",), "vnfc_ids": (), "root": None}
    return OpenAlarm(**defaults | fields)  # type: ignore[arg-type]  # fields of it


def fault(*roots: FaultKey, key: FaultKey = STACK_DRIFT, details: tuple[str, ...] = ("renamed",)) -> Fault:
    return Fault(key, Severity.WARNING, "vsr-1", details, roots=roots)


def test_an_undecided_alarm_stays_open() -> None:
    known = {STACK_DRIFT: alarm()}
    assert not alarm_changes(known, EvaluationResult((), undecided=frozenset({"StackDrift"})), NOW)
    assert alarm_changes(known, EvaluationResult(()), NOW).clear == (STACK_DRIFT,)


def test_the_first_possible_root_cause_with_an_open_alarm_wins() -> None:
    other = replace(HOST_DOWN, fault_type="ForcedDown")
    result = EvaluationResult((fault(HOST_DOWN, other),))
    for open_roots, root in (((), None), ((other,), other), ((HOST_DOWN, other), HOST_DOWN)):
        (change,) = alarm_changes({}, result, NOW, EvaluationContext(external=open_roots)).put
        assert change.after.root == root


def test_an_alarm_loses_a_root_cause_that_is_cleared() -> None:
    known = {STACK_DRIFT: alarm(root=HOST_DOWN)}
    (change,) = alarm_changes(known, EvaluationResult((fault(HOST_DOWN),)), NOW).put
    assert (change.after.root, change.raises) == (None, False)


def test_a_debounced_alarm_is_published_when_it_has_lasted_long_enough() -> None:
    context = EvaluationContext(policy_of=lambda _: PolicySettings(debounce=timedelta(seconds=30)))
    first = alarm_changes({}, EvaluationResult((fault(),)), NOW, context)
    (change,) = first.put
    assert (change.after.suppression, change.raises) == (Suppression.DEBOUNCE, False)
    assert first.due_at == NOW + timedelta(seconds=30)
    debounced = {STACK_DRIFT: change.after}
    assert not alarm_changes(debounced, EvaluationResult((fault(),)), NOW + timedelta(seconds=29), context)
    (published,) = alarm_changes(debounced, EvaluationResult((fault(),)), NOW + timedelta(seconds=30), context).put
    assert (published.after.suppression, published.raises) == (Suppression.NONE, True)
    assert alarm_changes(debounced, HEALTHY, NOW + timedelta(seconds=5), context).clear == (STACK_DRIFT,)


def test_a_dismissed_alarm_returns_when_its_details_change_or_it_was_gone() -> None:
    context = EvaluationContext(dismissed={STACK_DRIFT: ("renamed",)})
    assert not alarm_changes({}, EvaluationResult((fault(),)), NOW, context)
    (change,) = alarm_changes({}, EvaluationResult((fault(details=("renamed", "moved")),)), NOW, context).put
    assert change.raises
    assert alarm_changes({}, HEALTHY, NOW, context).release == (STACK_DRIFT,)
    assert not alarm_changes({}, EvaluationResult((), undecided=frozenset({"StackDrift"})), NOW, context)


def test_a_maintenance_window_suppresses_even_the_loss_of_a_vim() -> None:
    result = EvaluationResult((fault(key=FaultKey("vim-id", "VimUnreachable")),))
    for scope, suppression in (
        (SuppressionScope(everything=True), Suppression.NONE),
        (SuppressionScope(maintenance=True), Suppression.MAINTENANCE),
    ):
        (change,) = alarm_changes({}, result, NOW, context_of(scope)).put
        assert change.after.suppression == suppression
