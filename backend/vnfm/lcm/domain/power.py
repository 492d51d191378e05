"""OperateVnf (SOL003 5.5.2.9): which VNFCs shall run from now on, or shall not."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.naming import named
from vnfm.lcm.domain.target import Asking, Power, Refused, StandingVnfc, unknown_params

GRACEFUL_SECONDS = 60
"""How long a graceful stop waits where the request does not say: Nova's own default for a guest to shut down."""

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
    """Seconds after which a graceful stop is given up; None to wait for as long as Nova takes."""


def operate(asking: Asking) -> Switching | Refused:
    """The whole VNF, or the VNFCs that `vnfcInstanceId` names."""
    request = asking.request
    errors = [*unknown_params(request.get("additionalParams") or {}, ()).errors, *_misfits(request)]
    names = request.get("vnfcInstanceId")
    found = named(names, asking.standing.vnfcs, "/vnfcInstanceId") if names else asking.standing.vnfcs
    if isinstance(found, Refused):
        errors += found.errors
    if errors or isinstance(found, Refused):
        return Refused(tuple(errors))
    graceful = request.get("stopType") == "GRACEFUL"
    timeout = request.get("gracefulStopTimeout", GRACEFUL_SECONDS) if graceful else None
    return Switching(request["changeStateTo"], found, timeout)


def _misfits(request: Mapping[str, Any]) -> list[FieldError]:
    """What SOL003 wants absent: how to stop when nothing is to stop, and a timeout for what does not wait."""
    errors = []
    if request["changeStateTo"] == "STARTED":
        errors = [
            FieldError(f"/{name}", "Only with changeStateTo STOPPED.")
            for name in ("stopType", "gracefulStopTimeout")
            if name in request
        ]
    elif "gracefulStopTimeout" in request and request.get("stopType") != "GRACEFUL":
        errors = [FieldError("/gracefulStopTimeout", "Only with stopType GRACEFUL.")]
    return errors


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
