"""Modify VNF instance information (SOL003 5.5.2.12, a merge patch by RFC 7396)."""

from collections.abc import Mapping
from typing import Any

from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.operation_request import OperationRequest, Rejection
from vnfm.lcm.domain.requests import VnfInfoModificationRequest

INSTANTIATED_VNFD = (
    "An instantiated VNF keeps its package: use change_vnfpkg, which takes its VNFCs to another one by one."
)


def validate_modify_info(
    op_request: OperationRequest[VnfInfoModificationRequest],
) -> VnfInfoModificationRequest | Rejection:
    """The request itself, when its attributes can be changed."""
    request = op_request.request
    if request.vnfd_id and op_request.instance.flavour_id:
        return Rejection((FieldError("/vnfdId", INSTANTIATED_VNFD),))
    if request.name == "":
        return Rejection((FieldError("/vnfInstanceName", "An instance cannot be without a name."),))
    return request


def merge_patch(document: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    """RFC 7396: null removes, objects merge, everything else replaces."""
    result = dict(document)
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        elif isinstance(value, Mapping):
            before = result.get(name)
            result[name] = merge_patch(before if isinstance(before, Mapping) else {}, value)
        else:
            result[name] = value
    return result
