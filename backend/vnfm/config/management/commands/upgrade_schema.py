import json
import os
import random
from argparse import ArgumentParser
from pathlib import Path
from threading import Event
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor
from psycopg.errors import LockNotAvailable

from recovery.create import create
from recovery.errors import RecoveryError
from recovery.installation import Installation
from recovery.release import Release
from vnfm.config.restored import begin_hold_if_restored
from vnfm.config.schema_guard import applied_migrations, known_digests, pending_migrations, require_fitting
from vnfm.config.schema_stops import stops
from vnfm.history import schema
from vnfm.installation.services import migrations_record
from vnfm.kit import clock
from vnfm.kit.durable.database import advisory_lock

LOCK = 0x7E1E_0002
LOCKS, LOCK_ATTEMPTS, LOCK_PAUSES = "500ms", 60, (0.2, 1.0)
"""The time that a migration waits for the lock of a table, its further attempts, and the pauses between, in seconds."""
PATTERN = "before-*.backup"
BACKUPS_OF_UPGRADES = 5
"""The number of backups made before upgrades that stay."""


class Command(BaseCommand):
    help = (
        "Bring the database up to date: Django's migrations, then Alembic's. Safe to run twice, and at once. Refuses a "
        "database of a newer release, or of migrations that differ from ours."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--plan", action="store_true", help="only print, as JSON, what would be applied")
        parser.add_argument(
            "--keep",
            type=Path,
            metavar="DIR",
            help="before existing data are migrated, put a backup of the database there",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with advisory_lock(LOCK):
            require_fitting()
            applied, pending = applied_migrations(), pending_migrations()
            if options["plan"]:
                found = {"version": settings.VERSION, "applied": applied, "pending": pending}
                self.stdout.write(json.dumps(found | {"stops": stops() if applied and pending else []}))
                return
            if applied and pending and options["keep"]:
                self._keep(options["keep"])
            if applied:
                self._migrate_in_use(options["verbosity"])
            else:
                call_command("migrate", interactive=False, verbosity=options["verbosity"])
            schema.upgrade()
            there, digests = set(applied_migrations()), known_digests()
            ours = {name: digest for name, digest in digests.items() if name in there}
            migrations_record(digests=ours, version=settings.VERSION)
            if note := begin_hold_if_restored():
                self.stdout.write(note)

    def _migrate_in_use(self, verbosity: int) -> None:
        """One migration after the other; none waits long for a table's lock, as all others would wait behind it."""
        executor, pause = MigrationExecutor(connection), Event()
        for migration, _ in executor.migration_plan(executor.loader.graph.leaf_nodes()):
            with connection.cursor() as cursor:
                # An index that is built concurrently waits for transactions, holds up no one, and would stay invalid.
                cursor.execute("SELECT set_config('lock_timeout', %s, false)", [LOCKS if migration.atomic else "0"])
            for attempt in range(LOCK_ATTEMPTS):
                try:
                    call_command("migrate", migration.app_label, migration.name, interactive=False, verbosity=verbosity)
                    break
                except OperationalError as error:
                    if not isinstance(error.__cause__, LockNotAvailable) or attempt == LOCK_ATTEMPTS - 1:
                        raise
                    pause.wait(random.uniform(*LOCK_PAUSES))  # noqa: S311 - no secret
        call_command("migrate", interactive=False, verbosity=0)  # what Django itself does after migrations

    def _keep(self, folder: Path) -> None:
        """The backup lacks artifacts and keys: these are in the same state directory, and no migration changes them."""
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        release = Release.of(settings.REPOSITORY_DIR)
        target = folder / f"before-{release.version}-{clock.now():%Y%m%dT%H%M%S}.backup"
        try:
            create(
                target,
                Installation.from_environment(os.environ),
                release,
                passphrase=None,
                env=os.environ,
                say=self.stdout.write,
            )
        except RecoveryError as error:
            raise CommandError(f"Nothing was migrated, since no backup could be kept before: {error}") from error
        for old in sorted(folder.glob(PATTERN), key=lambda path: path.stat().st_mtime)[:-BACKUPS_OF_UPGRADES]:
            old.unlink()
        self.stdout.write(f"Kept {target}.")
