"""VDUs that exist under a condition of the HOT only: pure, by the settings."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hot.conditions import evaluate, parameters_of
from vnfm.catalog.domain.hot.template import normalised
from vnfm.catalog.domain.vnfd import Flavour, Vdu, Vnfd


def least(vdu: Vdu) -> int:
    """The least number of its VNFCs, whatever the settings."""
    return 0 if vdu.condition is not None else vdu.minimum


def with_values(vnfd: Vnfd, settings: Mapping[str, Any], flavour: Flavour | None = None) -> Vnfd:
    """The VNFD with those VDUs absent whose condition does not hold with these settings, defaults included."""
    if not _conditional(vnfd):
        return vnfd
    values = _values(vnfd, settings, flavour)
    return with_absent(vnfd, {vdu.id for vdu in _conditional(vnfd) if evaluate(vdu.condition, values) is False})


def with_absent(vnfd: Vnfd, absent: set[str]) -> Vnfd:
    """The VNFD with these VDUs absent, besides those that are already."""
    return replace(vnfd, vdus=tuple(replace(vdu, absent=vdu.absent or vdu.id in absent) for vdu in vnfd.vdus))


def undecided(vnfd: Vnfd, settings: Mapping[str, Any], flavour: Flavour | None = None) -> set[str]:
    """VDUs whose condition these settings do not decide, by id."""
    values = _values(vnfd, settings, flavour)
    return {vdu.id for vdu in _conditional(vnfd) if evaluate(vdu.condition, values) is None}


def condition_text(vdu: Vdu) -> str:
    """Name the parameters on which its condition depends; "" without a condition."""
    if vdu.condition is None:
        return ""
    return ", ".join(sorted(parameters_of(vdu.condition))) or "what Heat alone knows"


def _conditional(vnfd: Vnfd) -> list[Vdu]:
    return [vdu for vdu in vnfd.vdus if vdu.condition is not None]


def _values(vnfd: Vnfd, settings: Mapping[str, Any], flavour: Flavour | None) -> dict[str, Any]:
    """The HOT parameters, each in its type."""
    types = {setting.name: setting.type for setting in vnfd.settings}
    known = {**settings, **vnfd.fixed_parameters, **(flavour.parameters if flavour else {})}
    return {name: normalised(types[name], value) if name in types else value for name, value in known.items()}
