"""OperateVnf (SOL003 5.5.2.10): which VNFCs are to be started or stopped."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from vnfm.lcm.domain.operation_request import OperationRequest, Rejection, VnfcState
from vnfm.lcm.domain.requests import OperateVnfRequest, Power
from vnfm.lcm.domain.vnfc_lookup import find_vnfcs

NOVA_STATUS: Mapping[Power, str] = {"STARTED": "ACTIVE", "STOPPED": "SHUTOFF"}
"""Nova's status of a server in that power state."""


@dataclass(frozen=True, slots=True)
class PowerChange:
    """VNFCs to start or to stop."""

    target: Power
    vnfcs: tuple[VnfcState, ...]
    timeout: int | None = None
    """Seconds after which a graceful stop becomes forceful; None where it is not graceful."""


def status_words(status: str) -> str:
    """The name of a server status on the screen."""
    return {NOVA_STATUS["STOPPED"]: "Stopped"}.get(status, status.capitalize().replace("_", " "))


def validate_operate(op_request: OperationRequest[OperateVnfRequest]) -> PowerChange | Rejection:
    """The whole VNF, or the VNFCs that `vnfcInstanceId` names."""
    request, vnfcs = op_request.request, op_request.instance.vnfcs
    names = request.vnfc_instance_id
    found = find_vnfcs(names, vnfcs, "/vnfcInstanceId") if names else vnfcs
    return (
        found if isinstance(found, Rejection) else PowerChange(request.change_state_to, found, request.graceful_timeout)
    )


PowerAction = Literal["reached", "in progress", "request", "impossible"]


def power_action(status: str, target: Power, *, busy: bool) -> PowerAction:
    """Return the action that takes a server in `status` to the power state; it is `busy` while Nova has a task for it.

    Nova starts from SHUTOFF and stops from ACTIVE; any other status needs a heal.
    """
    if busy:
        return "in progress"
    if status == NOVA_STATUS[target]:
        return "reached"
    return "request" if status in NOVA_STATUS.values() else "impossible"
