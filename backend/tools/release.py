"""Prepare a release: `python -m tools.release VERSION --make-backup` in backend/, with the environment of the tests.

The command sets the version, regenerates openapi.yaml, and stores in tests/fixtures/released/ the contracts that later
releases must keep: digests of migrations, kinds of steps, the API, and a backup of a database with data that each of
them must upgrade. It gives the changelog's unreleased section the version and today's date. Without a backup it only
writes the version and the contracts, as needed while the next release is developed.
"""

import argparse
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from recovery.release import migration_files
from tools.release_data import make_backup

ROOT = Path(__file__).resolve().parents[2]
RELEASED = ROOT / "tests" / "fixtures" / "released"
CHANGELOG = ROOT / "backend" / "docs" / "CHANGELOG.md"

VERSIONS = (
    ("pyproject.toml", r'(?m)^version = ".+"$', 'version = "{}"', 1),
    ("frontend/package.json", r'"version": "[^"]+"', '"version": "{}"', 1),
    ("frontend/package-lock.json", r'"version": "[^"]+"', '"version": "{}"', 2),
    ("backend/deploy/helm/vnfm/Chart.yaml", r"(?m)^(version|appVersion): .+$", r"\1: {}", 2),
)
"""Files that name the version: path, pattern, replacement, and number of occurrences to replace from the top."""


def set_version(version: str, root: Path = ROOT) -> None:
    texts = {}
    for name, pattern, replacement, count in VERSIONS:
        file = root / name
        texts[file], found = re.subn(pattern, replacement.format(version), file.read_text(), count=count)
        if found != count:
            raise RuntimeError(f"{name} does not name the version as expected.")
    for file, text in texts.items():
        file.write_text(text)


def released_changelog(version: str, file: Path) -> str:
    """Return the changelog with its unreleased section renamed to this version and dated today, if not done before.

    Raises RuntimeError when it has neither.
    """
    title, text = f"## {version} ({datetime.now(UTC):%Y-%m-%d})", file.read_text()
    text, found = re.subn(r"(?m)^## Unreleased\b.*$", title, text, count=1)
    if not found and f"\n## {version} " not in text:
        raise RuntimeError(f"{file} has neither a section for {version} nor an unreleased section: add one.")
    return text


def store_contracts() -> None:
    """Store the contracts that a later release must not break."""
    RELEASED.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "manage.py", "spectacular", "--file", "openapi.yaml", "--validate", "--fail-on-warn"]
    subprocess.run(command, cwd=ROOT / "backend", env=os.environ, check=True)  # noqa: S603 - our own program
    description = (ROOT / "backend" / "openapi.yaml").read_bytes()
    (RELEASED / "openapi.yaml.gz").write_bytes(gzip.compress(description, mtime=0))
    digests = {name: sha256(path.read_bytes()).hexdigest() for name, path in migration_files(ROOT).items()}
    (RELEASED / "migrations.json").write_text(json.dumps(digests, indent=1) + "\n")
    (RELEASED / "steps.json").write_text(json.dumps(sorted(_step_kinds()), indent=1) + "\n")


def _step_kinds() -> set[str]:
    """Return the step kinds of all releases and of this one: stored operations refer to them by name."""
    files = (ROOT / "backend" / "vnfm" / "lcm" / "steps").glob("*.py")
    now = {kind for file in files for kind in re.findall(r'(?m)^    kind = "([a-z_]+@\d+)"$', file.read_text())}
    before = RELEASED / "steps.json"
    return now | (set(json.loads(before.read_text())) if before.exists() else set())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version", metavar="VERSION", help="MAJOR.MINOR.PATCH")
    data = parser.add_mutually_exclusive_group()
    data.add_argument("--make-backup", action="store_true", help="start the product for a minute to get one with data")
    data.add_argument("--backup", type=Path, help="store this backup, sealed with the passphrase of tools.release_data")
    options = parser.parse_args()
    if not re.fullmatch(r"\d+\.\d+\.\d+", options.version):
        parser.error(f"{options.version} is not a version of the form MAJOR.MINOR.PATCH")
    complete = options.backup or options.make_backup
    changelog = released_changelog(options.version, CHANGELOG) if complete else ""  # before anything changes
    set_version(options.version)
    store_contracts()
    if complete:
        store_backup(options.version, options.backup)
        CHANGELOG.write_text(changelog)  # written last: it marks the release as complete


def store_backup(version: str, backup: Path | None) -> None:
    """Store a backup of a database with data: `backup`, or one of a product that is started for this purpose.

    It is compressed again, since most of it is pg_dump's table of contents, which pg_dump does not compress.
    """
    with tempfile.TemporaryDirectory() as folder:
        if backup is None:
            backup = Path(folder) / "new.backup"
            make_backup(ROOT, backup)
        packed = gzip.compress(backup.read_bytes(), mtime=0)
    (RELEASED / f"{version}.backup.gz").write_bytes(packed)


if __name__ == "__main__":
    main()
