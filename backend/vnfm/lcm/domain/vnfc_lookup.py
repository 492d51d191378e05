"""A request names a VNFC by its id, its server's id or name, "vdu/slot", or its slot where that is unique."""

from collections.abc import Sequence

from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.operation_request import Rejection, VnfcState


def find_vnfcs(names: Sequence[str], vnfcs: Sequence[VnfcState], pointer: str) -> tuple[VnfcState, ...] | Rejection:
    """The VNFCs that `names` mean, in that order, each once; or the error of each name at its pointer."""
    found: dict[VnfcState, None] = {}
    errors = []
    for i, name in enumerate(names):
        matches = _matches(name, vnfcs)
        if len(matches) == 1:
            found[matches[0]] = None
        else:
            errors.append(FieldError(f"{pointer}/{i}", _error(name, matches, vnfcs)))
    return Rejection(tuple(errors)) if errors else tuple(found)


def _matches(name: str, vnfcs: Sequence[VnfcState]) -> list[VnfcState]:
    exact = [v for v in vnfcs if name in (str(v.id), v.name, f"{v.vdu_id}/{v.slot}", v.server_id)]
    return exact or [v for v in vnfcs if v.slot and v.slot == name]


def _error(name: str, matches: Sequence[VnfcState], vnfcs: Sequence[VnfcState]) -> str:
    known = ", ".join(f"{v.vdu_id}/{v.slot}" if v.slot else v.name for v in matches or vnfcs)
    if matches:
        return f"{name!r} means several VNFCs; name one of {known}."
    return f"The instance has no VNFC {name!r}; it has {known or 'none'}."
