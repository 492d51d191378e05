"""The launcher's side of backups: sentences of refusals, the schedule's command, the release."""

import io
import os
import re
import tomllib
from pathlib import Path

import pytest

from launcher.backup import Vault, refusal, restore, scheduled, way_back
from launcher.console import Console
from launcher.errors import LaunchError
from launcher.layout import Checkout, Instance
from launcher.product import LOCK
from launcher.steps import ensure, fingerprint
from launcher.version import version


def test_a_refusal_of_a_command_is_its_last_line() -> None:
    words = "upgrade_schema failed; log ends with:\n  Applying …\nCommandError: This database is newer."
    assert refusal(words) == "This database is newer."
    assert refusal("Traceback …\nValueError: x") is None
    assert refusal("") is None


def test_the_schedule_runs_only_where_a_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout, instance = Checkout.here(), Instance(tmp_path)
    for name in [name for name in os.environ if name.startswith("VNFM_BACKUP")]:
        monkeypatch.delenv(name)
    assert scheduled(checkout, instance, "postgresql://x/y") == ()
    monkeypatch.setenv("VNFM_BACKUP_DIR", "/backup")
    with pytest.raises(LaunchError, match="PASSPHRASE_FILE must name"):
        scheduled(checkout, instance, "postgresql://x/y")
    monkeypatch.setenv("VNFM_BACKUP_PASSPHRASE_FILE", "/secret")
    monkeypatch.setenv("VNFM_BACKUP_HOURS", "6")
    [service] = scheduled(checkout, instance, "postgresql://u:password@x/y")
    assert service.command[1:] == ("-m", "recovery", "schedule", "/backup", "--hours", "6", "--keep", "14")
    assert service.env is not None
    assert service.env["DATABASE_URL"] == "postgresql://u:password@x/y", "and on no command line"
    assert service.env["VNFM_SEAL_KEYS_FILE"] == str(tmp_path / "keys" / "seal-keys")


def test_the_way_back_names_the_latest_backup(tmp_path: Path) -> None:
    instance = Instance(tmp_path)
    assert way_back(instance) == ""
    Vault(instance).before_upgrades.mkdir()
    for seconds, name in enumerate(("before-1.1.0-b.backup", "before-1.0.0-a.backup")):
        file = Vault(instance).before_upgrades / name
        file.touch()
        os.utime(file, (seconds, seconds))
    assert "restore " + str(Vault(instance).before_upgrades / "before-1.0.0-a.backup") in way_back(instance)


def test_the_version_is_that_of_the_project_with_the_heads_of_the_schema() -> None:
    stream, checkout = io.StringIO(), Checkout.here()
    assert version(checkout, Console(stream)) == 0
    first, second = stream.getvalue().splitlines()
    project = tomllib.loads((checkout.root / "pyproject.toml").read_text())["project"]["version"]
    assert re.fullmatch(rf"vnfm {re.escape(project)}( \([0-9a-f]{{7,}}\+?\))?", first)
    assert "telemetry.0001_history" in second
    assert len(re.findall(r"\blcm\.\d{4}_", second)) == 1, "the last one of each app"


def installed(checkout: Checkout, program: str) -> Checkout:
    """As an installation leaves it, with a shell script for its Python."""
    checkout.prepare()
    for file, text in ((checkout.lock_file(LOCK), ""), (checkout.python(LOCK), f"#!/bin/sh\n{program}\n")):
        file.parent.mkdir(parents=True)
        file.write_text(text)
        file.chmod(0o700)
    key = fingerprint(checkout.root, [checkout.lock_file(LOCK)], str(checkout.root))
    ensure(checkout.stamps / f"venv-{LOCK}", key, checkout.python(LOCK), lambda: None)
    return checkout


def test_after_a_restore_that_died_the_next_start_looks_at_the_schema(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have exchanged the databases before: the new one is of another release, and has the note of a restore."""
    monkeypatch.setenv("DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none")
    instance = Instance(tmp_path / "state")
    stamp = instance.postgres / "schema"
    stamp.parent.mkdir(parents=True)
    stamp.write_text("of this checkout\n")
    checkout = installed(Checkout(tmp_path / "checkout"), f"test ! -e {stamp} || exit 3; kill -9 $$")
    code = restore(checkout, instance, Console(io.StringIO()), tmp_path / "x", passphrase=None, replace=True)
    assert code == -9, "3: the stamp was there while it ran"
    assert not stamp.exists()
