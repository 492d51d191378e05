"""How many VNFCs, in which slots: pure arithmetic on flavours, aspects, levels, group indexes and slots.

Heat's ResourceGroup never reuses the index of a removed member, a router's slot is given back at once. So every
grouped VDU keeps a roster: which index fills which slot, and which index Heat will hand out next (facts 2.3, 5.2).
Groups whose lists of slots overlap share a chassis: a slot that one holds is not free for the other.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
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


def stored_rosters(stored: Mapping[str, Mapping[str, object]]) -> dict[str, Roster]:
    """VDU id to roster, from what is stored of an instance or a plan."""
    return {vdu_id: Roster.from_json(data) for vdu_id, data in stored.items()}


@dataclass(frozen=True, slots=True)
class Resized:
    """A roster after a change, with the members that come and go."""

    roster: Roster
    added: Mapping[int, str]
    removed: Mapping[int, str]


def indexes_again(roster: Roster) -> Roster:
    """The roster of a group without removal policies: Heat removes the last members, and gives their indexes again."""
    return Roster(roster.slots, max(roster.slots, default=-1) + 1)


class NoFreeSlotError(ValueError):
    """A VDU cannot grow so far; the words are for whoever asked for it."""


def resize_all(
    vnfd: Vnfd, rosters: Mapping[str, Roster], wanted: Mapping[str, int], named: Mapping[str, Collection[str]]
) -> dict[str, Resized]:
    """The rosters after a change to so many VNFCs by VDU; `named` are the slots that go first. Raises NoFreeSlotError.

    VDUs take slots in the order of the VNFD. What one of them gives up is free for the next change and not in this one:
    two VMs would be in one slot while Heat makes the one and removes the other, and again when that is rolled back.
    """
    held = {vdu.id: set(rosters.get(vdu.id, Roster()).slots.values()) for vdu in vnfd.vdus}
    changes = {}
    for vdu in vnfd.vdus:
        taken = {slot for other in vnfd.vdus if share_slots(vdu, other) for slot in held[other.id]}
        change = resize(vdu, rosters.get(vdu.id, Roster()), wanted[vdu.id], named.get(vdu.id, ()), taken)
        held[vdu.id] |= set(change.roster.slots.values())
        changes[vdu.id] = change
    return changes


def share_slots(vdu: Vdu, other: Vdu) -> bool:
    """Whether both are groups with a list of slots: what one holds of the other's list is not free there."""
    return other.id != vdu.id and all(one.hot_group and one.slots for one in (vdu, other))


def resize(vdu: Vdu, roster: Roster, count: int, named: Collection[str] = (), taken: Collection[str] = ()) -> Resized:
    """Grow into the lowest free slots; shrink by the slots in `named`, else from the highest down, pairs as a whole.

    `taken` are slots that VNFCs of other VDUs hold. Raises NoFreeSlotError when the VDU has slots but not enough.
    """
    if count <= len(roster.slots):
        ranked = sorted(units(vdu, roster), key=lambda unit: _rank(vdu, [roster.slots[i] for i in unit], named))
        keep = [index for unit in ranked for index in unit][:count]
        removed = {index: slot for index, slot in roster.slots.items() if index not in keep}
        return Resized(Roster({i: roster.slots[i] for i in sorted(keep)}, roster.next_index), {}, removed)
    free = [slot for slot in slot_names(vdu) if slot not in taken and slot not in roster.slots.values()]
    new = count - len(roster.slots)
    if new > len(free):
        left = "1 free slot is" if len(free) == 1 else f"{len(free) or 'no'} free slots are"
        later = " Slots that a request gives up are free once it is over." if taken else ""
        raise NoFreeSlotError(f"{vdu.name}: {new} more asked for, and {left} left.{later}")
    added = dict(enumerate(free[:new], roster.next_index))
    return Resized(Roster({**roster.slots, **added}, roster.next_index + new), added, {})


def _rank(vdu: Vdu, slots: Sequence[str], named: Collection[str]) -> tuple[bool, int, int]:
    """What is kept comes first; half a pair, as a failure may leave it, goes before whole ones."""
    return any(slot in named for slot in slots), -len(slots), _position(vdu, slots[0])


def units(vdu: Vdu, roster: Roster) -> list[tuple[int, ...]]:
    """The indexes that come and go together: each by itself, or where VNFCs are pairs, two and two.

    Pairs are made two at a time and removed as a whole, and Heat's indexes only rise: so in their order the first two
    are a pair, the next two, and so on, the working one before its protection, whatever their slots.
    """
    size = 2 if vdu.pairs_parameter else 1
    made = sorted(roster.slots)
    return [tuple(made[first : first + size]) for first in range(0, len(made), size)]


def pairs(vdu: Vdu, slots: Mapping[int, str]) -> dict[str, dict[str, str]]:
    """Index to role and the slot of the mate, as the HOT of a VDU with pairs is told; "" for one whose mate is lost."""
    told: dict[str, dict[str, str]] = {}
    for unit in units(vdu, Roster(slots)):
        first, second = unit[0], unit[1] if len(unit) > 1 else None
        told[str(first)] = {"role": "working", "mate": "" if second is None else slots[second]}
        if second is not None:
            told[str(second)] = {"role": "protect", "mate": slots[first]}
    return told


def mates(vnfd: Vnfd, rosters: Mapping[str, Roster]) -> dict[tuple[str, str], str]:
    """VDU and slot of every VNFC that has a mate, to the slot of that mate."""
    found: dict[tuple[str, str], str] = {}
    for vdu in vnfd.vdus:
        roster = rosters.get(vdu.id, Roster())
        for unit in units(vdu, roster):
            if len(unit) > 1:
                first, second = (roster.slots[index] for index in unit)
                found |= {(vdu.id, first): second, (vdu.id, second): first}
    return found


def halves(vdu: Vdu, roster: Roster, named: Collection[str]) -> list[tuple[str, str]]:
    """The slots among `named` whose mate is not, each with that mate's slot."""
    whole = [[roster.slots[index] for index in unit] for unit in units(vdu, roster)]
    return [(slot, mate) for unit in whole for slot in unit for mate in unit if slot in named and mate not in named]


def slot_names(vdu: Vdu) -> Iterable[str]:
    return vdu.slots or (str(number) for number in range(1, vdu.maximum + 1))


def _position(vdu: Vdu, slot: str) -> int:
    return list(slot_names(vdu)).index(slot)


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


def short_of_slots(vnfd: Vnfd, rosters: Mapping[str, Roster], wanted: Mapping[str, int]) -> list[FieldError]:
    """Whether VDUs that share slots find enough of them free."""
    try:
        resize_all(vnfd, rosters, wanted, {})
    except NoFreeSlotError as error:
        return [FieldError("", str(error))]
    return []


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
