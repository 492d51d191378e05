"""`python -m recovery`: the commands behind `./vnfm backup` and `./vnfm restore`, with the product's variables."""

import argparse
import getpass
import os
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from recovery import schedule
from recovery.archive import FULL, Archive
from recovery.create import create
from recovery.errors import RecoveryError
from recovery.installation import Installation
from recovery.release import Release
from recovery.restore import Restore, check

ROOT = Path(__file__).resolve().parents[2]
PASSPHRASE_FILE = "VNFM_BACKUP_PASSPHRASE_FILE"  # noqa: S105 - a variable
_PAUSE = 30.0


def main() -> int:
    options = _parser().parse_args()
    try:
        return int(options.run(options, os.environ))
    except RecoveryError as error:
        print(error, file=sys.stderr)
    except OSError as error:
        print(f"{error.filename or 'The backup'}: {error.strerror or error}.", file=sys.stderr)
    except KeyboardInterrupt:
        return 130
    return 1


def _create(options: argparse.Namespace, env: Mapping[str, str]) -> int:
    passphrase = None if options.database_only else _passphrase(options, env, new=True)
    begun = time.monotonic()
    place = Installation.from_environment(env)
    contents = create(options.file, place, Release.of(ROOT), passphrase=passphrase, env=env, say=_say)
    _say(
        f"{options.file}: {options.file.stat().st_size / 1e6:.1f} MB (database {contents.database_bytes / 1e6:.1f} MB, "
        f"{len(contents.artifacts)} artifacts) in {time.monotonic() - begun:.0f} s."
    )
    return 0


def _check(options: argparse.Namespace, env: Mapping[str, str]) -> int:
    with Archive(options.file) as archive:
        passphrase = _passphrase(options, env, optional=True) if archive.manifest.kind == FULL else None
        checked, manifest = check(archive, Release.of(ROOT), passphrase), archive.manifest
    keys = "its keys can be opened" if checked.secrets is not None else "its keys were not opened (no passphrase given)"
    _say(
        f"{options.file} is whole: {manifest.kind} backup of {manifest.snapshot_at:%Y-%m-%d %H:%M} UTC by release "
        f"{manifest.version}, {len(manifest.migrations)} migrations, {len(checked.contents.artifacts)} artifacts"
        f"{'; ' + keys if manifest.kind == FULL else ''}."
    )
    for line in (*manifest.notes, *(f"Artifact {digest} was lost before." for digest in checked.contents.missing)):
        _say(line)
    return 0


def _restore(options: argparse.Namespace, env: Mapping[str, str]) -> int:
    installation = Installation.from_environment(env)
    with Archive(options.file) as archive:
        passphrase = _passphrase(options, env) if archive.manifest.kind == FULL else None
        checked = check(archive, Release.of(ROOT), passphrase)
        Restore(archive, installation, options.aside, _say).run(checked, replace=options.replace)
        _say(
            f"Restored the backup of {archive.manifest.snapshot_at:%Y-%m-%d %H:%M} UTC. After its start the product "
            "compares its data with clouds and routers, and takes no action by itself until an administrator allows it."
        )
    return 0


def _run_schedule(options: argparse.Namespace, env: Mapping[str, str]) -> int:
    """Make backups as they become due, until a signal; a failure is recorded and the backup retried."""
    folder, hours = options.folder, options.hours
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for draft in folder.glob(".vnfm-*.backup.*"):  # left by a process that was killed
        draft.unlink(missing_ok=True)
    _say("schedule.ready")
    while True:
        now = datetime.now(UTC)
        found = schedule.backups(folder)
        if schedule.next_due(max(found.values(), default=None), schedule.read_status(folder), hours, now) <= now:
            error = _scheduled(options, env, folder, now)
            schedule.write_status(folder, schedule.Status(now, error))
            _say(f"{now:%Y-%m-%d %H:%M} {'failed: ' + error if error else 'done'}")
            for path in schedule.surplus(schedule.backups(folder), options.keep):
                path.unlink(missing_ok=True)
        time.sleep(_PAUSE)


def _scheduled(options: argparse.Namespace, env: Mapping[str, str], folder: Path, now: datetime) -> str:
    """Make and check one backup; return the error, or ""."""
    target = folder / schedule.file_name(now)
    try:
        passphrase = _passphrase(options, env)
        place = Installation.from_environment(env)
        create(target, place, Release.of(ROOT), passphrase=passphrase, env=env, say=_say)
        with Archive(target) as archive:
            check(archive, Release.of(ROOT), passphrase)
    except Exception as error:  # noqa: BLE001 - the alarm reports any error, and the next attempt follows
        target.unlink(missing_ok=True)
        return str(error) or type(error).__name__
    return ""


def _passphrase(
    options: argparse.Namespace, env: Mapping[str, str], *, new: bool = False, optional: bool = False
) -> str | None:
    """Read the passphrase from the named file, else from the terminal, where a new one is typed twice."""
    if file := options.passphrase_file or env.get(PASSPHRASE_FILE):
        return Path(file).read_text().rstrip("\r\n")
    if not sys.stdin.isatty():
        if optional:
            return None
        raise RecoveryError(
            f"The keys are sealed with a passphrase: name its file with --passphrase-file or {PASSPHRASE_FILE}."
        )
    entered = getpass.getpass("Passphrase of the backup: ")
    if new and getpass.getpass("Once more: ") != entered:
        raise RecoveryError("The two passphrases differ, so nothing was written: start again.")
    return entered or (None if optional else "")


def _say(text: str) -> None:
    print(text, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m recovery", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--passphrase-file", type=Path, metavar="FILE")
    one = commands.add_parser("create", parents=[common], help="write a backup")
    one.add_argument("file", type=Path)
    one.add_argument("--database-only", action="store_true", help="leave out artifacts and keys; needs no passphrase")
    one.set_defaults(run=_create)
    one = commands.add_parser("check", parents=[common], help="read a backup to its end and compare all digests")
    one.add_argument("file", type=Path)
    one.set_defaults(run=_check)
    one = commands.add_parser("restore", parents=[common], help="put a backup back")
    one.add_argument("file", type=Path)
    one.add_argument("--replace", action="store_true", help="replace existing data, which are kept aside")
    one.add_argument("--aside", type=Path, required=True, metavar="DIR", help="folder that receives the replaced files")
    one.set_defaults(run=_restore)
    one = commands.add_parser("schedule", parents=[common], help="make backups as they are due, until it is stopped")
    one.add_argument("folder", type=Path)
    one.add_argument("--hours", type=float, required=True)
    one.add_argument("--keep", type=int, required=True)
    one.set_defaults(run=_run_schedule)
    return parser


if __name__ == "__main__":
    sys.exit(main())
