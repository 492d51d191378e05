"""Laws of the one function that applies alarm policies."""

from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from vnfm.faults.domain.fault_type import Severity
from vnfm.faults.domain.policy import KEEP_CLEARED, Course, Policy, rule, worst

NOW = datetime(2016, 2, 9, 14, 5, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
ORDER = (Severity.INDETERMINATE, Severity.WARNING, Severity.MINOR, Severity.MAJOR, Severity.CRITICAL)

severities = st.sampled_from(list(Severity))
spans = st.integers(1, 600).map(lambda seconds: timedelta(seconds=seconds))
moments = st.integers(-600, 600).map(lambda seconds: NOW + timedelta(seconds=seconds))
policies = st.builds(
    Policy,
    initial_severity=st.none() | severities,
    escalate_after=st.none() | spans,
    escalate_occurrences=st.none() | st.integers(2, 5),
    deescalate_after=st.none() | spans,
    debounce=st.none() | spans,
    auto_ack_on_clear=st.none() | st.booleans(),
    keep_cleared=st.none() | spans,
)
courses = st.builds(
    Course,
    evaluated=severities,
    detected_at=moments,
    promoted=st.none() | severities,
    heard=st.booleans(),
    acked_at=st.none() | moments,
    occurrences=st.integers(1, 6),
    cleared_at=st.none(),
)


def level(severity: Severity) -> int:
    return ORDER.index(severity)


@given(courses)
def test_without_a_policy_the_dictionary_and_what_it_causes_decide(course: Course) -> None:
    ruling = rule(Policy(), course, NOW)
    assert ruling.severity == worst(course.evaluated, course.promoted)
    assert (ruling.held, ruling.again_at) == (False, None)


@given(policies, courses, moments)
def test_a_root_cause_is_never_less_severe_than_what_it_caused(policy: Policy, course: Course, now: datetime) -> None:
    if course.promoted is not None:
        assert level(rule(policy, course, now).severity) >= level(course.promoted)


@given(policies, courses, moments)
def test_nothing_changes_before_the_time_that_it_names(policy: Policy, course: Course, now: datetime) -> None:
    ruling = rule(policy, course, now)
    again_at = ruling.again_at
    if again_at is None:
        assert rule(policy, course, now + timedelta(days=9)) == ruling
    else:
        assert again_at > now
        assert rule(policy, course, again_at - timedelta(microseconds=1)) == ruling
        assert rule(policy, course, again_at) != ruling


@given(policies, courses, moments)
def test_a_policy_moves_a_severity_by_no_more_than_its_steps(policy: Policy, course: Course, now: datetime) -> None:
    alone = replace(course, promoted=None)
    base = level(policy.initial_severity or course.evaluated)
    moved = level(rule(policy, alone, now).severity) - base
    assert -1 <= moved <= 2
    if base > level(Severity.INDETERMINATE):
        assert level(rule(policy, alone, now).severity) >= level(Severity.WARNING)


@given(courses, spans)
def test_an_acknowledgement_ends_the_escalation_that_it_was_waited_for(course: Course, span: timedelta) -> None:
    policy = Policy(escalate_after=span)
    unseen = replace(course, acked_at=None, promoted=None)
    late = unseen.detected_at + span
    assert level(rule(policy, unseen, late).severity) >= level(unseen.evaluated)
    assert rule(policy, replace(unseen, acked_at=late), late).severity == unseen.evaluated


@given(policies, courses, moments)
def test_what_was_heard_is_never_held_back(policy: Policy, course: Course, now: datetime) -> None:
    assert not rule(policy, replace(course, heard=True), now).held


@given(policies, policies)
def test_a_special_policy_wins_where_it_says_something(special: Policy, general: Policy) -> None:
    both = special.over(general)
    for field in fields(Policy):
        own = getattr(special, field.name)
        assert getattr(both, field.name) == (getattr(general, field.name) if own is None else own)
    assert special.over(Policy()) == special


def test_an_hour_of_an_alarm_that_nobody_acknowledges() -> None:
    policy = Policy(escalate_after=10 * MINUTE, deescalate_after=30 * MINUTE, escalate_occurrences=3)
    course = Course(evaluated=Severity.MINOR, detected_at=NOW)
    assert rule(policy, course, NOW + 9 * MINUTE).severity == "MINOR"
    assert rule(policy, course, NOW + 10 * MINUTE).severity == "MAJOR"
    assert rule(policy, replace(course, occurrences=3), NOW + 10 * MINUTE).severity == "CRITICAL"
    acked = replace(course, acked_at=NOW + 15 * MINUTE)
    assert rule(policy, acked, NOW + 15 * MINUTE).severity == "MINOR"
    assert rule(policy, acked, NOW + 45 * MINUTE).severity == "WARNING"


def test_what_becomes_of_a_cleared_alarm() -> None:
    over = Course(evaluated=Severity.MINOR, detected_at=NOW, heard=True, cleared_at=NOW + MINUTE)
    assert rule(Policy(), over, NOW).forget_at == NOW + MINUTE + KEEP_CLEARED
    assert not rule(Policy(), over, NOW).acknowledge
    policy = Policy(auto_ack_on_clear=True, keep_cleared=MINUTE, escalate_after=MINUTE)
    assert rule(policy, over, NOW).acknowledge
    assert not rule(policy, replace(over, acked_at=NOW), NOW).acknowledge, "somebody has done it"
    assert rule(policy, over, NOW).forget_at == NOW + 2 * MINUTE
    assert rule(policy, over, NOW).again_at is None
