"""Fetches the console URL or the log of a server from Nova, in a worker."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

import structlog

from vnfm.clouds.errors import CloudError, Conflict, Rejected, Transient
from vnfm.clouds.ports import CloudProvider
from vnfm.inventory.services.consoles import ConsoleRequest, console_request, sealed_text
from vnfm.kit.durable import worker_request
from vnfm.kit.problem import Problem, ProblemError, conflict
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

    def text(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        request = console_request(arguments)
        try:
            return sealed_text(_fetch(provider, request))
        except CloudError as error:
            log.info("inventory.console_refused", server_id=request.vnfc.server_id, error=error.message)
            raise ProblemError(_refusal(error, request)) from error

    worker_request.answer(request_id, text)


def _fetch(provider: CloudProvider, request: ConsoleRequest) -> str:
    vim = request.vnfc.instance.vim
    if vim is None:
        words = f"{request.vnfc.name} is on no cloud any more."
        raise conflict("NOT_INSTANTIATED", words, "Look at the instance again.")
    servers = provider.connect(connection_of(vim)).servers
    if request.output == "url":
        return servers.console_url(request.vnfc.server_id)
    return servers.console_log(request.vnfc.server_id, request.lines)


def _refusal(error: CloudError, request: ConsoleRequest) -> Problem:
    problem = error.as_problem(f"{ACTIONS[request.output]} of {request.vnfc.name}")
    step = next((step for kind, step in NEXT_STEPS.items() if isinstance(error, kind)), problem.next_step)
    return replace(problem, next_step=step)
