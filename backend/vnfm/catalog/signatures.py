"""Signatures of packages against the certificates that this manager trusts: PEM files in a folder of the settings."""

from functools import partial
from hashlib import file_digest
from pathlib import Path

import structlog
from cryptography import x509
from django.conf import settings

from vnfm.catalog.domain.csar import signature
from vnfm.catalog.domain.csar.inspection import Inspected
from vnfm.catalog.domain.csar.signature import UNSIGNED, Signature, Signing
from vnfm.catalog.store import Staged
from vnfm.catalog.uploads import Envelope, Upload
from vnfm.kit import clock

_PEM = (".pem", ".crt", ".cer", ".cert")

log = structlog.get_logger(__name__)


def trusted() -> list[x509.Certificate]:
    """Every certificate of the store, read anew: whoever takes one out does not have to restart anything."""
    folder: Path = settings.PACKAGE_CERTIFICATES_DIR
    found = []
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.suffix in _PEM:
            try:
                found += x509.load_pem_x509_certificates(path.read_bytes())
            except (OSError, ValueError):
                log.warning("catalog.certificate_unreadable", file=str(path))
    return found


def signature_of(upload: Upload, inspected: Inspected | None) -> Signature:
    """Of the zip around the package, if there is one; else of the manifest in it."""
    signing = _of_envelope(upload.envelope) if upload.envelope else inspected.signing if inspected else None
    if signing is None:
        return UNSIGNED
    found = signature.judge(signing, trusted(), clock.now())
    left = inspected.uncovered if inspected and signing.option == "OPTION_1" else ()
    if found.state != "INVALID" and left:
        reason = f"The manifest that is signed does not list {', '.join(left[:10])}."
        return Signature("INVALID", signing.option, reason, found.signer)
    return found


def refuse(found: Signature) -> None:
    """Raises PackageError for what VNFM_PACKAGE_SIGNATURES does not allow."""
    signature.refuse(found, required=settings.PACKAGE_SIGNATURES == "signed")


def _of_envelope(envelope: Envelope) -> Signing:
    return Signing("OPTION_2", envelope.signature, partial(_digests, envelope.package), envelope.certificate)


def _digests(package: Staged, algorithm: str) -> list[bytes]:
    if algorithm == "sha256":
        return [bytes.fromhex(package.sha256)]
    with package.path.open("rb") as file:
        return [file_digest(file, algorithm).digest()]
