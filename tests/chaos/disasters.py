"""The table of disasters: what strikes while an operation is at a step boundary, and how held calls then go on."""

import signal
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import redis

from tests.installation import until

if TYPE_CHECKING:
    from tests.chaos.stage import Stage
    from tests.chaos.waves import Case

GIVES_UP = 45.0
"""Seconds after which the product's client no longer waits for an answer, with room for a busy machine."""


class Moment(StrEnum):
    ACCEPTED = "accepted"
    """The operation was accepted and nothing of it is done."""
    BEFORE = "before submit"
    """The call is under way and has had no effect."""
    AFTER = "after submit"
    """The call has had its effect and is not answered: there is no receipt."""
    RECEIVED = "after receipt"


AT_A_CALL = (Moment.BEFORE, Moment.AFTER, Moment.RECEIVED)

Strike = Callable[["Stage", Sequence["Case"]], None]


@dataclass(frozen=True, slots=True)
class Disaster:
    """Something that falls (`strike`), or a cloud that answers badly (`answer`, part of a cloudsim rule)."""

    name: str
    strike: Strike | None = None
    answer: Mapping[str, Any] | None = None
    moments: tuple[Moment, ...] = (Moment.ACCEPTED, *AT_A_CALL)
    verdict: str = "release"
    """How held calls go on afterwards: a call of a dead process is dropped."""
    late: bool = False
    """Whether requests may reach the cloud when their operation is over: the cloud knows no way to refuse them."""
    alone: bool = True
    """Whether the operation must come through without a person's help."""

    def __str__(self) -> str:
        return self.name


def _kill(service: str, number: int = signal.SIGKILL) -> Strike:
    def strike(stage: "Stage", cases: Sequence["Case"]) -> None:
        pid = stage.product.kill(service, number)
        until(lambda: stage.product.pid(service) != pid or None, 120, f"{service} is started again")

    return strike


def _freeze_worker(stage: "Stage", cases: Sequence["Case"]) -> None:
    """SIGSTOP until another worker has finished its operations; only then the calls that it had sent go on."""
    frozen = stage.product.kill("worker", signal.SIGSTOP)
    with ExitStack() as wake:
        wake.callback(stage.product.kill, "worker", signal.SIGCONT)
        wake.enter_context(stage.product.another("worker"))
        for case in cases:
            stage.rested(case.op)
        stage.control("DELETE", "/failures")
        stage.product.kill("worker", signal.SIGCONT)
        assert stage.product.pid("worker") == frozen
        _answers(stage)


def _answers(stage: "Stage") -> None:
    """Wait until a worker has done something that it was asked for just now."""
    body = {"operation": "TERMINATE", "vnfInstanceId": stage.bystander, "request": {"terminationType": "FORCEFUL"}}
    plan = stage.product.post("/api/v1/plans", body).headers["Location"]
    path = plan[plan.index("/api/") :]
    until(lambda: stage.get(path)["state"] != "PENDING" or None, 60, "a worker works")


def _wipe_broker(stage: "Stage", cases: Sequence["Case"]) -> None:
    redis.Redis.from_url(stage.product.status()["redis_url"]).flushall()


def _expire_tokens(stage: "Stage", cases: Sequence["Case"]) -> None:
    stage.control("POST", "/tokens/expire")


def _step_clock(hours: int) -> Strike:
    """Set the clock of all our processes, while the database and the cloud keep theirs.

    Without a C compiler no clock can be set: the times that a clock wrote into our rows are moved instead. Times ahead
    of the clock are those of a clock that has been set back since.
    """

    def strike(stage: "Stage", cases: Sequence["Case"]) -> None:
        if stage.clock.is_real:
            stage.clock.set(hours * 3600)
            return
        ops = ", ".join(f"'{case.op}'" for case in cases)
        stage.sql(f"UPDATE lcm_lcmopocc SET wake_at = wake_at - interval '{hours} hours' WHERE id IN ({ops})")

    return strike


def _cancel(mode: str) -> Strike:
    """Not a disaster but a person: what may be cancelled is, and then goes on, back, or is over already."""

    def strike(stage: "Stage", cases: Sequence["Case"]) -> None:
        for case in cases:
            url = f"{stage.product.url}/vnflcm/v2/vnf_lcm_op_occs/{case.op}/cancel"
            answer = stage.product.session.post(url, json={"cancelMode": mode}, timeout=60)
            assert answer.status_code in {202, 409}, answer.text

    return strike


def _wait_until_given_up(stage: "Stage", cases: Sequence["Case"]) -> None:
    """Held calls stay unanswered until the product has stopped waiting for them; uploads, which may last, are cut."""
    for case in cases:
        if case.boundary is not None and case.boundary.is_upload:
            stage.control("POST", f"/held/{case.held}/drop")
    start = {case.op: stage.operation(case.op)["version"] for case in cases}
    deadline = time.monotonic() + GIVES_UP

    def moved() -> bool | None:
        late = time.monotonic() > deadline
        return True if late or all(stage.operation(op)["version"] != v for op, v in start.items()) else None

    until(moved, 2 * GIVES_UP, "the product gives up waiting")


DISASTERS: tuple[Disaster, ...] = (
    Disaster("worker killed", strike=_kill("worker"), verdict="drop"),
    Disaster("worker frozen past its lease", strike=_freeze_worker, late=True),
    Disaster("broker wiped", strike=_wipe_broker),
    Disaster("PostgreSQL restarted", strike=_kill("postgres", signal.SIGINT)),
    Disaster("web killed", strike=_kill("web")),
    Disaster("token expired", strike=_expire_tokens),
    Disaster("clock set back an hour", strike=_step_clock(-1)),
    Disaster("clock set forward an hour", strike=_step_clock(1)),
    Disaster("cloud answers 500", answer={"effect": "status", "status": 500, "times": 2}, moments=AT_A_CALL),
    Disaster("cloud answers 429", answer={"effect": "status", "status": 429, "times": 2}, moments=AT_A_CALL),
    Disaster("connection cut", answer={"effect": "drop"}, moments=AT_A_CALL),
    Disaster("cloud hangs, acts late", strike=_wait_until_given_up, moments=(Moment.BEFORE, Moment.AFTER)),
    Disaster("cancelled gracefully", strike=_cancel("GRACEFUL"), alone=False),
    Disaster("cancelled forcefully", strike=_cancel("FORCEFUL"), alone=False),
    Disaster("cloud lies", answer={"effect": "lie200"}, moments=(Moment.BEFORE, Moment.RECEIVED), alone=False),
)
