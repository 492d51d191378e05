"""Backup and restore of a large installation: 1,000 VNFs, a million alarms, artifacts; minutes of each.

BENCH_RESTORE_ALARMS and BENCH_RESTORE_MIB set the size. The rows are copies of one of each made by the factories.
"""

import json
import os
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from cryptography.fernet import Fernet
from psycopg import sql

from launcher.binaries import find_postgres_bin
from tests.factories.alarms import make_alarm
from tests.factories.inventory import make_instance
from vnfm.catalog.models import PackageFile
from vnfm.faults.models import Alarm
from vnfm.inventory.models import VnfInstance

BACKEND = Path(__file__).parents[2] / "backend"
BUDGETS = json.loads((Path(__file__).parent / "budgets.json").read_text())["restore"]
VNFS = 1000
ALARMS = int(os.environ.get("BENCH_RESTORE_ALARMS", "1000000"))
ARTIFACTS_MIB = int(os.environ.get("BENCH_RESTORE_MIB", "512"))
ARTIFACT_MIB = 64

pytestmark = [
    pytest.mark.bench,
    pytest.mark.timeout(3600),
    pytest.mark.django_db(transaction=True),
]


@dataclass(frozen=True)
class Place:
    """An installation: a database, and a state directory beside the passphrase."""

    url: str
    root: Path

    @property
    def env(self) -> dict[str, str]:
        return os.environ | {
            "DATABASE_URL": self.url,
            "VNFM_ARTIFACTS_DIR": str(self.root / "artifacts"),
            "VNFM_SECRET_KEY_FILE": str(self.root / "keys" / "django-secret"),
            "VNFM_SEAL_KEYS_FILE": str(self.root / "keys" / "seal-keys"),
            "VNFM_BACKUP_PASSPHRASE_FILE": str(self.root.parent / "passphrase"),
            "VNFM_PG_BIN": str(find_postgres_bin()),
        }

    def recovery(self, *arguments: str) -> tuple[float, float]:
        """Run `python -m recovery`; seconds of time, and of processor without the server's."""
        command, before = [sys.executable, "-m", "recovery", *arguments], _child_seconds()
        begun = time.monotonic()
        done = subprocess.run(command, cwd=BACKEND, env=self.env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return time.monotonic() - begun, _child_seconds() - before


def _child_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def multiply(connection: psycopg.Connection, table: str, count: int, **changed: sql.Composable) -> None:
    """Copy the one row of a table `count` times; `changed` are expressions of the number `n`."""
    listed = connection.execute(
        "SELECT column_name FROM information_schema.columns WHERE table_name = %s AND is_generated = 'NEVER'", [table]
    )
    names = [row[0] for row in listed.fetchall()]
    statement = sql.SQL(
        "INSERT INTO {table} ({names}) SELECT {values} FROM {table} AS row, generate_series(1, {n}) AS n"
    )
    connection.execute(
        statement.format(
            table=sql.Identifier(table),
            names=sql.SQL(", ").join(map(sql.Identifier, names)),
            values=sql.SQL(", ").join(changed.get(name, sql.Identifier("row", name)) for name in names),
            n=sql.Literal(count),
        )
    )


def fill(url: str, root: Path) -> None:
    for folder in ("keys", "artifacts"):
        (root / folder).mkdir(parents=True)
    (root / "keys" / "django-secret").write_text("secret of this installation\n")
    (root / "keys" / "seal-keys").write_text(f"{Fernet.generate_key().decode()}\n")
    (root.parent / "passphrase").write_text("correct horse battery staple\n")
    instance = make_instance()
    make_alarm(managed_object_id=instance.id)
    for number in range(ARTIFACTS_MIB // ARTIFACT_MIB):
        content = os.urandom(1 << 20) * ARTIFACT_MIB
        digest = sha256(content).hexdigest()
        file = root / "artifacts" / "objects" / digest[:2] / digest
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        PackageFile.objects.create(package=instance.package, path=f"image-{number}", sha256=digest, size=len(content))
    with psycopg.connect(url, autocommit=True) as connection:
        new_id = sql.SQL("gen_random_uuid()")
        multiply(connection, "inventory_vnfinstance", VNFS - 1, id=new_id, name=sql.SQL("'vnf-' || n"))
        resource_of = sql.SQL("'server-' || n")
        multiply(connection, "faults_alarm", ALARMS - 1, id=new_id, faulty_resource=resource_of)
        connection.execute("ANALYZE")


def test_a_large_installation(postgres: str, tmp_path: Path, record_property: "pytest.RecordProperty") -> None:
    from django.db import connection

    source = Place(urlsplit(postgres)._replace(path=f"/{connection.settings_dict['NAME']}").geturl(), tmp_path / "old")
    fill(source.url, source.root)
    assert (VnfInstance.objects.count(), Alarm.objects.count()) == (VNFS, ALARMS)
    connection.close()
    file = tmp_path / "large.backup"
    backup = source.recovery("create", str(file))
    target = Place(urlsplit(postgres)._replace(path="/restored").geturl(), tmp_path / "new")
    with psycopg.connect(urlsplit(postgres)._replace(path="/postgres").geturl(), autocommit=True) as server:
        server.execute("CREATE DATABASE restored")
        try:
            restore = target.recovery("restore", str(file), "--aside", str(tmp_path / "aside"))
            with psycopg.connect(target.url) as restored:
                counts = [
                    restored.execute(f"SELECT count(*) FROM {table}").fetchone()
                    for table in ("inventory_vnfinstance", "faults_alarm")
                ]
        finally:
            server.execute("DROP DATABASE restored WITH (FORCE)")
    assert counts == [(VNFS,), (ALARMS,)]
    figures = {
        "backup_seconds": backup[0],
        "backup_cpu_seconds": backup[1],
        "restore_seconds": restore[0],
        "restore_cpu_seconds": restore[1],
        "file_mb": file.stat().st_size / 1e6,
    }
    print({name: round(value, 1) for name, value in figures.items()})
    record_property("figures", figures)
    assert backup[0] <= BUDGETS["backup_seconds"]
    assert restore[0] <= BUDGETS["restore_seconds"]
