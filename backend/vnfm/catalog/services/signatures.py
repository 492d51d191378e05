"""Signatures of packages, checked against the trusted certificates: PEM files in a folder that the settings name."""

from functools import partial
from hashlib import file_digest
from pathlib import Path

import structlog
from cryptography import x509
from django.conf import settings

from vnfm.catalog.artifacts.store import StagedFile
from vnfm.catalog.domain.csar import signature
from vnfm.catalog.domain.csar.inspection import Inspection
from vnfm.catalog.domain.csar.signature import UNSIGNED, Signature, SignedContent
from vnfm.catalog.domain.errors import PackageError, PackageFault
from vnfm.catalog.services.uploads import Envelope, Upload
from vnfm.kit import clock

_PEM = (".pem", ".crt", ".cer", ".cert")

log = structlog.get_logger(__name__)


def trusted_certificates() -> list[x509.Certificate]:
    """All certificates of the store, read each time, so that removing one needs no restart."""
    folder: Path = settings.PACKAGE_CERTIFICATES_DIR
    certificates = []
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.suffix in _PEM:
            try:
                certificates += x509.load_pem_x509_certificates(path.read_bytes())
            except (OSError, ValueError):
                log.warning("catalog.certificate_unreadable", file=str(path))
    return certificates


def signature_of(upload: Upload, inspection: Inspection | None) -> Signature:
    """The signature of the zip around the package, if there is one; else that of the manifest in it."""
    signed = _of_envelope(upload.envelope) if upload.envelope else inspection.signed if inspection else None
    if signed is None:
        return UNSIGNED
    verified = signature.verify(signed, trusted_certificates(), clock.now())
    uncovered = inspection.uncovered if inspection and signed.option == "OPTION_1" else ()
    if verified.state != "INVALID" and uncovered:
        reason = f"The manifest that is signed gives no digest of {', '.join(uncovered[:10])}."
        return Signature("INVALID", signed.option, reason, verified.signer)
    return verified


def require_allowed(verified: Signature) -> None:
    """Raises PackageError for a signature that VNFM_PACKAGE_SIGNATURES does not allow."""
    signature.require_valid(verified, required=settings.PACKAGE_SIGNATURES == "signed")


def require_fetch_allowed(error: PackageError) -> None:
    """Raises PackageError where only signed packages are accepted; `error` names the files to fetch."""
    if settings.PACKAGE_SIGNATURES == "signed":
        reason = "Files that templates name by URLs are not fetched: only what a signature covers is accepted here."
        step = "Put the files into the package, write their paths, and have the package signed."
        raise PackageError("SIGNATURE_REQUIRED", [PackageFault("", reason)], step, findings=error.findings) from error


def _of_envelope(envelope: Envelope) -> SignedContent:
    return SignedContent("OPTION_2", envelope.signature, partial(_digests, envelope.package), envelope.certificate)


def _digests(package: StagedFile, algorithm: str) -> list[bytes]:
    if algorithm == "sha256":
        return [bytes.fromhex(package.sha256)]
    with package.path.open("rb") as file:
        return [file_digest(file, algorithm).digest()]
