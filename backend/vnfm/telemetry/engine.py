"""The telemetry schema's own way to the database.

Never Django's connection: lending it to SQLAlchemy silently rolled back ORM writes (ADR-0003). What must be atomic with
them is an outbox event.
"""

from functools import cache

from django.conf import settings
from sqlalchemy import URL, Engine, create_engine, make_url

SCHEMA = "telemetry"


def url() -> URL:
    """Where the schema is: VNFM_TELEMETRY_DATABASE_URL, else next to Django's tables."""
    if settings.TELEMETRY_DATABASE_URL:
        return make_url(settings.TELEMETRY_DATABASE_URL).set(drivername="postgresql+psycopg")
    database = settings.DATABASES["default"]
    return URL.create(
        "postgresql+psycopg",
        username=database["USER"] or None,
        password=database["PASSWORD"] or None,
        host=database["HOST"] or None,
        port=int(database["PORT"]) if database["PORT"] else None,
        database=database["NAME"],
        query={name: str(value) for name, value in database["OPTIONS"].items() if name != "pool"},
    )


def engine() -> Engine:
    """The process's engine; small, because one relay writes and little reads."""
    return _engine(url())


@cache
def _engine(at: URL) -> Engine:
    return create_engine(
        at, pool_size=2, max_overflow=3, pool_pre_ping=True, connect_args={"options": "-c timezone=UTC"}
    )
