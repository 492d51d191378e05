"""Checks vnfd.yaml against itself and its HOT: every name must exist and have the right type."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from vnfm.catalog.domain.documents import Document, Path
from vnfm.catalog.domain.errors import PackageFault
from vnfm.catalog.domain.hot.template import Template, used_types
from vnfm.catalog.domain.reader import read_settings
from vnfm.catalog.domain.settings import setting_error

Json = Mapping[str, Any]
GROUP_TYPE = "OS::Heat::ResourceGroup"
ONE_BY_ONE = ("imagesParameter", "flavorsParameter")
"""Keys of a VDU: HOT parameters by which its components change one after the other."""


class DescriptorChecks:
    """Checks one descriptor against its templates; `faults()` yields every fault."""

    def __init__(self, document: Document, root: Template, templates: Mapping[str, Template], registry: Json) -> None:
        self.document = document
        self.data: Json = document.data
        self.root = root
        self.templates = templates
        self.types = {kind for template in templates.values() for _, kind in used_types(template)} | set(registry)
        self.resources = {name for template in templates.values() for name in template.resource_types}

    def faults(self) -> Iterator[PackageFault]:
        for kind in ("softwareImages", "vdus", "virtualLinks", "flavours"):
            yield from self._unique((kind,), self.data[kind])
        yield from self._unique(("indicators",), self.data.get("indicators", ()))
        for index, vdu in enumerate(self.data["vdus"]):
            yield from self._vdu(("vdus", index), vdu)
        for index, link in enumerate(self.data["virtualLinks"]):
            yield from self._virtual_link(("virtualLinks", index), link)
        for index, variant in enumerate(self.data.get("variants", ())):
            yield from self._variant(("variants", index), variant)
        for index, flavour in enumerate(self.data["flavours"]):
            yield from self._flavour(("flavours", index), flavour)
        for index, limit in enumerate(self.data.get("limits", ())):
            yield from self._limit(("limits", index), limit)
        for index, chain in enumerate(self.data.get("chains", ())):
            yield from self._chain(("chains", index), chain)
        yield from self._one_by_one()
        yield from self._upgrade_order()
        for key, name in self.data.get("instanceParameters", {}).items():
            yield from self._parameter(("instanceParameters", key), name, "string")
        for name in self.data.get("fixedParameters", {}):
            yield from self._parameter(("fixedParameters", name), name)
        yield from self._settings()
        yield from self._address_plans()
        yield from self._unset_parameters()

    def _fault(self, where: Path, message: str) -> PackageFault:
        return self.document.fault(where, message)

    def _unique(self, where: Path, items: Iterable[Json], key: str = "id") -> Iterator[PackageFault]:
        used: set[str] = set()
        for index, item in enumerate(items):
            if item[key] in used:
                yield self._fault((*where, index, key), f"{item[key]!r} is used twice.")
            used.add(item[key])

    def _check_known(self, where: Path, name: str, known: Iterable[str], what: str) -> Iterator[PackageFault]:
        names = sorted(known)
        if name not in names:
            yield self._fault(where, f"There is no {what} {name!r}; there are {', '.join(names) or 'none'}.")

    def _parameter(self, where: Path, name: str, kind: str = "") -> Iterator[PackageFault]:
        parameter = self.root.parameters.get(name)
        if parameter is None:
            yield self._fault(where, f"{self.root.document.path} has no parameter {name!r}.")
        elif kind and parameter.type != kind:
            yield self._fault(
                where, f"Parameter {name} of {self.root.document.path} must be a {kind}, not a {parameter.type}."
            )

    def _manager_parameter(self, where: Path, name: str, kind: str = "") -> Iterator[PackageFault]:
        """A parameter that the manager sets itself."""
        yield from self._parameter(where, name, kind)
        if name in self._setting_names():
            yield self._fault(where, f"{name} is a setting, which the operator chooses.")

    def _setting(self, where: Path, name: str) -> Iterator[PackageFault]:
        yield from self._check_known(where, name, self._setting_names(), "setting")

    def _setting_names(self) -> list[str]:
        return [setting["name"] for group in self.data["settings"] for setting in group["settings"]]

    def _vdu(self, where: Path, vdu: Json) -> Iterator[PackageFault]:
        yield from self._image_and_flavor(where, vdu)
        for key in ONE_BY_ONE:
            if key in vdu:
                yield from self._manager_parameter((*where, key), vdu[key], "json")
        yield from self._pairs(where, vdu)
        if "antiAffinity" in vdu:
            yield from self._setting((*where, "antiAffinity"), vdu["antiAffinity"])
            yield from self._parameter((*where, "antiAffinity"), vdu["antiAffinity"], "boolean")
        if vdu["minimum"] > vdu["maximum"]:
            yield self._fault((*where, "minimum"), "minimum is greater than maximum.")
        if vdu.get("slots") and len(vdu["slots"]) < vdu["maximum"]:
            yield self._fault(
                (*where, "slots"), f"{vdu['maximum']} components do not fit into {len(vdu['slots'])} slots."
            )
        if "group" in vdu:
            if self.root.resource_types.get(vdu["group"]) != GROUP_TYPE:
                yield self._fault((*where, "group"), f"{self.root.document.path} has no {GROUP_TYPE} {vdu['group']!r}.")
            yield from self._group_mates(where, vdu)
        else:
            yield from self._members(where, vdu)
        yield from self._unique((*where, "connectionPoints"), vdu["connectionPoints"])
        for index, cp in enumerate(vdu["connectionPoints"]):
            yield from self._connection_point((*where, "connectionPoints", index), cp, vdu.get("members", ()))

    def _group_mates(self, where: Path, vdu: Json) -> Iterator[PackageFault]:
        """VDUs in the same members of a group: each has a server of its own, and all are scaled as one."""
        if "server" in vdu and vdu["server"].split("/")[-1] not in self.resources:
            yield self._fault((*where, "server"), f"No template has a resource {vdu['server']!r}.")
        mates = [other for other in self.data["vdus"] if other.get("group") == vdu["group"]]
        first, before = mates[0], mates[: mates.index(vdu)]
        if first is vdu:
            return
        servers = [other.get("server") for other in before]
        if not vdu.get("server") or vdu["server"] in servers or not first.get("server"):
            message = f"{first['name']} has the same group: say which server of its members each VDU is."
            yield self._fault((*where, "server" if "server" in vdu else "group"), message)
        for key in ("minimum", "maximum"):
            if vdu[key] != first[key]:
                message = f"{first['name']}, in the same members of {vdu['group']}, has {first[key]}."
                yield self._fault((*where, key), message)
        for i, flavour in enumerate(self.data["flavours"]):
            scales = [{d["vdu"]: _without_vdu(d) for d in (a, *a.get("also", ()))} for a in flavour.get("aspects", ())]
            if any(scale.get(vdu["id"]) != scale.get(first["id"]) for scale in scales):
                message = f"{vdu['id']} and {first['id']} are in the same members: one aspect scales both alike."
                yield self._fault(("flavours", i, "aspects"), message)

    def _image_and_flavor(self, where: Path, vdu: Json) -> Iterator[PackageFault]:
        images = [image["id"] for image in self.data["softwareImages"]]
        if "softwareImage" in vdu:
            yield from self._check_known((*where, "softwareImage"), vdu["softwareImage"], images, "software image")
        for key in ("imageParameter", "flavorParameter"):
            if key in vdu:
                yield from self._parameter((*where, key), vdu[key], "string")
                yield from self._setting((*where, key), vdu[key])

    def _pairs(self, where: Path, vdu: Json) -> Iterator[PackageFault]:
        """Every VNFC must have a mate, at all levels."""
        if "pairsParameter" not in vdu:
            return
        yield from self._manager_parameter((*where, "pairsParameter"), vdu["pairsParameter"], "json")
        for key in ("minimum", "maximum"):
            if vdu[key] % 2:
                yield self._fault((*where, key), f"{vdu[key]} components cannot form pairs.")
        for i, flavour in enumerate(self.data["flavours"]):
            for here, delta in _deltas(flavour):
                if delta["vdu"] == vdu["id"] and delta["step"] % 2:
                    message = f"{vdu['name']} comes in pairs: a step must be an even number."
                    yield self._fault(("flavours", i, *here, "step"), message)

    def _members(self, where: Path, vdu: Json) -> Iterator[PackageFault]:
        for index, member in enumerate(vdu["members"]):
            yield from self._check_known(
                (*where, "members", index), member.split("/")[0], self.root.resource_types, "resource"
            )
        if not vdu["minimum"] == vdu["maximum"] == len(vdu["members"]):
            yield self._fault((*where, "members"), "minimum and maximum must be the number of members.")

    def _connection_point(self, where: Path, cp: Json, members: Iterable[str]) -> Iterator[PackageFault]:
        links = [link["id"] for link in self.data["virtualLinks"]]
        yield from self._check_known((*where, "virtualLink"), cp["virtualLink"], links, "virtual link")
        for name in {cp["port"].replace("{member}", member) for member in members} or {cp["port"]}:
            if name not in self.resources:
                yield self._fault((*where, "port"), f"No template has a resource {name!r}.")

    def _virtual_link(self, where: Path, link: Json) -> Iterator[PackageFault]:
        if "networkParameter" in link:
            yield from self._parameter((*where, "networkParameter"), link["networkParameter"], "string")
            yield from self._setting((*where, "networkParameter"), link["networkParameter"])
        if "registryType" in link:
            yield from self._registry_type(where, link["registryType"])
        if "used" in link:
            here, name = (*where, "used", "setting"), link["used"]["setting"]
            yield from self._setting(here, name)
            yield from self._parameter(here, name, "number")
            if (parameter := self.root.parameters.get(name)) and parameter.default is None:
                yield self._fault(here, f"{name} needs a default.")

    def _registry_type(self, where: Path, kind: str) -> Iterator[PackageFault]:
        if kind not in self.types:
            yield self._fault((*where, "registryType"), f"No template uses the resource type {kind!r}.")

    def _variant(self, where: Path, variant: Json) -> Iterator[PackageFault]:
        yield from self._setting((*where, "setting"), variant["setting"])
        yield from self._registry_type(where, variant["registryType"])
        parameter = self.root.parameters.get(variant["setting"])
        needed = _values(parameter.type, parameter.constraints) if parameter else set()
        if parameter and not needed:
            message = (
                f"The setting {parameter.name} must be a boolean or have allowed_values, so that each has a template."
            )
            yield self._fault((*where, "setting"), message)
        if not needed <= set(variant["templates"]):
            missing = ", ".join(sorted(needed - set(variant["templates"])))
            yield self._fault((*where, "templates"), f"No template for the value {missing}.")
        if "pair" in variant and not any(
            vdu["id"] == variant["pair"]["vdu"] and "pairsParameter" in vdu for vdu in self.data["vdus"]
        ):
            message = f"There is no VDU {variant['pair']['vdu']!r} whose components are pairs."
            yield self._fault((*where, "pair", "vdu"), message)

    def _flavour(self, where: Path, flavour: Json) -> Iterator[PackageFault]:
        aspects = {aspect["id"]: aspect for aspect in flavour.get("aspects", ())}
        yield from self._unique((*where, "levels"), flavour["levels"])
        yield from self._unique((*where, "aspects"), flavour.get("aspects", ()))
        levels = [level["id"] for level in flavour["levels"]]
        yield from self._check_known((*where, "defaultLevel"), flavour["defaultLevel"], levels, "level")
        for index, level in enumerate(flavour["levels"]):
            here = (*where, "levels", index, "scale")
            if set(level["scale"]) != set(aspects):
                yield self._fault(
                    here, f"The level must say how far each aspect is scaled: {', '.join(aspects) or 'none'}."
                )
            for aspect_id, height in level["scale"].items():
                if aspect_id in aspects and height > aspects[aspect_id]["maxScaleLevel"]:
                    yield self._fault((*here, aspect_id), f"{height} is above the aspect's maxScaleLevel.")
        for here, delta in _deltas(flavour):
            yield from self._delta((*where, *here), delta, flavour["aspects"][here[1]])
        for index, aspect in enumerate(flavour.get("aspects", ())):
            vdus = [aspect["vdu"], *(delta["vdu"] for delta in aspect.get("also", ()))]
            if len(set(vdus)) < len(vdus):
                yield self._fault((*where, "aspects", index, "also"), "The aspect names a VDU twice.")
        for vdu_id in flavour.get("needs", {}):
            yield from self._check_known((*where, "needs", vdu_id), vdu_id, self._vdus(), "VDU")
        for name in flavour.get("parameters", {}):
            yield from self._manager_parameter((*where, "parameters", name), name)

    def _vdus(self) -> dict[str, Json]:
        return {vdu["id"]: vdu for vdu in self.data["vdus"]}

    def _limit(self, where: Path, limit: Json) -> Iterator[PackageFault]:
        for vdu_id in limit["vdus"]:
            yield from self._check_known((*where, "vdus", vdu_id), vdu_id, self._vdus(), "VDU")
        for i, flavour in enumerate(self.data["flavours"]):
            for j, level in enumerate(flavour["levels"]):
                total = sum(self._components(flavour, level, vdu) * n for vdu, n in limit["vdus"].items())
                if total > limit["maximum"]:
                    message = f"The level has {total}, but the maximum is {limit['maximum']}: {limit['message']}"
                    yield self._fault(("flavours", i, "levels", j), message)

    def _chain(self, where: Path, chain: Json) -> Iterator[PackageFault]:
        links = [link["id"] for link in self.data["virtualLinks"]]
        for index, link in enumerate(chain["links"]):
            yield from self._check_known((*where, "links", index), link, links, "virtual link")
        yield from self._manager_parameter((*where, "linksParameter"), chain["linksParameter"], "json")
        vdu = self._vdus().get(chain["vdu"], {})
        if not ("group" in vdu and vdu.get("slots") and vdu["maximum"] == len(chain["links"])):
            message = f"{chain['vdu']!r} must be a VDU with a group, slots, and as many components as there are links."
            yield self._fault((*where, "vdu"), message)
        points = {cp["id"]: (vdu["id"], cp) for vdu in self._vdus().values() for cp in vdu["connectionPoints"]}
        for key in ("head", "inward", "outward"):
            yield from self._check_known((*where, key), chain[key], points, "connection point")
        if {chain["head"], chain["inward"], chain["outward"]} <= points.keys():
            yield from self._row(where, chain, points)

    def _row(self, where: Path, chain: Json, points: Mapping[str, tuple[str, Json]]) -> Iterator[PackageFault]:
        """The connection points must be those of a head and of a row behind it."""
        for key in ("inward", "outward"):
            if points[chain[key]][0] != chain["vdu"]:
                yield self._fault((*where, key), f"{chain[key]!r} is not a connection point of {chain['vdu']}.")
        head_vdu, head = points[chain["head"]]
        if len(self._vdus()[head_vdu].get("members", ())) != 1:
            yield self._fault((*where, "head"), f"{head_vdu} must have exactly one member.")
        if head["virtualLink"] != points[chain["outward"]][1]["virtualLink"]:
            yield self._fault((*where, "head"), "head and outward must have the virtual link on which the row ends.")

    def _components(self, flavour: Json, level: Json, vdu_id: str) -> int:
        """Count the VNFCs that the VDU has at the level."""
        count: int = self._vdus().get(vdu_id, {"minimum": 0})["minimum"]
        for here, delta in _deltas(flavour):
            if delta["vdu"] == vdu_id:
                count += level["scale"].get(flavour["aspects"][here[1]]["id"], 0) * delta["step"]
        return count

    def _one_by_one(self) -> Iterator[PackageFault]:
        """Each VDU needs its own parameters, since slots of different VDUs may have the same name."""
        used: set[str] = set()
        for index, vdu in enumerate(self.data["vdus"]):
            for key in ONE_BY_ONE:
                name = vdu.get(key)
                if name in used:
                    yield self._fault(("vdus", index, key), f"{name} is in use already.")
                if name:
                    used.add(name)

    def _upgrade_order(self) -> Iterator[PackageFault]:
        used: set[tuple[str, str]] = set()
        for index, name in enumerate(self.data.get("upgradeOrder", ())):
            where = ("upgradeOrder", index)
            vdu_id, _, slot = name.partition("/")
            vdu = self._vdus().get(vdu_id)
            if vdu is None:
                yield from self._check_known(where, vdu_id, self._vdus(), "VDU")
                continue
            slots = vdu.get("slots") or [str(number) for number in range(1, vdu["maximum"] + 1)]
            if slot:
                yield from self._check_known(where, slot, slots, f"slot of {vdu_id}")
            named = {(vdu_id, one) for one in ([slot] if slot else slots)}
            if named & used:
                yield self._fault(where, f"{name} is in the order already.")
            used |= named

    def _delta(self, where: Path, delta: Json, aspect: Json) -> Iterator[PackageFault]:
        vdu = self._vdus().get(delta["vdu"])
        kinds = {"countParameter": "number", "slotsParameter": "json", "removalsParameter": "list"}
        for key, kind in kinds.items():
            if key in delta:
                yield from self._parameter((*where, key), delta[key], kind)
        if vdu is None or "group" not in vdu:
            yield self._fault((*where, "vdu"), f"There is no VDU {delta['vdu']!r} with a group.")
        elif vdu["minimum"] + delta["step"] * aspect["maxScaleLevel"] > vdu["maximum"]:
            key = "maxScaleLevel" if delta is aspect else "step"
            yield self._fault((*where, key), f"The highest level has more than {vdu['maximum']} components.")

    def _settings(self) -> Iterator[PackageFault]:
        used: set[str] = set()
        for i, group in enumerate(self.data["settings"]):
            for j, setting in enumerate(group["settings"]):
                where = ("settings", i, "settings", j, "name")
                yield from self._parameter(where, setting["name"])
                if setting["name"] in used:
                    yield self._fault(where, f"{setting['name']!r} is listed twice.")
                used.add(setting["name"])
                if "follows" in setting:
                    yield from self._setting((*where[:-1], "follows"), setting["follows"])
        for read in read_settings(self.data, self.root.parameters):
            error = setting_error(read, read.default) if read.default is not None and read.format else ""
            if error:
                yield self.root.document.fault(("parameters", read.name, "default"), f"The default: {error}")

    def _address_plans(self) -> Iterator[PackageFault]:
        for plan_index, plan in enumerate(self.data.get("addressPlans", ())):
            names = [plan["cidr"], *plan["addresses"], *([plan["gateway"]] if "gateway" in plan else [])]
            for name in names:
                yield from self._setting(("addressPlans", plan_index), name)
            if "virtualLink" in plan:
                links = [link["id"] for link in self.data["virtualLinks"]]
                where = ("addressPlans", plan_index, "virtualLink")
                yield from self._check_known(where, plan["virtualLink"], links, "virtual link")

    def _unset_parameters(self) -> Iterator[PackageFault]:
        """A required parameter that is never set would make every instantiation fail."""
        available = {
            *self._setting_names(),
            *self.data.get("fixedParameters", {}),
            *self.data.get("instanceParameters", {}).values(),
        }
        available |= {chain["linksParameter"] for chain in self.data.get("chains", ())}
        keys = (*ONE_BY_ONE, "pairsParameter")
        available |= {vdu[key] for vdu in self.data["vdus"] for key in keys if key in vdu}
        available |= set.intersection(*(set(flavour.get("parameters", {})) for flavour in self.data["flavours"]))
        for flavour in self.data["flavours"]:
            for _, delta in _deltas(flavour):
                available |= {name for key, name in delta.items() if key.endswith("Parameter")}
        for name, parameter in self.root.parameters.items():
            if parameter.default is None and name not in available:
                message = f"Parameter {name} has no default, and vnfd.yaml neither sets it nor offers it as a setting."
                yield self.root.document.fault(("parameters", name), message)


def _deltas(flavour: Json) -> Iterator[tuple[tuple[str, int] | tuple[str, int, str, int], Json]]:
    """Yield the place in the flavour and the content of each VDU's scaling step."""
    for i, aspect in enumerate(flavour.get("aspects", ())):
        yield ("aspects", i), aspect
        for j, more in enumerate(aspect.get("also", ())):
            yield ("aspects", i, "also", j), more


def _without_vdu(delta: Json) -> Json:
    return {key: delta.get(key) for key in ("step", "countParameter", "slotsParameter", "removalsParameter")}


def _values(kind: str, constraints: Iterable[Any]) -> set[str]:
    """The values, as text, that a variant's setting can have; empty when the HOT does not limit them."""
    if kind == "boolean":
        return {"true", "false"}
    allowed = next((rule.spec for rule in constraints if rule.kind == "allowed_values"), ())
    return {str(value).lower() for value in allowed}
