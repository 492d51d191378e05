"""Seals the keys and settings of an installation with a passphrase: scrypt (RFC 7914), then AES-256-GCM.

The digest of everything else in the backup is authenticated with them: without the passphrase it is impossible to read
the keys, or to change a byte of the file unnoticed.
"""

import base64
import json
import os
from collections.abc import Mapping
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from recovery.errors import RecoveryError

SHORTEST_PASSPHRASE = 12
_COST = {"n": 2**16, "r": 8, "p": 1}
"""The cost of each guess: 64 MiB and a fraction of a second."""
_LARGEST_COST = {"n": 2**20, "r": 16, "p": 4}
"""The largest accepted cost: with more, a forged file could exhaust the memory."""


def require_strong(passphrase: str) -> None:
    """Raise RecoveryError for a passphrase that is short enough to be guessed offline."""
    if len(passphrase) < SHORTEST_PASSPHRASE:
        raise RecoveryError(
            f"The passphrase has {len(passphrase)} characters: choose one of at least {SHORTEST_PASSPHRASE}, since "
            "anyone with the file can try to guess it."
        )


def seal(secrets: Mapping[str, Any], passphrase: str, authenticated: bytes) -> bytes:
    """Return JSON with the encrypted `secrets`; `unseal` needs the same `authenticated`, which is not stored in it."""
    salt, nonce = os.urandom(16), os.urandom(12)
    plain = json.dumps(dict(secrets)).encode()
    box = AESGCM(_key(passphrase, salt, _COST)).encrypt(nonce, plain, authenticated)
    parts = {"salt": salt, "nonce": nonce, "box": box}
    return json.dumps(_COST | {name: base64.b64encode(part).decode() for name, part in parts.items()}).encode()


def unseal(sealed: bytes, passphrase: str, authenticated: bytes) -> dict[str, Any]:
    """Decrypt sealed secrets. Raises RecoveryError for a wrong passphrase, and for a file changed without it."""
    try:
        document = json.loads(sealed)
        cost = {name: int(document[name]) for name in _COST}
        salt, nonce, box = (base64.b64decode(document[name]) for name in ("salt", "nonce", "box"))
    except (ValueError, KeyError, TypeError):
        raise RecoveryError("The sealed keys of this backup cannot be read: the file is broken.") from None
    if any(cost[name] > most for name, most in _LARGEST_COST.items()):
        raise RecoveryError("The sealed keys of this backup demand too much memory: the file is forged.")
    try:
        secrets: dict[str, Any] = json.loads(AESGCM(_key(passphrase, salt, cost)).decrypt(nonce, box, authenticated))
    except InvalidTag:
        raise RecoveryError(
            "The passphrase does not open this backup: it is not the one it was made with, or the file was changed."
        ) from None
    return secrets


def _key(passphrase: str, salt: bytes, cost: Mapping[str, int]) -> bytes:
    return Scrypt(salt=salt, length=32, **cost).derive(passphrase.encode())
