"""OperateVnf (SOL003 5.5.2.10): which VNFCs shall run from now on, or shall not."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from vnfm.lcm.domain.naming import named
from vnfm.lcm.domain.target import Asking, Power, Refused, StandingVnfc, unknown_params

SET_POWER = "set_power@1"
"""The kind of the step that does it; what it was given is what shall be when the operation is over."""

STATUS: Mapping[Power, str] = {"STARTED": "ACTIVE", "STOPPED": "SHUTOFF"}
"""Nova's status of a server that is as wanted."""


@dataclass(frozen=True, slots=True)
class Switching:
    """VNFCs to start or to stop."""

    wanted: Power
    vnfcs: tuple[StandingVnfc, ...]
    timeout: int | None = None
    """Seconds after which a graceful stop goes on as a forceful one; None where it is not graceful."""


def operate(asking: Asking) -> Switching | Refused:
    """The whole VNF, or the VNFCs that `vnfcInstanceId` names."""
    request = asking.request
    errors = list(unknown_params(request.get("additionalParams") or {}, ()).errors)
    names = request.get("vnfcInstanceId")
    found = named(names, asking.standing.vnfcs, "/vnfcInstanceId") if names else asking.standing.vnfcs
    if isinstance(found, Refused):
        errors += found.errors
    if errors or isinstance(found, Refused):
        return Refused(tuple(errors))
    graceful = request.get("stopType") == "GRACEFUL"
    return Switching(request["changeStateTo"], found, request["gracefulStopTimeout"] if graceful else None)


Turn = Literal["as wanted", "on its way", "to be asked", "unfit"]


def turn(status: str, wanted: Power, *, busy: bool) -> Turn:
    """What a server in `status` needs to come to the wanted power; `busy` while Nova is at something with it.

    Nova starts what is SHUTOFF and stops what is ACTIVE; from anything else only a heal leads back.
    """
    if busy:
        return "on its way"
    if status == STATUS[wanted]:
        return "as wanted"
    return "to be asked" if status in STATUS.values() else "unfit"
