"""An installation that is backed up and restored: a database and a state directory."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from launcher.binaries import find_postgres_bin

BACKEND = Path(__file__).parents[3] / "backend"

PASSPHRASE = "correct horse battery staple"

IMAGE = os.urandom(6 * 1024 * 1024)
"""More than a piece of the archive."""

DIGEST = sha256(IMAGE).hexdigest()

LOST = sha256(b"lost before").hexdigest()


@dataclass
class Place:
    """An installation: a database of the server, and a state directory."""

    server: str
    name: str
    root: Path

    @property
    def url(self) -> str:
        return urlsplit(self.server)._replace(path=f"/{self.name}").geturl()

    @property
    def env(self) -> dict[str, str]:
        places = {
            "DATABASE_URL": self.url,
            "VNFM_ARTIFACTS_DIR": str(self.root / "artifacts"),
            "VNFM_SECRET_KEY_FILE": str(self.root / "keys" / "django-secret"),
            "VNFM_SEAL_KEYS_FILE": str(self.root / "keys" / "seal-keys"),
            "VNFM_PACKAGE_CERTIFICATES_DIR": str(self.root / "certificates"),
            "VNFM_BACKUP_PASSPHRASE_FILE": str(self.root.parent / "passphrase"),
            "VNFM_PG_BIN": str(find_postgres_bin()),
            "VNFM_DISK_LOW_PERCENT": "7",
        }
        return os.environ | places

    def execute(self, statement: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.url, autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def file(self, name: str) -> Path:
        return self.root / name

    @property
    def image(self) -> Path:
        return self.root / "artifacts" / "objects" / DIGEST[:2] / DIGEST


def databases(server: str) -> set[str]:
    with psycopg.connect(server, autocommit=True) as connection:
        return {row[0] for row in connection.execute("SELECT datname FROM pg_database")}


@pytest.fixture
def server(postgres: str) -> Iterator[str]:
    url = urlsplit(postgres)._replace(path="/postgres").geturl()  # no session may use what is copied
    before = databases(url)
    yield url
    with psycopg.connect(url, autocommit=True) as connection:
        for name in databases(url) - before:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def recovery(
    place: Place, *arguments: object, env: Mapping[str, str] | None = None, module: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run `python -m recovery`, or a `module` of backend/."""
    program = [module] if module else ["-m", "recovery"]
    return subprocess.run(
        [sys.executable, *program, *map(str, arguments)],
        cwd=BACKEND,
        env={**place.env, **(env or {})},
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
