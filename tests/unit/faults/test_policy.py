"""Laws of `apply_policy`."""

from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from vnfm.faults.domain.fault_type import Severity
from vnfm.faults.domain.policy import KEEP_CLEARED, AlarmTimeline, PolicySettings, apply_policy, worst

NOW = datetime(2016, 2, 9, 14, 5, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
ORDER = (Severity.INDETERMINATE, Severity.WARNING, Severity.MINOR, Severity.MAJOR, Severity.CRITICAL)

severities = st.sampled_from(list(Severity))
spans = st.integers(1, 600).map(lambda seconds: timedelta(seconds=seconds))
moments = st.integers(-600, 600).map(lambda seconds: NOW + timedelta(seconds=seconds))
policies = st.builds(
    PolicySettings,
    initial_severity=st.none() | severities,
    escalate_after=st.none() | spans,
    escalate_occurrences=st.none() | st.integers(2, 5),
    deescalate_after=st.none() | spans,
    debounce=st.none() | spans,
    auto_ack_on_clear=st.none() | st.booleans(),
    keep_cleared=st.none() | spans,
)
timelines = st.builds(
    AlarmTimeline,
    evaluated=severities,
    detected_at=moments,
    promoted=st.none() | severities,
    published=st.booleans(),
    acked_at=st.none() | moments,
    occurrences=st.integers(1, 6),
    cleared_at=st.none(),
)


def level(severity: Severity) -> int:
    return ORDER.index(severity)


@given(timelines)
def test_without_a_policy_dictionary_and_promotion_decide(timeline: AlarmTimeline) -> None:
    outcome = apply_policy(PolicySettings(), timeline, NOW)
    assert outcome.severity == worst(timeline.evaluated, timeline.promoted)
    assert (outcome.debounced, outcome.due_at) == (False, None)


@given(policies, timelines, moments)
def test_a_root_cause_is_at_least_as_severe_as_its_consequences(
    policy: PolicySettings, timeline: AlarmTimeline, now: datetime
) -> None:
    if timeline.promoted is not None:
        assert level(apply_policy(policy, timeline, now).severity) >= level(timeline.promoted)


@given(policies, timelines, moments)
def test_nothing_changes_before_due_at(policy: PolicySettings, timeline: AlarmTimeline, now: datetime) -> None:
    outcome = apply_policy(policy, timeline, now)
    due_at = outcome.due_at
    if due_at is None:
        assert apply_policy(policy, timeline, now + timedelta(days=9)) == outcome
    else:
        assert due_at > now
        assert apply_policy(policy, timeline, due_at - timedelta(microseconds=1)) == outcome
        assert apply_policy(policy, timeline, due_at) != outcome


@given(policies, timelines, moments)
def test_a_policy_changes_a_severity_by_at_most_two_levels(
    policy: PolicySettings, timeline: AlarmTimeline, now: datetime
) -> None:
    alone = replace(timeline, promoted=None)
    base = level(policy.initial_severity or timeline.evaluated)
    moved = level(apply_policy(policy, alone, now).severity) - base
    assert -1 <= moved <= 2
    if base > level(Severity.INDETERMINATE):
        assert level(apply_policy(policy, alone, now).severity) >= level(Severity.WARNING)


@given(timelines, spans)
def test_an_acknowledgement_ends_the_escalation(timeline: AlarmTimeline, span: timedelta) -> None:
    policy = PolicySettings(escalate_after=span)
    unacked = replace(timeline, acked_at=None, promoted=None)
    late = unacked.detected_at + span
    assert level(apply_policy(policy, unacked, late).severity) >= level(unacked.evaluated)
    assert apply_policy(policy, replace(unacked, acked_at=late), late).severity == unacked.evaluated


@given(policies, timelines, moments)
def test_a_published_alarm_is_never_debounced(policy: PolicySettings, timeline: AlarmTimeline, now: datetime) -> None:
    assert not apply_policy(policy, replace(timeline, published=True), now).debounced


@given(policies, policies)
def test_a_special_policy_overrides_the_global_one(special: PolicySettings, general: PolicySettings) -> None:
    both = special.with_defaults(general)
    for field in fields(PolicySettings):
        own = getattr(special, field.name)
        assert getattr(both, field.name) == (getattr(general, field.name) if own is None else own)
    assert special.with_defaults(PolicySettings()) == special


def test_escalation_and_deescalation_over_an_hour() -> None:
    policy = PolicySettings(escalate_after=10 * MINUTE, deescalate_after=30 * MINUTE, escalate_occurrences=3)
    timeline = AlarmTimeline(evaluated=Severity.MINOR, detected_at=NOW)
    assert apply_policy(policy, timeline, NOW + 9 * MINUTE).severity == "MINOR"
    assert apply_policy(policy, timeline, NOW + 10 * MINUTE).severity == "MAJOR"
    assert apply_policy(policy, replace(timeline, occurrences=3), NOW + 10 * MINUTE).severity == "CRITICAL"
    acked = replace(timeline, acked_at=NOW + 15 * MINUTE)
    assert apply_policy(policy, acked, NOW + 15 * MINUTE).severity == "MINOR"
    assert apply_policy(policy, acked, NOW + 45 * MINUTE).severity == "WARNING"


def test_a_cleared_alarm_is_archived() -> None:
    cleared = AlarmTimeline(evaluated=Severity.MINOR, detected_at=NOW, published=True, cleared_at=NOW + MINUTE)
    assert apply_policy(PolicySettings(), cleared, NOW).archive_at == NOW + MINUTE + KEEP_CLEARED
    assert not apply_policy(PolicySettings(), cleared, NOW).acknowledge
    policy = PolicySettings(auto_ack_on_clear=True, keep_cleared=MINUTE, escalate_after=MINUTE)
    assert apply_policy(policy, cleared, NOW).acknowledge
    assert not apply_policy(policy, replace(cleared, acked_at=NOW), NOW).acknowledge, "it is acknowledged already"
    assert apply_policy(policy, cleared, NOW).archive_at == NOW + 2 * MINUTE
    assert apply_policy(policy, cleared, NOW).due_at is None
