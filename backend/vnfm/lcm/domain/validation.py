"""Validates every operation's request against the VNFD and the record: pure, so API, preview and worker agree."""

from collections.abc import Callable, Mapping
from typing import Any

from vnfm.kit.problem import FieldError
from vnfm.lcm.domain import changes, healing, instantiation, modification, power, scaling
from vnfm.lcm.domain.operation_request import OperationRequest, Rejection, Target, unknown_params
from vnfm.lcm.domain.sizing import over_limits, slot_shortages, vnfc_counts
from vnfm.lcm.domain.states import Operation

Validator = Callable[[OperationRequest], Any]
"""Returns the operation's own type of parameters, or Rejection."""


def _terminate(op_request: OperationRequest) -> Rejection | None:
    refused = unknown_params(op_request.request.get("additionalParams") or {}, ())
    return refused if refused.errors else None


VALIDATORS: dict[Operation, Validator] = {
    Operation.INSTANTIATE: instantiation.validate_instantiate,
    Operation.SCALE: scaling.validate_scale,
    Operation.SCALE_TO_LEVEL: scaling.validate_scale_to_level,
    Operation.OPERATE: power.validate_operate,
    Operation.HEAL: healing.validate_heal,
    Operation.CHANGE_FLAVOUR: changes.validate_change_flavour,
    Operation.CHANGE_EXT_CONN: changes.validate_change_ext_conn,
    Operation.CHANGE_VNFPKG: changes.validate_change_vnfpkg,
    Operation.MODIFY_INFO: modification.validate_modify_info,
    Operation.TERMINATE: _terminate,
}


def validate(op_request: OperationRequest) -> Any:
    """The operation's parameters, or Rejection with every reason at its field (SOL003 5.5.2)."""
    undeclared = _undeclared_attributes(op_request.request)
    if undeclared:
        return Rejection(tuple(undeclared))
    result = VALIDATORS[op_request.operation](op_request)
    if isinstance(result, Target):
        vnfd = op_request.successor or op_request.vnfd
        numbers = vnfc_counts(vnfd, result.flavour, result.scale_levels)
        too_many = over_limits(vnfd, numbers) or slot_shortages(vnfd, op_request.instance.rosters, numbers)
        return Rejection(tuple(too_many)) if too_many else result
    return result


def _undeclared_attributes(request: Mapping[str, Any]) -> list[FieldError]:
    """No VNFD declares any, so they could have no effect."""
    names = ("extensions", "vnfConfigurableProperties")
    return [
        FieldError(f"/{name}/{key}", "The VNFD declares no such attribute.")
        for name in names
        for key in request.get(name) or {}
    ]
