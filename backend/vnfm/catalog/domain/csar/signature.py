"""Whether a package is signed, by whom, and whether that is somebody we trust."""

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

from vnfm.catalog.domain.csar.cms import BadSignatureError, check
from vnfm.catalog.domain.errors import Fault, PackageError

State = Literal["UNSIGNED", "VALID", "INVALID", "UNKNOWN_SIGNER"]
Option = Literal["", "OPTION_1", "OPTION_2"]
"""SOL004 clause 5.1: 1 signs the manifest inside the package, 2 the package as a whole."""


@dataclass(frozen=True, slots=True)
class Signature:
    state: State
    option: Option = ""
    reason: str = ""
    """Why it is not VALID, as a sentence; "" when it is, and when there is none to speak of."""
    signer: x509.Certificate | None = None
    """The certificate of who signed, when the signature is right."""

    def as_json(self) -> dict[str, Any]:
        """As it is kept with the package."""
        said: dict[str, Any] = {"state": self.state, "option": self.option, "reason": self.reason}
        if self.signer is None:
            return said
        return said | {
            "subject": self.signer.subject.rfc4514_string(),
            "issuer": self.signer.issuer.rfc4514_string(),
            "serialNumber": f"{self.signer.serial_number:x}",
            "notAfter": self.signer.not_valid_after_utc.isoformat(),
            "certificate": self.signer.public_bytes(Encoding.PEM).decode(),
        }


UNSIGNED = Signature("UNSIGNED")


@dataclass(frozen=True, slots=True)
class Signing:
    """A signature and what it is about."""

    option: Option
    cms: bytes
    digests: Callable[[str], list[bytes]]
    """By hashlib's name of an algorithm, the digests of the content; several where its form is open."""
    certificate: bytes
    """The signer's, where it came beside the signature; b"" otherwise."""


def judge(signing: Signing, trusted: list[x509.Certificate], now: datetime) -> Signature:
    """Whether the signature is right, and whether a trusted certificate vouches for the signer at that time."""
    try:
        beside = x509.load_pem_x509_certificates(signing.certificate) if signing.certificate else []
    except ValueError as error:
        return Signature("INVALID", signing.option, f"The certificate beside the signature is no PEM: {error}.")
    try:
        signed = check(signing.cms, signing.digests, [*beside, *trusted])
    except BadSignatureError as error:
        return Signature("INVALID", signing.option, str(error))
    signer = signed.signer
    if not signer.not_valid_before_utc <= now <= signer.not_valid_after_utc:
        span = f"{signer.not_valid_before_utc:%Y-%m-%d} to {signer.not_valid_after_utc:%Y-%m-%d}"
        return Signature("INVALID", signing.option, f"The signer's certificate holds from {span} only.", signer)
    why = _doubt(signer, list(signed.others), trusted, now)
    return Signature("UNKNOWN_SIGNER" if why else "VALID", signing.option, why, signer)


def refuse(signature: Signature, *, required: bool) -> None:
    """Raises PackageError for a signature that is wrong, and where one is required for all but a valid one."""
    if signature.state == "INVALID":
        step = "Ask whoever made the package to sign it anew."
        raise PackageError("SIGNATURE_INVALID", [Fault("", signature.reason)], step)
    if required and signature.state != "VALID":
        reason = signature.reason or "The package bears no signature, and only signed ones are taken here."
        step = "Have it signed, or have the signer's certificate put into the certificate store of this manager."
        raise PackageError("SIGNATURE_REQUIRED", [Fault("", reason)], step)


def _doubt(
    signer: x509.Certificate, others: list[x509.Certificate], trusted: list[x509.Certificate], now: datetime
) -> str:
    """Why nobody in the store vouches for the signer; "" when somebody does."""
    name = signer.subject.rfc4514_string()
    if signer in trusted:
        return ""
    if not trusted:
        return f"The signature of {name} is right, but the certificate store is empty."
    ca = ExtensionPolicy.permit_all().require_present(x509.BasicConstraints, Criticality.AGNOSTIC, _is_ca)
    policy = PolicyBuilder().store(Store(trusted)).time(now)
    policy = policy.extension_policies(ca_policy=ca, ee_policy=ExtensionPolicy.permit_all())
    try:
        policy.build_client_verifier().verify(signer, [one for one in others if one not in trusted])
    except VerificationError as error:
        return f"The signature of {name} is right, but no certificate of the store vouches for that signer ({error})."
    return ""


def _is_ca(_: Policy, certificate: x509.Certificate, constraints: x509.BasicConstraints) -> None:
    if not constraints.ca:
        raise ValueError(f"{certificate.subject.rfc4514_string()} may not sign certificates")
