"""The paths of the checkout, of files that its instances share, and of one instance's state directory."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

PACKAGED = "packaged"
"""A file of this name at the root marks a tree from a package: it is complete and must not be written to."""
ADMIN = "admin"
"""The name of the first administrator."""
ROLES = ("web", "worker", "beat", "relay", "watch", "elements", "counters", "traps")
"""The processes of the product to which a host can be limited."""


@dataclass(frozen=True)
class Checkout:
    """The source tree, with the environments and builds that all its instances share."""

    root: Path

    @classmethod
    def here(cls) -> "Checkout":
        return cls(Path(__file__).resolve().parents[2])

    @property
    def backend(self) -> Path:
        return self.root / "backend"

    @property
    def frontend(self) -> Path:
        return self.root / "frontend"

    @property
    def ui(self) -> Path:
        return self.frontend / "dist"

    @property
    def packaged(self) -> bool:
        """Whether the tree came as a package (PACKAGED), whose environment is created at its installation."""
        return (self.root / PACKAGED).exists()

    @property
    def default_state(self) -> Path:
        return Path("/var/lib/vnfm") if self.packaged else self.root / ".vnfm"

    @property
    def shared(self) -> Path:
        return self.default_state / "shared"

    @property
    def stamps(self) -> Path:
        return self.shared / "stamps"

    @property
    def logs(self) -> Path:
        return self.shared / "logs"

    def venv(self, lock: str) -> Path:
        """Return the virtual environment of a lock file: `build` to run the product, `dev` to test it."""
        return self.root / "venv" if self.packaged else self.shared / f"venv-{lock}"

    def python(self, lock: str) -> Path:
        return self.venv(lock) / "bin" / "python"

    def site_packages(self, lock: str) -> Path:
        """Return the site-packages of a lock file's environment, whose Python may differ from the launcher's."""
        found = sorted(self.venv(lock).glob("lib/python3.*/site-packages"))
        return found[-1] if found else self.venv(lock)

    def compiled_once(self, env: Mapping[str, str]) -> dict[str, str]:
        """Return an environment in which Python stores its bytecode here, which saves seconds of each start."""
        kept = {name: value for name, value in env.items() if name != "PYTHONDONTWRITEBYTECODE"}
        if self.packaged:
            return kept
        return kept | {"PYTHONPYCACHEPREFIX": str(self.shared / "pycache")}

    def lock_file(self, name: str) -> Path:
        return self.backend / "requirements" / f"{name}.lock"

    def migrations(self) -> list[Path]:
        """Return the files that define the database schema: Django's and Alembic's migrations."""
        return [*self.backend.glob("vnfm/**/migrations/*.py"), *(self.root / "alembic").rglob("*.py")]

    def prepare(self) -> None:
        if self.packaged:
            return
        private(self.default_state)
        for folder in (self.shared, self.stamps, self.logs):
            private(folder)


@dataclass(frozen=True)
class Instance:
    """The state directory of one instance of the product."""

    root: Path

    @property
    def keys(self) -> Path:
        return self.root / "keys"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def run(self) -> Path:
        return self.root / "run"

    @property
    def heartbeats(self) -> Path:
        return self.run / "heartbeats"

    @property
    def record(self) -> Path:
        return self.run / "state.json"

    @property
    def commands(self) -> Path:
        """The fork server's socket for commands of the terminal."""
        return self.run / "commands"

    @property
    def lock(self) -> Path:
        return self.run / "lock"

    @property
    def postgres(self) -> Path:
        return self.root / "postgres"

    @property
    def valkey(self) -> Path:
        return self.root / "valkey"

    @property
    def cloudsim(self) -> Path:
        return self.root / "cloudsim"

    @property
    def routersim(self) -> Path:
        return self.root / "routersim"

    @property
    def artifacts(self) -> Path:
        return self.root / "artifacts"

    @property
    def admin_password(self) -> Path:
        return self.keys / "admin-password"

    def prepare(self) -> None:
        private(self.root)
        for folder in (self.keys, self.logs, self.run, self.heartbeats, self.artifacts, self.cloudsim, self.routersim):
            private(folder)

    def log(self, service: str) -> Path:
        return self.logs / f"{service}.log"


def private(folder: Path) -> None:
    """Create a directory that only its owner can enter; an existing one keeps its mode."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
