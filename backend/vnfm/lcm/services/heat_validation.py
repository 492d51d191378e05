"""Have the Heat of a chosen cloud validate a package: a worker calls it while the web request waits."""

from collections.abc import Sequence
from uuid import UUID

from vnfm.catalog.domain.findings import Finding, Severity
from vnfm.catalog.domain.template_bundle import TemplateBundle
from vnfm.kit import worker_request
from vnfm.kit.problem import Problem, ProblemError
from vnfm.vims.models import Vim

VALIDATE = "lcm.ask_heat"
WAIT_SECONDS = 45.0
"""Longer than Heat takes for a stack of many VMs, shorter than proxies' usual minute."""


def heat_finding(vim: Vim, severity: Severity, code: str, message: str) -> Finding:
    return Finding(severity, code, message, speaker=f"heat of {vim.name}")


def heat_validate(*, vim: Vim, extract: TemplateBundle | None, seconds: float = WAIT_SECONDS) -> Sequence[Finding]:
    """What Heat of that cloud says of the package, or why it says nothing. `extract` is None for a refused package."""
    if extract is None:
        message = "Heat is asked only when our own validation has nothing against the package."
        return [heat_finding(vim, "note", "HEAT_NOT_ASKED", message)]
    detail = f"Heat did not answer within {seconds:.0f} seconds."
    too_slow = ProblemError(Problem(504, "HEAT_UNREACHABLE", "Heat is too slow", detail, "Check the cloud."))
    arguments = {"vim": str(vim.id), "extract": extract.as_json()}
    try:
        result = worker_request.call_worker(VALIDATE, arguments, too_slow=too_slow, seconds=seconds)
    except ProblemError as error:
        return [heat_finding(vim, "warning", "HEAT_UNREACHABLE", f"{error.problem.detail} {error.problem.next_step}")]
    return [Finding(**finding) for finding in result["findings"]]


def heat_validation_claim(request_id: UUID) -> tuple[Vim, TemplateBundle] | None:
    """For the worker; None when another worker has it, the request no longer waits, or the VIM was deleted."""
    arguments = worker_request.claim(request_id)
    vim = Vim.objects.filter(id=arguments["vim"]).first() if arguments else None
    return (vim, TemplateBundle.from_json(arguments["extract"])) if arguments and vim else None


def heat_validation_finish(request_id: UUID, findings: Sequence[Finding]) -> None:
    worker_request.finish(request_id, result={"findings": [finding.as_json() for finding in findings]})
