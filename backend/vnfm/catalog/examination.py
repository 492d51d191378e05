"""One look at an upload: is it a package, or can one be made of it, and what is to be said of its templates?"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from vnfm.catalog import store
from vnfm.catalog.domain import manifest
from vnfm.catalog.domain.csar.derive import derive_csar
from vnfm.catalog.domain.csar.inspection import Inspected, inspect, is_ours, wrapping_of
from vnfm.catalog.domain.csar.meta import find_csar
from vnfm.catalog.domain.csar.signature import UNSIGNED, Signature
from vnfm.catalog.domain.csar.signature import refuse as refuse_signature
from vnfm.catalog.domain.derive.descriptor import Derived, derive
from vnfm.catalog.domain.dimensioning import reader as figures
from vnfm.catalog.domain.errors import Fault, PackageError
from vnfm.catalog.domain.extract import Extract
from vnfm.catalog.domain.findings import Finding, errors_of, in_order
from vnfm.catalog.domain.hot.templates import OLDEST, Target
from vnfm.catalog.domain.package import VNFD, Package, check_content, check_package
from vnfm.catalog.domain.sources import Content, without
from vnfm.catalog.signatures import refuse as refuse_unsigned
from vnfm.catalog.signatures import signature_of
from vnfm.catalog.uploads import Upload, with_files

_NO_DERIVATION = "Correct what is named and send the files again; or write a vnfd.yaml yourself and send it with them."

_BESIDE = "The descriptor was sent beside what is signed, so no signature vouches for it."


@dataclass(frozen=True, slots=True)
class Examined:
    """An upload that is a package, or has become one."""

    package: Package
    added: Mapping[str, store.Staged]
    """Files that were made for it: a derived descriptor and its environment."""
    content: Content
    """With these."""
    signature: Signature = UNSIGNED
    left_out: frozenset[str] = frozenset()
    """Files that belong to the CSAR around a package of ours, and not to the package."""
    is_csar: bool = False
    """Whether the upload is a CSAR with all of the package in it."""


@dataclass(frozen=True, slots=True)
class Report:
    """All that is to be said of an upload, whether it would be taken or not."""

    findings: tuple[Finding, ...]
    package: Package | None
    """None when it would be refused."""
    extract: Extract | None
    """The same."""


def examine(upload: Upload, folder: Path, vnfd: bytes | None = None, target: Target = OLDEST) -> Examined:
    """Raises PackageError when it cannot be onboarded. `vnfd` is a descriptor that came beside the files."""
    inspected = _inspected(upload.content)
    signature = signature_of(upload, inspected)
    refuse_signature(signature, required=False)
    if vnfd is not None and signature.signer is not None:
        signature = Signature("UNSIGNED", reason=_BESIDE)
    if inspected is not None and vnfd is None and is_ours(upload.content):
        examined = _exported(upload.content, inspected, target)
    else:
        examined = _examine(upload.content, inspected, folder, vnfd, target)
    said = [Finding("warning", "SIGNATURE_UNKNOWN", signature.reason)] if signature.state == "UNKNOWN_SIGNER" else []
    package = replace(examined.package, findings=tuple(in_order([*said, *examined.package.findings])))
    is_csar = inspected is not None and vnfd is None
    return replace(examined, package=package, signature=signature, is_csar=is_csar)


def _examine(
    content: Content, inspected: Inspected | None, folder: Path, vnfd: bytes | None, target: Target
) -> Examined:
    if inspected is None and vnfd is None and _is_package(content):
        package = check_package(content, schema("manifest"), schema("vnfd"), target)
        _check_figures(content, package)
        return Examined(package, {}, content)
    derived = _derived(content, inspected, target)
    if vnfd is None:
        _refuse(derived)
    complete, staged = with_files(content, {VNFD: vnfd or derived.vnfd.encode(), **derived.files}, folder)
    package = check_content(complete, schema("vnfd"), target)
    _check_figures(content, package)
    said = package.findings if vnfd else (*derived.findings, *package.findings)
    return Examined(replace(package, findings=tuple(in_order(said))), staged, complete)


def _exported(content: Content, inspected: Inspected, target: Target) -> Examined:
    """A CSAR that was made of a package of ours: that package again."""
    wrapping = wrapping_of(content, inspected)
    inner = without(content, wrapping)
    if manifest.NAME in inner.files:
        package = check_package(inner, schema("manifest"), schema("vnfd"), target)
    else:
        package = check_content(inner, schema("vnfd"), target)
    _check_figures(inner, package)
    said = (*inspected.findings, *package.findings)
    return Examined(replace(package, findings=said), {}, inner, left_out=frozenset(wrapping))


def derive_upload(upload: Upload, target: Target) -> Derived:
    """The descriptor that an upload without one of ours would get; raises PackageError for a CSAR that is broken."""
    return _derived(upload.content, _inspected(upload.content), target)


def _derived(content: Content, inspected: Inspected | None, target: Target) -> Derived:
    if inspected is None:
        return derive(content, target)
    derived = derive_csar(content, inspected.csar, target, product=inspected.product())
    return replace(derived, findings=tuple(in_order([*inspected.findings, *derived.findings])))


def _inspected(content: Content) -> Inspected | None:
    """None when it is no CSAR; raises PackageError for one whose manifest does not hold."""
    csar = find_csar(content)
    if csar is None:
        return None
    inspected = inspect(content, csar)
    errors = errors_of(inspected.findings)
    if errors:
        said = [finding.as_json() for finding in inspected.findings]
        raise PackageError("CSAR_INVALID", errors, "Build the CSAR anew, and its manifest with it.", findings=said)
    return inspected


def report(upload: Upload, folder: Path, vnfd: bytes | None, target: Target) -> Report:
    """The same without a refusal."""
    try:
        examined = examine(upload, folder, vnfd, target)
        refuse_unsigned(examined.signature)
    except PackageError as error:
        return Report(tuple(findings_of(error)), None, None)
    package = examined.package
    return Report(package.findings, package, Extract.of(VNFD, package.vnfd, examined.content))


def findings_of(error: PackageError) -> list[Finding]:
    """A refusal as findings; those of the templates say more than the faults."""
    if error.findings:
        return [Finding(**finding) for finding in error.findings]
    return [Finding.of("error", error.code, fault) for fault in error.faults]


def _is_package(content: Content) -> bool:
    """One of ours says so by its descriptor or by its manifest; ONAP's manifest is of another shape."""
    if VNFD in content.files or manifest.NAME not in content.files:
        return VNFD in content.files
    listed = manifest.parse_manifest(content.read(manifest.NAME))
    return isinstance(listed, Mapping) and listed.get("format") == manifest.FORMAT


def _check_figures(content: Content, package: Package) -> None:
    if figures.NAME in content.files:
        figures.check_figures(figures.NAME, content.read(figures.NAME), schema("figures"), package.vnfd)


def _refuse(derived: Derived) -> None:
    errors = errors_of(derived.findings)
    if errors or not derived.vnfd:
        faults = errors or [Fault("", "No VNFD can be derived from these files.")]
        raise PackageError("HOT_INVALID", faults, _NO_DERIVATION, findings=[f.as_json() for f in derived.findings])


@cache
def schema(name: str) -> Mapping[str, Any]:
    path: Path = settings.CATALOG_DIR / "schema" / f"{name}.schema.json"
    found: Mapping[str, Any] = json.loads(path.read_text())
    return found
