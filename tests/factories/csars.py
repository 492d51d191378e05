"""CSARs for tests: those of tests/fixtures/csar, changed at will, with a manifest that holds; and their signatures."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, pkcs7
from cryptography.x509.oid import NameOID

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "csar"
META = "TOSCA-Metadata/TOSCA.meta"
MANIFEST = "edge.mf"
METADATA = "metadata:\n  vnf_product_name: Edge Firewall\n  vnf_provider_id: Example Networks\n"
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def csar_files(name: str) -> dict[str, bytes]:
    folder = FIXTURES / name
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def tacker_files(changes: Mapping[str, bytes] | None = None) -> dict[str, bytes]:
    """The Tacker-like CSAR with these files changed or added, and a manifest that holds."""
    return with_listing({**csar_files("tacker"), **(changes or {})})


def replaced(path: str, old: str, new: str) -> dict[str, bytes]:
    """The Tacker-like CSAR with some text of a file replaced."""
    text = csar_files("tacker")[path].decode()
    assert old in text
    return tacker_files({path: text.replace(old, new).encode()})


def with_listing(files: Mapping[str, bytes], name: str = MANIFEST) -> dict[str, bytes]:
    digests = {path: sha256(data).hexdigest() for path, data in sorted(files.items())}
    listed = "".join(f"\nSource: {path}\nAlgorithm: SHA-256\nHash: {digest}\n" for path, digest in digests.items())
    return {**files, name: (METADATA + listed).encode()}


class Signer:
    """A key and a certificate that sign; as an authority, certificates of others, too."""

    def __init__(
        self, name: str, issuer: "Signer | None" = None, *, authority: bool = False, days: tuple[int, int] = (-10, 365)
    ) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(issuer.certificate.subject if issuer else subject)
            .public_key(self.key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(NOW + timedelta(days=days[0]))
            .not_valid_after(NOW + timedelta(days=days[1]))
            .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(self.key.public_key()), critical=False)
        )
        self.certificate = builder.sign((issuer or self).key, hashes.SHA256())

    @property
    def pem(self) -> bytes:
        return self.certificate.public_bytes(Encoding.PEM)

    def sign(
        self, content: bytes, *options: pkcs7.PKCS7Options, others: tuple["Signer", ...] = (), times: int = 1
    ) -> bytes:
        """A detached signature of the bytes, in DER."""
        builder = pkcs7.PKCS7SignatureBuilder().set_data(content)
        for _ in range(times):
            builder = builder.add_signer(self.certificate, self.key, hashes.SHA256())
        for other in others:
            builder = builder.add_certificate(other.certificate)
        wanted = [pkcs7.PKCS7Options.DetachedSignature, pkcs7.PKCS7Options.Binary, *options]
        return builder.sign(Encoding.DER, wanted)


def as_block(der: bytes) -> bytes:
    """The signature as it stands at the end of a manifest."""
    import base64

    lines = base64.encodebytes(der)
    return b"-----BEGIN CMS-----\n" + lines + b"-----END CMS-----\n"


def signed_in_manifest(files: Mapping[str, bytes], signer: Signer) -> dict[str, bytes]:
    return {**files, MANIFEST: files[MANIFEST] + as_block(signer.sign(files[MANIFEST]))}


def imported(files: Mapping[str, bytes]) -> Any:
    """The files as the catalog takes a CSAR, without its database: what was derived, and the package."""
    from tests.factories.packages import schema
    from tests.factories.templates import content
    from vnfm.catalog.domain.csar.derive import derive_csar
    from vnfm.catalog.domain.csar.inspection import inspect
    from vnfm.catalog.domain.csar.meta import find_csar
    from vnfm.catalog.domain.package import VNFD, check_content

    source = content(files)
    csar = find_csar(source)
    assert csar is not None
    inspected = inspect(source, csar)
    derived = derive_csar(source, csar, product=inspected.product())
    if not derived.vnfd:
        return derived, None
    complete = content({**files, **derived.files, VNFD: derived.vnfd})
    return derived, check_content(complete, schema("vnfd"))
