"""Validates every operation's request against the VNFD and the record: pure, so API, preview and worker agree."""

from collections.abc import Callable, Mapping
from typing import Any

from vnfm.lcm.domain import changes, healing, instantiation, modification, power, scaling, snapshots
from vnfm.lcm.domain.adoption import Adoption
from vnfm.lcm.domain.operation_request import OperationRequest, Rejection, Target
from vnfm.lcm.domain.requests import Request, TerminateVnfRequest, VnfInfoModificationRequest
from vnfm.lcm.domain.sizing import deployed, over_limits, slot_shortages, vnfc_counts
from vnfm.lcm.domain.snapshot_state import SnapshotState
from vnfm.lcm.domain.states import Operation

Validated = (
    Target
    | Adoption
    | power.PowerChange
    | healing.HealParameters
    | VnfInfoModificationRequest
    | TerminateVnfRequest
    | SnapshotState
)
"""The parameters of an operation, each of its own type."""


def _terminate(op_request: OperationRequest[TerminateVnfRequest]) -> TerminateVnfRequest:
    return op_request.request


_VALIDATORS: Mapping[Operation, Callable[[OperationRequest[Any]], Validated | Rejection]] = {
    Operation.INSTANTIATE: instantiation.validate_instantiate,
    Operation.SCALE: scaling.validate_scale,
    Operation.SCALE_TO_LEVEL: scaling.validate_scale,
    Operation.OPERATE: power.validate_operate,
    Operation.HEAL: healing.validate_heal,
    Operation.CHANGE_FLAVOUR: changes.validate_change_flavour,
    Operation.CHANGE_EXT_CONN: changes.validate_change_ext_conn,
    Operation.CHANGE_VNFPKG: changes.validate_change_vnfpkg,
    Operation.MODIFY_INFO: modification.validate_modify_info,
    Operation.TERMINATE: _terminate,
    Operation.CREATE_SNAPSHOT: snapshots.validate_create,
    Operation.REVERT_TO_SNAPSHOT: snapshots.validate_revert,
}


def validate(op_request: OperationRequest[Request]) -> Validated | Rejection:
    """The operation's parameters, or Rejection with every reason at its field (SOL003 5.5.2)."""
    request = op_request.request
    result = _VALIDATORS[request.operation](op_request)
    errors = request.malformed
    if isinstance(result, Rejection):
        errors += result.errors
    elif isinstance(result, Target):
        vnfd = op_request.successor or op_request.vnfd
        rosters = op_request.instance.rosters
        vnfd = deployed(vnfd, result.settings, result.flavour, rosters)
        numbers = vnfc_counts(vnfd, result.flavour, result.scale_levels)
        errors += tuple(over_limits(vnfd, numbers) or slot_shortages(vnfd, rosters, numbers))
    return Rejection(errors) if errors else result
