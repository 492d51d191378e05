"""Have the Heat of a chosen cloud validate a package: a worker calls it while the web request waits."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from vnfm.catalog.domain.findings import Finding, Severity
from vnfm.catalog.domain.template_bundle import TemplateBundle
from vnfm.kit.durable import worker_request
from vnfm.kit.problem import Problem, ProblemError
from vnfm.vims.domain.vim_record import VimRecord
from vnfm.vims.selectors import vim_get

VALIDATE = "lcm.validate_with_heat"
WAIT_SECONDS = 45.0
"""Longer than Heat takes for a stack of many VMs, shorter than proxies' usual minute."""


def heat_finding(vim: VimRecord, severity: Severity, code: str, message: str) -> Finding:
    return Finding(severity, code, message, speaker=f"heat of {vim.name}")


def heat_validate(*, vim: VimRecord, bundle: TemplateBundle | None, seconds: float = WAIT_SECONDS) -> Sequence[Finding]:
    """Return the findings of that cloud's Heat, or why there are none. `bundle` is None for a refused package."""
    if bundle is None:
        message = "Heat validates a package only when our own validation finds no error."
        return [heat_finding(vim, "note", "HEAT_NOT_ASKED", message)]
    detail = f"Heat did not answer within {seconds:.0f} seconds."
    too_slow = ProblemError(Problem(504, "HEAT_UNREACHABLE", "Heat is too slow", detail, "Check the cloud."))
    arguments = {"vim": str(vim.id), "bundle": bundle.as_json()}
    try:
        result = worker_request.call_worker(VALIDATE, arguments, too_slow=too_slow, seconds=seconds)
    except ProblemError as error:
        return [heat_finding(vim, "warning", "HEAT_UNREACHABLE", f"{error.problem.detail} {error.problem.next_step}")]
    return [Finding(**finding) for finding in result["findings"]]


def heat_validation_subject(arguments: Mapping[str, Any]) -> tuple[VimRecord, TemplateBundle]:
    """Return the cloud and the package for the worker; raises 404 when the cloud is no longer registered."""
    return vim_get(vim_id=UUID(arguments["vim"])), TemplateBundle.from_json(arguments["bundle"])
