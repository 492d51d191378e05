"""The release that this checkout is: version, commit, and the migrations that it knows."""

import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path

from recovery.errors import RecoveryError

FOREIGN = frozenset({"auth", "contenttypes", "sessions"})
"""Apps of Django: their migrations come with its package."""


@dataclass(frozen=True, slots=True)
class Release:
    version: str
    commit: str
    """Short, with a + when files differ from it; "" outside of a git checkout."""
    migrations: frozenset[str]
    """As `app.name`."""

    @classmethod
    def of(cls, root: Path) -> "Release":
        """Of the checkout, or the image, with that root."""
        return cls(version(root), commit(root), frozenset(migration_files(root)))

    def unknown(self, applied: "tuple[str, ...] | list[str]") -> list[str]:
        """Which applied migrations this release does not have: those of a newer one."""
        return [name for name in applied if name not in self.migrations and name.partition(".")[0] not in FOREIGN]

    def require_known(self, applied: tuple[str, ...], what: str, maker: str) -> None:
        """Raises RecoveryError for a schema that a newer release made."""
        if unknown := self.unknown(applied):
            raise RecoveryError(
                f"{what} is newer than this checkout ({self.version}): it was made by {maker}, with "
                f"{len(unknown)} migrations that are not here, such as {unknown[-1]}; use that release or a later one."
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
    """Every migration of the product, as `app.name`: Django's, and Alembic's as `telemetry.revision`."""
    django = {f"{path.parents[1].name}.{path.stem}": path for path in root.glob("backend/vnfm/*/migrations/[0-9]*.py")}
    alembic = {f"telemetry.{path.stem.partition('_')[0]}": path for path in root.glob("alembic/versions/[0-9]*.py")}
    return dict(sorted((django | alembic).items()))
