"""Secrets of an instance, created once and kept in files that only their owner can read."""

import base64
import os
import secrets
import sys
from collections.abc import Callable
from pathlib import Path

_READABLE = "abcdefghjkmnpqrstuvwxyz23456789"  # no characters that look alike


def password() -> str:
    """Return a password of at least 80 bits, in characters that can be read aloud."""
    return "-".join("".join(secrets.choice(_READABLE) for _ in range(5)) for _ in range(4))


def token() -> str:
    return secrets.token_urlsafe(48)


def fernet_key() -> str:
    """Return a key as in the Fernet specification: 32 random bytes in URL-safe base64."""
    return base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()


def write_private(path: Path, text: str) -> None:
    """Write a file (mode 0600) atomically."""
    draft = path.with_name(path.name + ".new")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(text)
    draft.replace(path)


def read_or_create(path: Path, make: Callable[[], str]) -> str:
    """Return the secret in `path`; the first call creates it by `make`."""
    if not path.exists():
        write_private(path, make() + "\n")
    return path.read_text().strip()


def make_keys(folder: Path) -> None:
    """Create all secrets of an instance. Without `seal-keys` the cloud passwords in the database are lost."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    read_or_create(folder / "django-secret", token)
    read_or_create(folder / "seal-keys", fernet_key)
    read_or_create(folder / "admin-password", password)


if __name__ == "__main__":  # in a container, where `./vnfm up` does not run
    make_keys(Path(sys.argv[1]))
