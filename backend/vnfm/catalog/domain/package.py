"""Validation of a whole VNF package: manifest, descriptor, templates and images."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from hot.language import LIBERTY_VERSIONS
from vnfm.catalog.domain import manifest
from vnfm.catalog.domain.content import Content, FileInfo
from vnfm.catalog.domain.descriptor_checks import DescriptorChecks
from vnfm.catalog.domain.disks import HEAD_BYTES, image_fault
from vnfm.catalog.domain.documents import Document, Path, pointer
from vnfm.catalog.domain.element_checks import ElementChecks
from vnfm.catalog.domain.errors import PackageError, PackageFault
from vnfm.catalog.domain.findings import Finding, errors_of, sort_findings
from vnfm.catalog.domain.hot.checks.parameters import is_placeholder
from vnfm.catalog.domain.hot.template import Parameter, Template, normalised
from vnfm.catalog.domain.hot.templates import OLDEST, FileReference, HeatTarget, TemplateSet, load_templates
from vnfm.catalog.domain.hot.validate import validate
from vnfm.catalog.domain.placeholder import placeholder_qcow2
from vnfm.catalog.domain.reader import read_vnfd
from vnfm.catalog.domain.vnfd import Vnfd

VNFD = "vnfd.yaml"
_MESSAGE_LENGTH = 300
_CORRECT = "Correct the findings, write the manifest again and rebuild the package."
_TEMPLATES = ("createdTemplate", "existingTemplate", "movingTemplate")


@dataclass(frozen=True, slots=True)
class Package:
    vnfd: Vnfd
    descriptor: Mapping[str, Any]
    """vnfd.yaml as data."""
    generated: Mapping[str, bytes]
    """Generated files that are not in the package: placeholder images."""
    findings: tuple[Finding, ...] = ()
    """Warnings and notes; empty when the package was only read."""


def check_package(
    content: Content,
    manifest_schema: Mapping[str, Any],
    vnfd_schema: Mapping[str, Any],
    target: HeatTarget = OLDEST,
    fetched: Collection[str] = (),
) -> Package:
    """Validate and read a new package; raises PackageError with all faults of the first stage that has any.

    `fetched` are the paths of copies that were fetched for it: its own manifest need not list them.
    """
    if manifest.NAME not in content.files:
        raise PackageError(
            "MANIFEST_MISMATCH",
            [PackageFault(manifest.NAME, "The package has no manifest at its root.")],
            "Zip the files, not the folder around them. `manage.py package_manifest` writes the manifest.",
        )
    listed = manifest.parse_manifest(content.read(manifest.NAME))
    _refuse(
        "MANIFEST_MISMATCH",
        [_fault_without_line(manifest.NAME, error) for error in _violations(manifest_schema, listed)],
    )
    named = {
        path: info.sha256 for path, info in content.files.items() if path in listed["files"] or path not in fetched
    }
    manifest.check_manifest(listed, named)
    return check_content(content, vnfd_schema, target)


def check_content(content: Content, vnfd_schema: Mapping[str, Any], target: HeatTarget = OLDEST) -> Package:
    """Validate files without a manifest: sent one by one, or with a derived descriptor; raises PackageError."""
    document = _yaml(content, VNFD, PackageFault(VNFD, "The package has no descriptor at its root."))
    document.require_unique_keys()
    data = document.data
    _refuse("VNFD_INVALID", [document.fault(*_place_and_message(error)) for error in _violations(vnfd_schema, data)])
    templates, findings = _load(content, document, target)
    if templates is not None:
        findings += validate(templates)
    _refuse_findings(sort_findings(findings))
    assert templates is not None, "a root that cannot be read is an error"
    root = with_environment(templates)
    registry = templates.section("resource_registry")
    _refuse("VNFD_INVALID", list(DescriptorChecks(document, root, templates.templates, registry).faults()))
    if "element" in data:
        _refuse("VNFD_INVALID", list(ElementChecks(document, root, content).faults()))
    _refuse("VNFD_INVALID", list(_image_faults(content, document)))
    _refuse("IMAGE_INVALID", list(_disk_faults(content, data)))
    return replace(_package(content, data, templates), findings=tuple(sort_findings(findings)))


def read_package(content: Content) -> Package:
    """Read a package that was validated before; its content has not changed since."""
    return _package(content, content.yaml(VNFD).data, read_templates(content))


def read_templates(content: Content) -> TemplateSet:
    """The templates of a package that was validated before."""
    templates, _ = _load(content, content.yaml(VNFD), OLDEST)
    assert templates is not None, "checked when it was onboarded"
    return templates


def _package(content: Content, data: Mapping[str, Any], templates: TemplateSet) -> Package:
    generated = {placeholder_path(i): placeholder_qcow2() for i in data["softwareImages"] if i.get("placeholder")}
    images = {}
    for image in data["softwareImages"]:
        path = image.get("path") or placeholder_path(image)
        made = generated.get(path)
        info = FileInfo(sha256(made).hexdigest(), len(made)) if made is not None else content.files[path]
        images[image["id"]] = (path, info.size, info.sha256)
    files = {name: path for name, path in sorted(templates.files.items()) if path != templates.root.path}
    vnfd = read_vnfd(data, with_environment(templates).parameters, images, files)
    return Package(replace(vnfd, notes=(*vnfd.notes, *_version_notes(templates))), data, generated)


def _version_notes(templates: TemplateSet) -> Iterator[str]:
    newer = [path for path, t in sorted(templates.templates.items()) if t.version not in LIBERTY_VERSIONS]
    if newer:
        yield f"Needs a Heat newer than Liberty's: see heat_template_version in {', '.join(newer)}."


def with_environment(templates: TemplateSet) -> Template:
    """The root with the environment's values as defaults, as Heat uses them; placeholders do not count as values.

    Parameters of nested templates are included if the environment sets them in parameter_defaults.
    """
    defaults = templates.section("parameter_defaults")
    values = {**defaults, **templates.section("parameters")}
    below = {
        name: parameter
        for template in templates.templates.values()
        for name, parameter in template.parameters.items()
        if name in defaults
    }

    def with_value(parameter: Parameter) -> Parameter:
        value = values.get(parameter.name)
        return (
            parameter
            if value is None or is_placeholder(value)
            else replace(parameter, default=normalised(parameter.type, value))
        )

    root = templates.root
    declared = {**below, **root.parameters}
    return replace(root, parameters={name: with_value(parameter) for name, parameter in declared.items()})


def placeholder_path(image: Mapping[str, Any]) -> str:
    return f"images/{image['id']}-placeholder.qcow2"


def _violations(schema: Mapping[str, Any], data: Any) -> list[ValidationError]:
    errors = Draft202012Validator(schema).iter_errors(data)
    return [best_match([error]) or error for error in sorted(errors, key=lambda e: list(map(str, e.absolute_path)))]


def _place_and_message(error: ValidationError) -> tuple[Path, str]:
    message = error.message
    if len(message) > _MESSAGE_LENGTH:
        message = f"{message[:100]} … {message[-150:]}"
    hint = error.schema.get("description", "") if isinstance(error.schema, Mapping) else ""
    return tuple(error.absolute_path), f"{message}. {hint}".strip()


def _fault_without_line(file: str, error: ValidationError) -> PackageFault:
    where, message = _place_and_message(error)
    return PackageFault(file, message, pointer(where))


def _refuse(code: str, faults: list[PackageFault]) -> None:
    if faults:
        raise PackageError(code, faults, _CORRECT)


def _refuse_findings(findings: list[Finding]) -> None:
    errors = errors_of(findings)
    if errors:
        code = "YAML_INVALID" if any(finding.code == "YAML_INVALID" for finding in findings) else "HOT_INVALID"
        raise PackageError(code, errors, _CORRECT, findings=[finding.as_json() for finding in findings])


def _yaml(content: Content, path: str, missing: PackageFault) -> Document:
    if path not in content.files:
        raise PackageError("VNFD_INVALID", [missing], "Add the file, or correct the path.")
    return content.yaml(path)


def _load(content: Content, vnfd: Document, target: HeatTarget) -> tuple[TemplateSet | None, list[Finding]]:
    """Load the files that Heat needs: those that the root, the registry and the descriptor lead to."""
    named = vnfd.data["hot"]
    environment = named["environment"]
    if environment not in content.files:
        fault = vnfd.fault(("hot", "environment"), f"The package has no file {environment!r}.")
        return None, [Finding.of("error", "FILE_MISSING", fault)]
    mentions = [FileReference(vnfd, where, path) for where, path, _ in _descriptor_files(vnfd.data)]
    root = FileReference(vnfd, ("hot", "template"), named["template"])
    templates, findings = load_templates(content, root, environment, _alternatives(vnfd.data), mentions)
    if templates is None:
        return None, findings
    manager_parameters = {variant["setting"] for variant in vnfd.data.get("variants", ())}
    manager_parameters |= {link["networkParameter"] for link in vnfd.data["virtualLinks"] if "networkParameter" in link}
    return replace(templates, target=target, manager_parameters=frozenset(manager_parameters)), findings


def _alternatives(data: Mapping[str, Any]) -> dict[str, list[str]]:
    """Resource type to the templates that the manager may map it to."""
    found: dict[str, list[str]] = {}
    for _, path, kind in _descriptor_files(data):
        found.setdefault(kind, []).append(path)
    return found


def _descriptor_files(data: Mapping[str, Any]) -> Iterator[tuple[Path, str, str]]:
    """Templates that the descriptor names: place, path, and the resource type that they implement."""
    for i, link in enumerate(data["virtualLinks"]):
        for key in _TEMPLATES:
            if key in link:
                yield ("virtualLinks", i, key), link[key], link["registryType"]
    for i, variant in enumerate(data.get("variants", ())):
        for value, path in variant["templates"].items():
            yield ("variants", i, "templates", value), path, variant["registryType"]
        if "pair" in variant:
            yield ("variants", i, "pair", "unused"), variant["pair"]["unused"], variant["registryType"]


def _image_faults(content: Content, vnfd: Document) -> Iterator[PackageFault]:
    for index, image in enumerate(vnfd.data["softwareImages"]):
        where = ("softwareImages", index)
        if "path" in image and image["path"] not in content.files:
            yield vnfd.fault((*where, "path"), f"The package has no file {image['path']!r}.")
        elif image.get("placeholder") and placeholder_path(image) in content.files:
            yield vnfd.fault(where, f"The package has a file {placeholder_path(image)}: name it as path instead.")
        elif image.get("placeholder") and image["diskFormat"] != "qcow2":
            yield vnfd.fault((*where, "diskFormat"), "A placeholder is always a qcow2.")


def _disk_faults(content: Content, data: Mapping[str, Any]) -> Iterator[PackageFault]:
    """Images that differ from the descriptor, or that would make the cloud's host open its own files."""
    for image in data["softwareImages"]:
        if path := image.get("path"):
            head = content.head(path, HEAD_BYTES)
            if message := image_fault(head, image["diskFormat"], image["containerFormat"]):
                yield PackageFault(path, message)
