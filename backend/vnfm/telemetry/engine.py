"""The telemetry schema's own way to the database.

Never Django's connection: lending it to SQLAlchemy silently rolled back ORM writes (ADR-0003). What must be atomic with
them is an outbox event.
"""

from functools import cache
from typing import Any

from django.conf import settings
from sqlalchemy import Engine, create_engine

from vnfm.kit.database_url import connection_to

SCHEMA = "telemetry"
_URL = "postgresql+psycopg://"
"""Only the driver: libpq's own parameters may name several hosts, which SQLAlchemy's URL cannot."""


def connection_parameters() -> dict[str, Any]:
    """Where the schema is, as libpq takes it: VNFM_TELEMETRY_DATABASE_URL, else next to Django's tables."""
    if settings.TELEMETRY_DATABASE_URL:
        return connection_to(settings.TELEMETRY_DATABASE_URL, "VNFM_TELEMETRY_DATABASE_URL")
    database = settings.DATABASES["default"]
    names = {"user": "USER", "password": "PASSWORD", "host": "HOST", "port": "PORT", "dbname": "NAME"}
    found = {theirs: str(database[ours]) for theirs, ours in names.items() if database[ours]}
    return found | {name: value for name, value in database["OPTIONS"].items() if name != "pool"}


def new_engine(**options: Any) -> Engine:
    """An engine of its own; `options` are SQLAlchemy's."""
    parameters = connection_parameters()
    parameters["options"] = f"{parameters.get('options', '')} -c timezone=UTC".strip()
    return create_engine(_URL, connect_args=parameters, **options)


@cache
def engine() -> Engine:
    """The process's engine; small, because one relay writes and little reads."""
    return new_engine(pool_size=2, max_overflow=3, pool_pre_ping=True)
