"""A CSAR by its own papers: does the manifest hold, and what is it that is signed?"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from vnfm.catalog.domain.csar.envelope import SIGNATURES
from vnfm.catalog.domain.csar.manifest import Manifest, check_manifest, read_manifest
from vnfm.catalog.domain.csar.meta import MAX_TEXT, META, TOSCA_VERSION, Csar, text_of
from vnfm.catalog.domain.csar.signature import Signing
from vnfm.catalog.domain.findings import Finding
from vnfm.catalog.domain.package import VNFD, placeholder_path
from vnfm.catalog.domain.sources import Content

_PRODUCT = {
    "vnf_provider_id": "provider",
    "vnf_product_name": "product_name",
    "vnf_software_version": "software_version",
    "vnf_package_version": "descriptor_version",
}


@dataclass(frozen=True, slots=True)
class Inspected:
    csar: Csar
    manifest: Manifest | None
    signing: Signing | None
    uncovered: tuple[str, ...]
    """Files that the manifest does not list, and so a signature of it says nothing of."""
    findings: tuple[Finding, ...]

    def product(self) -> dict[str, str]:
        """What the manifest says of the VNF, in the words of SOL001."""
        said = self.manifest.metadata if self.manifest else {}
        return {ours: said[key] for key, ours in _PRODUCT.items() if said.get(key)}


def inspect(content: Content, csar: Csar) -> Inspected:
    """Raises PackageError (CSAR_INVALID) for a manifest that cannot be read."""
    if not csar.manifest:
        message = "The CSAR has no manifest, so nothing tells whether its files are those that its maker put there."
        finding = Finding("warning", "CSAR_MANIFEST", message, META if META in content.files else csar.definitions)
        return Inspected(csar, None, None, (), (finding,))
    manifest = read_manifest(csar.manifest, text_of(content, csar.manifest))
    signature = _beside(content, csar.manifest)
    papers = {csar.manifest, csar.certificate, signature}
    found = tuple(check_manifest(manifest, content, papers))
    uncovered = tuple(sorted(content.files.keys() - manifest.covered() - papers))
    cms = manifest.signature or (content.read(signature) if signature else b"")
    certificate = text_of(content, csar.certificate).encode() if csar.certificate else b""
    signing = Signing("OPTION_1", cms, lambda name: list(_digests(manifest.signed, name)), certificate) if cms else None
    return Inspected(csar, manifest, signing, uncovered, found)


def is_ours(content: Content) -> bool:
    """Whether the CSAR brings a descriptor of ours: one that was exported here."""
    return VNFD in content.files and TOSCA_VERSION not in content.yaml(VNFD).data


def wrapping_of(content: Content, inspected: Inspected) -> set[str]:
    """Files of a CSAR of ours that belong to the CSAR and not to the package in it."""
    signature = _beside(content, inspected.csar.manifest) if inspected.manifest else ""
    folder = inspected.csar.definitions.rpartition("/")[0]
    stem = inspected.csar.definitions.removesuffix(".yaml")
    definitions = {path for path in content.files if path.startswith(stem)} if folder else {inspected.csar.definitions}
    made = _placeholders(content)
    papers = {META, inspected.csar.manifest, inspected.csar.certificate, signature}
    return {*papers, *definitions, *made} & content.files.keys()


def _placeholders(content: Content) -> Iterator[str]:
    """Files that are made anew when the package is onboarded."""
    images = content.yaml(VNFD).data.get("softwareImages")
    for image in images if isinstance(images, list) else ():
        if isinstance(image, Mapping) and image.get("placeholder") is True and "id" in image:
            yield placeholder_path(image)


def _beside(content: Content, manifest: str) -> str:
    """The signature of the manifest in a file of its own."""
    stem = manifest.rpartition(".")[0]
    names = [f"{start}{suffix}" for start in (stem, f"{stem}.sig", manifest) for suffix in SIGNATURES]
    return next((name for name in names if name in content.files and content.files[name].size <= MAX_TEXT), "")


def _digests(signed: bytes, algorithm: str) -> Iterator[bytes]:
    """Of the manifest as it is, and as tools leave it: without its last line ends, with those of a text in MIME."""
    for text in (signed, signed.rstrip(b"\r\n")):
        for form in (text, text.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")):
            yield hashlib.new(algorithm, form).digest()
