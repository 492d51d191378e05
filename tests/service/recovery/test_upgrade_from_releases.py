"""Every released database, with data, is restored and upgraded by this checkout. `tools.release` adds them."""

import gzip
import json
from pathlib import Path

import psycopg
import pytest

from tests.service.recovery.place import Place, recovery, server
from tools.release_data import PASSPHRASE

__all__ = ["server"]  # a fixture
RELEASED = sorted((Path(__file__).parents[2] / "fixtures" / "released").glob("*.backup.gz"))


def test_there_is_a_released_database() -> None:
    assert RELEASED


@pytest.mark.parametrize("file", RELEASED, ids=lambda path: path.name.removesuffix(".backup.gz"))
def test_a_released_database_is_upgraded_with_its_data(file: Path, server: str, tmp_path: Path) -> None:
    (tmp_path / "passphrase").write_text(PASSPHRASE)
    backup = tmp_path / "released.backup"
    backup.write_bytes(gzip.decompress(file.read_bytes()))
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE DATABASE of_a_release")
    place = Place(server, "of_a_release", tmp_path / "state")
    assert recovery(place, "restore", backup, "--aside", tmp_path / "aside").returncode == 0
    planned = recovery(place, "upgrade_schema", "--plan", module="manage.py")
    assert json.loads(planned.stdout.splitlines()[-1])["stops"] == [], "it is upgraded while it serves"
    upgraded = recovery(place, "upgrade_schema", module="manage.py")
    assert upgraded.returncode == 0, upgraded.stderr
    assert "automation and notifications wait for an administrator" in upgraded.stdout
    [(instances, packages, users)] = place.execute(
        "SELECT (SELECT count(*) FROM inventory_vnfinstance), (SELECT count(*) FROM catalog_vnfpackage),"
        " (SELECT count(*) FROM accounts_user)"
    )
    assert min(instances, packages, users) > 0
    assert place.execute("SELECT count(*) FROM installation_restoration WHERE released_at IS NULL") == [(1,)]
