"""Derives a VNFD from plain Heat templates; findings name what the templates do not say."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any
from uuid import UUID, uuid5

import yaml

from vnfm.catalog.domain.content import Content, with_files_in_memory
from vnfm.catalog.domain.derive.carried import carried_files
from vnfm.catalog.domain.derive.environments import SUFFIX, merge
from vnfm.catalog.domain.derive.naming import label
from vnfm.catalog.domain.derive.networks import LinkCollector
from vnfm.catalog.domain.derive.origins import Originals, relocated
from vnfm.catalog.domain.derive.placements import Scope, placements
from vnfm.catalog.domain.derive.rewriting import NONE_COPIED, Rewritten, rewrite
from vnfm.catalog.domain.derive.roots import Root, find_root
from vnfm.catalog.domain.derive.scaled_groups import GroupSize
from vnfm.catalog.domain.derive.vdus import Vdus
from vnfm.catalog.domain.findings import Finding, Severity, sort_findings
from vnfm.catalog.domain.hot.check import listed
from vnfm.catalog.domain.hot.external_files import redacted_url
from vnfm.catalog.domain.hot.servers import SERVER
from vnfm.catalog.domain.hot.template import Parameter
from vnfm.catalog.domain.hot.templates import OLDEST, FileReference, HeatTarget, TemplateSet, load_templates
from vnfm.catalog.domain.hot.validate import validate
from vnfm.catalog.domain.package import VNFD, with_environment

Json = dict[str, Any]
NAMESPACE = UUID("b7a1f6a4-52a5-4c8b-9d0e-3f6f3d6c8a10")
_FORMATS: Mapping[str, str] = {"nova.flavor": "flavor", "glance.image": "image", "neutron.network": "network"}
"""Custom constraint to the format of a parameter."""
_INSTANCE: Mapping[str, str] = {"id": "vnf_id", "name": "vnf_name"}
"""Parameters of ONAP's templates for the instance's id and name."""
_PLACEHOLDER = "The software image is a placeholder: bring your own image, upload it to Glance and choose it."
_GROUPS: Mapping[str, str] = {"flavor": "Compute", "image": "Compute", "network": "LinkCollector"}


@dataclass(frozen=True, slots=True)
class Derived:
    vnfd: str
    """The descriptor as YAML; "" when none could be derived."""
    files: Mapping[str, bytes]
    """Files to add, besides the descriptor."""
    findings: tuple[Finding, ...]
    originals: Originals = field(default_factory=dict, compare=False)
    """Path of a file to the documents that were sent and that it replaces."""


Refine = Callable[[Json, TemplateSet, list[Finding]], None]
"""Completes the descriptor's data from another source, and removes findings that no longer apply."""


def derive(content: Content, target: HeatTarget = OLDEST, chosen: str = "") -> Derived:
    """Derive a VNFD; `chosen` is the root, where the user named one.

    Deterministic: the same files with the same root give the same VNFD with the same id.
    """
    root, findings = find_root(content, chosen)
    return derive_from(content, root, findings, target)


def derive_from(
    content: Content,
    root: Root | None,
    findings: list[Finding],
    target: HeatTarget,
    refine: Refine | None = None,
    *,
    copied: Mapping[str, GroupSize] = NONE_COPIED,
    known: Collection[str] = (),
) -> Derived:
    """Derive it from a known root; None when no root was found. `refine` and `copied` where another manager's package
    is read, and `known` the files by which it describes itself.
    """
    if root is None:
        return Derived("", {}, tuple(sort_findings(findings)))
    heat = _heat_input(content, root, rewrite(content, root.template, foreign=refine is not None, copied=copied))
    findings += heat.findings
    complete = with_files_in_memory(content, heat.files)
    anchor = complete.yaml(heat.root.template)
    environment = heat.environment if root.environments else ""
    reference = FileReference(anchor, (), heat.root.template)
    templates, read = load_templates(complete, reference, environment, {})
    findings += read
    if templates is None:
        return Derived("", {}, tuple(sort_findings(relocated(findings, heat.originals))))
    templates = replace(templates, target=target)
    findings += validate(templates)
    data = _Derivation(complete, templates, heat, findings).data()
    if refine and data["vdus"]:
        refine(data, templates, findings)
    images = {str(image.get("path")) for image in data["softwareImages"]}
    findings += carried_files(content, templates, {root.template, *root.environments, *heat.replaced, *images, *known})
    text = _text(heat.root, data) if data["vdus"] else ""
    return Derived(text, heat.files, tuple(sort_findings(relocated(findings, heat.originals))), heat.originals)


@dataclass(frozen=True, slots=True)
class _HeatInput:
    """The files that Heat gets in place of those that were sent."""

    root: Root
    environment: str
    files: dict[str, bytes]
    originals: Originals
    findings: list[Finding]

    @property
    def replaced(self) -> set[str]:
        return {document.path for documents in self.originals.values() for document in documents}


def _heat_input(content: Content, root: Root, rewritten: Rewritten) -> _HeatInput:
    """The rewritten templates, and one environment of several, or an empty one."""
    files, originals = dict(rewritten.files), dict(rewritten.originals)
    environment = "".join(root.environments[:1])
    if len(root.environments) != 1:
        environment = _free_name(content, rewritten.path)
        files[environment] = merge(content, root.environments) if root.environments else b"parameters: {}\n"
    if len(root.environments) > 1:
        originals[environment] = tuple(content.yaml(path) for path in root.environments)
    return _HeatInput(replace(root, template=rewritten.path), environment, files, originals, rewritten.findings)


def _free_name(content: Content, template: str) -> str:
    stem = str(PurePosixPath(template).with_suffix(""))
    names = (f"{stem}{SUFFIX}", *(f"{stem}-{n}{SUFFIX}" for n in range(2, 100)))
    return next(name for name in names if name not in content.files)


def _text(root: Root, data: Json) -> str:
    head = f"# Derived from {root.template}. What a HOT does not say is in the validation report.\n"
    body: str = yaml.dump(data, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True, width=110)
    return head + body


class _Derivation:
    def __init__(self, content: Content, templates: TemplateSet, heat: _HeatInput, findings: list[Finding]) -> None:
        self.content, self.templates, self.root, self.findings = content, templates, heat.root, findings
        self.environment = heat.environment
        self.source = next((each.path for each in heat.originals.get(heat.root.template, ())), heat.root.template)
        self.parameters = with_environment(templates).parameters
        self.networks = LinkCollector(findings)
        self.scope = Scope(templates.root, free=frozenset(templates.section("parameter_defaults")))

    def data(self) -> Json:
        placed = placements(self.templates)
        self.findings += [*placed.findings, *_other_conditional(self.templates)]
        if not placed.found:
            self.findings[:] = [_as_cause(finding) for finding in self.findings]
            self._report("error", "DERIVE_NO_SERVER", _no_server(self.templates))
        vdus, aspects, images = Vdus(self.parameters, self.networks, self.findings, self.scope).derive(placed.found)
        fixed = {name: number for name, number in placed.fixed.items() if name in self.templates.root.parameters}
        instance = self._instance_parameters(vdus)
        return {
            **self._identity(images),
            "hot": {"template": self.root.template, "environment": self.environment},
            **({"instanceParameters": instance} if instance else {}),
            **({"fixedParameters": fixed} if fixed else {}),
            "softwareImages": images,
            "vdus": vdus,
            "virtualLinks": list(self.networks.links.values()),
            "flavours": [self._flavour(vdus, aspects)],
            "settings": list(self._settings(vdus, aspects, {*instance.values(), *fixed})),
        }

    def _identity(self, images: list[Json]) -> Json:
        digests = sorted((path, info.sha256) for path, info in self.content.files.items() if path != VNFD)
        chosen = [self.root.template] if self.root.chosen else []
        name = self.root.name or PurePosixPath(self.source).stem
        description = str(self.templates.root.document.data.get("description") or "").strip()
        message = (
            f"A HOT names neither provider nor versions: the VNFD says provider Unknown, product {name}, version 1.0. "
            "Correct it before you deploy it, since instances are upgraded only within one product."
        )
        self._report("warning", "DERIVE_IDENTITY", message)
        return {
            "vnfdId": str(uuid5(NAMESPACE, repr([*digests, *chosen]))),
            "provider": "Unknown",
            "productName": name[:100],
            "softwareVersion": "1.0",
            "vnfdVersion": "1.0",
            "description": description[:2000] or f"VNF of the template {self.source}.",
            "notes": [
                f"The VNFD was derived from {self.source}.",
                *([_PLACEHOLDER] if images else []),
            ],
        }

    def _instance_parameters(self, vdus: list[Json]) -> dict[str, str]:
        ours = {vdu[key] for vdu in vdus for key in ("imageParameter", "flavorParameter") if key in vdu}
        found = {}
        for key, name in _INSTANCE.items():
            parameter = self.parameters.get(name)
            if parameter is not None and parameter.type == "string" and name not in ours:
                found[key] = name
                message = f"Parameter {name} gets the {key} of each VNF instance, as in ONAP."
                fault = self.templates.root.document.fault(("parameters", name), message)
                self.findings.append(Finding.of("note", "DERIVE_INSTANCE", fault))
        return found

    def _flavour(self, vdus: list[Json], aspects: list[Json]) -> Json:
        minimum = {vdu["id"]: vdu["minimum"] for vdu in vdus}
        scale = {}
        for aspect in aspects:
            default = self.parameters[aspect["countParameter"]].default
            count = default if isinstance(default, int) else minimum[aspect["vdu"]]
            scale[aspect["id"]] = min(max(count - minimum[aspect["vdu"]], 0), aspect["maxScaleLevel"])
        level = {"id": "default", "description": "As many as the template creates by default.", "scale": scale}
        return {
            "id": "default",
            "description": "The deployment that the template describes.",
            "defaultLevel": "default",
            "levels": [level],
            **({"aspects": aspects} if aspects else {}),
        }

    def _settings(self, vdus: list[Json], aspects: list[Json], others: set[str]) -> Iterator[Json]:
        """The form, without `others`, which the manager sets: the template's own groups, then groups by format."""
        ours = {aspect.get(key) for aspect in aspects for key in ("countParameter", "removalsParameter")}
        ours |= others
        formats = self._formats(vdus)
        written = dict(self._written_groups())
        groups: dict[str, list[Json]] = {heading: [] for heading in written.values()}
        for name, parameter in self.parameters.items():
            if name not in ours:
                heading = written.get(name) or _GROUPS.get(formats.get(name, ""), "Parameters")
                groups.setdefault(heading, []).append(_setting(parameter, formats.get(name, "")))
        yield from ({"group": heading, "settings": settings} for heading, settings in groups.items() if settings)

    def _formats(self, vdus: list[Json]) -> dict[str, str]:
        found = {}
        for name, parameter in self.parameters.items():
            custom = [str(rule.spec) for rule in parameter.constraints if rule.kind == "custom_constraint"]
            kind = next((_FORMATS[spec] for spec in custom if spec in _FORMATS), "")
            if kind and parameter.type == "string":
                found[name] = kind
        for vdu in vdus:
            kinds = {"flavorParameter": "flavor", "imageParameter": "image"}
            found |= {vdu[key]: kind for key, kind in kinds.items() if key in vdu}
        links = self.networks.links.values()
        return found | {link["networkParameter"]: "network" for link in links if "networkParameter" in link}

    def _written_groups(self) -> Iterator[tuple[str, str]]:
        """Parameter to the heading of its group in parameter_groups."""
        entries = self.templates.root.document.data.get("parameter_groups")
        for entry in entries if isinstance(entries, list) else ():
            names = entry.get("parameters") if isinstance(entry, Mapping) else None
            heading = entry.get("label") or entry.get("name") or entry.get("description") if names else ""
            for name in names if isinstance(names, list) and heading else ():
                yield str(name), str(heading)[:100]

    def _report(self, severity: Severity, code: str, message: str) -> None:
        self.findings.append(Finding(severity, code, message, self.source))


def _other_conditional(templates: TemplateSet) -> Iterator[Finding]:
    """A note in each template about resources, other than servers, that exist under a condition only."""
    for template in templates.templates.values():
        others = [name for name in template.conditional if template.resource_types[name] != SERVER]
        if others:
            message = (
                f"{listed(others)} exist under conditions only: Heat creates them where these hold, and the plan shows "
                "those that Heat's preview lists."
            )
            fault = template.document.fault(("resources", others[0], "condition"), message)
            yield Finding.of("note", "DERIVE_CONDITIONAL_RESOURCES", fault)


def _no_server(templates: TemplateSet) -> str:
    """Say which resources the stack has instead of servers, and which template to send."""
    kinds = {redacted_url(use.type) for template in templates.templates.values() for use in template.resources_defined}
    return (
        f"The templates have no OS::Nova::Server that can be managed, so no VNFD can be derived: there are "
        f"{listed(kinds) if kinds else 'no resources'}. Send the template whose stack has the VMs; what this one makes "
        "can be nested in that one, or be deployed before it."
    )


def _as_cause(finding: Finding) -> Finding:
    """Report a type that only a plugin may have as an error: a template that stands for it may have the servers."""
    is_cause = finding.code == "TYPE_FOREIGN" and not finding.message.startswith("AWS::")
    return replace(finding, severity="error", code="TYPE_UNMAPPED") if is_cause else finding


def _setting(parameter: Parameter, kind: str) -> Json:
    setting: Json = {"name": parameter.name, "label": label(parameter.name, parameter.label, parameter.description)}
    if kind:
        setting["format"] = kind
    if kind and parameter.default in (None, ""):
        setting["required"] = True
    return setting
