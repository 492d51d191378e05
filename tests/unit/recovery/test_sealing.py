"""Keys are opened by the passphrase alone, and only beside the contents they were sealed with."""

import json

import pytest

from recovery.errors import RecoveryError
from recovery.sealing import require_strong, seal, unseal

PASSPHRASE = "correct horse battery"
SECRETS = {"sealKeys": "k\n", "certificates": {"ca.pem": "c"}}


@pytest.fixture(scope="module")
def sealed() -> bytes:
    """Return SECRETS, sealed once: each key takes a fifth of a second of processor."""
    return seal(SECRETS, PASSPHRASE, b"digest")


def test_the_passphrase_opens_it_and_nothing_is_readable_without(sealed: bytes) -> None:
    assert unseal(sealed, PASSPHRASE, b"digest") == SECRETS
    assert b"sealKeys" not in sealed
    assert seal(SECRETS, PASSPHRASE, b"digest") != sealed, "another salt each time"


@pytest.mark.parametrize(("passphrase", "digest"), [("another passphrase", b"digest"), (PASSPHRASE, b"changed")])
def test_another_passphrase_or_other_contents_do_not(passphrase: str, digest: bytes, sealed: bytes) -> None:
    with pytest.raises(RecoveryError, match="does not open this backup"):
        unseal(sealed, passphrase, digest)


def test_a_forged_cost_does_not_exhaust_the_memory(sealed: bytes) -> None:
    document = json.loads(sealed) | {"n": 2**30}
    with pytest.raises(RecoveryError, match="forged"):
        unseal(json.dumps(document).encode(), PASSPHRASE, b"digest")
    with pytest.raises(RecoveryError, match="broken"):
        unseal(b"[]", PASSPHRASE, b"digest")


def test_short_passphrases_are_refused() -> None:
    require_strong("x" * 12)
    with pytest.raises(RecoveryError, match="at least 12"):
        require_strong("x" * 11)
