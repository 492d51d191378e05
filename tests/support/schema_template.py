"""A PostgreSQL cluster that has the product's schema: made once for all runs and workers, then copied.

The migrations take seconds of processor, a copy a tenth of one.
"""

import os
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import psycopg

from launcher.layout import Checkout
from launcher.postgres import DATABASE, EmbeddedPostgres, PostgresCluster
from launcher.steps import ensure, exclusive, fingerprint

TEST_DATABASE = f"test_{DATABASE}"
"""A second database of the cluster, with the same schema; tests use this one."""


def copy_to(root: Path) -> None:
    """Put a copy of the cluster below `root`, as `PostgresCluster(root)` finds it, with the launcher's own stamp."""
    template, copy = PostgresCluster(_template(), fsync=False), PostgresCluster(root, fsync=False)
    subprocess.run(["cp", "-a", str(template.data), str(copy.data)], check=True)
    for name in ("password", "schema"):
        shutil.copy2(template.root / name, root / name)


def _template() -> Path:
    """The cluster at rest; made again when a migration, the way to make it or the month (of partitions) has changed."""
    checkout = Checkout.here()
    checkout.prepare()
    folder = checkout.shared / "schema-template"
    makers = [checkout.lock_file("dev"), checkout.backend / "launcher" / "postgres.py", Path(__file__)]
    schema = fingerprint(checkout.root, checkout.migrations())
    key = fingerprint(checkout.root, makers, schema, f"{datetime.now(UTC):%Y-%m}")
    with exclusive(checkout.shared / "schema-template.lock", lambda: None):
        ensure(checkout.stamps / "schema-template", key, folder / "schema", lambda: _make(checkout, folder, schema))
    return folder


def _make(checkout: Checkout, folder: Path, schema: str) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    shutil.rmtree(PostgresCluster(folder).data, ignore_errors=True)  # elsewhere when root has no user namespaces
    with EmbeddedPostgres(folder, fsync=False) as server:
        env = os.environ | {"DATABASE_URL": server.url}
        subprocess.run(
            [sys.executable, "manage.py", "upgrade_schema", "-v", "0"], cwd=checkout.backend, env=env, check=True
        )
        with psycopg.connect(server.url.rpartition("/")[0] + "/postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {TEST_DATABASE} TEMPLATE {DATABASE}")
    (folder / "schema").write_text(f"{schema}\n")  # as `vnfm up` notes it
