"""Secrets at rest: sealed with MultiFernet keys that live outside the database (file, first key seals)."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings


@cache
def _box(path: str) -> MultiFernet:
    keys = [line.strip() for line in Path(path).read_text().splitlines() if line.strip()]
    return MultiFernet([Fernet(key) for key in keys])


def seal(secret: Mapping[str, Any]) -> bytes:
    """Encrypt a JSON object for storage."""
    return _box(settings.SEAL_KEYS_FILE).encrypt(json.dumps(dict(secret)).encode())


def unseal(token: bytes | memoryview) -> dict[str, Any]:
    """Decrypt what `seal` wrote; raises `cryptography.fernet.InvalidToken` when no key in the file fits."""
    secret: dict[str, Any] = json.loads(_box(settings.SEAL_KEYS_FILE).decrypt(bytes(token)))
    return secret


def is_current(token: bytes) -> bool:
    """True if it was sealed under the first key of the file."""
    key = next(line.strip() for line in Path(settings.SEAL_KEYS_FILE).read_text().splitlines() if line.strip())
    try:
        Fernet(key).decrypt(bytes(token))
    except InvalidToken:
        return False
    return True


def rotate(token: bytes | memoryview) -> bytes:
    """Re-encrypt under the first key of the file."""
    return _box(settings.SEAL_KEYS_FILE).rotate(bytes(token))
