"""The console and the log of a VNFC's server: a worker asks Nova while the request waits (`kit.worker_request`).

What Nova tells passes the database sealed and leaves it with the answer: a console's URL holds a token, and a guest may
write anything to its log.
"""

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from vnfm.inventory.models import Vnfc
from vnfm.kit import worker_request
from vnfm.kit.problem import Problem, ProblemError, not_found
from vnfm.kit.seal import seal, unseal

ASK = "inventory.ask_console"
LINES = 200

What = Literal["url", "log"]


@dataclass(frozen=True, slots=True)
class Question:
    """`lines` of a log."""

    vnfc: Vnfc
    what: What
    lines: int


def console_url(*, vnfc: Vnfc) -> str:
    """Where its VNC console is for a browser, for a while. Raises the cloud's refusal, 503 when nobody answers."""
    return _ask(vnfc, "url", 0)


def console_log(*, vnfc: Vnfc, lines: int) -> str:
    """The last lines that its guest wrote to the serial console. Raises as `console_url`."""
    return _ask(vnfc, "log", lines)


def _ask(vnfc: Vnfc, what: What, lines: int) -> str:
    subject = {"vnfc": str(vnfc.id), "what": what, "lines": lines}
    told = worker_request.call_worker(ASK, subject, too_slow=_too_slow(vnfc))
    return str(unseal(str(told["sealed"]).encode())["text"])


def question_take(*, trial_id: UUID) -> Question | None:
    """For the worker: what to ask; None when another has it, nobody waits any more, or the VNFC is gone."""
    subject = worker_request.claim(trial_id)
    if subject is None:
        return None
    vnfc = Vnfc.objects.select_related("instance__vim").filter(id=subject["vnfc"]).first()
    if vnfc is None:
        worker_request.finish(trial_id, problem=not_found("VNFC", subject["vnfc"]).problem)
        return None
    return Question(vnfc, subject["what"], subject["lines"])


def answer_give(*, trial_id: UUID, text: str) -> None:
    """For the worker: what Nova told, to whoever waits."""
    worker_request.finish(trial_id, result={"sealed": seal({"text": text}).decode()})


def _too_slow(vnfc: Vnfc) -> ProblemError:
    cloud = vnfc.instance.vim.name if vnfc.instance.vim else "The cloud"
    words = f"{cloud} did not answer within {worker_request.WAIT_SECONDS:.0f} seconds."
    step = "Check the cloud and the network between, then ask again."
    return ProblemError(Problem(504, "VIM_TOO_SLOW", "The cloud is too slow", words, step))
