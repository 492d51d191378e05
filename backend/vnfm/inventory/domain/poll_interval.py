"""When to poll a VIM again: one table of reasons, decided by the situation after a poll and nothing else. Pure."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from vnfm.vims.domain.reachability import STALE_AFTER

FAST_SECONDS = 1.0
"""The interval from poll to poll while something changes."""

RETRY_SECONDS = 0.5
"""After a first failed poll: long enough for a dropped connection, short enough to report an outage in seconds."""

REFUSED_MAX_SECONDS = 30.0
"""Keystones that lock accounts count refusals (six in half an hour is usual), so a wrong password is not tried as
often as a cloud that does not answer; correcting the registration requests a poll anyway."""

RATE_LIMITED_SECONDS = 30.0
"""For a cloud that asks us to slow down and does not say how long."""
RATE_LIMITED_MAX_SECONDS = 300.0
"""The longest Retry-After that we follow."""

SLOW_MAX_SECONDS = 60.0
"""The longest pause of small polls for a cloud that answers late; large requests may wait longer."""

ACTIVITY_SECONDS = 15.0
"""Polls stay fast so long after the last change: what happens to one VM often happens to the next, and the cause of a
requested poll may reach the API a moment later."""

DUTY_CYCLE = 1 / 3
"""The largest share of the time that polls may take: a slow cloud gets longer pauses, whatever the reason, up to
SLOW_MAX_SECONDS: in longer ones what is known of it would become unknown.
"""

URGENT_DUTY_CYCLE = 1 / 2
"""The same for requested polls."""

MIN_SECONDS = 0.2
"""From poll to poll at least, however many are requested."""

REQUEST_DUTY_CYCLE = 1 / 10
CHEAP_SECONDS = 0.1
"""A single request (all stacks, the hosts) takes a tenth of the time at most, unless it is cheap."""

JITTER = 0.1
"""The share of an interval that may be left out at random, so that the polls of many VIMs do not fall into step."""

POLLS_TO_STALE = 6
"""An observation is stale after this number of periods without a poll."""

MIN_STALE = timedelta(seconds=60)
"""A poll of a big cloud, or one that waits for a time-out, takes a while: shorter gaps are normal."""

Failure = Literal["", "away", "slow", "refused", "rate limited"]


@dataclass(frozen=True, slots=True)
class PollSituation:
    """The situation after a poll. Times in seconds."""

    duration: float
    failures: int = 0
    """Failed polls in a row, this one included."""
    failure: Failure = ""
    retry_after: float | None = None
    """Retry-After of a cloud that asked us to slow down; the rest of the pause of one that answers late."""
    answered: bool = True
    """False when nothing came back: a time-out costs the cloud nothing."""
    operation: bool = False
    """One of our operations changes something there."""
    in_transition: bool = False
    """A server or stack has been in a transitional state, and not for long."""
    calm_for: float | None = None
    """Since the last change or requested poll; None: there was none."""


@dataclass(frozen=True, slots=True)
class PollInterval:
    """`seconds` from the start of a poll to that of the next; `min_seconds` when one is requested."""

    seconds: float
    max_seconds: float
    """The same without the jitter."""
    min_seconds: float
    reason: str
    """One stable word, for programs."""
    message: str
    """A sentence, for people."""


@dataclass(frozen=True, slots=True)
class _Rule:
    reason: str
    applies: Callable[[PollSituation], bool]
    seconds: Callable[[PollSituation, float], float]
    """The seconds, by the situation and the quiet interval."""
    message: str


def _fast(_: PollSituation, quiet: float) -> float:
    return min(FAST_SECONDS, quiet)


def _rate_limited(situation: PollSituation, quiet: float) -> float:
    requested = RATE_LIMITED_SECONDS if situation.retry_after is None else situation.retry_after
    return min(max(requested, quiet), RATE_LIMITED_MAX_SECONDS)


def _slow(situation: PollSituation, quiet: float) -> float:
    return min(max(situation.retry_after or 0.0, quiet), SLOW_MAX_SECONDS)


def _refused(situation: PollSituation, quiet: float) -> float:
    doubled = quiet * 2.0 ** min(situation.failures - 1, 10)
    return min(doubled, max(REFUSED_MAX_SECONDS, quiet))


_RULES = (
    _Rule("AskedToWait", lambda s: s.failure == "rate limited", _rate_limited, "The cloud asks us to slow down."),
    _Rule("Slow", lambda s: s.failure == "slow", _slow, "The cloud answers late."),
    _Rule("Refused", lambda s: s.failure == "refused", _refused, "The cloud refuses our credentials."),
    _Rule(
        "FirstFailure",
        lambda s: s.failures == 1,
        lambda _, quiet: min(RETRY_SECONDS, quiet),
        "A poll has failed; the next shows whether the cloud is away.",
    ),
    _Rule("Away", lambda s: s.failures > 1, lambda _, quiet: quiet, "The cloud does not answer."),
    _Rule("OperationRuns", lambda s: s.operation, _fast, "An operation is changing something."),
    _Rule("Moving", lambda s: s.in_transition, _fast, "A server or stack is in a transitional state."),
    _Rule(
        "JustChanged",
        lambda s: s.calm_for is not None and s.calm_for < ACTIVITY_SECONDS,
        _fast,
        "Something has changed a moment ago.",
    ),
    _Rule("Quiet", lambda _: True, lambda _, quiet: quiet, "Nothing changes."),
)
"""The first that applies decides."""


def next_poll(situation: PollSituation, *, quiet_seconds: float, chance: float) -> PollInterval:
    """`quiet_seconds` is the interval when nothing changes; `chance`, from 0 to 1, scales the jitter."""
    rule = next(rule for rule in _RULES if rule.applies(situation))
    seconds, reason, message = rule.seconds(situation, quiet_seconds), rule.reason, rule.message
    load = situation.duration if situation.answered else 0.0
    considerate = min(load / DUTY_CYCLE, load + SLOW_MAX_SECONDS)
    if considerate > seconds:
        seconds, reason = considerate, "SlowCloud"
        message = f"{message} A poll takes {load:.1f} s, so the pauses are longer."
    blocked = situation.failure in ("rate limited", "refused", "slow")
    min_seconds = seconds if blocked else max(MIN_SECONDS, min(load / URGENT_DUTY_CYCLE, seconds))
    return PollInterval(seconds * (1 - JITTER * chance), seconds, min_seconds, reason, message)


def is_due(answered_at: datetime | None, duration: float, now: datetime, *, urgent: bool = False) -> bool:
    """Whether a request whose last answer took `duration` seconds may be sent again; an answer of the future tells of a
    clock that was set back.
    """
    share = URGENT_DUTY_CYCLE if urgent else REQUEST_DUTY_CYCLE
    pause = timedelta(seconds=duration / share)
    return answered_at is None or duration <= CHEAP_SECONDS or abs(now - answered_at) >= pause


def stale_after(*, quiet_seconds: float, interval_seconds: float = 0.0, request_seconds: float = 0.0) -> timedelta:
    """The age at which what was observed becomes unknown: no answer came although one was due.

    `interval_seconds` is the interval to the next poll, which may take as long; `request_seconds` the duration of a
    request that `is_due` less often. However slow a cloud is, nothing older than STALE_AFTER counts as known.
    """
    expected = timedelta(seconds=2 * interval_seconds + request_seconds / REQUEST_DUTY_CYCLE)
    return max(MIN_STALE, POLLS_TO_STALE * timedelta(seconds=quiet_seconds), min(expected, STALE_AFTER))
