"""Signatures of packages (SOL004 clause 5.1): who signed, and whether a trusted certificate vouches for the signer."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.verification import (
    Criticality,
    ExtensionPolicy,
    Policy,
    PolicyBuilder,
    Store,
    VerificationError,
)

from vnfm.catalog.domain.csar.cms import BadSignatureError, verify_cms
from vnfm.catalog.domain.errors import PackageError, PackageFault

State = Literal["UNSIGNED", "VALID", "INVALID", "UNKNOWN_SIGNER"]
Option = Literal["", "OPTION_1", "OPTION_2"]
"""SOL004 clause 5.1: option 1 signs the manifest inside the package, option 2 the whole package."""


@dataclass(frozen=True, slots=True)
class Signature:
    state: State
    option: Option = ""
    reason: str = ""
    """Why it is not VALID, as a sentence; "" when it is, or when there is no signature."""
    signer: x509.Certificate | None = None
    """The signer's certificate, when the signature itself is correct."""

    @property
    def is_unknown(self) -> bool:
        return self.state == "UNKNOWN_SIGNER"

    def __reduce__(self) -> tuple[Any, ...]:
        """Between processes."""
        signer = None if self.signer is None else self.signer.public_bytes(Encoding.DER)
        return _signature, (self.state, self.option, self.reason, signer)

    def as_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {"state": self.state, "option": self.option, "reason": self.reason}
        if self.signer is None:
            return data
        return data | {
            "subject": self.signer.subject.rfc4514_string(),
            "issuer": self.signer.issuer.rfc4514_string(),
            "serialNumber": f"{self.signer.serial_number:x}",
            "notAfter": self.signer.not_valid_after_utc.isoformat(),
            "certificate": self.signer.public_bytes(Encoding.PEM).decode(),
        }


def _signature(state: State, option: Option, reason: str, signer: bytes | None) -> Signature:
    return Signature(state, option, reason, None if signer is None else x509.load_der_x509_certificate(signer))


UNSIGNED = Signature("UNSIGNED")


@dataclass(frozen=True, slots=True)
class SignedContent:
    """A signature and the digests of what it signs."""

    option: Option
    cms: bytes
    digests: Callable[[str], list[bytes]]
    """hashlib's name of an algorithm to the digests of the content, one for each accepted form of line ends."""
    certificate: bytes
    """The signer's, where it is a file of its own; b"" otherwise."""


def verify(content: SignedContent, trusted: list[x509.Certificate], now: datetime) -> Signature:
    """Whether the signature is correct, and whether a trusted certificate vouches for the signer at that time."""
    try:
        included = x509.load_pem_x509_certificates(content.certificate) if content.certificate else []
    except ValueError as error:
        return Signature("INVALID", content.option, f"The certificate file is no PEM: {error}.")
    try:
        signed = verify_cms(content.cms, content.digests, [*included, *trusted])
    except BadSignatureError as error:
        return Signature("INVALID", content.option, str(error))
    signer = signed.signer
    if not signer.not_valid_before_utc <= now <= signer.not_valid_after_utc:
        span = f"{signer.not_valid_before_utc:%Y-%m-%d} to {signer.not_valid_after_utc:%Y-%m-%d}"
        return Signature("INVALID", content.option, f"The signer's certificate holds from {span} only.", signer)
    why = _untrusted(signer, list(signed.others), trusted, now)
    return Signature("UNKNOWN_SIGNER" if why else "VALID", content.option, why, signer)


def require_valid(signature: Signature, *, required: bool) -> None:
    """Raises PackageError for an invalid signature and, where one is required, for anything but a valid one."""
    if signature.state == "INVALID":
        step = "Ask the package's vendor to sign it again."
        raise PackageError("SIGNATURE_INVALID", [PackageFault("", signature.reason)], step)
    if required and signature.state != "VALID":
        reason = signature.reason or "The package has no signature, and only signed packages are accepted here."
        step = "Have it signed, or have the signer's certificate put into the certificate store of this manager."
        raise PackageError("SIGNATURE_REQUIRED", [PackageFault("", reason)], step)


def _untrusted(
    signer: x509.Certificate, others: list[x509.Certificate], trusted: list[x509.Certificate], now: datetime
) -> str:
    """Why no certificate of the store vouches for the signer; "" when one does."""
    name = signer.subject.rfc4514_string()
    if signer in trusted:
        return ""
    if not trusted:
        return f"The signature of {name} is correct, but the certificate store is empty."
    ca = ExtensionPolicy.permit_all().require_present(x509.BasicConstraints, Criticality.AGNOSTIC, _is_ca)
    policy = PolicyBuilder().store(Store(trusted)).time(now)
    policy = policy.extension_policies(ca_policy=ca, ee_policy=ExtensionPolicy.permit_all())
    try:
        policy.build_client_verifier().verify(signer, [one for one in others if one not in trusted])
    except VerificationError as error:
        return f"The signature of {name} is correct, but no certificate of the store vouches for that signer ({error})."
    return ""


def _is_ca(_: Policy, certificate: x509.Certificate, constraints: x509.BasicConstraints) -> None:
    if not constraints.ca:
        raise ValueError(f"{certificate.subject.rfc4514_string()} may not sign certificates")
