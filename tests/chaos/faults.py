"""The table of faults: what is injected while an operation is at a step boundary, and how held calls then continue."""

import signal
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import redis

from tests.support.installation import until

if TYPE_CHECKING:
    from tests.chaos.batches import Case
    from tests.chaos.harness import Harness

CLIENT_TIMEOUT = 45.0
"""Seconds after which the product's client no longer waits for an answer, with a margin for a busy machine."""


class Moment(StrEnum):
    ACCEPTED = "accepted"
    """The operation was accepted and nothing of it is done."""
    BEFORE = "before submit"
    """The call is under way and has had no effect."""
    AFTER = "after submit"
    """The call has had its effect and is not answered: there is no receipt."""
    RECEIVED = "after receipt"


AT_A_CALL = (Moment.BEFORE, Moment.AFTER, Moment.RECEIVED)

Inject = Callable[["Harness", Sequence["Case"]], None]


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault that is injected (`inject`), or a bad answer of the cloud (`answer`, part of a cloudsim rule)."""

    name: str
    inject: Inject | None = None
    answer: Mapping[str, Any] | None = None
    moments: tuple[Moment, ...] = (Moment.ACCEPTED, *AT_A_CALL)
    held_action: str = "release"
    """The way that held calls continue: release or drop; a call of a dead process is dropped."""
    may_act_late: bool = False
    """It says whether requests may reach the cloud after the end of their operation: OpenStack cannot refuse them."""
    unattended: bool = True
    """It says whether the operation must complete without retry or rollback by a user."""

    def __str__(self) -> str:
        return self.name


def _kill(service: str, number: int = signal.SIGKILL) -> Inject:
    def inject(harness: "Harness", cases: Sequence["Case"]) -> None:
        pid = harness.product.kill(service, number)
        until(lambda: harness.product.pid(service) != pid or None, 120, f"{service} is started again")

    return inject


def _freeze_worker(harness: "Harness", cases: Sequence["Case"]) -> None:
    """SIGSTOP until another worker has finished its operations; only then the calls that it had sent go on."""
    harness.product.kill("worker", signal.SIGSTOP)
    with ExitStack() as wake:
        wake.callback(harness.product.kill, "worker", signal.SIGCONT)
        wake.enter_context(harness.product.another("worker"))
        for case in cases:
            harness.ended(case.op)
        harness.control("DELETE", "/failures")
        harness.product.kill("worker", signal.SIGCONT)
        _worker_responds(harness)


def _worker_responds(harness: "Harness") -> None:
    """Wait until a worker has computed a new plan preview."""
    body = {"operation": "TERMINATE", "vnfInstanceId": harness.bystander, "request": {"terminationType": "FORCEFUL"}}
    plan = harness.product.post("/api/v1/plans", body).headers["Location"]
    path = plan[plan.index("/api/") :]
    until(lambda: harness.get(path)["state"] != "PENDING" or None, 60, "a worker works")


def _wipe_broker(harness: "Harness", cases: Sequence["Case"]) -> None:
    redis.Redis.from_url(harness.product.status()["redis_url"]).flushall()


def _expire_tokens(harness: "Harness", cases: Sequence["Case"]) -> None:
    harness.control("POST", "/tokens/expire")


def _step_clock(hours: int) -> Inject:
    """Set the clock of all our processes, while the database and the cloud keep theirs.

    Without a C compiler no clock can be set: the times that a clock wrote into our rows are moved instead. Times ahead
    of the clock are those of a clock that has been set back since.
    """

    def inject(harness: "Harness", cases: Sequence["Case"]) -> None:
        if harness.clock.is_real:
            harness.clock.set(hours * 3600)
            return
        ops = ", ".join(f"'{case.op}'" for case in cases)
        harness.database.execute(
            f"UPDATE lcm_lcmopocc SET wake_at = wake_at - interval '{hours} hours' WHERE id IN ({ops})"
        )

    return inject


def _cancel(mode: str) -> Inject:
    """A user cancels: operations that can be cancelled are, others go on or are over already."""

    def inject(harness: "Harness", cases: Sequence["Case"]) -> None:
        for case in cases:
            url = f"{harness.product.url}/vnflcm/v2/vnf_lcm_op_occs/{case.op}/cancel"
            answer = harness.product.session.post(url, json={"cancelMode": mode}, timeout=60)
            assert answer.status_code in {202, 409}, answer.text

    return inject


def _wait_for_client_timeout(harness: "Harness", cases: Sequence["Case"]) -> None:
    """Held calls stay unanswered until the product has stopped waiting for them; uploads, which may last, are cut."""
    for case in cases:
        if case.boundary is not None and case.boundary.is_upload:
            harness.control("POST", f"/held/{case.held}/drop")
    start = {case.op: harness.op_occ(case.op)["version"] for case in cases}
    deadline = time.monotonic() + CLIENT_TIMEOUT

    def moved() -> bool | None:
        late = time.monotonic() > deadline
        return True if late or all(harness.op_occ(op)["version"] != v for op, v in start.items()) else None

    until(moved, 2 * CLIENT_TIMEOUT, "the product gives up waiting")


FAULTS: tuple[Fault, ...] = (
    Fault("worker killed", inject=_kill("worker"), held_action="drop"),
    Fault("worker frozen past its lease", inject=_freeze_worker, may_act_late=True),
    Fault("broker wiped", inject=_wipe_broker),
    Fault("broker killed", inject=_kill("valkey")),
    Fault("PostgreSQL restarted", inject=_kill("postgres", signal.SIGINT)),
    Fault("web killed", inject=_kill("web")),
    Fault("token expired", inject=_expire_tokens),
    Fault("clock set back an hour", inject=_step_clock(-1)),
    Fault("clock set forward an hour", inject=_step_clock(1)),
    Fault("cloud answers 500", answer={"effect": "status", "status": 500, "times": 2}, moments=AT_A_CALL),
    Fault("cloud answers 429", answer={"effect": "status", "status": 429, "times": 2}, moments=AT_A_CALL),
    Fault("connection cut", answer={"effect": "drop"}, moments=AT_A_CALL),
    Fault(
        "cloud hangs, acts late",
        inject=_wait_for_client_timeout,
        moments=(Moment.BEFORE, Moment.AFTER),
        may_act_late=True,
    ),
    Fault("cancelled gracefully", inject=_cancel("GRACEFUL"), unattended=False),
    Fault("cancelled forcefully", inject=_cancel("FORCEFUL"), unattended=False),
    Fault("cloud lies", answer={"effect": "lie200"}, moments=(Moment.BEFORE, Moment.RECEIVED), unattended=False),
)
