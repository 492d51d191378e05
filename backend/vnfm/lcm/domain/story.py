"""The story of an operation in plain sentences: pure, from what its rows tell."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from vnfm.lcm.domain.states import Operation, OperationState, StepState

S = OperationState


@dataclass(frozen=True, slots=True)
class Sentence:
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class ToldTransition:
    source: str
    target: str
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ToldStep:
    seq: int
    title: str
    state: str
    message: str
    started_at: datetime | None
    finished_at: datetime | None
    problem: Mapping[str, Any] | None
    calls: Sequence[Mapping[str, Any]]
    """As `clouds.types.Call`, `at` in ISO 8601."""


@dataclass(frozen=True, slots=True)
class Told:
    """What the story is made of."""

    operation: str
    instance: str
    state: str
    grant: Mapping[str, Any] | None
    grant_asked: Mapping[str, Any] | None
    problem: Mapping[str, Any] | None
    transitions: Sequence[ToldTransition]
    steps: Sequence[ToldStep]
    waiting_since: datetime | None
    now: datetime


def story(told: Told) -> list[Sentence]:
    """What happened, when, and what is the matter now; oldest first."""
    sentences = [*_moves(told), *_grant(told), *_work(told)]
    return sorted(sentences, key=lambda sentence: sentence.at) + list(_present(told))


def _moves(told: Told) -> Iterator[Sentence]:
    for move in told.transitions:
        if not move.source:
            yield Sentence(move.at, f"{told.instance}: {Operation(told.operation).words.lower()} was {move.reason}.")
        elif move.source == move.target:
            yield Sentence(move.at, f"{_capital(move.reason)}.")
        else:
            went = f"It went from {S(move.source).words} to {S(move.target).words}"
            yield Sentence(move.at, f"{went}: {move.reason}.")


def _grant(told: Told) -> Iterator[Sentence]:
    if told.grant is None:
        return
    at = datetime.fromisoformat(told.grant["at"])
    by = f"the NFVO as grant {told.grant['id']}" if told.grant["grantedBy"] == "nfvo" else "ourselves"
    yield Sentence(at, f"It was granted by {by}.")
    for check in told.grant["checks"]:
        if check["status"] != "True":
            yield Sentence(at, f"When it was granted, {check['name']} was {check['status']}: {check['message']}")


def _work(told: Told) -> Iterator[Sentence]:
    for step in told.steps:
        if step.started_at is not None:
            verb = "taken back" if step.state in (StepState.UNDOING, StepState.UNDONE) else "begun"
            yield Sentence(step.started_at, f"Step {step.seq}, “{step.title}”, was {verb}.")
        for call in step.calls:
            yield Sentence(datetime.fromisoformat(call["at"]), _call(call))
        if step.finished_at is not None:
            took = f" after {_span(step.finished_at, step.started_at)}" if step.started_at else ""
            message = f": {step.message.rstrip('.')}" if step.message else ""
            yield Sentence(step.finished_at, f"Step {step.seq} was {StepState(step.state).words}{took}{message}.")


def _call(call: Mapping[str, Any]) -> str:
    answer = f"answered {call['status']}" if call["status"] else "did not answer"
    request = f" (request {call['request_id']})" if call["request_id"] else ""
    return f"{call['service'].title()} was sent {call['method']} {call['path']} and {answer}{request}."


def _present(told: Told) -> Iterator[Sentence]:
    running = next(
        (s for s in told.steps if s.state in (StepState.RUNNING, StepState.WAITING, StepState.UNDOING)), None
    )
    asked = (told.grant_asked or {}) if told.state == S.STARTING else {}
    if asked.get("id") and not asked["decision"]:
        yield Sentence(told.now, f"The NFVO has not decided on grant {asked['id']} yet.")
    if told.waiting_since is not None:
        who = "The NFVO" if asked.get("away") else "Its cloud"
        yield Sentence(told.now, f"{who} has not answered since {told.waiting_since:%Y-%m-%d %H:%M:%S} UTC.")
    if asked.get("away"):
        yield Sentence(told.now, f"Asking the NFVO failed with: {asked['away']}")
    if running is not None:
        yield Sentence(told.now, f"It is at step {running.seq}, “{running.title}”: {running.message or 'just begun'}.")
    if told.problem is not None:
        yield Sentence(told.now, told.problem["detail"])
        for cause in told.problem.get("causes", ()):
            yield Sentence(told.now, f"{cause['source'].title()} said: {cause['message']}")
        if told.problem.get("nextStep"):
            yield Sentence(told.now, told.problem["nextStep"])


def _span(end: datetime, start: datetime | None) -> str:
    seconds = (end - start).total_seconds() if start else 0.0
    return f"{seconds:.1f} s" if seconds < 120 else f"{seconds / 60:.1f} min"  # noqa: PLR2004 - two minutes


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
