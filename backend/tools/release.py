"""Prepare a release: `python -m tools.release VERSION [--backup FILE]` in backend/, with the environment of the tests.

Sets the version, writes openapi.yaml again, and stores in tests/fixtures/released/ what later releases are held to:
digests of migrations, kinds of steps, the API, and a backup of a database with data that each of them must upgrade.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

from recovery.release import migration_files

ROOT = Path(__file__).resolve().parents[2]
RELEASED = ROOT / "tests" / "fixtures" / "released"


VERSIONS = (
    ("pyproject.toml", r'(?m)^version = ".+"$', 'version = "{}"', 1),
    ("frontend/package.json", r'"version": "[^"]+"', '"version": "{}"', 1),
    ("frontend/package-lock.json", r'"version": "[^"]+"', '"version": "{}"', 2),
    ("backend/deploy/helm/vnfm/Chart.yaml", r"(?m)^(version|appVersion): .+$", r"\1: {}", 2),
)
"""Files that name the version: where, as what, and how often from the top."""


def set_version(version: str, root: Path = ROOT) -> None:
    for name, pattern, words, count in VERSIONS:
        file = root / name
        text, found = re.subn(pattern, words.format(version), file.read_text(), count=count)
        if found != count:
            raise RuntimeError(f"{name} does not name the version as expected.")
        file.write_text(text)


def store_contracts() -> None:
    """What a later release must not break."""
    RELEASED.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "manage.py", "spectacular", "--file", "openapi.yaml", "--validate", "--fail-on-warn"]
    subprocess.run(command, cwd=ROOT / "backend", env=os.environ, check=True)  # noqa: S603 - our own program
    shutil.copyfile(ROOT / "backend" / "openapi.yaml", RELEASED / "openapi.yaml")
    digests = {name: sha256(path.read_bytes()).hexdigest() for name, path in migration_files(ROOT).items()}
    (RELEASED / "migrations.json").write_text(json.dumps(digests, indent=1) + "\n")
    (RELEASED / "steps.json").write_text(json.dumps(sorted(_step_kinds()), indent=1) + "\n")


def _step_kinds() -> set[str]:
    """All that were ever released: stored operations name them."""
    files = (ROOT / "backend" / "vnfm" / "lcm" / "steps").glob("*.py")
    now = {kind for file in files for kind in re.findall(r'(?m)^    kind = "([a-z_]+@\d+)"$', file.read_text())}
    before = RELEASED / "steps.json"
    return now | (set(json.loads(before.read_text())) if before.exists() else set())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version", metavar="VERSION", help="MAJOR.MINOR.PATCH")
    parser.add_argument("--backup", type=Path, help="of a running product of this version with data, by ./vnfm backup")
    options = parser.parse_args()
    if not re.fullmatch(r"\d+\.\d+\.\d+", options.version):
        parser.error(f"{options.version} is no MAJOR.MINOR.PATCH")
    set_version(options.version)
    store_contracts()
    if options.backup:
        shutil.copyfile(options.backup, RELEASED / f"{options.version}.backup")


if __name__ == "__main__":
    main()
