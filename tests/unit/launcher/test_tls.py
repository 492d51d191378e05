"""`vnfm up` checks a certificate and a key before it starts anything."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from launcher.errors import LaunchError
from launcher.tls import TlsFiles, check
from tests.factories.tls import certificate_files


def refusal(cert: Path, key: Path) -> str:
    with pytest.raises(LaunchError) as refused:
        check(TlsFiles(cert, key))
    words = str(refused.value)
    assert words.endswith(".")
    assert "\n" not in words
    return words


def test_a_good_pair_has_names_and_an_end(tmp_path: Path) -> None:
    found = check(TlsFiles(*certificate_files(tmp_path, "vnfm.example", days=(-1, 30))))
    assert found.names == ("vnfm.example", "127.0.0.1")
    assert 29 < (found.until - time.time()) / 86400 < 31
    assert found.warnings == ()
    assert (found.host_of("127.0.0.1"), found.host_of("192.0.2.1")) == ("127.0.0.1", "vnfm.example")


def test_a_key_that_others_read_and_a_near_end_are_warnings(tmp_path: Path) -> None:
    cert, key = certificate_files(tmp_path, days=(-1, 3))
    key.chmod(0o644)
    readable, ends = check(TlsFiles(cert, key)).warnings
    assert f"chmod 600 {key}" in readable
    assert "expires in 3 days" in ends


def test_a_key_of_another_certificate(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    cert, _ = certificate_files(tmp_path)
    _, other = certificate_files(tmp_path / "other")
    assert "does not belong" in refusal(cert, other)


@pytest.mark.parametrize(
    ("days", "words"), [((-3, -1), "has expired"), ((1, 3), "is not valid yet")], ids=["expired", "early"]
)
def test_outside_its_time(tmp_path: Path, days: tuple[float, float], words: str) -> None:
    assert words in refusal(*certificate_files(tmp_path, days=days))


def test_a_key_with_a_password(tmp_path: Path) -> None:
    assert "protected by a password" in refusal(*certificate_files(tmp_path, password=b"secret"))


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda cert, key: cert.unlink(), "{cert} does not exist"),
        (lambda cert, key: key.unlink(), "{key} does not exist"),
        (lambda cert, key: cert.write_text("x"), "{cert} holds no certificate"),
        (lambda cert, key: key.write_text("x"), "{key} holds no private key"),
        (lambda cert, key: (key.unlink(), key.mkdir()), "{key} cannot be read"),
    ],
    ids=["no certificate", "no key", "not a certificate", "not a key", "a folder"],
)
def test_files_that_cannot_be_used(tmp_path: Path, spoil: Callable[[Path, Path], object], words: str) -> None:
    cert, key = certificate_files(tmp_path)
    spoil(cert, key)
    assert words.format(cert=cert, key=key) in refusal(cert, key)
