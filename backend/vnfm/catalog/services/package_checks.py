"""Checks of an upload: a package, a CSAR, or plain Heat templates from which a package is derived.

They run in a process of their own, without database and models: `check_process`.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from django.conf import settings

from vnfm.catalog.artifacts import store
from vnfm.catalog.domain import manifest
from vnfm.catalog.domain.content import Content, without_files
from vnfm.catalog.domain.csar.derive import derive_csar
from vnfm.catalog.domain.csar.inspection import Inspection, inspect, is_exported, wrapper_files
from vnfm.catalog.domain.csar.meta import find_csar
from vnfm.catalog.domain.csar.signature import UNSIGNED, Signature, require_valid
from vnfm.catalog.domain.derive.descriptor import Derived, derive
from vnfm.catalog.domain.derive.origins import relocated
from vnfm.catalog.domain.derive.roots import missing_files, root_candidates
from vnfm.catalog.domain.dimensioning import reader as figures
from vnfm.catalog.domain.documents import parse_yaml
from vnfm.catalog.domain.errors import PackageError, PackageFault
from vnfm.catalog.domain.findings import CONSEQUENCES, Finding, errors_of, sort_findings
from vnfm.catalog.domain.hot.external_files import is_copy, stored_path
from vnfm.catalog.domain.hot.templates import OLDEST, HeatTarget
from vnfm.catalog.domain.hot.validate import cloud_findings
from vnfm.catalog.domain.package import VNFD, Package, check_content, check_package, read_templates
from vnfm.catalog.domain.template_bundle import TemplateBundle
from vnfm.catalog.services.signatures import require_allowed, signature_of
from vnfm.catalog.services.uploads import Upload, unpack_upload, with_files

_NOT_DERIVED = "Correct the findings and send the files again; or write a vnfd.yaml yourself and send it with them."

_CHOICE = {"ROOT_UNCLEAR", "MODULE_LEFT_OUT"}
"""Codes of findings after which another root can be chosen."""
_NOT_SIGNED = "The descriptor was sent separately from the signed content, so the signature does not cover it."
_FETCHED = "Files were fetched that templates name by URLs, so the signature does not cover them."


@dataclass(frozen=True, slots=True)
class Validated:
    """An upload that is a valid package, or from which one was derived."""

    package: Package
    added: Mapping[str, store.StagedFile]
    """Generated files: a derived descriptor and its environment."""
    content: Content
    """All files, with the added ones."""
    signature: Signature = UNSIGNED
    left_out: frozenset[str] = frozenset()
    """Files of the CSAR around one of our packages, which do not belong to the package."""
    is_csar: bool = False
    """The upload is a CSAR that contains the whole package."""


@dataclass(frozen=True, slots=True)
class Report:
    """All findings about an upload, whether it would be accepted or not."""

    findings: tuple[Finding, ...]
    package: Package | None
    """None when it would be refused."""
    templates: TemplateBundle | None
    """None when it would be refused."""
    roots: tuple[str, ...] = ()
    """Templates that can be chosen as the root, where that is unclear or was chosen."""
    missing: tuple[str, ...] = ()
    """Files that templates name and that were not sent."""
    onboarded_as: str = ""
    """Id of the package that has this VNFD id already."""


@dataclass(frozen=True, slots=True)
class Choices:
    """The user's choices in addition to the files."""

    vnfd: bytes | None = None
    """A descriptor that was sent."""
    root: str = ""
    """The root template; "" for the one that is found."""
    fetch: Collection[str] = ()
    """URLs that may be fetched."""


NO_CHOICES = Choices()


@dataclass(frozen=True, slots=True)
class ValidatedContent:
    """A package that has passed every check; its files are in the staging folder."""

    package: Package
    archive: store.StagedFile
    files: Mapping[str, store.StagedFile]
    signature: Signature
    is_csar: bool

    def objects(self) -> Iterable[store.StagedFile]:
        """The archive and its files, equal contents once."""
        return {staged.sha256: staged for staged in (self.archive, *self.files.values())}.values()


@dataclass(frozen=True, slots=True)
class RefusedContent:
    """An upload that cannot be onboarded as it is."""

    error: PackageError
    upload: Upload
    fetchable: tuple[Finding, ...]
    """Findings with a URL that may be fetched; with these files the content might be accepted."""


def check_archive(
    archive: store.StagedFile, folder: Path, choices: Choices = NO_CHOICES, upload: Upload | None = None
) -> ValidatedContent | RefusedContent:
    """Unpack and validate a zip; `upload` is what it was unpacked to before, with fetched files.

    Raises PackageError where it cannot be unpacked.
    """
    upload = upload or unpack_upload(archive, folder)
    try:
        return _staged(upload, validate(upload, folder, choices.vnfd, root=choices.root), folder)
    except PackageError as error:
        findings = findings_of(error)
        error.roots = choosable_roots(upload, findings, choices.root)
        return RefusedContent(error, upload, tuple(_fetchable(findings, choices, upload)))


def report_on(
    archive: store.StagedFile, folder: Path, vnfd: bytes | None, target: HeatTarget, root: str = ""
) -> Report:
    """Return all findings that onboarding this would give; raises PackageError if it is not a zip."""
    upload = unpack_upload(archive, folder)
    report = _report(upload, folder, vnfd, target, root)
    codes = {finding.code for finding in report.findings}
    missing = missing_files(upload.content) if "FILE_MISSING" in codes else ()
    return replace(report, roots=choosable_roots(upload, report.findings, root), missing=tuple(missing))


def derive_archive(
    archive: store.StagedFile, folder: Path, target: HeatTarget, root: str = ""
) -> tuple[Derived, dict[str, int]]:
    """The descriptor that is derived from an upload that has none of ours, and the sizes of all files.

    Raises PackageError for a broken CSAR.
    """
    upload = unpack_upload(archive, folder)
    derived = _derive(upload.content, _inspect(upload.content), target, root)
    sizes = {path: info.size for path, info in upload.content.files.items()}
    return derived, sizes | {path: len(data) for path, data in derived.files.items()}


def validate(
    upload: Upload, folder: Path, vnfd: bytes | None = None, target: HeatTarget = OLDEST, root: str = ""
) -> Validated:
    """Raises PackageError when it cannot be onboarded. `vnfd` is a descriptor that was sent with the files, `root`
    the template that the user chose as the root.
    """
    inspection = _inspect(upload.content)
    signature = signature_of(upload, inspection)
    require_valid(signature, required=False)
    if signature.signer is not None and (vnfd is not None or upload.fetched):
        signature = Signature("UNSIGNED", reason=_FETCHED if upload.fetched else _NOT_SIGNED)
    content = upload.complete
    if inspection is not None and vnfd is None and is_exported(content):
        validated = _validate_exported(content, inspection, target, upload.fetched)
    else:
        validated = _validate(upload, inspection, folder, vnfd, target, root=root)
    warnings = [Finding("warning", "SIGNATURE_UNKNOWN", signature.reason)] if signature.is_unknown else []
    package = replace(validated.package, findings=tuple(sort_findings([*warnings, *validated.package.findings])))
    is_csar = inspection is not None and vnfd is None
    return replace(validated, package=package, signature=signature, is_csar=is_csar)


def findings_for(bundle: TemplateBundle, target: HeatTarget) -> list[Finding]:
    """Return the findings that depend on the cloud, for a package that was onboarded."""
    return cloud_findings(replace(read_templates(bundle.content), target=target))


def choosable_roots(upload: Upload, findings: Iterable[Finding], root: str) -> tuple[str, ...]:
    """Templates that can be chosen as the root, where that is unclear or was chosen."""
    choice = root or any(finding.code in _CHOICE for finding in findings)
    return tuple(root_candidates(upload.complete)) if choice else ()


def findings_of(error: PackageError) -> list[Finding]:
    """The error's own findings about templates where there are any, since they say more than its faults."""
    if error.findings:
        return [Finding(**finding) for finding in error.findings]
    return [Finding.of("error", error.code, fault) for fault in error.faults]


@cache
def schema(name: str) -> Mapping[str, Any]:
    path: Path = settings.CATALOG_DIR / "schema" / f"{name}.schema.json"
    loaded: Mapping[str, Any] = json.loads(path.read_text())
    return loaded


def _report(upload: Upload, folder: Path, vnfd: bytes | None, target: HeatTarget, root: str) -> Report:
    try:
        validated = validate(upload, folder, vnfd, target, root)
        require_allowed(validated.signature)
    except PackageError as error:
        return Report(tuple(findings_of(error)), None, None)
    package = validated.package
    return Report(package.findings, package, TemplateBundle.of(VNFD, package.vnfd, validated.content))


def _staged(upload: Upload, validated: Validated, folder: Path) -> ValidatedContent:
    generated = {
        path: store.stage(BytesIO(data), folder, len(data)) for path, data in validated.package.generated.items()
    }
    uploaded = {path: staged for path, staged in upload.files.items() if path not in validated.left_out}
    files = {**uploaded, **upload.fetched, **validated.added, **generated}
    return ValidatedContent(validated.package, upload.archive, files, validated.signature, validated.is_csar)


def _fetchable(findings: Iterable[Finding], choices: Choices, upload: Upload) -> list[Finding]:
    """One finding of each file to fetch; none where errors would remain, since the package is refused then anyway."""
    errors = [finding for finding in findings if finding.severity == "error" and finding.code not in CONSEQUENCES]
    missing = {finding.url: finding for finding in errors}
    allowed = {url for url in choices.fetch if url and stored_path(url) not in upload.fetched}
    return [missing[url] for url in sorted(missing)] if missing.keys() <= allowed else []


def _validate(
    upload: Upload, inspection: Inspection | None, folder: Path, vnfd: bytes | None, target: HeatTarget, *, root: str
) -> Validated:
    content = upload.complete
    if inspection is None and vnfd is None and _is_package(content):
        package = check_package(content, schema("manifest"), schema("vnfd"), target, upload.fetched)
        _check_figures(content, package)
        return Validated(package, {}, content)
    derived = _derive(content, inspection, target, root or _root_of(vnfd, content))
    if vnfd is None:
        _require_derived(derived)
    complete, staged = with_files(content, {VNFD: vnfd or derived.vnfd.encode(), **derived.files}, folder)
    package = check_content(complete, schema("vnfd"), target)
    _check_figures(content, package)
    found = relocated(package.findings, derived.originals)
    findings = package.findings if vnfd else (*derived.findings, *found)
    return Validated(replace(package, findings=tuple(sort_findings(findings))), staged, complete)


def _validate_exported(
    content: Content, inspection: Inspection, target: HeatTarget, fetched: Collection[str]
) -> Validated:
    """A CSAR that was exported from one of our packages: the same package again.

    Copies that the package was exported with are listed in the manifest of the CSAR, not in that of the package.
    """
    wrapper = wrapper_files(content, inspection)
    inner = without_files(content, wrapper)
    if manifest.NAME in inner.files:
        listed = inspection.manifest.covered() if inspection.manifest else frozenset()
        copies = {path for path in listed if is_copy(path)}.union(fetched)
        package = check_package(inner, schema("manifest"), schema("vnfd"), target, copies)
    else:
        package = check_content(inner, schema("vnfd"), target)
    _check_figures(inner, package)
    findings = (*inspection.findings, *package.findings)
    return Validated(replace(package, findings=findings), {}, inner, left_out=frozenset(wrapper))


def _root_of(vnfd: bytes | None, content: Content) -> str:
    """The root that a descriptor names, if it is among the files that were sent."""
    hot = parse_yaml(VNFD, vnfd).data.get("hot") if vnfd is not None else None
    named = hot.get("template") if isinstance(hot, Mapping) else None
    return named if isinstance(named, str) and named in content.files else ""


def _derive(content: Content, inspection: Inspection | None, target: HeatTarget, root: str) -> Derived:
    if inspection is None:
        return derive(content, target, root)
    derived = derive_csar(content, inspection.csar, target, product=inspection.product(), root=root)
    return replace(derived, findings=tuple(sort_findings([*inspection.findings, *derived.findings])))


def _inspect(content: Content) -> Inspection | None:
    """Return None when it is not a CSAR; raises PackageError when its manifest has errors."""
    csar = find_csar(content)
    if csar is None:
        return None
    inspection = inspect(content, csar)
    errors = errors_of(inspection.findings)
    if errors:
        findings = [finding.as_json() for finding in inspection.findings]
        raise PackageError("CSAR_INVALID", errors, "Build the CSAR and its manifest again.", findings=findings)
    return inspection


def _is_package(content: Content) -> bool:
    """Whether it has our descriptor, or our manifest: ONAP's file of that name has another form."""
    if VNFD in content.files or manifest.NAME not in content.files:
        return VNFD in content.files
    parsed = manifest.parse_manifest(content.read(manifest.NAME))
    return isinstance(parsed, Mapping) and parsed.get("format") == manifest.FORMAT


def _check_figures(content: Content, package: Package) -> None:
    if figures.NAME in content.files:
        figures.check_figures(figures.NAME, content.read(figures.NAME), schema("figures"), package.vnfd)


def _require_derived(derived: Derived) -> None:
    errors = errors_of(derived.findings)
    if errors or not derived.vnfd:
        faults = errors or [PackageFault("", "No VNFD can be derived from these files.")]
        raise PackageError("HOT_INVALID", faults, _NOT_DERIVED, findings=[f.as_json() for f in derived.findings])
