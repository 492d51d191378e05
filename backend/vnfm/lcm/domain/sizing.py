"""Numbers of VNFCs and their slots: pure arithmetic on flavours, aspects, levels, group indexes and slots.

Heat's ResourceGroup never reuses the index of a removed member; a router's slot is reused at once. So every
grouped VDU has a roster: the slot of each index, and the index that Heat will assign next.
Groups whose lists of slots overlap share a chassis: a slot that one uses is not free for the other.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from vnfm.catalog.domain.conditional_vdus import undecided, with_absent, with_values
from vnfm.catalog.domain.vnfd import Flavour, ScalingAspect, Vdu, Vnfd
from vnfm.kit.problem import FieldError


@dataclass(frozen=True, slots=True)
class Roster:
    """The members of one ResourceGroup."""

    slots: Mapping[int, str] = field(default_factory=dict)
    """Group index → slot."""
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


def rosters_from_json(stored: Mapping[str, Mapping[str, object]]) -> dict[str, Roster]:
    """VDU id → roster, from the JSON stored with an instance or a plan."""
    return {vdu_id: Roster.from_json(data) for vdu_id, data in stored.items()}


@dataclass(frozen=True, slots=True)
class RosterChange:
    """A roster after a change, with the members that it adds and removes (index → slot)."""

    roster: Roster
    added: Mapping[int, str]
    removed: Mapping[int, str]


def reuse_indexes(roster: Roster) -> Roster:
    """The roster of a group without removal policies: Heat removes the last members, and reuses their indexes."""
    return Roster(roster.slots, max(roster.slots, default=-1) + 1)


def last_slots(roster: Roster, count: int) -> list[str]:
    """The slots that such a group loses when it shrinks to `count`: slots need not be in the order of indexes."""
    return [roster.slots[index] for index in sorted(roster.slots)[count:]]


class NoFreeSlotError(ValueError):
    """A VDU has too few free slots; the message is for the user."""


def resize_all(
    vnfd: Vnfd, rosters: Mapping[str, Roster], numbers: Mapping[str, int], remove: Mapping[str, Collection[str]]
) -> dict[str, RosterChange]:
    """The rosters after a change to these numbers of VNFCs; slots in `remove` go first. Raises NoFreeSlotError.

    VDUs get slots in the order of the VNFD. A slot that one VDU frees can be used by the next change, not by this one:
    two VMs would be in one slot while Heat creates one and removes the other, and again in a rollback.
    """
    used = {vdu.id: set(rosters.get(vdu.id, Roster()).slots.values()) for vdu in vnfd.vdus}
    changes: dict[str, RosterChange] = {}
    for vdu in vnfd.vdus:
        together = [each.id for each in vnfd.of_group(vdu)]
        if together[0] in changes:
            changes[vdu.id] = changes[together[0]]
            continue
        taken = {slot for other in vnfd.vdus if share_slots(vdu, other) for slot in used[other.id]}
        gone = {slot for each in together for slot in remove.get(each, ())}
        roster = _whole(rosters.get(each, Roster()) for each in together)
        change = resize(vdu, roster, numbers[vdu.id], gone, taken)
        used[vdu.id] |= set(change.roster.slots.values())
        changes[vdu.id] = change
    return changes


def _whole(rosters: Iterable[Roster]) -> Roster:
    """One roster of VDUs whose VNFCs are in the same members of a group, one of which may lack some."""
    slots: dict[int, str] = {}
    following = 0
    for roster in rosters:
        slots |= roster.slots
        following = max(following, roster.next_index)
    return Roster(dict(sorted(slots.items())), following)


def share_slots(vdu: Vdu, other: Vdu) -> bool:
    """True if both are groups of their own with a list of slots: a slot that one uses is not free for the other."""
    return vdu.hot_group != other.hot_group and all(one.hot_group and one.slots for one in (vdu, other))


def resize(
    vdu: Vdu, roster: Roster, count: int, remove: Collection[str] = (), occupied: Collection[str] = ()
) -> RosterChange:
    """Grow into the lowest free slots; shrink by the slots in `remove`, else from the highest down, pairs as a whole.

    `occupied` are slots that VNFCs of other VDUs use. Raises NoFreeSlotError when too few slots are free.
    """
    if count <= len(roster.slots):
        ranked = sorted(units(vdu, roster), key=lambda unit: _rank(vdu, [roster.slots[i] for i in unit], remove))
        keep = [index for unit in ranked for index in unit][:count]
        removed = {index: slot for index, slot in roster.slots.items() if index not in keep}
        return RosterChange(Roster({i: roster.slots[i] for i in sorted(keep)}, roster.next_index), {}, removed)
    free = [slot for slot in slot_names(vdu) if slot not in occupied and slot not in roster.slots.values()]
    new = count - len(roster.slots)
    if new > len(free):
        left = "1 free slot is" if len(free) == 1 else f"{len(free) or 'no'} free slots are"
        later = " Slots that a request gives up are free once it is over." if occupied else ""
        raise NoFreeSlotError(f"{vdu.name}: {new} more asked for, and {left} left.{later}")
    added = dict(enumerate(free[:new], roster.next_index))
    return RosterChange(Roster({**roster.slots, **added}, roster.next_index + new), added, {})


def _rank(vdu: Vdu, slots: Sequence[str], remove: Collection[str]) -> tuple[bool, int, int]:
    """Sort key, kept members first; half a pair, which a failure may leave, is removed before whole ones."""
    return any(slot in remove for slot in slots), -len(slots), _position(vdu, slots[0])


def units(vdu: Vdu, roster: Roster) -> list[tuple[int, ...]]:
    """The indexes that are added and removed together: each by itself, or two by two where VNFCs are pairs.

    Pairs are created two at a time and removed as a whole, and Heat's indexes only rise: so in their order the first
    two are a pair, the next two, and so on, the working one before its protection, whatever their slots.
    """
    size = 2 if vdu.pairs_parameter else 1
    indexes = sorted(roster.slots)
    return [tuple(indexes[first : first + size]) for first in range(0, len(indexes), size)]


def pairs(
    vdu: Vdu, slots: Mapping[int, str], before: Mapping[str, Mapping[str, Any]] | None = None
) -> dict[str, dict[str, str]]:
    """Index → role, slot of the mate ("" when it is lost) and number of the pair: the value of `Vdu.pairs_parameter`.

    A VNFC keeps the number that it has in `before`, the value of the stack: its server was placed by it. A new one
    gets that of its mate, else the lowest free one.
    """
    before = before or {}
    numbers = {index: kept for index in slots if (kept := str(before.get(str(index), {}).get("pair") or ""))}
    roles: dict[str, dict[str, str]] = {}
    for unit in units(vdu, Roster(slots)):
        first, second = unit[0], unit[1] if len(unit) > 1 else None
        own = next((numbers[index] for index in unit if index in numbers), "") or _lowest_free(numbers.values())
        for index in unit:
            numbers.setdefault(index, own)
        mate = "" if second is None else slots[second]
        roles[str(first)] = {"role": "working", "mate": mate, "pair": numbers[first]}
        if second is not None:
            roles[str(second)] = {"role": "protect", "mate": slots[first], "pair": numbers[second]}
    return roles


def _lowest_free(used: Collection[str]) -> str:
    return next(text for number in count(1) if (text := str(number)) not in used)


def pair_numbers(vdu_id: str, value: Mapping[str, Mapping[str, Any]]) -> set[tuple[str, str]]:
    """VDU and number of each pair in a value of `Vdu.pairs_parameter`."""
    return {(vdu_id, str(own["pair"])) for own in value.values() if own.get("pair")}


def mates(vnfd: Vnfd, rosters: Mapping[str, Roster]) -> dict[tuple[str, str], str]:
    """(VDU id, slot) of every VNFC that has a mate → the mate's slot."""
    found: dict[tuple[str, str], str] = {}
    for vdu in vnfd.vdus:
        roster = rosters.get(vdu.id, Roster())
        for unit in units(vdu, roster):
            if len(unit) > 1:
                first, second = (roster.slots[index] for index in unit)
                found |= {(vdu.id, first): second, (vdu.id, second): first}
    return found


def pair_roles(vnfd: Vnfd, rosters: Mapping[str, Roster]) -> dict[tuple[str, str], str]:
    """(VDU id, slot) of every VNFC of a VDU in pairs → working or protect, as it was created."""
    found: dict[tuple[str, str], str] = {}
    for vdu in vnfd.vdus:
        roster = rosters.get(vdu.id, Roster())
        if vdu.in_pairs:
            found |= {
                (vdu.id, roster.slots[int(index)]): own["role"] for index, own in pairs(vdu, roster.slots).items()
            }
    return found


def split_pairs(vdu: Vdu, roster: Roster, slots: Collection[str]) -> list[tuple[str, str]]:
    """Return those of `slots` whose mate is not among them, each with the mate's slot."""
    whole = [[roster.slots[index] for index in unit] for unit in units(vdu, roster)]
    return [(slot, mate) for unit in whole for slot in unit for mate in unit if slot in slots and mate not in slots]


def slot_names(vdu: Vdu) -> Iterable[str]:
    return vdu.slots or (str(number) for number in range(1, vdu.maximum + 1))


def _position(vdu: Vdu, slot: str) -> int:
    return list(slot_names(vdu)).index(slot)


def vdu_count(vdu: Vdu, flavour: Flavour, levels: Mapping[str, int]) -> int:
    """Number of VNFCs of `vdu` at these scale levels: the minimum plus the steps of its aspects; 0 where the condition
    under which it exists does not hold.
    """
    return 0 if vdu.absent else vdu.minimum + flavour.steps(vdu.id, levels)


def deployed(vnfd: Vnfd, settings: Mapping[str, Any], flavour: Flavour, rosters: Mapping[str, Roster]) -> Vnfd:
    """The VNFD with those VDUs absent that do not exist with these settings, defaults included.

    What the settings do not decide is as in the stack of `rosters`; in a new one it is taken to exist.
    """
    open_questions = undecided(vnfd, settings, flavour) if rosters else set()
    missing = {vdu_id for vdu_id in open_questions if not rosters.get(vdu_id, Roster()).slots}
    return with_absent(with_values(vnfd, settings, flavour), missing)


def vnfc_counts(vnfd: Vnfd, flavour: Flavour, levels: Mapping[str, int]) -> dict[str, int]:
    return {vdu.id: vdu_count(vdu, flavour, levels) for vdu in vnfd.vdus}


def over_limits(vnfd: Vnfd, numbers: Mapping[str, int]) -> list[FieldError]:
    """The VNFD's limits that these numbers of VNFCs break, each as a sentence with the sum."""
    sums = [
        (limit, sum(numbers.get(vdu, 0) * weight for vdu, weight in limit.weights.items())) for limit in vnfd.limits
    ]
    return [
        FieldError("", f"{limit.message} It would be {total}, and {limit.maximum} is the most.")
        for limit, total in sums
        if total > limit.maximum
    ]


def slot_shortages(vnfd: Vnfd, rosters: Mapping[str, Roster], numbers: Mapping[str, int]) -> list[FieldError]:
    """The error when VDUs that share slots have too few free ones."""
    try:
        resize_all(vnfd, rosters, numbers, {})
    except NoFreeSlotError as error:
        return [FieldError("", str(error))]
    return []


def check_level(aspect: ScalingAspect, level: int, pointer: str) -> list[FieldError]:
    """The error when `level` is out of the aspect's range (SOL003 5.5.3.2 ScaleInfo)."""
    if 0 <= level <= aspect.max_scale_level:
        return []
    return [
        FieldError(pointer, f"{aspect.name} can be scaled from level 0 to {aspect.max_scale_level}, not to {level}.")
    ]


def scaled_level(current: Mapping[str, int], aspect: ScalingAspect, *, out: bool, steps: int) -> int:
    """The level after a ScaleVnfRequest; it may be out of range, see `check_level`."""
    return current.get(aspect.id, 0) + (steps if out else -steps)
