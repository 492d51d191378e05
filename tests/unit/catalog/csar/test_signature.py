"""Signatures of packages: right or wrong, and by whom. Made by `cryptography`, and by OpenSSL where it is there."""

import hashlib
import shutil
import subprocess

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, pkcs7

from tests.factories.csars import NOW, Signer, as_block
from vnfm.catalog.domain.csar.signature import SignedContent, verify

TEXT = b"metadata:\n  vnf_product_name: Edge\n\nSource: a\nAlgorithm: SHA-256\nHash: 00\n"


@pytest.fixture(scope="module")
def authority():
    return Signer("Authority", authority=True)


@pytest.fixture(scope="module")
def signer(authority):
    return Signer("Maker", authority)


def verified(cms, trusted, content=TEXT, certificate=b"", now=NOW):
    signed = SignedContent("OPTION_1", cms, lambda name: [hashlib.new(name, content).digest()], certificate)
    return verify(signed, [one.certificate for one in trusted], now)


def test_a_signer_that_the_store_vouches_for(authority, signer):
    found = verified(signer.sign(TEXT), [authority])
    assert (found.state, found.reason) == ("VALID", "")
    kept = found.as_json()
    assert (kept["subject"], kept["issuer"]) == ("CN=Maker", "CN=Authority")
    assert kept["serialNumber"] == f"{signer.certificate.serial_number:x}"
    assert kept["notAfter"] == signer.certificate.not_valid_after_utc.isoformat()
    assert kept["certificate"].encode() == signer.pem


def test_the_signer_itself_in_the_store(signer):
    assert verified(signer.sign(TEXT), [signer]).state == "VALID"


def test_through_an_authority_between(authority):
    between = Signer("Between", authority, authority=True)
    maker = Signer("Maker", between)
    assert verified(maker.sign(TEXT, others=(between,)), [authority]).state == "VALID"
    assert verified(maker.sign(TEXT), [authority]).state == "UNKNOWN_SIGNER"


def test_as_a_block_of_text(authority, signer):
    assert verified(as_block(signer.sign(TEXT)), [authority]).state == "VALID"


def test_the_certificate_in_a_file_of_its_own(authority, signer):
    cms = signer.sign(TEXT, pkcs7.PKCS7Options.NoCerts)
    assert verified(cms, [authority], certificate=signer.pem).state == "VALID"
    found = verified(cms, [authority])
    assert (found.state, "neither in the signature nor in a file next to it" in found.reason) == ("INVALID", True)


@pytest.mark.parametrize("store", [[], ["other"], ["namesake"]])
def test_no_certificate_vouches_for_the_signer(signer, store):
    others = {"other": Signer("Other", authority=True), "namesake": Signer("Authority", authority=True)}
    found = verified(signer.sign(TEXT), [others[name] for name in store])
    assert found.state == "UNKNOWN_SIGNER"
    assert "CN=Maker is correct, but" in found.reason


def test_a_certificate_that_may_not_sign_others(authority, signer):
    maker = Signer("Maker of makers", signer)
    assert verified(maker.sign(TEXT, others=(signer,)), [authority]).state == "UNKNOWN_SIGNER"


def test_a_signature_of_other_content(authority, signer):
    found = verified(signer.sign(b"something else"), [authority])
    assert (found.state, found.reason) == ("INVALID", "The signature is for other content.")


def test_a_certificate_that_has_run_out(authority):
    old = Signer("Old", authority, days=(-9, -1))
    found = verified(old.sign(TEXT), [authority, old])
    assert found.state == "INVALID"
    assert "holds from 2026-11-12 to 2026-11-20 only" in found.reason


def test_content_is_hashed_once_for_all_who_sign_it(authority, signer):
    asked = []

    def digests(name):
        asked.append(name)
        return [hashlib.new(name, TEXT).digest()]

    cms = signer.sign(TEXT, times=10)
    signed = SignedContent("OPTION_2", cms, digests, b"")
    assert verify(signed, [authority.certificate], NOW).state == "VALID"
    assert asked == ["sha256"]


def test_too_many_signatures(authority, signer):
    found = verified(signer.sign(TEXT, times=11), [authority])
    assert (found.state, found.reason) == ("INVALID", "The CMS has 11 signatures in it; 10 are allowed.")


@pytest.mark.parametrize("cms", [b"", b"\x30\x03\x02\x01\x01", b"no signature", as_block(b"x"), as_block(b"")])
def test_malformed_signatures_are_invalid(authority, cms):
    assert verified(cms, [authority]).state == "INVALID"


def test_a_changed_signature_is_never_valid(authority, signer):
    """A changed signature is never valid for another signer, and never raises an unexpected error."""
    cms = signer.sign(TEXT)
    for index in range(0, len(cms), 13):
        changed = bytearray(cms)
        changed[index] ^= 0x21
        found = verified(bytes(changed), [authority])
        assert found.state != "VALID" or found.signer == signer.certificate, index


@pytest.mark.skipif(shutil.which("openssl") is None, reason="OpenSSL's command is not installed")
@pytest.mark.parametrize(
    "options", [["-md", "sha512"], ["-md", "sha256", "-keyid"], ["-md", "sha384", "-nodetach"], ["-nocerts"]]
)
def test_openssl_s_signatures(tmp_path, authority, signer, options):
    key = signer.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    for name, data in (("key.pem", key), ("maker.pem", signer.pem), ("text", TEXT)):
        (tmp_path / name).write_bytes(data)
    command = ["openssl", "cms", "-sign", "-binary", "-in", "text", "-signer", "maker.pem", "-inkey", "key.pem"]
    command += ["-outform", "PEM", "-out", "x.cms", *options]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    assert verified((tmp_path / "x.cms").read_bytes(), [authority], certificate=signer.pem).state == "VALID"
