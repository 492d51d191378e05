"""The drill: a running product is backed up, goes on, is lost and restored; it says what differs and does nothing."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import psycopg
import pytest

from launcher import layout
from launcher.postgres import EmbeddedPostgres
from tests.support.installation import ROOT, Product, stranger_environment, until

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]
PASSPHRASE = "correct horse battery staple"


def started(product: Product, name: str) -> str:
    """A VNF instance that runs."""
    instance = product.create(name, product.vnfd_id())
    assert product.over(product.instantiate(instance, product.vim_id()))["operationState"] == "COMPLETED"
    return instance


def test_a_backup_of_this_morning_is_restored_into_the_cloud_of_tonight(tmp_path: Path) -> None:
    state, file, secret = tmp_path / "state", tmp_path / "morning.backup", tmp_path / "passphrase"
    secret.write_text(PASSPHRASE)
    sealed = ("--passphrase-file", str(secret))
    with Product(state) as product:
        kept, lost = started(product, "kept"), started(product, "lost")
        product.vnfm("backup", str(file), *sealed)
        assert "is whole: full backup" in product.vnfm("backup", str(file), "--check", *sealed)
        assert product.over(product.terminate(lost))["operationState"] == "COMPLETED"
        started(product, "later")
    product.vnfm("backup", str(tmp_path / "stopped.backup"), *sealed)  # nothing runs
    assert "Replacing the database vnfm (3 VNF instances" in product.vnfm("restore", str(file), "--replace", *sealed)
    with Product(state) as product:
        assert product.get("/api/v1/readiness")["onHoldFrom"] is not None

        def compared() -> dict[str, Any] | None:
            found: dict[str, Any] = product.get("/api/v1/restoration")
            kinds = {(each["kind"], each["name"]) for each in found["differences"]}
            unclaimed = any(kind == "STACK_UNCLAIMED" and name.startswith("vnf-later-") for kind, name in kinds)
            known = unclaimed and ("INSTANCE_DRIFTED", "lost") in kinds
            return found if known and found["cloudsCompared"] == found["clouds"] else None

        found = until(compared, 180, "the comparison with the cloud")
        assert not [each for each in found["differences"] if each["name"] == "kept"]
        assert product.get(f"/vnflcm/v2/vnf_instances/{kept}")["instantiationState"] == "INSTANTIATED"
        product.post("/api/v1/restoration/release")
        assert product.get("/api/v1/readiness")["onHoldFrom"] is None


def test_an_upgrade_stops_migrates_and_starts_and_its_way_back_works(tmp_path: Path) -> None:
    """From a database that lacks the last migration of an app, as one of an older checkout does."""
    with Product(tmp_path) as product:
        users = product.get("/api/v1/users")
    database = layout.Instance(tmp_path).postgres
    with EmbeddedPostgres(database) as server, psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("DROP INDEX audit_by_job")
        connection.execute("DELETE FROM django_migrations WHERE app = 'accounts' AND name = '0004_audit_by_job'")
        connection.execute("DELETE FROM installation_appliedmigration WHERE name = 'accounts.0004_audit_by_job'")
    (database / "schema").write_text("of an older checkout\n")
    words = product.vnfm("upgrade")
    try:
        assert "applies 1 migrations:\n  accounts.0004_audit_by_job" in words
        [kept] = (tmp_path / "backups").glob("before-*.backup")
        assert f"restore {kept} --replace" in words
    finally:
        product.vnfm("down")
    assert "Restored the backup" in product.vnfm("restore", str(kept), "--replace")
    with Product(tmp_path) as product:  # this checkout migrates it again, of course
        assert product.get("/api/v1/users") == users


def test_a_database_that_does_not_fit_is_refused_and_nothing_starts(tmp_path: Path) -> None:
    with Product(tmp_path) as product:
        pass
    database = layout.Instance(tmp_path).postgres
    with EmbeddedPostgres(database) as server, psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('lcm', '0099_future', now())")
    (database / "schema").write_text("of a newer checkout\n")
    for log in (tmp_path / "logs").glob("*.log"):
        log.unlink()
    command = [sys.executable, str(ROOT / "vnfm"), "up", "--state-dir", str(tmp_path), "--port", str(product.port)]
    answer = subprocess.run(command, env=stranger_environment(), capture_output=True, text=True, check=False)
    assert answer.returncode == 1
    [sentence] = answer.stderr.strip().splitlines()
    assert sentence.startswith("This database is newer than this checkout")
    started_logs = {log.stem for log in (tmp_path / "logs").glob("*.log")}
    assert started_logs <= {"postgres", "valkey", "upgrade_schema", "supervisor"}
