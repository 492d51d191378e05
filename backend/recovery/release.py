"""The release of this checkout: version, commit, and its migrations."""

import re
import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path

from recovery.errors import RecoveryError

FOREIGN = frozenset({"auth", "contenttypes", "sessions"})
"""Django's own apps, whose migrations are not in the checkout."""


@dataclass(frozen=True, slots=True)
class Release:
    version: str
    commit: str
    """The short commit, with a + if files differ from it; "" outside of a git checkout."""
    migrations: frozenset[str]
    """The names of the migrations, as `app.name`."""

    @classmethod
    def of(cls, root: Path) -> "Release":
        """Return the release of the checkout, or of the image, below `root`."""
        return cls(version(root), commit(root), frozenset(migration_files(root)))

    def unknown(self, applied: "tuple[str, ...] | list[str]") -> list[str]:
        """Return the applied migrations that this release does not have, since a newer one added them."""
        return [name for name in applied if name not in self.migrations and name.partition(".")[0] not in FOREIGN]

    def require_known(self, applied: tuple[str, ...], what: str, maker: str) -> None:
        """Raise RecoveryError for a schema of a newer release."""
        if unknown := self.unknown(applied):
            raise RecoveryError(
                f"{what} is newer than this checkout ({self.version}): it was made by {maker}, with "
                f"{len(unknown)} migrations that it lacks, such as {unknown[-1]}; use that release or a later one."
            )


def version(root: Path) -> str:
    with (root / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])


def commit(root: Path) -> str:
    if not (root / ".git").exists():
        return ""
    command = ["git", "-C", str(root), "describe", "--always", "--dirty=+", "--exclude=*"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, check=False, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return answer.stdout.strip() if answer.returncode == 0 else ""


def migration_files(root: Path) -> dict[str, Path]:
    """Return the product's migrations with their files: Django's as `app.name`, Alembic's as `telemetry.revision`."""
    django = {
        f"{app_label(path.parents[1])}.{path.stem}": path for path in root.glob("backend/vnfm/**/migrations/[0-9]*.py")
    }
    alembic = {f"telemetry.{path.stem.partition('_')[0]}": path for path in root.glob("alembic/versions/[0-9]*.py")}
    return dict(sorted((django | alembic).items()))


def app_label(folder: Path) -> str:
    """Return the label by which Django knows the app of a folder: an app renamed after a release keeps its label."""
    found = re.search(r'^    label = "(\w+)"$', (folder / "apps.py").read_text(), re.MULTILINE)
    return found[1] if found else folder.name
