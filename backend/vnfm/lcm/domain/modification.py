"""Modify VNF instance information (SOL003 5.5.2.12, a merge patch by RFC 7396)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.target import Asking, Refused

INSTANTIATED_VNFD = (
    "An instantiated VNF keeps its package: use change_vnfpkg, which takes its VNFCs to another one by one."
)


@dataclass(frozen=True, slots=True)
class Information:
    """The columns of the instance that change, with their new values; `metadata` is still a patch."""

    values: Mapping[str, Any]


_COLUMNS = {"vnfInstanceName": "name", "vnfInstanceDescription": "description"}


def modify(asking: Asking) -> Information | Refused:
    """What the request changes."""
    request = asking.request
    if "vnfdId" in request and asking.standing.flavour_id:
        return Refused((FieldError("/vnfdId", INSTANTIATED_VNFD),))
    if not request.get("vnfInstanceName", "-"):
        return Refused((FieldError("/vnfInstanceName", "An instance cannot be without a name."),))
    return Information(information(request))


def information(request: Mapping[str, Any]) -> dict[str, Any]:
    """Column to new value; `metadata` to its patch."""
    values: dict[str, Any] = {column: request[name] or "" for name, column in _COLUMNS.items() if name in request}
    if "metadata" in request:
        values["metadata"] = request["metadata"] or {}
    return values


def merged(document: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    """RFC 7396: null removes, objects merge, everything else replaces."""
    result = dict(document)
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        elif isinstance(value, Mapping):
            before = result.get(name)
            result[name] = merged(before if isinstance(before, Mapping) else {}, value)
        else:
            result[name] = value
    return result
