"""Modify VNF instance information (SOL003 5.5.2.12, a merge patch by RFC 7396)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.operation_request import OperationRequest, Rejection

INSTANTIATED_VNFD = (
    "An instantiated VNF keeps its package: use change_vnfpkg, which takes its VNFCs to another one by one."
)


@dataclass(frozen=True, slots=True)
class ModifiedAttributes:
    """The instance's columns that change, with their new values; `metadata` is still a merge patch."""

    values: Mapping[str, Any]


_COLUMNS = {"vnfInstanceName": "name", "vnfInstanceDescription": "description"}


def validate_modify_info(op_request: OperationRequest) -> ModifiedAttributes | Rejection:
    """The attributes that the request changes."""
    request = op_request.request
    if "vnfdId" in request and op_request.instance.flavour_id:
        return Rejection((FieldError("/vnfdId", INSTANTIATED_VNFD),))
    if not request.get("vnfInstanceName", "-"):
        return Rejection((FieldError("/vnfInstanceName", "An instance cannot be without a name."),))
    return ModifiedAttributes(modified_attributes(request))


def modified_attributes(request: Mapping[str, Any]) -> dict[str, Any]:
    """Column → new value; `metadata` → its merge patch."""
    values: dict[str, Any] = {column: request[name] or "" for name, column in _COLUMNS.items() if name in request}
    if "metadata" in request:
        values["metadata"] = request["metadata"] or {}
    return values


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
