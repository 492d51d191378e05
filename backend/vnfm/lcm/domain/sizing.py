"""How many VNFCs, in which slots: pure arithmetic on flavours, aspects, levels, group indexes and slots.

Heat's ResourceGroup never reuses the index of a removed member, a router's slot is given back at once. So every
grouped VDU keeps a roster: which index fills which slot, and which index Heat will hand out next (facts 2.3, 5.2).
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from vnfm.catalog.domain.vnfd import Flavour, ScalingAspect, Vdu, Vnfd
from vnfm.kit.problem import FieldError


@dataclass(frozen=True, slots=True)
class Roster:
    """The members of one ResourceGroup."""

    slots: Mapping[int, str] = field(default_factory=dict)
    """Group index to slot."""
    next_index: int = 0

    def as_json(self) -> dict[str, object]:
        return {"slots": {str(index): slot for index, slot in self.slots.items()}, "nextIndex": self.next_index}

    @classmethod
    def from_json(cls, data: Mapping[str, object] | None) -> "Roster":
        if not data:
            return cls()
        slots, next_index = data["slots"], data["nextIndex"]
        assert isinstance(slots, Mapping)
        assert isinstance(next_index, int)
        return cls({int(index): str(slot) for index, slot in slots.items()}, next_index)


@dataclass(frozen=True, slots=True)
class Resized:
    """A roster after a change, with the members that come and go."""

    roster: Roster
    added: Mapping[int, str]
    removed: Mapping[int, str]


def resize(vdu: Vdu, roster: Roster, count: int, named: Collection[str] = ()) -> Resized:
    """Grow into the lowest free slots; shrink by the slots in `named`, else from the highest down.

    Raises ValueError when the VDU has slots but not enough of them; the VNFD reader keeps `maximum` below that.
    """
    if count <= len(roster.slots):
        ranked = sorted(roster.slots, key=lambda i: (roster.slots[i] in named, _position(vdu, roster.slots[i]), i))
        keep = ranked[:count]
        removed = {index: slot for index, slot in roster.slots.items() if index not in keep}
        return Resized(Roster({i: roster.slots[i] for i in sorted(keep)}, roster.next_index), {}, removed)
    free = (slot for slot in _slot_names(vdu) if slot not in roster.slots.values())
    added: dict[int, str] = {}
    for index in range(roster.next_index, roster.next_index + count - len(roster.slots)):
        slot = next(free, None)
        if slot is None:
            raise ValueError(f"{vdu.name} has no free slot left for {count} VNFCs")
        added[index] = slot
    return Resized(Roster({**roster.slots, **added}, roster.next_index + len(added)), added, {})


def _slot_names(vdu: Vdu) -> Iterable[str]:
    return vdu.slots or (str(number) for number in range(1, vdu.maximum + 1))


def _position(vdu: Vdu, slot: str) -> int:
    return list(_slot_names(vdu)).index(slot)


def vdu_count(vdu: Vdu, flavour: Flavour, levels: Mapping[str, int]) -> int:
    """VNFCs of `vdu` at the given scale levels: the minimum, plus what its aspects add."""
    return vdu.minimum + sum(levels.get(a.id, 0) * a.step for a in flavour.aspects if a.vdu_id == vdu.id)


def counts(vnfd: Vnfd, flavour: Flavour, levels: Mapping[str, int]) -> dict[str, int]:
    return {vdu.id: vdu_count(vdu, flavour, levels) for vdu in vnfd.vdus}


def over_limits(vnfd: Vnfd, wanted: Mapping[str, int]) -> list[FieldError]:
    """The limits of the VNFD that so many VNFCs by VDU break, each as a sentence with the sum."""
    sums = [(limit, sum(wanted.get(vdu, 0) * weight for vdu, weight in limit.weights.items())) for limit in vnfd.limits]
    return [
        FieldError("", f"{limit.message} It would be {total}, and {limit.maximum} is the most.")
        for limit, total in sums
        if total > limit.maximum
    ]


def check_level(aspect: ScalingAspect, level: int, pointer: str) -> list[FieldError]:
    """Whether the aspect can stand at `level` (SOL003 5.5.3.2 ScaleInfo)."""
    if 0 <= level <= aspect.max_scale_level:
        return []
    return [
        FieldError(pointer, f"{aspect.name} can be scaled from level 0 to {aspect.max_scale_level}, not to {level}.")
    ]


def scaled(current: Mapping[str, int], aspect: ScalingAspect, *, out: bool, steps: int) -> int:
    """The level that a ScaleVnfRequest leads to; it may be out of bounds, ask `check_level`."""
    return current.get(aspect.id, 0) + (steps if out else -steps)
