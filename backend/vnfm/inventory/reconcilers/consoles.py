"""Fetches the console URL or the log of a server from Nova, in a worker."""

from collections.abc import Mapping
from dataclasses import replace
from uuid import UUID

import structlog

from vnfm.clouds.errors import CloudError, Conflict, Rejected, Transient
from vnfm.clouds.ports import CloudProvider
from vnfm.inventory.services.consoles import ConsoleRequest, console_request_claim, console_request_finish
from vnfm.kit import worker_request
from vnfm.kit.problem import Problem, conflict
from vnfm.vims.selectors import connection_of

log = structlog.get_logger(__name__)

NEXT_STEPS: Mapping[type[CloudError], str] = {
    Conflict: "A console is there while the server runs: start the VNFC, or wait until it has started; then try again.",
    Transient: "Check the cloud's state and the network between, then try again.",
    Rejected: "Ask the cloud's operator whether it offers consoles (noVNC).",
}
ACTIONS = {"url": "Opening the console", "log": "Reading the log"}


def fetch_console(request_id: UUID, provider: CloudProvider) -> None:
    """Harmless when run twice."""
    request = console_request_claim(request_id=request_id)
    if request is None:
        return
    vim = request.vnfc.instance.vim
    if vim is None:
        words = f"{request.vnfc.name} is on no cloud any more."
        worker_request.finish(
            request_id, problem=conflict("NOT_INSTANTIATED", words, "Look at the instance again.").problem
        )
        return
    try:
        text = _fetch(provider, request)
    except CloudError as error:
        log.info("inventory.console_refused", server_id=request.vnfc.server_id, error=error.message)
        worker_request.finish(request_id, problem=_refusal(error, request))
    else:
        console_request_finish(request_id=request_id, text=text)


def _fetch(provider: CloudProvider, request: ConsoleRequest) -> str:
    vim = request.vnfc.instance.vim
    assert vim is not None
    servers = provider.connect(connection_of(vim)).servers
    if request.output == "url":
        return servers.console_url(request.vnfc.server_id)
    return servers.console_log(request.vnfc.server_id, request.lines)


def _refusal(error: CloudError, request: ConsoleRequest) -> Problem:
    problem = error.as_problem(f"{ACTIONS[request.output]} of {request.vnfc.name}")
    step = next((step for kind, step in NEXT_STEPS.items() if isinstance(error, kind)), problem.next_step)
    return replace(problem, next_step=step)
