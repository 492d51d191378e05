"""Restores a backup: reads, checks and stages all of it beside the existing data, then exchanges the names.

The previous data are kept: the database under another name on its server, files in `Restore.aside`. A failure before
the exchange changes nothing, and one during it is reverted, with one exception: if the user must not create databases,
the backup is loaded into the empty database itself, which stays filled when a later step fails. A kill, other than
Ctrl-C, reverts nothing; what it leaves behind has the time of the restore in its name.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from recovery import database as pg
from recovery import sealing
from recovery.archive import FULL, Archive, Contents
from recovery.database import Database
from recovery.errors import RecoveryError
from recovery.installation import SETTINGS, Installation, write_private
from recovery.load import load
from recovery.release import Release

ROOM = 4
"""A restored database and the copy of the dump take at most this many times the size of the dump."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A backup that was verified completely."""

    contents: Contents
    secrets: dict[str, Any] | None
    """The opened keys and settings; None if the backup has none, or no passphrase was given."""


def check(archive: Archive, release: Release, passphrase: str | None) -> Checked:
    """Verify every digest and, with a passphrase, open the keys. Raises RecoveryError."""
    archive.manifest.snapshot_at  # noqa: B018 - raises for an unreadable date
    contents, digest, sealed = archive.verify()
    release.require_known(archive.manifest.migrations, "The backup", f"release {archive.manifest.version}")
    secrets = None
    if sealed is not None and passphrase is not None:
        secrets = sealing.unseal(sealed, passphrase, digest)
    return Checked(contents, secrets)


class Restore:
    """One restore; `run` does all its steps."""

    def __init__(self, archive: Archive, installation: Installation, aside: Path, say: Callable[[str], None]) -> None:
        self.archive, self.installation, self.say = archive, installation, say
        self.stamp = f"{datetime.now(UTC):%Y%m%dT%H%M%S}"
        self.aside = aside / f"before-restore-{self.stamp}"
        self.database = Database(installation.database_url)
        self.full = archive.manifest.kind == FULL

    def run(self, checked: Checked, *, replace: bool) -> None:
        """Restore the checked backup. Raises RecoveryError, and leaves the data as before (see the module)."""
        pg.require_writable(self.database)
        empty = pg.is_empty(self.database)
        self._require_consent(empty=empty, replace=replace)
        self._require_room(checked.contents)
        pg.require_unused(self.database)
        with ExitStack() as undo:
            staged = self._stage_files(checked, undo) if self.full else {}
            new = self._stage_database(undo, empty=empty)
            pg.mark_restored(self.database.named(new), self.archive.manifest.created_at, self.archive.path.name)
            for source, target in staged.items():
                self._exchange_file(source, target, undo)
            old = f"{self.database.name}_before_{self.stamp}"
            if new != self.database.name:
                pg.exchange(self.database, new, old)
            undo.pop_all()  # before any output, which fails on a closed terminal and would then revert the files alone
        if new != self.database.name:
            self.say(f"The previous database is kept as {old}; drop it when you no longer need it.")
        if self.aside.exists():
            self.say(f"The previous files are kept in {self.aside}.")

    def _require_consent(self, *, empty: bool, replace: bool) -> None:
        if not empty:
            there = pg.summary(self.database)
            if not replace:
                raise RecoveryError(
                    f"The database {self.database.name} is not empty ({there}): --replace puts the backup in its place "
                    "and keeps the existing data aside."
                )
            self.say(f"Replacing the database {self.database.name} ({there}).")
        if not self.full and not self.installation.seal_keys.exists():
            raise RecoveryError(
                f"This backup holds only the database, and {self.installation.seal_keys} is missing, without which no "
                "stored password can be read: restore it where it was made, or restore a full backup."
            )

    def _require_room(self, contents: Contents) -> None:
        place = self.installation.artifacts.parent
        place.mkdir(parents=True, exist_ok=True)
        needed, free = contents.artifact_bytes + ROOM * contents.database_bytes, shutil.disk_usage(place).free
        if free < needed:
            raise RecoveryError(
                f"{place} has {free / 1e9:.1f} GB left; the restore needs about {needed / 1e9:.1f} GB, since the "
                "existing data are kept: free some space."
            )

    def _stage_database(self, undo: ExitStack, *, empty: bool) -> str:
        """Load the backup and return the database's name: a new one, or ours if empty and we must not create one."""
        new = f"{self.database.name}_restore_{self.stamp}"
        try:
            pg.create(self.database, new)
        except RecoveryError:
            if not empty:
                raise
            pg.load_at_once(self.database, self.archive.database())
            return self.database.name
        undo.callback(pg.drop, self.database, new)
        place, prefix = self.installation.artifacts.parent, f".dump-{self.stamp}-"
        with NamedTemporaryFile(dir=place, prefix=prefix) as dump:
            dump.writelines(self.archive.database())
            dump.flush()
            load(self.database.named(new), Path(dump.name))
        return new

    def _stage_files(self, checked: Checked, undo: ExitStack) -> dict[Path, Path]:
        """Write all files beside their final places; return the final place of each."""
        assert checked.secrets is not None, "a full restore has the passphrase"
        places, secrets = self.installation, checked.secrets
        objects = places.artifacts / f"objects.{self.stamp}"
        undo.callback(shutil.rmtree, objects, ignore_errors=True)
        objects.mkdir(parents=True, mode=0o700)
        for digest, blocks in self.archive.artifacts():
            _write(objects / digest[:2] / digest, blocks, digest)
        texts = {places.secret_key: secrets["secretKey"], places.seal_keys: secrets["sealKeys"]}
        if secrets["adminPassword"] is not None:
            texts[places.admin_password] = secrets["adminPassword"]
        texts |= {places.certificates / _plain(name): text for name, text in secrets["certificates"].items()}
        settings = "".join(f"{name}={value}\n" for name, value in sorted(secrets["settings"].items()))
        texts[places.artifacts.parent / SETTINGS] = settings
        staged = {objects: places.artifacts / "objects"}
        for place, text in texts.items():
            draft = place.with_name(f"{place.name}.{self.stamp}")
            undo.callback(draft.unlink, missing_ok=True)
            write_private(draft, text)
            staged[draft] = place
        return staged

    def _exchange_file(self, source: Path, target: Path, undo: ExitStack) -> None:
        if target.exists():
            kept = self.aside / target.name
            kept.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            shutil.move(target, kept)
            undo.callback(shutil.move, kept, target)
        source.rename(target)
        undo.callback(target.rename, source)


def _write(path: Path, blocks: Iterator[bytes], digest: str) -> None:
    found = sha256()
    path.parent.mkdir(exist_ok=True, mode=0o700)
    with path.open("xb") as file:
        for block in blocks:
            found.update(block)
            file.write(block)
    if found.hexdigest() != digest:
        raise RecoveryError(f"Artifact {digest} changed while it was read: stop other writers of the backup file.")


def _plain(name: str) -> str:
    """Return a file name, or raise RecoveryError if it has folders: a backup must not write elsewhere."""
    if name != Path(name).name or name in ("", ".", ".."):
        raise RecoveryError(f"The backup has a certificate called {name!r}, which is not a file name: it is forged.")
    return name
