"""Asking Nova for the console or the log of a server, from a worker."""

from collections.abc import Mapping
from dataclasses import replace
from uuid import UUID

import structlog

from vnfm.clouds.errors import CloudError, Conflict, Rejected, Transient
from vnfm.clouds.ports import CloudProvider
from vnfm.inventory.consoles import Question, answer_give, question_take
from vnfm.kit import worker_request
from vnfm.kit.problem import Problem, conflict
from vnfm.vims.selectors import connection_of

log = structlog.get_logger(__name__)

NEXT_STEPS: Mapping[type[CloudError], str] = {
    Conflict: "A console is there while the server runs: start the VNFC, or wait until it has started; then ask again.",
    Transient: "Check the cloud's state and the network between, then ask again.",
    Rejected: "Ask whoever runs the cloud whether it offers consoles (noVNC).",
}
DOING = {"url": "Opening the console", "log": "Reading the log"}


def answer(trial_id: UUID, provider: CloudProvider) -> None:
    """Ask, and tell the outcome. Harmless when run twice."""
    question = question_take(trial_id=trial_id)
    if question is None:
        return
    vim = question.vnfc.instance.vim
    if vim is None:
        words = f"{question.vnfc.name} is on no cloud any more."
        worker_request.finish(
            trial_id, problem=conflict("NOT_INSTANTIATED", words, "Look at the instance again.").problem
        )
        return
    try:
        text = _asked(provider, question)
    except CloudError as error:
        log.info("inventory.console_refused", server_id=question.vnfc.server_id, error=error.message)
        worker_request.finish(trial_id, problem=_refusal(error, question))
    else:
        answer_give(trial_id=trial_id, text=text)


def _asked(provider: CloudProvider, question: Question) -> str:
    vim = question.vnfc.instance.vim
    assert vim is not None
    servers = provider.connect(connection_of(vim)).servers
    if question.what == "url":
        return servers.console_url(question.vnfc.server_id)
    return servers.console_log(question.vnfc.server_id, question.lines)


def _refusal(error: CloudError, question: Question) -> Problem:
    problem = error.as_problem(f"{DOING[question.what]} of {question.vnfc.name}")
    step = next((step for kind, step in NEXT_STEPS.items() if isinstance(error, kind)), problem.next_step)
    return replace(problem, next_step=step)
