"""Flavours, scaling aspects and instantiation levels from SOL001, as far as the HOT supports them."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from vnfm.catalog.domain.csar.model import Aspect, DeploymentFlavour, Level
from vnfm.catalog.domain.csar.tosca import Entity
from vnfm.catalog.domain.derive.naming import identifier
from vnfm.catalog.domain.findings import Finding

Json = dict[str, Any]
_DELTA = ("vdu", "step", "countParameter", "slotsParameter", "removalsParameter")
"""An aspect has these keys for each of its VDUs."""


def _without_also(aspect: Json) -> Json:
    return {key: value for key, value in aspect.items() if key != "also"}


def _also(deltas: Sequence[Json]) -> Json:
    """Return the entry `also` for the VDUs after the aspect's first; empty when there are none."""
    also = [{key: delta[key] for key in _DELTA if key in delta} for delta in deltas]
    return {"also": also} if also else {}


class Sizes:
    def __init__(
        self,
        flavours: list[DeploymentFlavour],
        data: Json,
        pairs: Mapping[str, Json],
        findings: list[Finding],
    ) -> None:
        self.flavours, self.data, self.pairs, self.findings = flavours, data, pairs, findings
        self.derived: dict[str, Json] = {
            delta["vdu"]: {**_without_also(each), **delta}
            for each in data["flavours"][0].get("aspects", ())
            for delta in (_without_also(each), *each.get("also", ()))
        }
        """The keys are the ids of VDUs."""
        self.mates = {
            vdu["id"]: [each for each in data["vdus"] if each is not vdu and each.get("group") == vdu["group"]]
            for vdu in data["vdus"]
            if "group" in vdu
        }
        """Id of a VDU to those whose components are in the same members of its group."""
        self.guessed = {f.pointer for f in findings if f.code == "DERIVE_COUNT_UNBOUNDED"}

    def map(self) -> None:
        made = self.data["flavours"][0]
        taken: list[str] = []
        self.data["flavours"] = []
        for flavour in self.flavours:
            self._counts(flavour, first=not self.data["flavours"])
            aspects = self._aspects(flavour)
            levels, default = self._levels(flavour, aspects, made)
            flavour_id = identifier(flavour.id, taken)
            taken.append(flavour_id)
            needs = self._needs(flavour)
            entry = {
                "id": flavour_id,
                "description": (flavour.description or made["description"])[:2000],
                **({"needs": needs} if needs else {}),
                "defaultLevel": default,
                "levels": levels,
                **({"aspects": list(aspects.values())} if aspects else {}),
            }
            self.data["flavours"].append(entry)

    def _counts(self, flavour: DeploymentFlavour, *, first: bool) -> None:
        """Minimum (level 0) and maximum of each VDU."""
        for name, vdu in self.pairs.items():
            compute = flavour.vdus.get(name)
            if compute is None:
                continue
            low, high = flavour.initial.get(name, compute.minimum), compute.maximum
            if "group" not in vdu:
                self._same(compute.part, low, vdu, "the HOT always creates")
            elif first:
                self._limit(compute.part, vdu, vdu["minimum"] if low is None else low, high)
            else:
                self._same(compute.part, low, vdu, "in every flavour there are at least")

    def _same(self, part: Entity, low: int | None, vdu: Json, instead: str) -> None:
        if low is not None and low != vdu["minimum"]:
            self._report(part, f"SOL001 starts with {low} of {part.name}, but {instead} {vdu['minimum']}.")

    def _limit(self, part: Entity, vdu: Json, low: int, high: int | None) -> None:
        """SOL001's bounds within those of the HOT, unless the HOT's were guessed."""
        pointer = f"/resources/{vdu['group']}/properties/count"
        wanted = vdu["maximum"] if high is None else high
        least, most = max(low, vdu["minimum"]), min(wanted, vdu["maximum"])
        if pointer in self.guessed and high is not None:
            self.findings[:] = [f for f in self.findings if f.code != "DERIVE_COUNT_UNBOUNDED" or f.pointer != pointer]
            least, most = low, high
        if (least, most) != (low, wanted) or least > most:
            message = (
                f"SOL001 allows {low} to {wanted} of {part.name}, the HOT's own constraint {vdu['minimum']} to "
                f"{vdu['maximum']}: the narrower bounds hold."
            )
            self._report(part, message)
        for each in (vdu, *self.mates[vdu["id"]]):
            each["minimum"], each["maximum"] = min(least, most), most
            if each["id"] in self.derived:
                self.derived[each["id"]]["maxScaleLevel"] = each["maximum"] - each["minimum"]

    def _aspects(self, flavour: DeploymentFlavour) -> dict[str, Json]:
        """SOL001's id of an aspect to the aspect. Groups that SOL001 does not scale keep their derived aspect."""
        found: dict[str, Json] = {}
        scaled: set[str] = set()
        for aspect in flavour.aspects.values():
            mapped = self._aspect(flavour, aspect, scaled)
            if mapped is not None:
                found[aspect.id] = mapped | {"id": identifier(aspect.id, [each["id"] for each in found.values()])}
        for vdu_id, derived in self.derived.items():
            if vdu_id not in scaled:
                taken = [each["id"] for each in found.values()]
                deltas = [self.derived[each["id"]] for each in self.mates[vdu_id]]
                scaled.update(delta["vdu"] for delta in deltas)
                name = {"id": identifier(derived["id"] if deltas else vdu_id, taken)}
                found[f"{vdu_id} of the HOT"] = derived | name | _also(deltas)
        return found

    def _aspect(self, flavour: DeploymentFlavour, aspect: Aspect, scaled: set[str]) -> Json | None:
        targets = [vdu for (name, vdu) in flavour.steps if name == aspect.id]
        usable = [name for name in targets if name in self.pairs and self.pairs[name]["id"] in self.derived]
        usable = [name for name in usable if self.pairs[name]["id"] not in scaled]
        for name in targets:
            if name not in usable:
                why = f"{name} is no group of the HOT whose count comes from a parameter, or is scaled already"
                self._report(aspect.part, f"Scaling aspect {aspect.id} does not scale {name}: {why}.")
        if not usable:
            self._report(aspect.part, f"Scaling aspect {aspect.id} is left out: it scales nothing.")
            return None
        steps = self._steps(flavour, aspect, usable)
        most = self._highest(aspect, steps)
        deltas = {self.pairs[name]["id"]: step for name, step in steps.items()}
        for vdu_id, step in list(deltas.items()):
            deltas |= {mate["id"]: step for mate in self.mates[vdu_id]}
        scaled.update(deltas)
        first, *others = (self.derived[vdu_id] | {"step": step} for vdu_id, step in deltas.items())
        return first | {
            "name": aspect.name[:100],
            "description": (aspect.description or aspect.name)[:2000],
            "maxScaleLevel": most,
            **_also(others),
        }

    def _steps(self, flavour: DeploymentFlavour, aspect: Aspect, names: Sequence[str]) -> dict[str, int]:
        """VNFCs of each VDU in each step; of VDUs in the same members of a group those of the first."""
        steps: dict[str, int] = {}
        for name in names:
            mates = [each["id"] for each in self.mates[self.pairs[name]["id"]]]
            first = next((other for other in steps if self.pairs[other]["id"] in mates), name)
            own = self._step(flavour, aspect, name)
            steps[name] = steps.get(first, own)
            if steps[name] != own:
                message = (
                    f"{first} and {name} are in the same members of a group, but {aspect.id} adds {steps[name]} of one "
                    f"and {own} of the other: each step has {steps[name]} of both."
                )
                self._report(aspect.part, message)
        return steps

    def _step(self, flavour: DeploymentFlavour, aspect: Aspect, name: str) -> int:
        """VNFCs of the VDU in each step."""
        steps = flavour.steps[aspect.id, name] or [1]
        if len(set(steps)) > 1:
            self._report(aspect.part, f"Steps of {aspect.id} differ ({steps}): each step has {steps[0]} VNFCs.")
        return max(steps[0], 1)

    def _highest(self, aspect: Aspect, steps: Mapping[str, int]) -> int:
        """The level for which all VDUs have room."""
        rooms: dict[str, int] = {}
        for name, step in steps.items():
            vdu = self.pairs[name]
            rooms[name] = (vdu["maximum"] - vdu["minimum"]) // step
        least = min(rooms, key=lambda name: rooms[name])
        most = rooms[least] if aspect.max_level is None else aspect.max_level
        if most > rooms[least]:
            self._report(aspect.part, f"{aspect.id} has {most} steps, but {least} has room for {rooms[least]}.")
        return min(most, rooms[least])

    def _levels(self, flavour: DeploymentFlavour, aspects: Mapping[str, Json], made: Json) -> tuple[list[Json], str]:
        if not flavour.levels:
            bounds = {each["id"]: each["maxScaleLevel"] for each in aspects.values()}
            before = made["levels"][0]
            scale = {name: min(before["scale"].get(name, 0), most) for name, most in bounds.items()}
            return [before | {"scale": scale}], made["defaultLevel"]
        found: list[Json] = []
        names: dict[str, str] = {}
        for level in flavour.levels:
            names[level.id] = identifier(level.id, [each["id"] for each in found])
            scale = {each["id"]: self._scale(flavour, level, name, each) for name, each in aspects.items()}
            found.append({"id": names[level.id], "description": (level.description or level.id)[:2000], "scale": scale})
        return found, str(names.get(flavour.default_level, found[0]["id"]))

    def _scale(self, flavour: DeploymentFlavour, level: Level, name: str, aspect: Json) -> int:
        """From scale_info; else from the level's number of instances of the first VDU that has one."""
        found = dict(self._by_number(flavour, level, aspect))
        step_number = level.scale.get(name, next(iter(found.values()), None))
        if step_number is None:
            return 0
        for sol, number in found.items():
            if number != step_number:
                message = (
                    f"Level {level.id} has step {step_number} of {name} and {flavour.counts[level.id, sol]} of {sol}, "
                    "which contradict each other."
                )
                self._report(level.part, message)
        if not 0 <= step_number <= aspect["maxScaleLevel"]:
            most = aspect["maxScaleLevel"]
            self._report(
                level.part,
                f"Level {level.id} has step {step_number} of {name}, whose maximum is {most}: it is reduced.",
            )
        return min(max(int(step_number), 0), int(aspect["maxScaleLevel"]))

    def _by_number(
        self, flavour: DeploymentFlavour, level: Level, aspect: Json
    ) -> Iterator[tuple[str, int | Fraction]]:
        """The step of each VDU of the aspect by its number of instances at the level; a broken number fits no step."""
        for delta in (aspect, *aspect.get("also", ())):
            sol, vdu = next(((n, vdu) for n, vdu in self.pairs.items() if vdu["id"] == delta["vdu"]), ("", {}))
            number = flavour.counts.get((level.id, sol))
            if number is not None:
                step = Fraction(number - vdu["minimum"], delta["step"])
                yield sol, int(step) if step.denominator == 1 else step

    def _needs(self, flavour: DeploymentFlavour) -> Json:
        """Needs in this flavour, where they differ from the VDU's own."""
        needs_of_vdus = {name: each.needs for name, each in flavour.vdus.items() if each.needs and name in self.pairs}
        own = {name: self.pairs[name] for name in needs_of_vdus}
        return {own[name]["id"]: dict(needs) for name, needs in needs_of_vdus.items() if needs != own[name]["needs"]}

    def _report(self, part: Entity, message: str) -> None:
        self.findings.append(part.finding("warning", "SOL001_SIZE", message))
