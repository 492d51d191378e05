"""How Alembic meets the schema `telemetry`. It owns that schema only; Django's tables are none of its business."""

import os

from alembic import context
from sqlalchemy import Connection, NullPool, create_engine, text

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "vnfm.config.settings")  # they say where the database is

from vnfm.history.database import connection_parameters
from vnfm.history.names import SCHEMA
from vnfm.history.tables import metadata

DRIVER = "postgresql+psycopg://"
"""Without an address: libpq's own parameters may name several hosts, which SQLAlchemy's URL cannot."""
LOCK = 0x7E1E_0000
"""Advisory lock: of several upgrades at once one works, the others find it done."""


def include_name(name: str | None, kind: str, parents: dict[str, str | None]) -> bool:
    """Only the tables that `metadata` names: partitions are made at run time, and must not be proposed for dropping."""
    if kind == "schema":
        return name == SCHEMA
    if kind == "table":
        return parents["schema_qualified_table_name"] in metadata.tables
    return True


def prepare(connection: Connection) -> None:
    """Serialise, and make the schema that Alembic's own version table needs.

    The commit is essential: with a transaction open, Alembic would leave committing to us, and an upgrade would exit
    with success having created nothing.
    """
    connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": LOCK})
    connection.execute(text("SET lock_timeout = '10s'"))
    connection.execute(text("SET statement_timeout = '5min'"))
    connection.execute(text(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}"))
    connection.commit()


def run_online() -> None:
    engine = create_engine(DRIVER, connect_args=connection_parameters(), poolclass=NullPool)  # the lock ends with it
    with engine.connect() as connection:
        prepare(connection)
        context.configure(
            connection=connection,
            target_metadata=metadata,
            version_table_schema=SCHEMA,
            include_schemas=True,
            include_name=include_name,
            compare_server_default=True,
            transaction_per_migration=True,
        )
        with context.begin_transaction():
            context.run_migrations()


def run_offline() -> None:
    context.configure(
        dialect_name="postgresql",
        target_metadata=metadata,
        version_table_schema=SCHEMA,
        include_schemas=True,
        literal_binds=True,
        dialect_opts={"paramstyle": "named"},
    )
    with context.begin_transaction():
        context.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
        context.run_migrations()


if context.is_offline_mode():
    run_offline()
else:
    run_online()
