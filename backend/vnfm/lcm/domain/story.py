"""The story of an operation in plain sentences: pure, from its rows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from vnfm.lcm.domain.states import Operation, OperationState, StepState

S = OperationState
LATE_SECONDS = 10.0
"""After a lost message the sweep needs 5 s; what is due for longer is waiting for a worker."""


@dataclass(frozen=True, slots=True)
class Sentence:
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class TransitionHistory:
    source: str
    target: str
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class StepHistory:
    seq: int
    title: str
    state: str
    message: str
    started_at: datetime | None
    finished_at: datetime | None
    problem: Mapping[str, Any] | None
    calls: Sequence[Mapping[str, Any]]
    """Each has the fields of `clouds.types.ApiCall`, `at` in ISO 8601."""


@dataclass(frozen=True, slots=True)
class TrafficLoss:
    """Packets that probes sent and lost on a path through the VNF while the operation ran; `gap` in seconds."""

    path: str
    sent: int
    lost: int
    gap: float


@dataclass(frozen=True, slots=True)
class OperationHistory:
    """The inputs of a story."""

    operation: str
    instance: str
    state: str
    grant: Mapping[str, Any] | None
    grant_request: Mapping[str, Any] | None
    problem: Mapping[str, Any] | None
    transitions: Sequence[TransitionHistory]
    steps: Sequence[StepHistory]
    waiting_since: datetime | None
    due_at: datetime | None
    """When a worker should have taken it up, or goes on with it; None: no worker has to."""
    now: datetime
    traffic: Sequence[TrafficLoss] = ()
    traffic_until: datetime | None = None
    """`traffic` counts up to then; None: up to now."""


def story(history: OperationHistory) -> list[Sentence]:
    """Tell the events of an operation, oldest first; then its present state."""
    sentences = [*_transitions(history), *_grant(history), *_work(history), *_traffic(history)]
    return sorted(sentences, key=lambda sentence: sentence.at) + list(_present(history))


def _transitions(history: OperationHistory) -> Iterator[Sentence]:
    for transition in history.transitions:
        if not transition.source:
            yield Sentence(
                transition.at,
                f"{history.instance}: {Operation(history.operation).words.lower()} was {transition.reason}.",
            )
        elif transition.source == transition.target:
            yield Sentence(transition.at, f"{_capital(transition.reason)}.")
        else:
            went = f"It went from {S(transition.source).words} to {S(transition.target).words}"
            yield Sentence(transition.at, f"{went}: {transition.reason}.")


def _grant(history: OperationHistory) -> Iterator[Sentence]:
    if history.grant is None:
        return
    at = datetime.fromisoformat(history.grant["at"])
    by = f"the NFVO as grant {history.grant['id']}" if history.grant["grantedBy"] == "nfvo" else "ourselves"
    yield Sentence(at, f"It was granted by {by}.")
    for check in history.grant["checks"]:
        if check["status"] != "True":
            yield Sentence(at, f"When it was granted, {check['name']} was {check['status']}: {check['message']}")


def _work(history: OperationHistory) -> Iterator[Sentence]:
    for step in history.steps:
        if step.started_at is not None:
            verb = "taken back" if step.state in (StepState.UNDOING, StepState.UNDONE) else "begun"
            yield Sentence(step.started_at, f"Step {step.seq}, “{step.title}”, was {verb}.")
        for call in step.calls:
            yield Sentence(datetime.fromisoformat(call["at"]), _call(call))
        if step.finished_at is not None:
            took = f" after {_span(step.finished_at, step.started_at)}" if step.started_at else ""
            message = f": {step.message.rstrip('.')}" if step.message else ""
            yield Sentence(step.finished_at, f"Step {step.seq} was {StepState(step.state).words}{took}{message}.")


def _traffic(history: OperationHistory) -> Iterator[Sentence]:
    for each in history.traffic:
        at, sent = history.traffic_until or history.now, f"{each.sent:,}"
        if each.lost:
            packets = "1 packet" if each.lost == 1 else f"{each.lost:,} packets"
            yield Sentence(
                at, f"Traffic {each.path}: {packets} lost of {sent}, {each.gap * 1000:.0f} ms at the longest."
            )
        else:
            yield Sentence(at, f"Traffic {each.path}: no packet lost of {sent}.")


def _call(call: Mapping[str, Any]) -> str:
    answer = f"answered {call['status']}" if call["status"] else "did not answer"
    request = f" (request {call['request_id']})" if call["request_id"] else ""
    return f"{call['service'].title()} was sent {call['method']} {call['path']} and {answer}{request}."


def _present(history: OperationHistory) -> Iterator[Sentence]:
    late = (history.now - history.due_at).total_seconds() if history.due_at is not None else 0.0
    if late >= LATE_SECONDS:
        yield Sentence(history.now, f"No worker has taken this up for {late:.0f} s.")
    running = next(
        (s for s in history.steps if s.state in (StepState.RUNNING, StepState.WAITING, StepState.UNDOING)), None
    )
    grant_request = (history.grant_request or {}) if history.state == S.STARTING else {}
    if grant_request.get("id") and not grant_request["decision"]:
        yield Sentence(history.now, f"The NFVO has not decided on grant {grant_request['id']} yet.")
    if history.waiting_since is not None:
        who = "The NFVO" if grant_request.get("away") else "Its cloud"
        yield Sentence(history.now, f"{who} has not answered since {history.waiting_since:%Y-%m-%d %H:%M:%S} UTC.")
    if grant_request.get("away"):
        yield Sentence(history.now, f"Asking the NFVO failed with: {grant_request['away']}")
    if running is not None:
        yield Sentence(
            history.now, f"It is at step {running.seq}, “{running.title}”: {running.message or 'just begun'}."
        )
    if history.problem is not None:
        yield Sentence(history.now, history.problem["detail"])
        for cause in history.problem.get("causes", ()):
            yield Sentence(history.now, f"{cause['source'].title()} said: {cause['message']}")
        if history.problem.get("nextStep"):
            yield Sentence(history.now, history.problem["nextStep"])


def _span(end: datetime, start: datetime | None) -> str:
    seconds = (end - start).total_seconds() if start else 0.0
    return f"{seconds:.1f} s" if seconds < 120 else f"{seconds / 60:.1f} min"  # noqa: PLR2004 - two minutes


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
