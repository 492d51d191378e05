"""The console and the log of a VNFC's server: a worker asks Nova while the request waits (`worker_request`).

The answer is stored sealed, and deleted once it was read: a console's URL holds a token, and a guest may write secrets
to its log.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from vnfm.inventory.models import Vnfc
from vnfm.kit.durable import worker_request
from vnfm.kit.problem import Problem, ProblemError, not_found
from vnfm.kit.seal import seal, unseal

FETCH_CONSOLE = "inventory.fetch_console"
LINES = 200

Output = Literal["url", "log"]


@dataclass(frozen=True, slots=True)
class ConsoleRequest:
    """`lines` limits a log."""

    vnfc: Vnfc
    output: Output
    lines: int


def console_url(*, vnfc: Vnfc) -> str:
    """The URL of its VNC console, valid for a while. Raises the cloud's refusal; 503 or 504 without an answer."""
    return _call_worker(vnfc, "url", 0)


def console_log(*, vnfc: Vnfc, lines: int) -> str:
    """The last lines that its guest wrote to the serial console. Raises as `console_url`."""
    return _call_worker(vnfc, "log", lines)


def _call_worker(vnfc: Vnfc, output: Output, lines: int) -> str:
    arguments = {"vnfc": str(vnfc.id), "output": output, "lines": lines}
    result = worker_request.call_worker(FETCH_CONSOLE, arguments, too_slow=_too_slow(vnfc))
    return str(unseal(str(result["sealed"]).encode())["text"])


def console_request(arguments: Mapping[str, Any]) -> ConsoleRequest:
    """For the worker: the request of these arguments; raises 404 when the VNFC is gone."""
    vnfc = Vnfc.objects.select_related("instance__vim").filter(id=arguments["vnfc"]).first()
    if vnfc is None:
        raise not_found("VNFC", arguments["vnfc"])
    return ConsoleRequest(vnfc, arguments["output"], arguments["lines"])


def sealed_text(text: str) -> Mapping[str, Any]:
    """For the worker: the answer."""
    return {"sealed": seal({"text": text}).decode()}


def _too_slow(vnfc: Vnfc) -> ProblemError:
    cloud = vnfc.instance.vim.name if vnfc.instance.vim else "The cloud"
    words = f"{cloud} did not answer within {worker_request.WAIT_SECONDS:.0f} seconds."
    step = "Check the cloud and the network between, then try again."
    return ProblemError(Problem(504, "VIM_TOO_SLOW", "The cloud is too slow", words, step))
