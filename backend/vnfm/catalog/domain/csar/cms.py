"""CMS SignedData (RFC 5652) for signatures of packages, with the ASN.1 declarations of `cryptography`.

DER only, SHA-2 only, and with signed attributes, as all common tools write it. Detached: only the digest of the signed
content is used.
"""

import base64
import binascii
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat import asn1
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa

_SIGNED_DATA = "1.2.840.113549.1.7.2"
_CONTENT_TYPE = "1.2.840.113549.1.9.3"
_MESSAGE_DIGEST = "1.2.840.113549.1.9.4"
_PSS = "1.2.840.113549.1.1.10"
_DIGESTS: Mapping[str, tuple[str, hashes.HashAlgorithm]] = {
    "2.16.840.1.101.3.4.2.1": ("sha256", hashes.SHA256()),
    "2.16.840.1.101.3.4.2.2": ("sha384", hashes.SHA384()),
    "2.16.840.1.101.3.4.2.3": ("sha512", hashes.SHA512()),
}
MAX_SIGNERS = 10
_SEQUENCE, _SET = b"\x30", b"\x31"


class BadSignatureError(Exception):
    """The signature does not match the content, or cannot be read; the text says why, as a sentence."""


@asn1.sequence
class _Algorithm:
    oid: x509.ObjectIdentifier


@asn1.sequence
class _AlgorithmOf:
    oid: x509.ObjectIdentifier
    parameters: asn1.TLV


@asn1.sequence
class _ContentInfo:
    kind: x509.ObjectIdentifier
    content: Annotated[asn1.TLV, asn1.Explicit(0)]


@asn1.sequence
class _Encapsulated:
    kind: x509.ObjectIdentifier
    content: Annotated[bytes | None, asn1.Explicit(0)]


@asn1.sequence
class _IssuerAndSerial:
    issuer: asn1.TLV
    serial: int


@asn1.sequence
class _Attribute:
    kind: x509.ObjectIdentifier
    values: asn1.SetOf[asn1.TLV]


@asn1.sequence
class _Attributes:
    attributes: asn1.SetOf[_Attribute]


@asn1.sequence
class _SignerInfo:
    version: int
    signer: _IssuerAndSerial | Annotated[bytes, asn1.Implicit(0)]
    digest: asn1.TLV
    attributes: asn1.TLV
    algorithm: asn1.TLV
    signature: bytes
    unsigned: Annotated[asn1.SetOf[_Attribute] | None, asn1.Implicit(1)]


@asn1.sequence
class _SignedData:
    version: int
    digests: asn1.SetOf[asn1.TLV]
    content: _Encapsulated
    certificates: Annotated[asn1.SetOf[x509.Certificate] | None, asn1.Implicit(0)]
    revocations: Annotated[asn1.SetOf[asn1.TLV] | None, asn1.Implicit(1)]
    signers: asn1.SetOf[_SignerInfo]


@dataclass(frozen=True, slots=True)
class Signed:
    """A correct signature; whether its signer is trusted is not checked yet."""

    signer: x509.Certificate
    others: tuple[x509.Certificate, ...]
    """Included certificates, to build a chain to a trusted one."""


def verify_cms(signature: bytes, digests: Callable[[str], list[bytes]], known: list[x509.Certificate]) -> Signed:
    """Verify a detached signature (PEM or DER); raises BadSignatureError.

    `digests`: hashlib's name of an algorithm to digests, one of which must be the signed one; `known`: certificates
    among which the signer's is searched when the signature does not include it.
    """
    try:
        data = _signed_data(_der(signature))
        included = data.certificates.as_list() if data.certificates else []
        infos = _bounded(data.signers.as_list())
        once = cache(digests)
        signers = [_signer(info, data, once, [*included, *known]) for info in infos]
    except (ValueError, TypeError, OverflowError, UnsupportedAlgorithm) as error:
        message = f"The signature is no CMS SignedData in DER with signed attributes: {error}."
        raise BadSignatureError(message) from error
    if not signers:
        raise BadSignatureError("The CMS has no signature in it.")
    return Signed(signers[0], (*included, *known))


def _bounded(infos: list[_SignerInfo]) -> list[_SignerInfo]:
    if len(infos) > MAX_SIGNERS:
        raise BadSignatureError(f"The CMS has {len(infos)} signatures in it; {MAX_SIGNERS} are allowed.")
    return infos


def _der(signature: bytes) -> bytes:
    _, begin, rest = signature.partition(b"-----BEGIN ")
    kind, _, body = rest.partition(b"-----")
    if not begin or kind not in (b"CMS", b"PKCS7"):
        return signature
    try:
        return base64.b64decode(b"".join(body.partition(b"-----END ")[0].split()), validate=True)
    except binascii.Error as error:
        raise BadSignatureError(f"The signature is no PEM: {error}.") from error


def _signed_data(der: bytes) -> _SignedData:
    outer = asn1.decode_der(_ContentInfo, der)
    if outer.kind.dotted_string != _SIGNED_DATA:
        raise BadSignatureError("The CMS is not of the type SignedData.")
    return asn1.decode_der(_SignedData, _encoded(outer.content))


def _signer(
    info: _SignerInfo,
    data: _SignedData,
    digests: Callable[[str], list[bytes]],
    certificates: list[x509.Certificate],
) -> x509.Certificate:
    """The signer's certificate, if the signature is correct."""
    name, algorithm = _digest_of(info.digest)
    signed = _SET + asn1.encode_der(bytes(info.attributes.data))[1:]
    attributes = asn1.decode_der(_Attributes, _SEQUENCE + asn1.encode_der(signed)[1:]).attributes.as_list()
    kinds = [one.parse(x509.ObjectIdentifier) for one in _values(attributes, _CONTENT_TYPE)]
    if kinds != [data.content.kind]:
        raise BadSignatureError("The signature is for another type of content.")
    signed_digests = [one.parse(bytes) for one in _values(attributes, _MESSAGE_DIGEST)]
    if len(signed_digests) != 1 or signed_digests[0] not in digests(name):
        raise BadSignatureError("The signature is for other content.")
    certificate = next((one for one in certificates if _is_of(one, info.signer)), None)
    if certificate is None:
        raise BadSignatureError("The signer's certificate is neither in the signature nor in a file next to it.")
    _verify(certificate, info, signed, algorithm)
    return certificate


def _verify(certificate: x509.Certificate, info: _SignerInfo, signed: bytes, digest: hashes.HashAlgorithm) -> None:
    key = certificate.public_key()
    try:
        if isinstance(key, rsa.RSAPublicKey):
            pss = padding.PSS(padding.MGF1(digest), padding.PSS.AUTO)
            scheme = pss if _oid(info.algorithm) == _PSS else padding.PKCS1v15()
            key.verify(info.signature, signed, scheme, digest)
        elif isinstance(key, ec.EllipticCurvePublicKey):
            key.verify(info.signature, signed, ec.ECDSA(digest))
        else:
            raise BadSignatureError("Only RSA and elliptic curve (ECDSA) keys are accepted.")
    except InvalidSignature as error:
        raise BadSignatureError("The signature does not fit the signer's certificate.") from error


def _values(attributes: list[_Attribute], kind: str) -> list[asn1.TLV]:
    return [value for one in attributes if one.kind.dotted_string == kind for value in one.values.as_list()]


def _is_of(certificate: x509.Certificate, signer: _IssuerAndSerial | bytes) -> bool:
    if isinstance(signer, bytes):
        try:
            found = certificate.extensions.get_extension_for_class(x509.SubjectKeyIdentifier)
        except x509.ExtensionNotFound:
            return False
        return found.value.digest == signer
    issuer = _encoded(signer.issuer)
    return certificate.serial_number == signer.serial and certificate.issuer.public_bytes() == issuer


def _digest_of(algorithm: asn1.TLV) -> tuple[str, hashes.HashAlgorithm]:
    found = _DIGESTS.get(_oid(algorithm))
    if found is None:
        raise BadSignatureError(f"The digest {_oid(algorithm)} is not one of SHA-256, SHA-384, SHA-512.")
    return found


def _oid(algorithm: asn1.TLV) -> str:
    """Read an AlgorithmIdentifier, whose parameters may be missing."""
    try:
        found: _AlgorithmOf | _Algorithm = algorithm.parse(_AlgorithmOf)
    except ValueError:
        found = algorithm.parse(_Algorithm)
    return found.oid.dotted_string


def _encoded(value: asn1.TLV) -> bytes:
    """The value with its tag and length."""
    return bytes(value.tag_bytes) + asn1.encode_der(bytes(value.data))[1:]
