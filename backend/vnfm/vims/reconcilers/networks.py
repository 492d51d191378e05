"""Creates a network in a cloud for an operator who needs one, in a worker."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

import structlog

from vnfm.clouds.errors import CloudError
from vnfm.clouds.ports import CloudProvider
from vnfm.kit.durable import worker_request
from vnfm.kit.problem import Problem, ProblemError, not_found
from vnfm.vims.models import Vim
from vnfm.vims.selectors import connection_of
from vnfm.vims.services import vim_network_record

log = structlog.get_logger(__name__)

AGAIN = "Check the cloud's state and the network between, then try again."


def create_network(request_id: UUID, provider: CloudProvider) -> None:
    """Create the network of a request, once: a request that a worker has claimed is left to it."""

    def network(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        vim = Vim.objects.filter(id=arguments["vim"]).first()
        if vim is None:
            raise not_found("VIM", arguments["vim"])
        name = arguments["name"]
        try:
            networks = provider.connect(connection_of(vim)).networks
            created = networks.create(name, arguments["cidr"], dhcp=arguments["dhcp"])
        except CloudError as error:
            log.info("vims.network_refused", vim=vim.name, name=name, error=error.message)
            raise ProblemError(_refusal(error, name)) from error
        return {"network": vim_network_record(vim=vim, network=created)}

    worker_request.answer(request_id, network)


def _refusal(error: CloudError, name: str) -> Problem:
    """Nothing is repeated here, whatever the error says of others."""
    problem = error.as_problem(f"Creating network {name}")
    return replace(problem, next_step=AGAIN) if error.retryable else problem
