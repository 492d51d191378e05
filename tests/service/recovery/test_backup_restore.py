"""A real database with artifacts and sealed secrets is backed up, and restored: over itself, elsewhere, not at all."""

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from cryptography.fernet import Fernet

from launcher.binaries import find_postgres_bin
from launcher.postgres import DATABASE
from recovery import schedule
from tests.service.recovery.place import BACKEND, DIGEST, IMAGE, LOST, PASSPHRASE, Place, databases, recovery, server
from tests.support.product import running

__all__ = ["server"]  # a fixture


@pytest.fixture
def place(server: str, tmp_path: Path) -> Place:
    """With a VIM whose password is sealed, a package with an image, and a file that the store has lost."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE backed_up TEMPLATE {DATABASE}")
    (tmp_path / "passphrase").write_text(PASSPHRASE + "\n")
    place = Place(server, "backed_up", tmp_path / "state")
    for folder in ("keys", "artifacts", "certificates"):
        place.file(folder).mkdir(parents=True)
    place.file("keys/django-secret").write_text("secret of this installation\n")
    place.file("keys/seal-keys").write_text(f"{Fernet.generate_key().decode()}\n")
    place.file("keys/admin-password").write_text("first-password\n")
    place.file("certificates/ca.pem").write_text("a certificate\n")
    place.image.parent.mkdir(parents=True)
    place.image.write_bytes(IMAGE)
    place.execute("CREATE TABLE sealed_things (box text)")
    box = Fernet(place.file("keys/seal-keys").read_text().strip()).encrypt(b"cloud password").decode()
    place.execute(f"INSERT INTO sealed_things VALUES ('{box}')")
    place.execute(
        "ALTER TABLE catalog_packagefile DROP CONSTRAINT catalog_packagefile_package_id_311942b5_fk_catalog_v"
    )  # the package itself is not needed here
    for digest in (DIGEST, LOST):
        place.execute(
            "INSERT INTO catalog_packagefile (package_id, path, sha256, size)"
            f" VALUES (gen_random_uuid(), 'image-{digest[:4]}', '{digest}', {len(IMAGE)})"
        )
    return place


def backed_up(place: Place, *flags: str) -> Path:
    file = place.root.parent / "one.backup"
    made = recovery(place, "create", file, *flags)
    assert made.returncode == 0, made.stderr
    return file


def restored(place: Place, file: Path, *flags: str, env: Mapping[str, str] | None = None) -> str:
    """The output of a restore that succeeds."""
    answer = recovery(place, "restore", file, "--aside", place.root / "aside", *flags, env=env)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def refused(place: Place, file: Path, *flags: str, env: Mapping[str, str] | None = None) -> str:
    """The sentence of a restore that is refused, after which the database and the files are as before."""

    def state() -> object:
        files = {path: path.read_bytes() for path in sorted(place.root.rglob("*")) if path.is_file()}
        return files, place.execute("SELECT count(*) FROM catalog_packagefile"), databases(place.server)

    before = state()
    answer = recovery(place, "restore", file, "--aside", place.root / "aside", *flags, env=env)
    assert answer.returncode == 1
    assert state() == before
    assert len(answer.stderr.strip().splitlines()) == 1, answer.stderr
    return answer.stderr


def test_a_backup_is_whole_and_private_and_names_losses(place: Place) -> None:
    file = place.root.parent / "one.backup"
    made = recovery(place, "create", file)
    assert made.returncode == 0, made.stderr
    assert LOST in made.stdout
    assert file.stat().st_mode & 0o077 == 0
    assert not (place.root / "artifacts" / "backup").is_dir() or not any(
        (place.root / "artifacts" / "backup").iterdir()
    )
    assert PASSPHRASE.encode() not in file.read_bytes()
    assert place.file("keys/seal-keys").read_bytes().strip() not in file.read_bytes()
    checked = recovery(place, "check", file)
    assert checked.returncode == 0, checked.stderr
    assert "1 artifacts; its keys can be opened" in checked.stdout
    unopened = recovery(place, "check", file, env={"VNFM_BACKUP_PASSPHRASE_FILE": ""})
    assert "keys were not opened" in unopened.stdout


def test_it_is_restored_into_an_empty_installation(place: Place, server: str, tmp_path: Path) -> None:
    file = backed_up(place)
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE DATABASE elsewhere")
    elsewhere = Place(server, "elsewhere", tmp_path / "elsewhere")
    assert "Restored the backup of" in restored(elsewhere, file)
    key = Fernet(elsewhere.file("keys/seal-keys").read_text().strip())
    [(box,)] = elsewhere.execute("SELECT box FROM sealed_things")
    assert key.decrypt(str(box)) == b"cloud password"
    assert elsewhere.image.read_bytes() == IMAGE
    assert elsewhere.file("keys/admin-password").read_text() == "first-password\n"
    assert elsewhere.file("certificates/ca.pem").read_text() == "a certificate\n"
    assert elsewhere.file("keys/seal-keys").stat().st_mode & 0o077 == 0
    assert "VNFM_DISK_LOW_PERCENT=7\n" in elsewhere.file("restored-settings.env").read_text()
    [(taken_at, source)] = elsewhere.execute("SELECT * FROM restored_from_backup")
    assert (taken_at is not None, source) == (True, "one.backup")
    views = elsewhere.execute("SELECT has_table_privilege('vnfm_reader', 'telemetry.v_vim_reachability', 'SELECT')")
    assert views == [(True,)]


def test_all_rows_come_back_whatever_is_in_them(place: Place, server: str, tmp_path: Path) -> None:
    """Several sessions load the rows of one table in blocks."""
    odd = r"E'tab\tnewline\nbackslash\\ end\\.\n\\.\ncomma, ü, quote\'' || repeat('x', 200)"
    place.execute("CREATE TABLE many (id bigserial, words text, empty text)")
    place.execute(f"INSERT INTO many (words) SELECT {odd} || n FROM generate_series(1, 5000) AS n")
    digest = "SELECT count(*), md5(string_agg(words, '|' ORDER BY id)), count(empty) FROM many"
    before, file = place.execute(digest), backed_up(place)
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE DATABASE elsewhere")
    elsewhere = Place(server, "elsewhere", tmp_path / "elsewhere")
    restored(elsewhere, file)
    assert elsewhere.execute(digest) == before
    assert elsewhere.execute("SELECT nextval('many_id_seq')") == [(5001,)]
    assert not list(elsewhere.root.glob(".dump-*"))


def test_a_pg_restore_that_dies_inside_of_a_table_fails_the_restore(place: Place, tmp_path: Path) -> None:
    """It is killed as for want of memory. Its dump has the time in its name: a kill of the restore itself would leave
    it.
    """
    file, programs = backed_up(place), tmp_path / "programs"
    programs.mkdir()
    (programs / "pg_restore").write_text(
        "#!/bin/sh\n"
        f'case "$*" in *--section=data*) ;; *) exec {find_postgres_bin()}/pg_restore "$@" ;; esac\n'
        "printf 'COPY public.sealed_things (box) FROM stdin;\\nrow\\nhalf of a r'\n"
        'echo "no memory for $*" >&2\n'
        "exit 1\n"
    )
    (programs / "pg_restore").chmod(0o700)
    words = refused(place, file, "--replace", env={"VNFM_PG_BIN": str(programs)})
    assert re.match(r"pg_restore ended in the middle of a table: no memory for .*/\.dump-\d{8}T\d{6}-", words), words


def test_a_server_that_takes_no_writes_is_refused_at_once(place: Place) -> None:
    file = backed_up(place)
    place.execute(f"ALTER DATABASE {place.name} SET default_transaction_read_only = on")
    assert "takes no writes: it is a standby" in refused(place, file, "--replace")


def test_existing_data_are_replaced_on_request_only_and_put_aside(place: Place) -> None:
    file = backed_up(place)
    place.execute("DELETE FROM sealed_things")
    place.image.unlink()
    place.file("keys/seal-keys").write_text("of today\n")
    assert "is not empty (0 VNF instances, 0 clouds, 0 network elements): --replace" in refused(place, file)
    before = databases(place.server)
    words = restored(place, file, "--replace")
    assert place.execute("SELECT count(*) FROM sealed_things") == [(1,)]
    assert place.image.read_bytes() == IMAGE
    [kept] = databases(place.server) - before
    assert kept in words
    assert Place(place.server, kept, place.root).execute("SELECT count(*) FROM sealed_things") == [(0,)]
    [aside] = (place.root / "aside").iterdir()
    assert (aside / "seal-keys").read_text() == "of today\n"


def test_an_invalid_backup_is_refused_and_changes_nothing(place: Place, tmp_path: Path) -> None:
    file = backed_up(place)
    whole = file.read_bytes()
    wrong = tmp_path / "wrong"
    wrong.write_text("not the passphrase at all")
    opened = {"VNFM_BACKUP_PASSPHRASE_FILE": str(wrong)}
    assert "does not open this backup" in refused(place, file, "--replace", env=opened)
    assert "name its file with" in refused(place, file, "--replace", env={"VNFM_BACKUP_PASSPHRASE_FILE": ""})
    broken = tmp_path / "broken"
    broken.write_bytes(whole[: len(whole) // 2])
    assert "is broken" in refused(place, broken, "--replace")
    middle = whole.index(IMAGE[:64]) + 1000
    broken.write_bytes(whole[:middle] + b"\0\0\0\0" + whole[middle + 4 :])
    assert "does not match its digest" in refused(place, broken, "--replace")
    broken.write_bytes(b"PK\3\4 no tar at all" * 100)
    assert "not a backup of this product" in refused(place, broken, "--replace")
    assert "does not exist" in refused(place, tmp_path / "nothing", "--replace")
    with psycopg.connect(place.url):  # as the running product has
        assert "stop all processes of the product" in refused(place, file, "--replace")


def test_a_backup_of_a_newer_release_is_refused(place: Place) -> None:
    place.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('lcm', '0099_future', now())")
    file = backed_up(place)
    assert "is newer than this checkout" in refused(place, file, "--replace")


def test_a_failure_at_the_last_moment_takes_everything_back(place: Place) -> None:
    """The exchange of the databases is refused: a session came before it, on the way by a name that is taken."""
    file = backed_up(place)
    place.execute("DELETE FROM sealed_things")
    shutil.rmtree(place.root / "artifacts" / "objects")
    (place.root / "artifacts" / "objects").write_text("a file where a folder must be")
    place.file("aside").write_text("no folder, so nothing can be moved there")
    answer = recovery(place, "restore", file, "--aside", place.root / "aside", "--replace")
    assert answer.returncode == 1
    assert (place.root / "artifacts" / "objects").read_text() == "a file where a folder must be"
    assert place.execute("SELECT count(*) FROM sealed_things") == [(0,)]
    assert not [name for name in databases(place.server) if "restore" in name]
    assert not list(place.root.rglob("*.2*"))


def test_a_reader_that_goes_after_the_exchange_takes_nothing_back(place: Place) -> None:
    """The output is closed as `restore … | head -1` does: files of before beside the database of the backup would be
    the worst of both.
    """
    file = backed_up(place)
    place.execute("DELETE FROM sealed_things")
    place.file("keys/seal-keys").write_text("of today\n")
    words = ("restore", str(file), "--aside", str(place.root / "aside"), "--replace")
    command = [sys.executable, "-m", "recovery", *words]
    with subprocess.Popen(
        command, cwd=BACKEND, env=place.env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Replacing the database")
        process.stdout.close()
    [(box,)] = place.execute("SELECT box FROM sealed_things")
    key = Fernet(place.file("keys/seal-keys").read_text().strip())
    assert key.decrypt(str(box)) == b"cloud password"


def test_a_backup_of_the_database_alone_needs_the_keys_that_are_there(place: Place, tmp_path: Path) -> None:
    file = backed_up(place, "--database-only")
    place.execute("DELETE FROM sealed_things")
    restored(place, file, "--replace", env={"VNFM_BACKUP_PASSPHRASE_FILE": ""})
    assert place.execute("SELECT count(*) FROM sealed_things") == [(1,)]
    assert place.image.exists()
    place.file("keys/seal-keys").unlink()
    assert "holds only the database" in refused(place, file, "--replace")


def test_artifacts_deleted_during_the_backup_are_in_it(place: Place) -> None:
    """They are linked when the snapshot is taken; here the only moment that a test can choose is before the dump."""
    from recovery.installation import Installation

    installation = Installation.from_environment(place.env)
    with installation.linked([DIGEST, LOST]) as (paths, lost):
        place.image.unlink()
        assert paths[DIGEST].read_bytes() == IMAGE
        assert lost == (LOST,)
    assert not any((place.root / "artifacts" / "backup").iterdir())


def test_restore_without_createdb_into_an_empty_database(place: Place, server: str, tmp_path: Path) -> None:
    file = backed_up(place)
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS modest")
        connection.execute("CREATE ROLE modest LOGIN PASSWORD 'pw'")
        connection.execute("CREATE DATABASE granted OWNER modest")
    parts = urlsplit(server)
    own = parts._replace(netloc=f"modest:pw@{parts.hostname}:{parts.port}").geturl()
    modest = Place(own, "granted", tmp_path / "granted")
    restored(modest, file)
    assert modest.execute("SELECT count(*) FROM sealed_things") == [(1,)]
    assert "ALTER ROLE modest CREATEDB" in refused(modest, file, "--replace")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("DROP DATABASE granted")
        connection.execute("DROP ROLE modest")


def test_the_schedule_makes_one_at_once_and_says_why_it_cannot(place: Place, tmp_path: Path) -> None:
    folder = tmp_path / "scheduled"
    flags = ("-m", "recovery", "schedule", str(folder), "--hours", "1", "--keep", "2")

    def status_after(env: dict[str, str]) -> schedule.Status:
        with running(*flags, env=env) as process:
            process.expect(r"^20\d\d-")
            process.end()
        status = schedule.read_status(folder)
        assert status is not None
        return status

    assert status_after(place.env).error == ""
    [file] = schedule.backups(folder)
    assert "its keys can be opened" in recovery(place, "check", file).stdout
    file.unlink()
    failed = status_after(place.env | {"VNFM_BACKUP_PASSPHRASE_FILE": str(tmp_path / "gone")})
    assert "gone" in failed.error
    assert schedule.backups(folder) == {}, "nothing half-made is left"
