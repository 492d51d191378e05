"""`vnfm backup` and `vnfm restore`: the product's own programs, with or without a running instance.

The work is done by `python -m recovery` in the product's environment (ADR-0046); here it gets its places and, when
nothing runs, a database server for the time it takes.
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
    """Where an instance keeps backups of its own, and what a restore replaced."""

    instance: Instance

    @property
    def before_upgrades(self) -> Path:
        """Of before each upgrade."""
        return self.instance.root / "backups"

    @property
    def aside(self) -> Path:
        return self.instance.root / "replaced"


def backup(
    checkout: Checkout, instance: Instance, console: Console, file: Path, *, passphrase: Path | None, check: bool
) -> int:
    """Write a backup, or with `check` read one to its end; an exit code."""
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
    """Put a backup into the state directory; an exit code. The instance must not run."""
    checkout.prepare()
    ensure_python(checkout, LOCK, console)
    instance.prepare()
    try:
        with hold(instance), database(checkout, instance, owned=True) as url:
            env = recovery_environment(checkout, instance, url)
            flags = ["--aside", str(Vault(instance).aside), *(["--replace"] if replace else [])]
            # Before: one that dies after its exchange needs `upgrade_schema` too, which migrates and begins the hold.
            (instance.postgres / "schema").unlink(missing_ok=True)
            return _recovery(checkout, env, "restore", file, *flags, *_flag(passphrase))
    except AlreadyRunning:
        raise LaunchError("The instance runs: stop it with ./vnfm down, then restore.") from None


@contextmanager
def database(checkout: Checkout, instance: Instance, *, owned: bool = False) -> Iterator[str]:
    """URL of the instance's database: named by DATABASE_URL, of the running instance, or a server for this block.

    `owned`: the caller holds the state directory.
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
        raise LaunchError(f"There is no database in {instance.root}: ./vnfm up makes one.")
    with hold(instance), EmbeddedPostgres(instance.postgres, runner=runner) as server:
        yield server.url


def recovery_environment(checkout: Checkout, instance: Instance, url: str) -> dict[str, str]:
    """Of `python -m recovery`, and of management commands that need no broker."""
    env = checkout.compiled_once(installer_environment()) | {
        "DATABASE_URL": url,
        "VNFM_SECRET_KEY_FILE": str(instance.keys / "django-secret"),
        "VNFM_SEAL_KEYS_FILE": str(instance.keys / "seal-keys"),
        "VNFM_ARTIFACTS_DIR": str(instance.artifacts),
        "PYTHONPATH": str(checkout.backend),
        "PYTHONUNBUFFERED": "1",
    }
    if "VNFM_PG_BIN" not in env:
        with suppress(LaunchError):  # none is needed until a backup is made, which then says so
            env["VNFM_PG_BIN"] = str(find_postgres_bin(checkout.site_packages(LOCK)))
    return env


def scheduled(checkout: Checkout, instance: Instance, url: str) -> tuple[Service, ...]:
    """The service that makes backups as they are due, where VNFM_BACKUP_DIR is set."""
    folder = os.environ.get("VNFM_BACKUP_DIR")
    if not folder:
        return ()
    if not os.environ.get("VNFM_BACKUP_PASSPHRASE_FILE"):
        raise LaunchError("VNFM_BACKUP_DIR is set: VNFM_BACKUP_PASSPHRASE_FILE must name a file with the passphrase.")
    hours = os.environ.get("VNFM_BACKUP_HOURS") or str(SCHEDULE_HOURS)
    keep = os.environ.get("VNFM_BACKUP_KEEP") or str(SCHEDULE_KEEP)
    command = (str(checkout.python(LOCK)), "-m", "recovery", "schedule", folder, "--hours", hours, "--keep", keep)
    env = recovery_environment(checkout, instance, url)
    return (Service("backups", command, cwd=checkout.backend, env=env, forked=True),)


def _flag(passphrase: Path | None) -> Sequence[str | Path]:
    return ("--passphrase-file", passphrase.absolute()) if passphrase is not None else ()


def _recovery(checkout: Checkout, env: Mapping[str, str], command: str, file: Path, *flags: str | Path) -> int:
    """Its output is the user's; so is the terminal, for the passphrase."""
    words = [str(checkout.python(LOCK)), "-m", "recovery", command, str(file.absolute()), *map(str, flags)]
    return subprocess.run(words, env=dict(env), cwd="/", check=False).returncode
