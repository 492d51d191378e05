"""Makes a backup while the product runs: one snapshot of the database, and the artifacts that it names."""

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from recovery import sealing
from recovery.archive import DATABASE, FULL, ArchiveWriter, Contents, Manifest
from recovery.database import Database, Snapshot, dump, snapshot
from recovery.errors import RecoveryError
from recovery.installation import Installation
from recovery.release import Release

TELEMETRY_ELSEWHERE = "The history (VNFM_TELEMETRY_DATABASE_URL) is in another database: back it up separately."


def create(
    target: Path,
    installation: Installation,
    release: Release,
    *,
    passphrase: str | None,
    env: Mapping[str, str],
    say: Callable[[str], None],
) -> Contents:
    """Write a backup to `target`, which appears once it is complete. Raises RecoveryError.

    Without a passphrase it holds only the database (kind `database`).
    """
    if passphrase is not None:
        sealing.require_strong(passphrase)
    if target.exists():
        raise RecoveryError(f"{target} exists already: choose another name.")
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file, ExitStack() as stack:
            database = Database(installation.database_url)
            moment = stack.enter_context(snapshot(database))
            manifest = _manifest(release, moment, kind=DATABASE if passphrase is None else FULL, env=env)
            writer = ArchiveWriter(file, manifest)
            digests = moment.artifacts if passphrase is not None else ()
            paths, missing = stack.enter_context(installation.linked(digests)) if digests else ({}, ())
            with dump(database, moment.name) as stream:
                writer.add_database(stream)
            for digest, path in paths.items():
                writer.add_artifact(digest, path)
            digest_of_all = writer.finish(missing)
            if passphrase is not None:
                writer.add_keys(sealing.seal(installation.secrets(env), passphrase, digest_of_all))
            writer.close()
            file.flush()
            os.fsync(file.fileno())
        draft.rename(target)
    finally:
        draft.unlink(missing_ok=True)
    for digest in missing:
        say(f"The artifact store does not have {digest}, so the backup does not have it either.")
    return writer.contents


def _manifest(release: Release, moment: Snapshot, *, kind: str, env: Mapping[str, str]) -> Manifest:
    return Manifest(
        kind=kind,
        version=release.version,
        commit=release.commit,
        created_at=datetime.fromisoformat(moment.at).astimezone(UTC).isoformat(),
        migrations=moment.migrations,
        postgres=moment.postgres,
        notes=(TELEMETRY_ELSEWHERE,) if env.get("VNFM_TELEMETRY_DATABASE_URL") else (),
    )
