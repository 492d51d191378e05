"""A VNF package as a whole: manifest, descriptor, templates and images must fit each other."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from vnfm.catalog.domain import manifest
from vnfm.catalog.domain.documents import MAX_BYTES, Document, Path, parse_yaml, pointer
from vnfm.catalog.domain.errors import Fault, PackageError
from vnfm.catalog.domain.hot import LIBERTY_VERSIONS, Template, file_references, read_template
from vnfm.catalog.domain.placeholder import placeholder_qcow2
from vnfm.catalog.domain.reader import read_vnfd
from vnfm.catalog.domain.references import References
from vnfm.catalog.domain.vnfd import Vnfd

VNFD = "vnfd.yaml"
ENVIRONMENT_SECTIONS = {"parameters", "parameter_defaults", "resource_registry"}
"""Sections of an environment that Liberty's Heat knows."""
_MESSAGE_LENGTH = 300


@dataclass(frozen=True, slots=True)
class FileInfo:
    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class Content:
    """The files of a package, wherever they lie."""

    files: Mapping[str, FileInfo]
    read: Callable[[str], bytes]


@dataclass(frozen=True, slots=True)
class Hot:
    """The templates of a package, read."""

    root: Template
    environment: Mapping[str, Any]
    templates: Mapping[str, Template]
    """The root and all that it leads to."""
    files: tuple[str, ...]
    """What Heat must be given besides the root and the environment, plain files included."""


@dataclass(frozen=True, slots=True)
class Package:
    vnfd: Vnfd
    descriptor: Mapping[str, Any]
    """vnfd.yaml as data."""
    generated: Mapping[str, bytes]
    """Files that are not in the package and are made for it: placeholder images."""


def check_package(content: Content, manifest_schema: Mapping[str, Any], vnfd_schema: Mapping[str, Any]) -> Package:
    """Read a package that nobody has checked yet; raises PackageError with everything that is wrong at one stage."""
    if manifest.NAME not in content.files:
        raise PackageError(
            "MANIFEST_MISMATCH",
            [Fault(manifest.NAME, "The package has no manifest at its root.")],
            "Zip the files, not the folder around them. `manage.py package_manifest` writes the manifest.",
        )
    listed = manifest.parse_manifest(content.read(manifest.NAME))
    _refuse("MANIFEST_MISMATCH", [_unplaced(manifest.NAME, error) for error in _violations(manifest_schema, listed)])
    manifest.check_manifest(listed, {path: info.sha256 for path, info in content.files.items()})
    document = _yaml(content, VNFD, Fault(VNFD, "The package has no descriptor at its root."))
    data = document.data
    _refuse("VNFD_INVALID", [document.fault(*_placed(error)) for error in _violations(vnfd_schema, data)])
    hot, faults = _read_hot(content, document)
    _refuse("HOT_INVALID", faults or list(_text_faults(content, hot)))
    registry = hot.environment.get("resource_registry") or {}
    _refuse("VNFD_INVALID", list(References(document, hot.root, hot.templates, registry).faults()))
    _refuse("VNFD_INVALID", list(_image_faults(content, document)))
    return _package(content, data, hot)


def read_package(content: Content) -> Package:
    """Read a package that `check_package` has accepted before; its content is immutable since."""
    document = parse_yaml(VNFD, content.read(VNFD))
    return _package(content, document.data, _read_hot(content, document)[0])


def _package(content: Content, data: Mapping[str, Any], hot: Hot) -> Package:
    generated = {placeholder_path(i): placeholder_qcow2() for i in data["softwareImages"] if i.get("placeholder")}
    images = {}
    for image in data["softwareImages"]:
        path = image.get("path") or placeholder_path(image)
        made = generated.get(path)
        info = FileInfo(sha256(made).hexdigest(), len(made)) if made is not None else content.files[path]
        images[image["id"]] = (path, info.size, info.sha256)
    vnfd = read_vnfd(data, hot.root.parameters, images, hot.files)
    return Package(replace(vnfd, notes=(*vnfd.notes, *_version_notes(hot))), data, generated)


def _version_notes(hot: Hot) -> Iterator[str]:
    newer = [path for path, t in sorted(hot.templates.items()) if t.version not in LIBERTY_VERSIONS]
    if newer:
        yield f"Needs a Heat newer than Liberty's: see heat_template_version in {', '.join(newer)}."


def placeholder_path(image: Mapping[str, Any]) -> str:
    return f"images/{image['id']}-placeholder.qcow2"


def _violations(schema: Mapping[str, Any], data: Any) -> list[ValidationError]:
    errors = Draft202012Validator(schema).iter_errors(data)
    return [best_match([error]) or error for error in sorted(errors, key=lambda e: list(map(str, e.absolute_path)))]


def _placed(error: ValidationError) -> tuple[Path, str]:
    message = error.message
    if len(message) > _MESSAGE_LENGTH:
        message = f"{message[:100]} … {message[-150:]}"
    hint = error.schema.get("description", "") if isinstance(error.schema, Mapping) else ""
    return tuple(error.absolute_path), f"{message}. {hint}".strip()


def _unplaced(file: str, error: ValidationError) -> Fault:
    where, message = _placed(error)
    return Fault(file, message, pointer(where))


def _refuse(code: str, faults: list[Fault]) -> None:
    if faults:
        raise PackageError(code, faults, "Correct what is named, write the manifest anew and build the package again.")


def _yaml(content: Content, path: str, missing: Fault) -> Document:
    if path not in content.files:
        raise PackageError("VNFD_INVALID", [missing], "Add the file, or correct the path.")
    return parse_yaml(path, content.read(path))


def _read_hot(content: Content, vnfd: Document) -> tuple[Hot, list[Fault]]:
    """Follow the references from the root template, the registry and the descriptor to every file that Heat needs."""
    named = vnfd.data["hot"]
    missing = vnfd.fault(("hot", "environment"), f"The package has no file {named['environment']!r}.")
    environment = _yaml(content, named["environment"], missing)
    faults = list(_environment_faults(environment))
    queue = [
        (vnfd.fault(("hot", "template"), f"The package has no file {named['template']!r}."), named["template"]),
        *_registry_files(environment),
        *_descriptor_files(vnfd),
    ]
    templates: dict[str, Template] = {}
    others: set[str] = set()
    while queue:
        missing, path = queue.pop(0)
        if path in templates or path in others:
            continue
        if path not in content.files:
            faults.append(missing)
        elif not path.endswith((".yaml", ".template")):
            others.add(path)
        else:
            template, wrong = read_template(parse_yaml(path, content.read(path)))
            templates[path] = template
            faults += wrong
            queue += [
                (template.document.fault(where, f"The package has no file {file!r}."), file)
                for where, file in file_references(template)
            ]
    if named["template"] not in templates:
        raise PackageError("HOT_INVALID", faults, "Correct hot.template in vnfd.yaml.")
    files = tuple(sorted((templates.keys() | others) - {named["template"]}))
    return Hot(templates[named["template"]], environment.data, templates, files), faults


def _environment_faults(environment: Document) -> Iterator[Fault]:
    for section, value in environment.data.items():
        if section not in ENVIRONMENT_SECTIONS:
            yield environment.fault((section,), f"Liberty's Heat knows no section {section!r} in an environment.")
        elif value is not None and not isinstance(value, Mapping):
            yield environment.fault((section,), f"{section} must be a mapping.")


def _registry_files(environment: Document) -> Iterator[tuple[Fault, str]]:
    registry = environment.data.get("resource_registry")
    for kind, target in registry.items() if isinstance(registry, Mapping) else ():
        if isinstance(target, str) and ("/" in target or target.endswith((".yaml", ".template"))):
            message = f"The package has no file {target!r}; a package brings everything itself."
            yield environment.fault(("resource_registry", kind), message), target


def _text_faults(content: Content, hot: Hot) -> Iterator[Fault]:
    """Heat is given files as text inside of JSON."""
    for path in (hot.root.document.path, *hot.files):
        if content.files[path].size > MAX_BYTES:
            yield Fault(path, f"The file has {content.files[path].size} bytes; Heat can be given {MAX_BYTES}.")
            continue
        try:
            content.read(path).decode()
        except UnicodeDecodeError as error:
            yield Fault(path, f"Heat is given this file, so it must be UTF-8 text: {error.reason} at {error.start}.")


def _descriptor_files(vnfd: Document) -> Iterator[tuple[Fault, str]]:
    places = [
        (("virtualLinks", i, key), link[key])
        for i, link in enumerate(vnfd.data["virtualLinks"])
        for key in ("createdTemplate", "existingTemplate", "movingTemplate")
        if key in link
    ] + [
        (("variants", i, "templates", value), path)
        for i, variant in enumerate(vnfd.data.get("variants", ()))
        for value, path in variant["templates"].items()
    ]
    for where, path in places:
        yield vnfd.fault(where, f"The package has no file {path!r}."), path


def _image_faults(content: Content, vnfd: Document) -> Iterator[Fault]:
    for index, image in enumerate(vnfd.data["softwareImages"]):
        where = ("softwareImages", index)
        if "path" in image and image["path"] not in content.files:
            yield vnfd.fault((*where, "path"), f"The package has no file {image['path']!r}.")
        elif image.get("placeholder") and placeholder_path(image) in content.files:
            yield vnfd.fault(where, f"The package has a file {placeholder_path(image)}: name it as path instead.")
        elif image.get("placeholder") and image["diskFormat"] != "qcow2":
            yield vnfd.fault((*where, "diskFormat"), "A placeholder is always a qcow2.")
