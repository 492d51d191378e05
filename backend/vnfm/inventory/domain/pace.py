"""When to look at a VIM again: one table of reasons, decided from the situation after a look and nothing else. Pure."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

FAST_SECONDS = 1.0
"""From look to look while something moves."""

AGAIN_SECONDS = 0.5
"""After a first failed look: long enough for a dropped connection, short enough to tell an outage in seconds."""

REFUSED_LONGEST_SECONDS = 30.0
"""Keystones that lock accounts count refusals (six in half an hour is usual), so that a wrong password is not tried as
often as a cloud that is away; a mended registration is a ring of its own."""

ASKED_SECONDS = 30.0
ASKED_LONGEST_SECONDS = 300.0
"""A cloud that asks us to slow down is believed this far; the first is for one that does not say how long."""

LIVELY_SECONDS = 15.0
"""How long after the last change it stays fast: what happens to one VM often happens to the next, and what was rung for
may reach the API a moment later."""

BREATH = 3.0
"""A look may take a third of the time at most: a cloud that is slow gets longer pauses, whatever the reason."""

RUNG_BREATH = 2.0
"""The same for a look that somebody rang for."""

SOONEST_SECONDS = 0.2
"""From look to look at the least, however often somebody rings."""

QUESTION_SHARE = 10.0
CHEAP_SECONDS = 0.1
"""A single question (all stacks, the hosts) is put again after ten times what its answer took, unless it was cheap."""

JITTER = 0.1
"""How much of an interval may be left out by chance, so that the looks at many VIMs do not fall into step."""

Failure = Literal["", "away", "refused", "asked to wait"]


@dataclass(frozen=True, slots=True)
class Situation:
    """What a look left behind. Times in seconds."""

    took: float
    """How long the look was."""
    failures: int = 0
    """Failed looks in a row, this one included."""
    failure: Failure = ""
    retry_after: float | None = None
    """What the cloud asked for, when it asked us to wait."""
    answered: bool = True
    """False when nothing came back: a time-out costs the cloud nothing."""
    operation: bool = False
    """One of our operations changes something there."""
    moving: bool = False
    """A server or stack is on its way to another state, and has not been for long."""
    calm_for: float | None = None
    """Since something changed or somebody rang; None: not since we watch."""


@dataclass(frozen=True, slots=True)
class Pace:
    """`seconds` from the beginning of a look to that of the next, and `soonest` when somebody rings for one."""

    seconds: float
    longest: float
    """The same without the jitter."""
    soonest: float
    reason: str
    """One stable word, for programs."""
    message: str
    """A sentence, for people."""


@dataclass(frozen=True, slots=True)
class _Rule:
    reason: str
    applies: Callable[[Situation], bool]
    seconds: Callable[[Situation, float], float]
    """Of the situation and the quiet interval."""
    message: str


def _fast(_: Situation, quiet: float) -> float:
    return min(FAST_SECONDS, quiet)


def _asked(situation: Situation, quiet: float) -> float:
    asked = ASKED_SECONDS if situation.retry_after is None else situation.retry_after
    return min(max(asked, quiet), ASKED_LONGEST_SECONDS)


def _refused(situation: Situation, quiet: float) -> float:
    doubled = quiet * 2.0 ** min(situation.failures - 1, 10)
    return min(doubled, max(REFUSED_LONGEST_SECONDS, quiet))


_RULES = (
    _Rule("AskedToWait", lambda s: s.failure == "asked to wait", _asked, "The cloud asks us to slow down."),
    _Rule("Refused", lambda s: s.failure == "refused", _refused, "The cloud refuses our credentials."),
    _Rule(
        "FirstFailure",
        lambda s: s.failures == 1,
        lambda _, quiet: min(AGAIN_SECONDS, quiet),
        "A look has failed; the next tells whether the cloud is away.",
    ),
    _Rule("Away", lambda s: s.failures > 1, lambda _, quiet: quiet, "The cloud does not answer."),
    _Rule("OperationRuns", lambda s: s.operation, _fast, "An operation is changing something."),
    _Rule("Moving", lambda s: s.moving, _fast, "A server or stack is on its way to another state."),
    _Rule(
        "JustChanged",
        lambda s: s.calm_for is not None and s.calm_for < LIVELY_SECONDS,
        _fast,
        "Something has changed a moment ago.",
    ),
    _Rule("Quiet", lambda _: True, lambda _, quiet: quiet, "Nothing moves."),
)
"""The first that applies decides."""


def pace(situation: Situation, *, quiet_seconds: float, chance: float) -> Pace:
    """`quiet_seconds` is the interval where nothing moves; `chance`, from 0 to 1, is what the jitter comes from."""
    rule = next(rule for rule in _RULES if rule.applies(situation))
    seconds, reason, message = rule.seconds(situation, quiet_seconds), rule.reason, rule.message
    burden = situation.took if situation.answered else 0.0
    if burden * BREATH > seconds:
        seconds, reason = burden * BREATH, "SlowCloud"
        message = f"{message} A look takes {burden:.1f} s, so there are longer pauses."
    waits = situation.failure in ("asked to wait", "refused")
    soonest = seconds if waits else max(SOONEST_SECONDS, burden * RUNG_BREATH)
    return Pace(seconds * (1 - JITTER * chance), seconds, soonest, reason, message)


def due(asked_at: datetime | None, took: float, now: datetime, *, rung: bool = False) -> bool:
    """Whether a question may be put again whose answer took `took` seconds the last time; `rung`: somebody rang."""
    share = RUNG_BREATH if rung else QUESTION_SHARE
    return asked_at is None or took <= CHEAP_SECONDS or now - asked_at >= timedelta(seconds=took * share)
