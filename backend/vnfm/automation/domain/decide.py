"""From what is seen to what is done, and why: the one place that decides. Pure, and blind to the order of what it sees.

Each demand (a VNFC to heal, an aspect to scale) passes the same gates. Those that pass them all are met with one
operation; when none does, the one that came farthest says why nothing happens.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from vnfm.automation.domain.load import Load
from vnfm.automation.domain.policy import HOUR, HealRule, Policy, ScaleRule, Trigger
from vnfm.automation.domain.sight import Reason, Sight


class Outcome(StrEnum):
    ACTED = "ACTED"
    WOULD_ACT = "WOULD_ACT"
    """Dry run."""
    HELD_BACK = "HELD_BACK"
    """There is something to do, and a reason not to."""
    AT_REST = "AT_REST"
    """There is nothing to do."""


class Action(StrEnum):
    HEAL = "HEAL"
    SCALE_OUT = "SCALE_OUT"
    SCALE_IN = "SCALE_IN"


@dataclass(frozen=True, slots=True)
class Demand:
    """Something that the rule wants done once it has lasted long enough."""

    action: Action
    cause: str
    """What it is wanted for, once: the id of an alarm, or the moment from which on the load is so."""
    subject: str
    """Id of a VNFC, or of an aspect."""
    words: str
    """What was seen, as a sentence."""
    since: datetime
    lasting: timedelta
    on_purpose: bool = False
    forbidden: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    outcome: Outcome
    reason: Reason
    message: str
    """The reason as a sentence for people."""
    demands: tuple[Demand, ...] = ()
    """What is met, or held back."""
    again_at: datetime | None = None
    """When time alone may change it; None: never."""
    stops: bool = False
    """The policy gives up on the instance until somebody resumes it."""


@dataclass(frozen=True, slots=True)
class _Block:
    reason: Reason
    words: str
    again_at: datetime | None = None
    stops: bool = False


def decide(policy: Policy, sight: Sight, now: datetime) -> Decision:
    demands = sorted(_demands(policy.rule, sight), key=lambda d: (d.since, d.subject, d.cause))
    if not demands:
        return _idle(policy.rule, sight.load)
    judged = [(demand, _first_block(policy, sight, demand, now)) for demand in demands]
    free = [demand for demand, stop in judged if stop is None]
    if free:
        outcome = Outcome.WOULD_ACT if policy.dry_run else Outcome.ACTED
        return Decision(outcome, Reason.DUE, " ".join(d.words for d in free), tuple(free))
    stops = [stop for _, stop in judged if stop is not None]
    block = max(stops, key=lambda stop: stop[0])[1]
    again = min((each.again_at for _, each in stops if each.again_at is not None), default=None)
    message = " ".join([*(demand.words for demand in demands), block.words])
    return Decision(Outcome.HELD_BACK, block.reason, message, tuple(demands), again, block.stops)


def _idle(rule: HealRule | ScaleRule, load: Load | None) -> Decision:
    if isinstance(rule, HealRule):
        return Decision(Outcome.AT_REST, Reason.NOTHING_TO_DO, "No VNFC is down.")
    if load is None:
        return Decision(Outcome.AT_REST, Reason.NOTHING_TO_DO, "It is not instantiated.")
    unknown = load.unknown_since()
    if unknown is not None:
        words = f"The load is unknown since {clock_words(unknown)}. {load.words}".strip()
        return Decision(Outcome.HELD_BACK, Reason.SOURCE_UNKNOWN, words)
    return Decision(Outcome.AT_REST, Reason.NOTHING_TO_DO, "The load is within its bounds.")


def _demands(rule: HealRule | ScaleRule, sight: Sight) -> Iterator[Demand]:
    if isinstance(rule, ScaleRule):
        yield from _scalings(rule, sight)
        return
    for cause in sight.causes:
        yield Demand(
            action=Action.HEAL,
            cause=cause.key,
            subject=cause.vnfc_id,
            words=f"{cause.label} is down since {clock_words(cause.since)} ({cause.words}).",
            since=cause.since,
            lasting=rule.lasting,
            on_purpose=cause.on_purpose,
            forbidden=cause.forbidden,
        )


def _scalings(rule: ScaleRule, sight: Sight) -> Iterator[Demand]:
    out = f"{rule.aspect_id} is at its highest level, {sight.level}." if sight.level >= sight.highest_level else ""
    back = f"{rule.aspect_id} is at its lowest level." if sight.level <= 0 else ""
    yield from _scaling(rule, sight.load, rule.out, Action.SCALE_OUT, sight.no_aspect or out)
    yield from _scaling(rule, sight.load, rule.back, Action.SCALE_IN, sight.no_aspect or back)


def _scaling(
    rule: ScaleRule, load: Load | None, trigger: Trigger | None, action: Action, forbidden: str
) -> Iterator[Demand]:
    if load is None or trigger is None:
        return
    limit = trigger.threshold
    out = action is Action.SCALE_OUT
    since = load.held_since(lambda value: value > limit if out else value < limit)
    if since is None:
        return
    words = f"The load is {load.value:g}, {'above' if out else 'below'} {limit:g} since {clock_words(since)}."
    yield Demand(
        action, f"{action}:{since.isoformat()}", rule.aspect_id, words, since, trigger.lasting, False, forbidden
    )


_Gate = Callable[[Policy, Sight, Demand, datetime], _Block | None]


def _first_block(policy: Policy, sight: Sight, demand: Demand, now: datetime) -> tuple[int, _Block] | None:
    for number, gate in enumerate(_GATES):
        block = gate(policy, sight, demand, now)
        if block is not None:
            return number, block
    return None


def _paused(policy: Policy, sight: Sight, demand: Demand, now: datetime) -> _Block | None:
    return _Block(Reason.PAUSED, "The policy is paused.") if policy.paused else None


def _on_purpose(policy: Policy, sight: Sight, demand: Demand, now: datetime) -> _Block | None:
    words = "It was stopped on purpose: it is wanted STOPPED."
    return _Block(Reason.STOPPED_ON_PURPOSE, words) if demand.on_purpose else None


def _forbidden(policy: Policy, sight: Sight, demand: Demand, now: datetime) -> _Block | None:
    return _Block(Reason.NOT_ALLOWED, demand.forbidden) if demand.forbidden else None


def _hindered(policy: Policy, sight: Sight, demand: Demand, now: datetime) -> _Block | None:
    first = min(sight.hindrances, key=lambda h: (h.reason, h.words), default=None)
    return _Block(first.reason, first.words) if first is not None else None


def _too_early(policy: Policy, sight: Sight, demand: Demand, now: datetime) -> _Block | None:
    due = demand.since + demand.lasting
    if now >= due:
        return None
    return _Block(Reason.NOT_YET, f"It acts when that has lasted for {_seconds(demand.lasting)}.", due)


def _given_up(policy: Policy, sight: Sight, demand: Demand, now: datetime) -> _Block | None:
    if sight.stopped_since is None:
        return None
    since = clock_words(sight.stopped_since)
    return _Block(
        Reason.LIMIT_REACHED, f"It has stopped at {since}, having reached its limit; somebody must resume it."
    )


def _told_already(policy: Policy, sight: Sight, demand: Demand, now: datetime) -> _Block | None:
    told = policy.dry_run and any(act.dry and demand.cause in act.causes for act in sight.acts)
    return _Block(Reason.WOULD_HAVE_ACTED, "A dry run: it would have acted on this already.") if told else None


def _cooling(policy: Policy, sight: Sight, demand: Demand, now: datetime) -> _Block | None:
    acts = [act for act in sight.acts if act.dry == policy.dry_run and demand.subject in act.subjects]
    until = max(((act.ended_at or now) + policy.cool_down for act in acts), default=now)
    if until <= now:
        return None
    words = f"It acted on it before, and cools down for {_seconds(policy.cool_down)}, until {clock_words(until)}."
    return _Block(Reason.COOL_DOWN, words, until)


def _limited(policy: Policy, sight: Sight, demand: Demand, now: datetime) -> _Block | None:
    recent = sorted(act.at for act in sight.acts if act.dry == policy.dry_run and act.at > now - HOUR)
    if len(recent) < policy.per_hour:
        return None
    words = f"It has acted {len(recent)} times within an hour, as often as it may."
    if isinstance(policy.rule, HealRule) and not policy.dry_run:
        words += " What it heals does not stay well, so it stops: find out why, then resume it."
        return _Block(Reason.LIMIT_REACHED, words, stops=True)
    return _Block(Reason.LIMIT_REACHED, words, recent[-policy.per_hour] + HOUR)


_GATES: tuple[_Gate, ...] = (
    _paused,
    _on_purpose,
    _forbidden,
    _hindered,
    _too_early,
    _given_up,
    _told_already,
    _cooling,
    _limited,
)
"""In the order in which they are asked; who fails a later one came farther."""


def clock_words(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"


def _seconds(span: timedelta) -> str:
    return f"{span.total_seconds():g} s"
