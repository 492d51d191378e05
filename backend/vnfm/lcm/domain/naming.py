"""How people name a VNFC: by its id, its server's name, "vdu/slot", or its slot where that is one of a kind."""

from collections.abc import Sequence
from typing import Protocol

from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.target import Refused, StandingVnfc


def named(names: object, vnfcs: Sequence[StandingVnfc], pointer: str) -> tuple[StandingVnfc, ...] | Refused:
    """The VNFCs that `names` means, in that order and each once; or what is wrong with each name, at its place."""
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return Refused((FieldError(pointer, "Give a list of VNFC ids, server names or slots."),))
    found: dict[StandingVnfc, None] = {}
    errors = []
    for i, name in enumerate(names):
        matches = _matches(name, vnfcs)
        if len(matches) == 1:
            found[matches[0]] = None
        else:
            errors.append(FieldError(f"{pointer}/{i}", _complaint(name, matches, vnfcs)))
    return Refused(tuple(errors)) if errors else tuple(found)


class Named(Protocol):
    """What a VNFC is called by."""

    @property
    def vdu_id(self) -> str: ...
    @property
    def slot(self) -> str: ...
    @property
    def name(self) -> str: ...


def label(vnfc: Named) -> str:
    """The VNFC for people."""
    return f"{vnfc.name} ({vnfc.vdu_id}/{vnfc.slot})" if vnfc.slot else vnfc.name


def _matches(name: str, vnfcs: Sequence[StandingVnfc]) -> list[StandingVnfc]:
    exact = [v for v in vnfcs if name in (str(v.id), v.name, f"{v.vdu_id}/{v.slot}", v.server_id)]
    return exact or [v for v in vnfcs if v.slot and v.slot == name]


def _complaint(name: str, matches: Sequence[StandingVnfc], vnfcs: Sequence[StandingVnfc]) -> str:
    known = ", ".join(f"{v.vdu_id}/{v.slot}" if v.slot else v.name for v in matches or vnfcs)
    if matches:
        return f"{name!r} means several VNFCs; name one of {known}."
    return f"The instance has no VNFC {name!r}; it has {known or 'none'}."
