"""Check that this release can go on from the database's schema: made by its own migrations, unchanged.

Without it, a database of another history looks migrated, and every request fails at a column that is not there.
"""

from hashlib import sha256

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from recovery.release import FOREIGN, migration_files
from vnfm.installation.selectors import recorded_migrations

_FRESH = "keep its data by ./vnfm backup of this checkout, and begin with another --state-dir"


def applied_migrations() -> list[str]:
    """Return them as `app.name`, Alembic's included; empty for an empty database."""
    found = [f"{app}.{name}" for app, name in MigrationLoader(connection).applied_migrations]
    if "alembic_version" in _tables("telemetry"):
        with connection.cursor() as cursor:
            cursor.execute("SELECT version_num FROM telemetry.alembic_version")
            found += [f"telemetry.{row[0]}" for row in cursor.fetchall()]
    return sorted(found)


def known_digests() -> dict[str, str]:
    """SHA-256 of each migration file of this release."""
    return {
        name: sha256(path.read_bytes()).hexdigest() for name, path in migration_files(settings.REPOSITORY_DIR).items()
    }


def pending_migrations() -> list[str]:
    """Return the migrations that `upgrade_schema` would apply, as `app.name`, in order."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    django = [f"{migration.app_label}.{migration.name}" for migration, _ in plan]
    there = set(applied_migrations())
    alembic = [name for name in known_digests() if name.startswith("telemetry.")]
    done = max((alembic.index(name) for name in alembic if name in there), default=-1)
    return django + alembic[done + 1 :]


def require_fitting() -> None:
    """Raises CommandError, one sentence, when this release must not touch the database."""
    applied = applied_migrations()
    if not applied:
        return
    known = known_digests()
    unknown = [name for name in applied if name not in known and name.partition(".")[0] not in FOREIGN]
    recorded = recorded_migrations()
    if unknown:
        versions = sorted({recorded[name][1] for name in unknown if name in recorded})
        maker = f"release {versions[-1]}" if versions else "a later one"
        raise CommandError(
            f"This database is newer than this checkout ({settings.VERSION}): {maker} applied {len(unknown)} "
            f"migrations that are not here, such as {unknown[-1]}; use that release, or restore an older backup."
        )
    changed = [name for name in applied if name in recorded and recorded[name][0] != known.get(name)]
    if changed:
        raise CommandError(
            f"This database was made by a development version whose migration {changed[0]} differs from that of this "
            f"checkout ({settings.VERSION}): {_FRESH}."
        )
    if not recorded and (difference := _difference()):
        raise CommandError(
            f"This database was made before releases were migrated ({difference}), so this checkout "
            f"({settings.VERSION}) cannot go on from it: {_FRESH}."
        )


def _tables(schema: str) -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = %s", [schema])
        return {row[0] for row in cursor.fetchall()}


def _difference() -> str:
    """Compare the tables with those that the applied migrations would make; "" when they do not differ."""
    loader = MigrationLoader(connection)
    nodes = [key for key in loader.applied_migrations if key in loader.graph.nodes]
    apps = loader.project_state(nodes).apps
    with connection.cursor() as cursor:
        cursor.execute("SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'")
        there: dict[str, set[str]] = {}
        for table, column in cursor.fetchall():
            there.setdefault(table, set()).add(column)
    for model in apps.get_models(include_auto_created=True):
        options = model._meta  # noqa: SLF001 - Django documents _meta
        wanted = {str(field.column) for field in options.local_concrete_fields}
        columns = there.get(options.db_table, set())
        if options.managed and wanted != columns:
            column = min(wanted ^ columns)
            verb = "lacks" if column in wanted else "has"
            return f"{options.db_table} {verb} the column {column}"
    return ""
