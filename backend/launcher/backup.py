"""`vnfm backup` and `vnfm restore`: the product's own programs, with or without a running instance.

`python -m recovery` does the work in the product's environment (ADR-0046); this module passes it the paths and, when
the instance is stopped, runs a database server for it.
"""

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from launcher.binaries import find_postgres_bin
from launcher.console import Console
from launcher.errors import LaunchError
from launcher.layout import Checkout, Instance
from launcher.ownership import AlreadyRunning, hold
from launcher.postgres import EmbeddedPostgres
from launcher.product import LOCK
from launcher.record import Record
from launcher.service import Service
from launcher.toolchain import ensure_python, installer_environment
from launcher.unprivileged import choose

SCHEDULE_HOURS, SCHEDULE_KEEP = 24.0, 14


@dataclass(frozen=True)
class Vault:
    """The folders of an instance for its own backups and for data that a restore replaced."""

    instance: Instance

    @property
    def before_upgrades(self) -> Path:
        """The folder of the backups that are made before upgrades."""
        return self.instance.root / "backups"

    @property
    def aside(self) -> Path:
        return self.instance.root / "replaced"


def backup(
    checkout: Checkout, instance: Instance, console: Console, file: Path, *, passphrase: Path | None, check: bool
) -> int:
    """Write a backup, or with `check` verify one; return an exit code."""
    checkout.prepare()
    ensure_python(checkout, LOCK, console)
    if check:
        env = recovery_environment(checkout, instance, "")
        return _recovery(checkout, env, "check", file, *_flag(passphrase))
    if not (instance.keys / "seal-keys").exists():
        raise LaunchError(f"There is nothing to back up in {instance.root}.")
    with database(checkout, instance) as url:
        env = recovery_environment(checkout, instance, url)
        return _recovery(checkout, env, "create", file, *_flag(passphrase))


def restore(
    checkout: Checkout, instance: Instance, console: Console, file: Path, *, passphrase: Path | None, replace: bool
) -> int:
    """Restore a backup into the state directory; return an exit code. Raises LaunchError if the instance runs."""
    checkout.prepare()
    ensure_python(checkout, LOCK, console)
    instance.prepare()
    try:
        with hold(instance), database(checkout, instance, owned=True) as url:
            env = recovery_environment(checkout, instance, url)
            flags = ["--aside", str(Vault(instance).aside), *(["--replace"] if replace else [])]
            # Removed first: also a restore that dies after its exchange needs `upgrade_schema`, which starts the hold.
            (instance.postgres / "schema").unlink(missing_ok=True)
            return _recovery(checkout, env, "restore", file, *flags, *_flag(passphrase))
    except AlreadyRunning:
        raise LaunchError("The instance runs: stop it with ./vnfm down, then restore.") from None


@contextmanager
def database(checkout: Checkout, instance: Instance, *, owned: bool = False) -> Iterator[str]:
    """Yield the database's URL: DATABASE_URL, the running instance's, or that of a server that runs for this block.

    `owned`: the caller holds the lock of the state directory.
    """
    if url := os.environ.get("DATABASE_URL"):
        yield url
        return
    record = Record.load(instance.record)
    if not owned and record is not None and record.alive and record.database_url:
        yield record.database_url
        return
    runner = choose(instance.postgres, find_postgres_bin(checkout.site_packages(LOCK)))
    if owned:
        with EmbeddedPostgres(instance.postgres, runner=runner) as server:
            yield server.url
        return
    if not (instance.postgres / "cluster").exists():
        raise LaunchError(f"{instance.root} has no database yet: ./vnfm up creates it.")
    with hold(instance), EmbeddedPostgres(instance.postgres, runner=runner) as server:
        yield server.url


def recovery_environment(checkout: Checkout, instance: Instance, url: str) -> dict[str, str]:
    """Return the environment of `python -m recovery`, and of management commands that need no broker."""
    env = checkout.compiled_once(installer_environment()) | {
        "DATABASE_URL": url,
        "VNFM_SECRET_KEY_FILE": str(instance.keys / "django-secret"),
        "VNFM_SEAL_KEYS_FILE": str(instance.keys / "seal-keys"),
        "VNFM_ARTIFACTS_DIR": str(instance.artifacts),
        "PYTHONPATH": str(checkout.backend),
        "PYTHONUNBUFFERED": "1",
    }
    if "VNFM_PG_BIN" not in env:
        with suppress(LaunchError):  # only a backup needs it, and reports it when it is missing
            env["VNFM_PG_BIN"] = str(find_postgres_bin(checkout.site_packages(LOCK)))
    return env


def scheduled(checkout: Checkout, instance: Instance, url: str) -> tuple[Service, ...]:
    """Return the service that makes scheduled backups, if VNFM_BACKUP_DIR is set. Raises LaunchError."""
    folder = os.environ.get("VNFM_BACKUP_DIR")
    if not folder:
        return ()
    if not os.environ.get("VNFM_BACKUP_PASSPHRASE_FILE"):
        raise LaunchError("VNFM_BACKUP_DIR is set: name a file with the passphrase in VNFM_BACKUP_PASSPHRASE_FILE.")
    hours = os.environ.get("VNFM_BACKUP_HOURS") or str(SCHEDULE_HOURS)
    keep = os.environ.get("VNFM_BACKUP_KEEP") or str(SCHEDULE_KEEP)
    command = (str(checkout.python(LOCK)), "-m", "recovery", "schedule", folder, "--hours", hours, "--keep", keep)
    env = recovery_environment(checkout, instance, url)
    return (Service("backups", command, cwd=checkout.backend, env=env, forked=True),)


def _flag(passphrase: Path | None) -> Sequence[str | Path]:
    return ("--passphrase-file", passphrase.absolute()) if passphrase is not None else ()


def _recovery(checkout: Checkout, env: Mapping[str, str], command: str, file: Path, *flags: str | Path) -> int:
    """Run a command of `recovery` on the user's terminal, where it may ask for the passphrase."""
    command_line = [str(checkout.python(LOCK)), "-m", "recovery", command, str(file.absolute()), *map(str, flags)]
    return subprocess.run(command_line, env=dict(env), cwd="/", check=False).returncode
