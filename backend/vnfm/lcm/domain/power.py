"""OperateVnf (SOL003 5.5.2.10): which VNFCs are to be started or stopped."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from vnfm.lcm.domain.operation_request import OperationRequest, Power, Rejection, VnfcState, unknown_params
from vnfm.lcm.domain.vnfc_names import find_vnfcs

NOVA_STATUS: Mapping[Power, str] = {"STARTED": "ACTIVE", "STOPPED": "SHUTOFF"}
"""Nova's status of a server in that power state."""


@dataclass(frozen=True, slots=True)
class PowerChange:
    """VNFCs to start or to stop."""

    target: Power
    vnfcs: tuple[VnfcState, ...]
    timeout: int | None = None
    """Seconds after which a graceful stop becomes forceful; None where it is not graceful."""


def validate_operate(op_request: OperationRequest) -> PowerChange | Rejection:
    """The whole VNF, or the VNFCs that `vnfcInstanceId` names."""
    request = op_request.request
    errors = list(unknown_params(request.get("additionalParams") or {}, ()).errors)
    names = request.get("vnfcInstanceId")
    found = find_vnfcs(names, op_request.instance.vnfcs, "/vnfcInstanceId") if names else op_request.instance.vnfcs
    if isinstance(found, Rejection):
        errors += found.errors
    if errors or isinstance(found, Rejection):
        return Rejection(tuple(errors))
    graceful = request.get("stopType") == "GRACEFUL"
    return PowerChange(request["changeStateTo"], found, request["gracefulStopTimeout"] if graceful else None)


PowerAction = Literal["reached", "in progress", "request", "impossible"]


def power_action(status: str, target: Power, *, busy: bool) -> PowerAction:
    """What a server in `status` needs to reach the power state; `busy` while Nova has a task under way for it.

    Nova starts from SHUTOFF and stops from ACTIVE; any other status needs a heal.
    """
    if busy:
        return "in progress"
    if status == NOVA_STATUS[target]:
        return "reached"
    return "request" if status in NOVA_STATUS.values() else "impossible"
