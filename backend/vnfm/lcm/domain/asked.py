"""Each operation's check of a request against the VNFD and the record: pure, so API, preview and worker agree."""

from collections.abc import Callable, Mapping
from typing import Any

from vnfm.kit.problem import FieldError
from vnfm.lcm.domain import healing, instantiation, modification, power, scaling
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.domain.target import Asking, Refused, unknown_params

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
    Operation.MODIFY_INFO: modification.modify,
    Operation.TERMINATE: _terminate,
}


def check(asking: Asking) -> Any:
    """What the request leads to, or Refused with every reason at its field (SOL003 5.5.2)."""
    if asking.operation not in CHECKS:
        return Refused((FieldError("", f"This release cannot do {asking.operation} yet."),))
    strange = _not_offered(asking.request)
    return Refused(tuple(strange)) if strange else CHECKS[asking.operation](asking)


def _not_offered(request: Mapping[str, Any]) -> list[FieldError]:
    """No VNFD of ours declares any, so that nothing of them could take effect."""
    names = ("extensions", "vnfConfigurableProperties")
    return [
        FieldError(f"/{name}/{key}", "The VNFD declares no such attribute.")
        for name in names
        for key in request.get(name) or {}
    ]
