"""Converts a number of units into VNFCs, scale levels and an instantiation level."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil

from vnfm.catalog.domain.dimensioning.figures import Figures, HostType, Sizing
from vnfm.catalog.domain.dimensioning.units import Quantity, quantity
from vnfm.catalog.domain.vnfd import Flavour, InstantiationLevel, Vnfd


@dataclass(slots=True)
class Shape:
    flavour: Flavour
    vnfcs: dict[str, int]
    """VDU to the number of its VNFCs."""
    levels: dict[str, int] = field(default_factory=dict)
    """Scaling aspect to level."""
    reasons: list[str] = field(default_factory=list)
    """Why one instance cannot have this shape."""
    unknown: list[str] = field(default_factory=list)

    def smallest_level(self) -> InstantiationLevel | None:
        """Return the smallest level, by VNFCs, that suffices; None where none does."""
        steps = {aspect.id: sum(delta.step for delta in aspect.deltas) for aspect in self.flavour.aspects}
        enough = [
            level
            for level in self.flavour.levels
            if all(level.scale_levels[aspect] >= wanted for aspect, wanted in self.levels.items())
        ]
        return min(
            enough,
            key=lambda level: sum(steps[aspect] * number for aspect, number in level.scale_levels.items()),
            default=None,
        )


def shape_of(vnfd: Vnfd, figures: Figures, flavour: Flavour, units: int) -> Shape:
    """The VNF with this many units; VDUs without figures, such as redundant ones, have the flavour's default."""
    shape = Shape(flavour, {vdu.id: vdu.minimum for vdu in vnfd.vdus})
    sizing = figures.sizing
    sized = set()
    if sizing is not None and sizing.unit is not None:
        unit = sizing.unit
        shape.vnfcs[unit.vdu] = max(vnfd.vdu(unit.vdu).minimum, units * unit.vms)
        _add_companions(shape, vnfd, figures, sizing, units)
        sized = {unit.vdu, *(companion.vdu for companion in sizing.companions)}
    usual = flavour.level(flavour.default_level)
    for aspect in flavour.aspects:
        least = {delta.vdu_id: vnfd.vdu(delta.vdu_id).minimum for delta in aspect.deltas}
        level = max(ceil(Fraction(shape.vnfcs[d.vdu_id] - least[d.vdu_id], d.step)) for d in aspect.deltas)
        if not sized & least.keys() and usual is not None:
            level = usual.scale_levels[aspect.id]
        shape.levels[aspect.id] = level
        shape.vnfcs |= {delta.vdu_id: least[delta.vdu_id] + level * delta.step for delta in aspect.deltas}
    _check(shape, vnfd, sizing, units)
    return shape


def _add_companions(shape: Shape, vnfd: Vnfd, figures: Figures, sizing: Sizing, units: int) -> None:
    assert sizing.unit is not None
    for companion in sizing.companions:
        built, per = figures.figures[companion.figure].value, figures.figures[companion.units].value
        vdu = vnfd.vdu(companion.vdu)
        wanted = ceil(built.amount / per.amount * units)
        room = min([vdu.maximum, *_allowed_by_limits(vnfd, shape.vnfcs, vdu.id)])
        shape.vnfcs[vdu.id] = max(vdu.minimum, min(wanted, room))
        proportion = f"{int(built.amount)} {vdu.name}s for {int(per.amount)} {sizing.unit.plural} were built"
        if wanted > shape.vnfcs[vdu.id]:
            shape.unknown.append(
                f"{proportion}, which would be {wanted} here; one instance has room for {shape.vnfcs[vdu.id]}. Whether "
                "these suffice is not known."
            )
        elif units > per.amount:
            shape.unknown.append(f"{proportion}; that {wanted} suffice for {units} was not measured.")


def _allowed_by_limits(vnfd: Vnfd, vnfcs: Mapping[str, int], vdu_id: str) -> list[int]:
    """Return for each limit the number of VNFCs of the VDU that it allows, given the other VDUs."""
    rooms = []
    for limit in vnfd.limits:
        if vdu_id in limit.weights:
            others = sum(weight * vnfcs[each] for each, weight in limit.weights.items() if each != vdu_id)
            rooms.append((limit.maximum - others) // limit.weights[vdu_id])
    return rooms


def _check(shape: Shape, vnfd: Vnfd, sizing: Sizing | None, units: int) -> None:
    highest = {aspect.id: aspect.max_scale_level for aspect in shape.flavour.aspects}
    for vdu in vnfd.vdus:
        most = vdu.maximum
        if shape.flavour.delta(vdu.id) is not None:
            most = min(most, vdu.minimum + shape.flavour.steps(vdu.id, highest))
        if shape.vnfcs[vdu.id] > most:
            message = f"{shape.vnfcs[vdu.id]} of {vdu.name} are needed; one instance has at most {most}."
            if sizing and sizing.unit and sizing.unit.vdu == vdu.id and not sizing.unit.chosen_by:
                instances = ceil(Fraction(units, max(1, most // sizing.unit.vms)))
                message += f" {instances} instances would do, if the demand can be divided among them."
            shape.reasons.append(message)
    for limit in vnfd.limits:
        if sum(weight * shape.vnfcs[each] for each, weight in limit.weights.items()) > limit.maximum:
            shape.reasons.append(limit.message)


def choose_flavour(vnfd: Vnfd, host: HostType | None, memory: Mapping[str, Quantity]) -> tuple[Flavour, list[str]]:
    """The host type's flavour, else the first with enough memory; and warnings about missing memory."""
    flavours = [flavour for flavour in vnfd.flavours if host is None or host.flavour in ("", flavour.id)]
    for flavour in flavours:
        if not _short(vnfd, flavour, memory):
            return flavour, []
    largest = max(flavours, key=lambda each: sum(each.needs_of(vnfd.vdu(vdu)).memory_mib for vdu in memory))
    return largest, _short(vnfd, largest, memory)


def _short(vnfd: Vnfd, flavour: Flavour, memory: Mapping[str, Quantity]) -> list[str]:
    messages = []
    for vdu_id, needed in memory.items():
        vdu = vnfd.vdu(vdu_id)
        given = quantity(flavour.needs_of(vdu).memory_mib, "MiB")
        if not needed <= given:
            messages.append(
                f"{vdu.name} needs {float(needed.number_in('GB')):g} GB of memory; the flavour {flavour.id} asks for "
                f"{float(given.number_in('GB')):.3g} GB. Choose a Nova flavor with more."
            )
    return messages
