"""A request names a VNFC by its id, its server's id or name, "vdu/slot", or its slot where that is unique."""

from collections.abc import Sequence
from typing import Protocol

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


class NamedVnfc(Protocol):
    """The attributes that identify a VNFC for people."""

    @property
    def vdu_id(self) -> str: ...
    @property
    def slot(self) -> str: ...
    @property
    def name(self) -> str: ...


def slot_name(vdu_name: str, slot: str) -> str:
    """Plans, steps and dialogs name the VNFC of a slot so: "Slot 4 (Mobile gateway VM)"; without a slot, its VDU."""
    return f"Slot {slot} ({vdu_name})" if slot else vdu_name


def label(vnfc: NamedVnfc) -> str:
    """The VNFC's name for people: "pe-cpm-A (cpm/A)"."""
    return f"{vnfc.name} ({vnfc.vdu_id}/{vnfc.slot})" if vnfc.slot else vnfc.name


def _matches(name: str, vnfcs: Sequence[VnfcState]) -> list[VnfcState]:
    exact = [v for v in vnfcs if name in (str(v.id), v.name, f"{v.vdu_id}/{v.slot}", v.server_id)]
    return exact or [v for v in vnfcs if v.slot and v.slot == name]


def _error(name: str, matches: Sequence[VnfcState], vnfcs: Sequence[VnfcState]) -> str:
    known = ", ".join(f"{v.vdu_id}/{v.slot}" if v.slot else v.name for v in matches or vnfcs)
    if matches:
        return f"{name!r} means several VNFCs; name one of {known}."
    return f"The instance has no VNFC {name!r}; it has {known or 'none'}."
