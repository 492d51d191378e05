"""Inspection of a CSAR: its manifest against its files, and what its signature covers."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from vnfm.catalog.domain.content import Content
from vnfm.catalog.domain.csar.envelope import SIGNATURES
from vnfm.catalog.domain.csar.manifest import Manifest, check_manifest, read_manifest
from vnfm.catalog.domain.csar.meta import MAX_TEXT, META, TOSCA_VERSION, Csar, text_of
from vnfm.catalog.domain.csar.signature import SignedContent
from vnfm.catalog.domain.findings import Finding
from vnfm.catalog.domain.package import VNFD, placeholder_path

_PRODUCT = {
    "vnf_provider_id": "provider",
    "vnf_product_name": "product_name",
    "vnf_software_version": "software_version",
    "vnf_package_version": "descriptor_version",
}


@dataclass(frozen=True, slots=True)
class Inspection:
    csar: Csar
    manifest: Manifest | None
    signed: SignedContent | None
    uncovered: tuple[str, ...]
    """Files that the manifest does not list, so that its signature does not cover them."""
    findings: tuple[Finding, ...]

    def product(self) -> dict[str, str]:
        """The manifest's metadata of the VNF, by SOL001's names."""
        metadata = self.manifest.metadata if self.manifest else {}
        return {name: metadata[key] for key, name in _PRODUCT.items() if metadata.get(key)}


def inspect(content: Content, csar: Csar) -> Inspection:
    """Raises PackageError (CSAR_INVALID) for a manifest that cannot be read."""
    if not csar.manifest:
        message = "The CSAR has no manifest, so nothing shows whether its files are those of its vendor."
        finding = Finding("warning", "CSAR_MANIFEST", message, META if META in content.files else csar.definitions)
        return Inspection(csar, None, None, (), (finding,))
    manifest = read_manifest(csar.manifest, text_of(content, csar.manifest))
    signature = _signature_file(content, csar.manifest)
    metadata = {csar.manifest, csar.certificate, signature}
    findings = tuple(check_manifest(manifest, content, metadata))
    uncovered = tuple(sorted(content.files.keys() - manifest.covered() - metadata))
    cms = manifest.signature or (content.read(signature) if signature else b"")
    certificate = text_of(content, csar.certificate).encode() if csar.certificate else b""
    digests = partial(_digests, manifest.signed)
    signed = SignedContent("OPTION_1", cms, digests, certificate) if cms else None
    return Inspection(csar, manifest, signed, uncovered, findings)


def is_exported(content: Content) -> bool:
    """Return whether the CSAR was exported here: it contains our own descriptor."""
    return VNFD in content.files and TOSCA_VERSION not in content.yaml(VNFD).data


def wrapper_files(content: Content, inspected: Inspection) -> set[str]:
    """Files of an exported CSAR that belong to the CSAR and not to the package in it."""
    signature = _signature_file(content, inspected.csar.manifest) if inspected.manifest else ""
    folder = inspected.csar.definitions.rpartition("/")[0]
    stem = inspected.csar.definitions.removesuffix(".yaml")
    definitions = {path for path in content.files if path.startswith(stem)} if folder else {inspected.csar.definitions}
    made = _placeholders(content)
    metadata = {META, inspected.csar.manifest, inspected.csar.certificate, signature}
    return {*metadata, *definitions, *made} & content.files.keys()


def _placeholders(content: Content) -> Iterator[str]:
    """Files that onboarding generates again."""
    images = content.yaml(VNFD).data.get("softwareImages")
    for image in images if isinstance(images, list) else ():
        if isinstance(image, Mapping) and image.get("placeholder") is True and "id" in image:
            yield placeholder_path(image)


def _signature_file(content: Content, manifest: str) -> str:
    """The file with the signature of the manifest; "" when there is none."""
    stem = manifest.rpartition(".")[0]
    names = [f"{start}{suffix}" for start in (stem, f"{stem}.sig", manifest) for suffix in SIGNATURES]
    return next((name for name in names if name in content.files and content.files[name].size <= MAX_TEXT), "")


def _digests(signed: bytes, algorithm: str) -> list[bytes]:
    """Tools sign the manifest as it is, without its last line ends, or with the line ends of MIME."""
    texts = (signed, signed.rstrip(b"\r\n"))
    forms = (form for text in texts for form in (text, text.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")))
    return [hashlib.new(algorithm, form).digest() for form in forms]
