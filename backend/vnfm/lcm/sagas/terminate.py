"""TerminateVnf (SOL003 5.4.8): servers shut down if asked for, the stack goes, then the record."""

from collections.abc import Mapping
from typing import Any

from vnfm.inventory.models import VnfInstance
from vnfm.lcm.domain.steps import StepSpec

GRACEFUL_SECONDS = 60
"""How long a graceful termination waits for the servers where the request does not say."""


def steps(request: Mapping[str, Any], instance: VnfInstance) -> list[StepSpec]:
    stops = []
    if request["terminationType"] == "GRACEFUL":
        servers = list(instance.vnfcs.order_by("vdu_id", "slot").values_list("server_id", flat=True))
        timeout = request.get("gracefulTerminationTimeout", GRACEFUL_SECONDS)
        stops = [StepSpec("stop_servers@1", "Shut down the servers", {"serverIds": servers, "timeout": timeout})]
    return [
        *stops,
        StepSpec("delete_stack@1", "Delete the Heat stack"),
        StepSpec("forget_resources@1", "Take the resources off the record"),
    ]
