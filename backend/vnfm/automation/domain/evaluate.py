"""Decides by the facts what a policy does, and why. Pure; the order of the facts does not matter.

Each triggered action (a VNFC to heal, an aspect to scale) passes the same gates. One operation carries out those that
pass all gates; when none does, the one that passed most gates gives the reason.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from vnfm.automation.domain.load import Load
from vnfm.automation.domain.policy import HOUR, HealRule, LoadThreshold, Policy, ScaleRule
from vnfm.automation.domain.policy_input import PolicyInput, Reason


class DecisionOutcome(StrEnum):
    ACTED = "ACTED"
    WOULD_ACT = "WOULD_ACT"
    """Dry run."""
    HELD_BACK = "HELD_BACK"
    """There is something to do, and a reason not to."""
    AT_REST = "AT_REST"
    """There is nothing to do."""


class AutomationAction(StrEnum):
    HEAL = "HEAL"
    SCALE_OUT = "SCALE_OUT"
    SCALE_IN = "SCALE_IN"


@dataclass(frozen=True, slots=True)
class TriggeredAction:
    """An action that the rule triggers once its cause has lasted long enough."""

    action: AutomationAction
    cause: str
    """Id of an alarm, or the time from which the load is beyond the threshold."""
    subject: str
    """Id of a VNFC, or of an aspect."""
    words: str
    """The cause as a sentence."""
    since: datetime
    lasting: timedelta
    stopped_by_operator: bool = False
    not_allowed: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    outcome: DecisionOutcome
    reason: Reason
    message: str
    """The reason as a sentence for people."""
    actions: tuple[TriggeredAction, ...] = ()
    """Carried out, or held back."""
    retry_at: datetime | None = None
    """When the passing of time alone may change the decision; None: never."""
    stops: bool = False
    """The policy stops for the instance until it is resumed."""


@dataclass(frozen=True, slots=True)
class _Block:
    reason: Reason
    words: str
    retry_at: datetime | None = None
    stops: bool = False


def evaluate(policy: Policy, facts: PolicyInput, now: datetime) -> Decision:
    triggered = sorted(_triggered(policy.rule, facts), key=lambda d: (d.since, d.subject, d.cause))
    if not triggered:
        return _idle(policy.rule, facts.load)
    results = [(candidate, _first_block(policy, facts, candidate, now)) for candidate in triggered]
    due = [candidate for candidate, result in results if result is None]
    if due:
        outcome = DecisionOutcome.WOULD_ACT if policy.dry_run else DecisionOutcome.ACTED
        return Decision(outcome, Reason.DUE, " ".join(candidate.words for candidate in due), tuple(due))
    blocks = [result for _, result in results if result is not None]
    block = max(blocks, key=lambda result: result[0])[1]
    retry_at = min((each.retry_at for _, each in blocks if each.retry_at is not None), default=None)
    message = " ".join([*(candidate.words for candidate in triggered), block.words])
    return Decision(DecisionOutcome.HELD_BACK, block.reason, message, tuple(triggered), retry_at, block.stops)


def _idle(rule: HealRule | ScaleRule, load: Load | None) -> Decision:
    if isinstance(rule, HealRule):
        return Decision(DecisionOutcome.AT_REST, Reason.NOTHING_TO_DO, "No VNFC is down.")
    if load is None:
        return Decision(DecisionOutcome.AT_REST, Reason.NOTHING_TO_DO, "It is not instantiated.")
    unknown = load.unknown_since()
    if unknown is not None:
        words = f"The load is unknown since {clock_words(unknown)}. {load.words}".strip()
        return Decision(DecisionOutcome.HELD_BACK, Reason.SOURCE_UNKNOWN, words)
    return Decision(DecisionOutcome.AT_REST, Reason.NOTHING_TO_DO, "The load is within its bounds.")


def _triggered(rule: HealRule | ScaleRule, facts: PolicyInput) -> Iterator[TriggeredAction]:
    if isinstance(rule, ScaleRule):
        yield from _scale_actions(rule, facts)
        return
    for vnfc in facts.vnfcs_down:
        yield TriggeredAction(
            action=AutomationAction.HEAL,
            cause=vnfc.alarm_id,
            subject=vnfc.vnfc_id,
            words=f"{vnfc.label} is down since {clock_words(vnfc.since)} ({vnfc.words}).",
            since=vnfc.since,
            lasting=rule.lasting,
            stopped_by_operator=vnfc.stopped_by_operator,
            not_allowed=vnfc.not_allowed,
        )


def _scale_actions(rule: ScaleRule, facts: PolicyInput) -> Iterator[TriggeredAction]:
    out = f"{rule.aspect_id} is at its highest level, {facts.level}." if facts.level >= facts.max_level else ""
    back = f"{rule.aspect_id} is at its lowest level." if facts.level <= 0 else ""
    yield from _scale_action(rule, facts.load, rule.out, AutomationAction.SCALE_OUT, facts.no_aspect or out)
    yield from _scale_action(rule, facts.load, rule.back, AutomationAction.SCALE_IN, facts.no_aspect or back)


def _scale_action(
    rule: ScaleRule, load: Load | None, trigger: LoadThreshold | None, action: AutomationAction, not_allowed: str
) -> Iterator[TriggeredAction]:
    if load is None or trigger is None:
        return
    limit = trigger.threshold
    out = action is AutomationAction.SCALE_OUT
    since = load.true_since(lambda value: value > limit if out else value < limit)
    if since is None:
        return
    words = f"The load is {load.value:g}, {'above' if out else 'below'} {limit:g} since {clock_words(since)}."
    yield TriggeredAction(
        action, f"{action}:{since.isoformat()}", rule.aspect_id, words, since, trigger.lasting, False, not_allowed
    )


_Gate = Callable[[Policy, PolicyInput, TriggeredAction, datetime], _Block | None]


def _first_block(
    policy: Policy, facts: PolicyInput, candidate: TriggeredAction, now: datetime
) -> tuple[int, _Block] | None:
    for number, gate in enumerate(_GATES):
        block = gate(policy, facts, candidate, now)
        if block is not None:
            return number, block
    return None


def _is_paused(policy: Policy, facts: PolicyInput, candidate: TriggeredAction, now: datetime) -> _Block | None:
    return _Block(Reason.PAUSED, "The policy is paused.") if policy.paused else None


def _is_stopped_by_operator(
    policy: Policy, facts: PolicyInput, candidate: TriggeredAction, now: datetime
) -> _Block | None:
    words = "An operator stopped it: its desired state is STOPPED."
    return _Block(Reason.STOPPED_ON_PURPOSE, words) if candidate.stopped_by_operator else None


def _is_not_allowed(policy: Policy, facts: PolicyInput, candidate: TriggeredAction, now: datetime) -> _Block | None:
    return _Block(Reason.NOT_ALLOWED, candidate.not_allowed) if candidate.not_allowed else None


def _is_blocked(policy: Policy, facts: PolicyInput, candidate: TriggeredAction, now: datetime) -> _Block | None:
    first = min(facts.blockers, key=lambda h: (h.reason, h.words), default=None)
    return _Block(first.reason, first.words) if first is not None else None


def _is_too_early(policy: Policy, facts: PolicyInput, candidate: TriggeredAction, now: datetime) -> _Block | None:
    due = candidate.since + candidate.lasting
    if now >= due:
        return None
    return _Block(Reason.NOT_YET, f"It acts when that has lasted for {_seconds(candidate.lasting)}.", due)


def _has_stopped(policy: Policy, facts: PolicyInput, candidate: TriggeredAction, now: datetime) -> _Block | None:
    if facts.stopped_since is None:
        return None
    since = clock_words(facts.stopped_since)
    return _Block(Reason.LIMIT_REACHED, f"It has stopped at {since}, having reached its limit; resume it.")


def _is_recorded(policy: Policy, facts: PolicyInput, candidate: TriggeredAction, now: datetime) -> _Block | None:
    recorded = policy.dry_run and any(act.dry and candidate.cause in act.causes for act in facts.past_actions)
    return _Block(Reason.WOULD_HAVE_ACTED, "A dry run: it would have acted on this already.") if recorded else None


def _is_cooling_down(policy: Policy, facts: PolicyInput, candidate: TriggeredAction, now: datetime) -> _Block | None:
    past_actions = [
        act for act in facts.past_actions if act.dry == policy.dry_run and candidate.subject in act.subjects
    ]
    until = max(((act.ended_at or now) + policy.cool_down for act in past_actions), default=now)
    if until <= now:
        return None
    words = f"It acted on it before, and cools down for {_seconds(policy.cool_down)}, until {clock_words(until)}."
    return _Block(Reason.COOL_DOWN, words, until)


def _is_limited(policy: Policy, facts: PolicyInput, candidate: TriggeredAction, now: datetime) -> _Block | None:
    recent = sorted(act.at for act in facts.past_actions if act.dry == policy.dry_run and act.at > now - HOUR)
    if len(recent) < policy.per_hour:
        return None
    words = f"It has acted {len(recent)} times within an hour, as often as it may."
    if isinstance(policy.rule, HealRule) and not policy.dry_run:
        words += " What it heals does not stay well, so it stops: find out why, then resume it."
        return _Block(Reason.LIMIT_REACHED, words, stops=True)
    return _Block(Reason.LIMIT_REACHED, words, recent[-policy.per_hour] + HOUR)


_GATES: tuple[_Gate, ...] = (
    _is_paused,
    _is_stopped_by_operator,
    _is_not_allowed,
    _is_blocked,
    _is_too_early,
    _has_stopped,
    _is_recorded,
    _is_cooling_down,
    _is_limited,
)
"""In the order of evaluation."""


def clock_words(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"


def _seconds(span: timedelta) -> str:
    return f"{span.total_seconds():g} s"
