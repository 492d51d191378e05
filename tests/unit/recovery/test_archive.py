"""The file format: what is written is read back, what is damaged is named, memory holds one piece."""

import tarfile
from hashlib import sha256
from pathlib import Path

import pytest

from recovery.archive import DATABASE, PIECE, Archive, Manifest
from recovery.errors import RecoveryError
from recovery.release import Release
from tests.unit.recovery.archive_files import DUMP, FILE, MANIFEST, written


def refused(path: Path) -> bool:
    try:
        with Archive(path) as archive:
            archive.verify()
    except RecoveryError:
        return True
    return False


def test_archive_round_trip(tmp_path: Path) -> None:
    with Archive(written(tmp_path / "one")) as archive:
        contents, digest, keys = archive.verify()
        assert (archive.manifest, keys, len(digest)) == (MANIFEST, b"sealed", 32)
        assert (contents.database_bytes, contents.artifact_bytes) == (len(DUMP), len(FILE))
        assert contents.missing == ("f" * 64,)
        blocks = list(archive.database())
        assert b"".join(blocks) == DUMP
        assert max(map(len, blocks)) <= PIECE
        assert [(name, b"".join(parts)) for name, parts in archive.artifacts()] == [(sha256(FILE).hexdigest(), FILE)]


def test_a_flipped_byte_anywhere_is_found(tmp_path: Path) -> None:
    path = written(tmp_path / "one")
    whole = path.read_bytes()
    for what, place in (("database", whole.index(b"the end")), ("artifact", whole.index(FILE)), ("list", -1)):
        at = place if place >= 0 else whole.index(b'"database_bytes"')
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert refused(path), f"a changed {what} was not found"


def test_it_is_broken_wherever_it_ends_early(tmp_path: Path) -> None:
    path = written(tmp_path / "one")
    whole = path.read_bytes()
    for length in (600, 3000, PIECE // 2, whole.index(b"the end"), whole.index(FILE) + 10, whole.index(b"sealed")):
        path.write_bytes(whole[:length])
        with pytest.raises(RecoveryError, match=r"broken|not a backup"), Archive(path) as archive:
            archive.verify()


def test_a_full_backup_without_keys_is_broken_and_one_of_the_database_has_none(tmp_path: Path) -> None:
    with pytest.raises(RecoveryError, match="ends early"), Archive(written(tmp_path / "one", keys=False)) as archive:
        archive.verify()
    manifest = Manifest(DATABASE, "1.0.0", "", MANIFEST.created_at, (), 18)
    with Archive(written(tmp_path / "two", manifest, keys=False)) as archive:
        assert archive.verify()[2] is None


def test_other_tars_and_later_formats_are_no_backups_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "other"
    with tarfile.open(path, "w") as tar:
        tar.add(Path(__file__), "README")
    with pytest.raises(RecoveryError, match="not a backup of this product"):
        Archive(path)
    with pytest.raises(RecoveryError, match="format 2"):
        Manifest.from_json(MANIFEST.as_json() | {"formatVersion": 2})
    with pytest.raises(RecoveryError, match="not a backup"):
        Manifest.from_json({})
    with pytest.raises(RecoveryError, match="cannot be read"):
        Manifest.from_json(MANIFEST.as_json() | {"created_at": "yesterday"})


def test_links_in_the_tar_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "one")
    with tarfile.open(path, "a") as tar:
        link = tarfile.TarInfo("artifacts/" + "a" * 64)
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/shadow"
        tar.addfile(link)
    with pytest.raises(RecoveryError, match="is not a file"), Archive(path) as archive:
        archive.verify()


def test_migrations_that_are_not_here_are_those_of_a_newer_release() -> None:
    release = Release("1.0.0", "", frozenset({"lcm.0001_initial"}))
    release.require_known(("lcm.0001_initial", "auth.0012_x"), "The backup", "release 1.0.0")
    with pytest.raises(RecoveryError, match=r"newer than this checkout \(1.0.0\).*lcm.0002_more"):
        release.require_known(("lcm.0001_initial", "lcm.0002_more"), "The backup", "release 1.1.0")
