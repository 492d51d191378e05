"""Access to PostgreSQL without the product: snapshots, dumps, restored databases and their exchange.

Its programs are run from $VNFM_PG_BIN, else from PATH. They get passwords by the environment, never as arguments.
"""

import os
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from recovery.errors import RecoveryError

MARKER = "restored_from_backup"
"""A table that a restore creates in the database; `upgrade_schema` reads and drops it before the product starts."""
_READER = "vnfm_reader"
"""A role that a dump does not contain, as roles belong to the server, but to which it grants views."""
_VARIABLES = {
    "host": "PGHOST",
    "hostaddr": "PGHOSTADDR",
    "port": "PGPORT",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "passfile": "PGPASSFILE",
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
    "sslcert": "PGSSLCERT",
    "sslkey": "PGSSLKEY",
    "target_session_attrs": "PGTARGETSESSIONATTRS",
}
_TAIL_BYTES = 2000


@dataclass(frozen=True, slots=True)
class Database:
    """One database of a server, by its URL."""

    url: str

    @property
    def parameters(self) -> dict[str, str]:
        """Return libpq's parameters; of several hosts the primary is used (see `vnfm.kit.durable.database_url`)."""
        try:
            parts = {name: str(value) for name, value in conninfo_to_dict(self.url).items()}
        except psycopg.ProgrammingError:  # its message may quote the password
            raise RecoveryError("DATABASE_URL must be a URL such as postgresql://user:password@host/name.") from None
        if "," in parts.get("host", ""):
            parts.setdefault("target_session_attrs", "read-write")
        return parts

    @property
    def name(self) -> str:
        return self.parameters.get("dbname") or "postgres"

    def connect(self, name: str = "", *, autocommit: bool = True) -> psycopg.Connection:
        """Connect to this database, or to another one on its server. Raises RecoveryError."""
        parameters: dict[str, Any] = self.parameters | {"dbname": name or self.name, "connect_timeout": "10"}
        try:
            return psycopg.connect(**parameters, autocommit=autocommit)
        except psycopg.OperationalError as error:
            raise RecoveryError(f"The database {name or self.name} cannot be reached: {_line(error)}") from None

    def named(self, name: str) -> "Database":
        return Database(psycopg.conninfo.make_conninfo(self.url, dbname=name))

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment for PostgreSQL's programs, with libpq's variables."""
        parts = self.parameters
        mine = {variable: parts[name] for name, variable in _VARIABLES.items() if parts.get(name)}
        return {name: value for name, value in os.environ.items() if not name.startswith("PG")} | mine


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A snapshot that a dump and our own queries share; it ends with its connection."""

    name: str
    postgres: int
    migrations: tuple[str, ...]
    artifacts: tuple[str, ...]
    at: str


@contextmanager
def snapshot(database: Database) -> Iterator[Snapshot]:
    with database.connect(autocommit=False) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.read_only = True
        row = connection.execute("SELECT pg_export_snapshot(), now()").fetchone()
        assert row is not None
        yield Snapshot(
            name=row[0],
            postgres=connection.info.server_version // 10000,
            migrations=applied_migrations(connection),
            artifacts=_artifacts(connection),
            at=row[1].isoformat(),
        )


def applied_migrations(connection: psycopg.Connection) -> tuple[str, ...]:
    """Return the applied migrations of Django and Alembic, as `app.name`; empty for an empty database."""
    found: list[str] = []
    if _exists(connection, "public.django_migrations"):
        rows = connection.execute("SELECT app || '.' || name FROM django_migrations ORDER BY id")
        found += [row[0] for row in rows]
    if _exists(connection, "telemetry.alembic_version"):
        found += [
            f"telemetry.{row[0]}" for row in connection.execute("SELECT version_num FROM telemetry.alembic_version")
        ]
    return tuple(found)


def _artifacts(connection: psycopg.Connection) -> tuple[str, ...]:
    if not _exists(connection, "public.catalog_packagefile"):
        return ()
    return tuple(row[0] for row in connection.execute("SELECT DISTINCT sha256 FROM catalog_packagefile ORDER BY 1"))


def _exists(connection: psycopg.Connection, table: str) -> bool:
    row = connection.execute("SELECT to_regclass(%s)", [table]).fetchone()
    return row is not None and row[0] is not None


def is_empty(database: Database) -> bool:
    """Return whether the database has no table other than PostgreSQL's own."""
    with database.connect() as connection:
        row = connection.execute(
            "SELECT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE c.relkind IN ('r', 'p') AND n.nspname !~ '^(pg_|information_schema)')"
        ).fetchone()
    return row == (False,)


def summary(database: Database) -> str:
    """Return the main contents for an operator, such as "3 VNF instances, 2 clouds, 14 network elements"."""
    counted = (
        ("inventory_vnfinstance", "VNF instances"),
        ("vims_vim", "clouds"),
        ("elements_networkelement", "network elements"),
    )
    counts = []
    with database.connect() as connection:
        for table, what in counted:
            if _exists(connection, f"public.{table}"):
                row = connection.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))).fetchone()
                counts.append(f"{row[0] if row else 0} {what}")
    return ", ".join(counts) or "tables of another program"


def size(database: Database) -> int:
    """Return the bytes that the database takes on the server's disk."""
    with database.connect() as connection:
        row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
    return int(row[0]) if row else 0


@contextmanager
def dump(database: Database, snapshot_name: str) -> Iterator[BinaryIO]:
    """Yield the stream of `pg_dump -Fc` as of the snapshot. Raises RecoveryError at its end if pg_dump failed."""
    command = [program("pg_dump"), "-Fc", "-Z", "1", "--no-password", f"--snapshot={snapshot_name}", database.name]
    with tempfile.TemporaryFile() as errors:
        with subprocess.Popen(
            command, env=database.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors
        ) as process:
            assert process.stdout is not None
            try:
                yield process.stdout  # type: ignore[misc] # mypy knows pipes as IO[bytes]
            except BaseException:
                process.kill()
                raise
        if process.returncode:
            raise RecoveryError(f"pg_dump failed: {tail(errors)}")


def load_at_once(database: Database, stream: Iterable[bytes]) -> None:
    """Restore the stream into an empty database in one transaction; `recovery.load` is faster. Raises RecoveryError."""
    command = [program("pg_restore"), "--no-password", "--no-owner", "--single-transaction", "--exit-on-error"]
    if not ensure_reader(database):
        command.append("--no-privileges")
    with tempfile.TemporaryFile() as errors:
        with subprocess.Popen(
            [*command, f"--dbname={database.name}"],
            env=database.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=errors,
        ) as process:
            assert process.stdin is not None
            try:
                for block in stream:
                    process.stdin.write(block)
                process.stdin.close()
            except BrokenPipeError:
                pass  # pg_restore has failed; its own error is raised below
            except BaseException:
                process.kill()
                raise
        if process.returncode:
            raise RecoveryError(f"pg_restore failed and changed nothing: {tail(errors)}")


def ensure_reader(database: Database) -> bool:
    """Create the role that may read the history if it is missing; return whether it exists now."""
    with database.connect() as connection:
        found = connection.execute("SELECT FROM pg_roles WHERE rolname = %s", [_READER]).fetchone()
        if found is None:
            try:
                connection.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(sql.Identifier(_READER)))
            except psycopg.errors.InsufficientPrivilege:
                return False
    return True


def create(database: Database, name: str) -> None:
    """Create an empty database on the server. Raises RecoveryError if the user lacks the right."""
    with database.connect() as connection:
        try:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        except psycopg.errors.InsufficientPrivilege:
            user = connection.info.user
            raise RecoveryError(
                f"The database user {user} must not create databases, which a restore over existing data needs: "
                f"run ALTER ROLE {user} CREATEDB, or name an empty database in DATABASE_URL."
            ) from None


def drop(database: Database, name: str) -> None:
    with database.connect() as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name)))


def exchange(database: Database, new: str, aside: str) -> None:
    """Rename `database` to `aside`, and `new` to the name of `database`. No session may use either.

    If the second renaming fails, the first one is reverted. Raises RecoveryError.
    """
    require_unused(database)
    _rename(database.named(new), database.name, aside)
    try:
        _rename(database.named(aside), new, database.name)
    except BaseException:
        _rename(database.named(new), aside, database.name)
        raise


def _rename(via: Database, source: str, target: str) -> None:
    """Rename a database by a connection to another one, `via`: the renamed one must have no connection."""
    with via.connect() as connection:
        try:
            connection.execute(
                sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(source), sql.Identifier(target))
            )
        except psycopg.Error as error:
            raise RecoveryError(f"The database {source} cannot be renamed to {target}: {_line(error)}") from None


def require_unused(database: Database) -> None:
    """Raise RecoveryError if another session, usually the product's, uses the database."""
    with database.connect() as connection:
        row = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        ).fetchone()
    if row and row[0]:
        raise RecoveryError(f"{row[0]} sessions use the database {database.name}: stop all processes of the product.")


def require_writable(database: Database) -> None:
    """Raise RecoveryError on a standby, or if sessions are read-only by default."""
    with database.connect() as connection:
        if connection.execute("SHOW transaction_read_only").fetchone() == ("on",):
            raise RecoveryError(
                f"The server of the database {database.name} takes no writes: it is a standby, or "
                "default_transaction_read_only is on. Name the primary in DATABASE_URL."
            )


def mark_restored(database: Database, taken_at: str, source: str) -> None:
    """Create the table MARKER, because of which the product starts on hold."""
    with database.connect(autocommit=False) as connection:
        table = sql.Identifier(MARKER)
        connection.execute(sql.SQL("DROP TABLE IF EXISTS {}").format(table))
        connection.execute(
            sql.SQL("CREATE TABLE {} (taken_at timestamptz NOT NULL, source text NOT NULL)").format(table)
        )
        connection.execute(sql.SQL("INSERT INTO {} VALUES (%s, %s)").format(table), [taken_at, source])


def program(name: str) -> str:
    """Return the path of one of PostgreSQL's programs, or its name if PATH is to find it."""
    folder = os.environ.get("VNFM_PG_BIN")
    path = Path(folder) / name if folder else Path(name)
    if folder and not path.exists():
        raise RecoveryError(f"{path} is missing: VNFM_PG_BIN must name the folder of PostgreSQL's programs.")
    return str(path)


def tail(output: BinaryIO) -> str:
    """Return the end of a program's error output."""
    output.seek(0)
    return output.read()[-_TAIL_BYTES:].decode(errors="replace").strip() or "it gave no reason"


def _line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
