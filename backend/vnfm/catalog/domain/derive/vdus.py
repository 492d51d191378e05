"""Derives VDUs, scaling aspects and software images from servers and groups of servers."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from hot.conditions import evaluate, parameters_of
from vnfm.catalog.domain.derive.boot import (
    FLAVOR,
    Origin,
    Volume,
    flavor_origin,
    image_origin,
    number,
    volumes_of,
)
from vnfm.catalog.domain.derive.naming import humanize, identifier
from vnfm.catalog.domain.derive.networks import LinkCollector
from vnfm.catalog.domain.derive.placements import Placement, Scope, Value
from vnfm.catalog.domain.documents import Path
from vnfm.catalog.domain.findings import Finding, Severity
from vnfm.catalog.domain.hot.template import Parameter

Json = dict[str, Any]
UNBOUNDED = 10
"""Maximum of a group that no constraint limits; a finding names it."""
_LIBERTY_FLAVORS: Mapping[str, Json] = {
    "m1.tiny": {"vcpus": 1, "memoryMib": 512, "diskGib": 1},
    "m1.small": {"vcpus": 1, "memoryMib": 2048, "diskGib": 20},
    "m1.medium": {"vcpus": 2, "memoryMib": 4096, "diskGib": 40},
    "m1.large": {"vcpus": 4, "memoryMib": 8192, "diskGib": 80},
    "m1.xlarge": {"vcpus": 8, "memoryMib": 16384, "diskGib": 160},
}
"""The flavors that Nova created by default up to Liberty (nova/db/sqlalchemy/migrate_repo, 216_havana.py)."""
_LEAST: Json = {"vcpus": 1, "memoryMib": 512, "diskGib": 1}


_OUTCOMES: Mapping[bool | None, str] = {
    True: "by default it is there",
    False: "by default there is none",
    None: "the defaults do not decide it",
}


@dataclass(slots=True)
class Vdus:
    """Turns placements into VDUs, aspects and software images."""

    parameters: Mapping[str, Parameter]
    """The root's, with the environment's values."""
    networks: LinkCollector
    findings: list[Finding]
    root: Scope
    sizes: dict[str, tuple[Json, Json | None]] = field(default_factory=dict)
    """Group to its minimum and maximum, and its aspect without VDUs."""

    def derive(self, found: list[Placement]) -> tuple[list[Json], list[Json], list[Json]]:
        """VDUs, scaling aspects, software images."""
        vdus: list[Json] = []
        aspects: dict[str, Json] = {}
        images: dict[str, Json] = {}
        for name, same in _named(list(_alike(found))):
            first = same[0]
            volumes = volumes_of(first, self.parameters)
            flavor, image = flavor_origin(first), image_origin(first, volumes)
            vdu_id = identifier(name, [vdu["id"] for vdu in vdus])
            vdu = {
                "id": vdu_id,
                "name": humanize(name),
                "description": f"Server {first.server.name} of {first.scope.template.path}.",
                **self._image(first, image, images),
                **self._flavor(first, flavor),
                "needs": self._needs(first, flavor),
                **_storage(volumes),
            }
            if first.group:
                count, aspect = self._size(first.group)
                if aspect is not None:
                    _scale_by(aspects, aspect, first, vdu_id)
                vdu |= {**count, "group": first.group, **({"server": first.within} if first.within else {})}
            else:
                vdu |= {"minimum": len(same), "maximum": len(same), "members": [one.member for one in same]}
            if first.condition is not None:
                vdu["condition"] = first.condition
                self._report_condition(first, vdu)
            vdus.append({**vdu, "connectionPoints": self.networks.connection_points(vdu_id, first)})
        return vdus, list(aspects.values()), list(images.values())

    def _report_condition(self, placement: Placement, vdu: Json) -> None:
        names = sorted(parameters_of(placement.condition))
        defaults = {name: self.parameters[name].default for name in names if name in self.parameters}
        values = ", ".join(f"{name}: {'no default' if v is None else v}" for name, v in defaults.items())
        by = f"depends on {', '.join(names)}" if names else "Heat alone evaluates"
        by += f" ({values})" if values else ""
        outcome = _OUTCOMES[evaluate(placement.condition, defaults)]
        message = (
            f"{vdu['name']} exists under a condition only, which {by}: {outcome}, and "
            "its minimum is 0. The plan evaluates the condition with the values of the request, and takes Heat's "
            "preview where it cannot."
        )
        self._report("note", "DERIVE_CONDITION", placement.scope, placement.server.where, message)

    def _flavor(self, placement: Placement, origin: Origin) -> Json:
        made = origin.scope.resource(origin.value)
        if made is None or made[0].type != FLAVOR:
            return self._choice(placement, "flavor", origin)
        message = (
            f"The stack creates the flavor of {placement.server.name}: none is chosen. Nova lets only administrators "
            "create flavors, unless the cloud's policy says otherwise."
        )
        self._report("warning", "DERIVE_FLAVOR_OWN", origin.scope, origin.where, message)
        return {"flavorResource": "/".join((*origin.value.path, made[0].name))}

    def _image(self, placement: Placement, origin: Origin, images: dict[str, Json]) -> Json:
        choice = self._choice(placement, "image", origin)
        name = choice.get("imageParameter")
        if name is None:
            return choice
        images.setdefault(name, _software_image(name, [known["id"] for known in images.values()]))
        return {"softwareImage": images[name]["id"], **choice}

    def _choice(self, placement: Placement, what: str, origin: Origin) -> Json:
        """The parameter of the server's flavor or image, or what the template says instead."""
        value, name = origin.value, placement.server.name
        parameter = self.parameters.get(value.text) if value.kind == "parameter" else None
        if parameter is not None and parameter.type == "string":
            return {f"{what}Parameter": parameter.name}
        how = f"is {value.text}, written into the template" if value.kind == "literal" else "comes from no parameter"
        message = (
            f"The {what} of {name} {how}: the manager cannot choose it, and leaves it as it is. Write "
            f"{{get_param: {name}_{what}}} there, and declare that parameter with type string, to choose it at each "
            "instantiation."
        )
        self._report("note", f"DERIVE_{what.upper()}_FIXED", origin.scope, origin.where, message)
        return {f"fixed{what.capitalize()}": value.text} if value.kind == "literal" else {}

    def _needs(self, placement: Placement, origin: Origin) -> Json:
        made = origin.scope.resource(origin.value)
        if made is not None and made[0].type == FLAVOR:
            sizes = [number(made[1], made[0].properties.get(key), self.parameters) for key in ("vcpus", "ram", "disk")]
            if sizes[0] and sizes[1]:
                return {"vcpus": sizes[0], "memoryMib": sizes[1], "diskGib": sizes[2] or 0}
        value = origin.value
        known = self.parameters.get(value.text) if value.kind == "parameter" else None
        return self._needs_by_name(placement, str(known.default or "") if known else value.text)

    def _needs_by_name(self, placement: Placement, flavor: str) -> Json:
        """Take the needs that Nova's own flavor of that name had; the least for other names."""
        needs, name = _LIBERTY_FLAVORS.get(flavor), placement.server.name
        if needs:
            message = (
                f"{name} needs what Nova's own flavor {flavor} had: {needs['vcpus']} vCPUs, {needs['memoryMib']} MiB."
            )
            self._report("note", "DERIVE_NEEDS", placement.scope, placement.server.where, message)
        else:
            message = (
                f"A HOT does not say what {name} needs, so the VNFD has 1 vCPU and {_LEAST['memoryMib']} MiB, and its "
                "flavor must be chosen. Write the real needs into vnfd.yaml, so that flavors can be checked and "
                "proposed."
            )
            self._report("warning", "DERIVE_NEEDS", placement.scope, placement.server.where, message)
        return dict(needs or _LEAST)

    def _size(self, group: str) -> tuple[Json, Json | None]:
        """As `_count`, which reports its findings once."""
        if group not in self.sizes:
            self.sizes[group] = self._count(group)
        return self.sizes[group]

    def _count(self, group: str) -> tuple[Json, Json | None]:
        """Minimum and maximum of the group, and its scaling aspect; None where it cannot be scaled."""
        properties = next(
            use.properties for use in self.root.template.resources_defined if use.name == group and not use.member
        )
        written = properties.get("count", 1)
        value = self.root.value(written)
        where = ("resources", group, "properties", "count")
        parameter = self.parameters.get(value.text) if value.kind == "parameter" else None
        if parameter is None or parameter.type != "number":
            number = int(value.text) if value.kind == "literal" and value.text.isdecimal() else 1
            message = (
                f"{group} cannot be scaled: its count comes from no parameter of type number. It always has {number} "
                "members."
            )
            self._report("warning", "DERIVE_COUNT_FIXED", self.root, where, message)
            return {"minimum": number, "maximum": number}, None
        low, high = self._bounds(group, parameter, where)
        removals = self._removals(group, properties)
        aspect = {
            "name": humanize(group),
            "description": parameter.description or f"Members of {group}.",
            "maxScaleLevel": high - low,
            "step": 1,
            "countParameter": parameter.name,
            **({"removalsParameter": removals} if removals else {}),
        }
        return {"minimum": low, "maximum": high}, aspect

    def _bounds(self, group: str, parameter: Parameter, where: Path) -> tuple[int, int]:
        default = parameter.default if isinstance(parameter.default, int) else 1
        spec: Mapping[str, Any] = next((rule.spec for rule in parameter.constraints if rule.kind == "range"), {})
        allowed = next((rule.spec for rule in parameter.constraints if rule.kind == "allowed_values"), ())
        numbers = [number for number in allowed if isinstance(number, int)]
        low, high = spec.get("min", min(numbers, default=None)), spec.get("max", max(numbers, default=None))
        if high is None:
            high = max(UNBOUNDED, default)
            message = (
                f"No constraint limits the members of {group}, so {high} is the maximum. Give {parameter.name} a range "
                "constraint, or correct maximum and maxScaleLevel in vnfd.yaml."
            )
            self._report("warning", "DERIVE_COUNT_UNBOUNDED", self.root, where, message)
        low = int(low if low is not None else min(1, default))
        return low, max(int(high), low)

    def _removals(self, group: str, properties: Mapping[str, Any]) -> str:
        """The parameter in `removal_policies: [{resource_list: …}]`, which selects the members to remove."""
        policies = properties.get("removal_policies")
        first = policies[0] if isinstance(policies, list) and policies else None
        value = self.root.value(first.get("resource_list")) if isinstance(first, Mapping) else Value("unknown")
        parameter = self.parameters.get(value.text) if value.kind == "parameter" else None
        if parameter is not None and parameter.type == "list" and parameter.default is not None:
            return parameter.name
        message = (
            f"{group} has no removal_policies from a parameter of type comma_delimited_list: a scale-in removes the "
            "newest members, and no others can be chosen."
        )
        self._report("note", "DERIVE_REMOVALS", self.root, ("resources", group), message)
        return ""

    def _report(self, severity: Severity, code: str, scope: Scope, where: Path, message: str) -> None:
        self.findings.append(Finding.of(severity, code, scope.template.document.fault(where, message)))


def _scale_by(aspects: dict[str, Json], aspect: Json, placement: Placement, vdu_id: str) -> None:
    """Add the VDU to the aspect of its group, which `aspects` has by the group."""
    known = aspects.get(placement.group)
    if known is None:
        taken = [each["id"] for each in aspects.values()]
        name = identifier(placement.group, taken) if placement.within else vdu_id
        aspects[placement.group] = {**aspect, "id": name, "vdu": vdu_id}
    else:
        keys = ("step", "countParameter", "removalsParameter")
        delta: Json = {"vdu": vdu_id, **{key: aspect[key] for key in keys if key in aspect}}
        known.setdefault("also", []).append(delta)


def _alike(found: list[Placement]) -> Iterator[list[Placement]]:
    """Groups servers into VDUs: those of one nested template with the same choices; servers of the root stay single."""
    kinds: dict[tuple[object, ...], list[Placement]] = {}
    for placement in found:
        scope, server = placement.scope, placement.server
        choices = tuple(scope.value(server.properties.get(what)) for what in ("flavor", "image"))
        own = f"{placement.group}/{placement.within}" if placement.group else "" if scope.path else server.name
        key = (scope.template.path, server.name, own, choices, repr(placement.condition))
        kinds.setdefault(key, []).append(placement)
    return iter(kinds.values())


def _named(kinds: list[list[Placement]]) -> Iterator[tuple[str, list[Placement]]]:
    """A name for each VDU: that of its group or server; of the nesting resource, where several servers share one."""
    names = Counter(_own_name(same[0]) for same in kinds)
    for same in kinds:
        first = same[0]
        name = _own_name(first)
        nesting = [step for step in first.scope.path if not step.isdecimal()]
        single = not first.group or first.within
        yield (nesting[-1] if names[name] > 1 and nesting and single else name), same


def _own_name(placement: Placement) -> str:
    return placement.server.name if placement.within else placement.group or placement.server.name


def _software_image(parameter: str, taken: list[str]) -> Json:
    return {
        "id": identifier(parameter, taken),
        "name": f"{humanize(parameter)} (placeholder)",
        "placeholder": True,
        "diskFormat": "qcow2",
        "containerFormat": "bare",
    }


def _storage(volumes: list[Volume]) -> Json:
    """The volumes of one component; empty when it has none."""
    return {"volumes": {"count": len(volumes), "gib": sum(volume.size for volume in volumes)}} if volumes else {}
