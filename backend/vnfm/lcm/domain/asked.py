"""Each operation's check of a request against the VNFD and the record: pure, so API, preview and worker agree."""

from collections.abc import Callable, Mapping
from typing import Any

from vnfm.kit.problem import FieldError
from vnfm.lcm.domain import changes, healing, instantiation, modification, power, scaling
from vnfm.lcm.domain.sizing import counts, over_limits, short_of_slots
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.domain.target import Asking, Refused, Target, unknown_params

Check = Callable[[Asking], Any]
"""What the request leads to, of the operation's own type; or Refused."""


def _terminate(asking: Asking) -> Refused | None:
    refused = unknown_params(asking.request.get("additionalParams") or {}, ())
    return refused if refused.errors else None


CHECKS: dict[Operation, Check] = {
    Operation.INSTANTIATE: instantiation.instantiate,
    Operation.SCALE: scaling.scale,
    Operation.SCALE_TO_LEVEL: scaling.scale_to_level,
    Operation.OPERATE: power.operate,
    Operation.HEAL: healing.heal,
    Operation.CHANGE_FLAVOUR: changes.change_flavour,
    Operation.CHANGE_EXT_CONN: changes.change_ext_conn,
    Operation.CHANGE_VNFPKG: changes.change_vnfpkg,
    Operation.MODIFY_INFO: modification.modify,
    Operation.TERMINATE: _terminate,
}


def check(asking: Asking) -> Any:
    """What the request leads to, or Refused with every reason at its field (SOL003 5.5.2)."""
    strange = _not_offered(asking.request)
    if strange:
        return Refused(tuple(strange))
    result = CHECKS[asking.operation](asking)
    if isinstance(result, Target):
        vnfd = asking.successor or asking.vnfd
        wanted = counts(vnfd, result.flavour, result.scale_levels)
        too_many = over_limits(vnfd, wanted) or short_of_slots(vnfd, asking.standing.rosters, wanted)
        return Refused(tuple(too_many)) if too_many else result
    return result


def _not_offered(request: Mapping[str, Any]) -> list[FieldError]:
    """No VNFD of ours declares any, so that nothing of them could take effect."""
    names = ("extensions", "vnfConfigurableProperties")
    return [
        FieldError(f"/{name}/{key}", "The VNFD declares no such attribute.")
        for name in names
        for key in request.get(name) or {}
    ]
