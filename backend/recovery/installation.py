"""The parts of an installation outside its database: artifact files, keys, certificates, settings."""

import os
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from recovery.errors import RecoveryError

_NOT_COPIED = (
    "VNFM_PG_BIN",
    "VNFM_ARTIFACTS_DIR",
    "VNFM_BACKUP_PASSPHRASE_FILE",
    "VNFM_SECRET_KEY_FILE",
    "VNFM_SEAL_KEYS_FILE",
)
SETTINGS = "restored-settings.env"
_LINKS = "backup"
ABANDONED_SECONDS = 24 * 3600
"""Age in seconds after which hard links of a backup are left over from a process that was killed."""


@dataclass(frozen=True, slots=True)
class Installation:
    """The paths of the parts, from the variables of the product's settings."""

    database_url: str
    artifacts: Path
    secret_key: Path
    seal_keys: Path
    certificates: Path

    @classmethod
    def from_environment(cls, env: Mapping[str, str]) -> "Installation":
        needed = ("DATABASE_URL", "VNFM_ARTIFACTS_DIR", "VNFM_SECRET_KEY_FILE", "VNFM_SEAL_KEYS_FILE")
        if missing := [name for name in needed if not env.get(name)]:
            raise RecoveryError(f"{', '.join(missing)} must be set to the same values as for the product.")
        artifacts = Path(env["VNFM_ARTIFACTS_DIR"])
        return cls(
            database_url=env["DATABASE_URL"],
            artifacts=artifacts,
            secret_key=Path(env["VNFM_SECRET_KEY_FILE"]),
            seal_keys=Path(env["VNFM_SEAL_KEYS_FILE"]),
            certificates=Path(env.get("VNFM_PACKAGE_CERTIFICATES_DIR") or artifacts.parent / "certificates"),
        )

    @property
    def admin_password(self) -> Path:
        """The file with the first administrator's initial password, if `./vnfm up` created one."""
        return self.secret_key.with_name("admin-password")

    def artifact(self, digest: str) -> Path:
        return self.artifacts / "objects" / digest[:2] / digest

    @contextmanager
    def linked(self, digests: Sequence[str]) -> Iterator[tuple[dict[str, Path], tuple[str, ...]]]:
        """Yield hard links to these artifacts, which survive a deletion, and the digests of those that are missing."""
        folder = self.artifacts / _LINKS / uuid4().hex
        for old in (self.artifacts / _LINKS).glob("*"):
            if time.time() - old.stat().st_mtime > ABANDONED_SECONDS:
                shutil.rmtree(old, ignore_errors=True)
        folder.mkdir(parents=True, mode=0o700)
        found, lost = {}, []
        try:
            for digest in digests:
                try:
                    (folder / digest).hardlink_to(self.artifact(digest))
                    found[digest] = folder / digest
                except FileNotFoundError:
                    lost.append(digest)
            yield found, tuple(lost)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def secrets(self, env: Mapping[str, str]) -> dict[str, Any]:
        """Return keys, certificates and settings; the settings may hold passwords, such as those of proxies."""
        certificates = sorted(self.certificates.glob("*")) if self.certificates.is_dir() else []
        return {
            "secretKey": self.secret_key.read_text(),
            "adminPassword": self.admin_password.read_text() if self.admin_password.exists() else None,
            "sealKeys": self.seal_keys.read_text(),
            "certificates": {path.name: path.read_text() for path in certificates if path.is_file()},
            "settings": {
                name: value for name, value in env.items() if name.startswith("VNFM_") and name not in _NOT_COPIED
            },
        }


def write_private(path: Path, text: str) -> None:
    """Write a file (mode 0600) atomically."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(path.name + ".new")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(text)
    draft.replace(path)
