"""Appending to the history. Doing it twice is doing it once."""

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

import psycopg
import structlog
from psycopg import sql
from psycopg.errors import CheckViolation
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from vnfm.history.database import pool
from vnfm.history.names import SCHEMA

_APPEND = sql.SQL("""
    INSERT INTO {table} ({columns}) SELECT {columns} FROM jsonb_populate_record(NULL::{table}, %(row)s)
    ON CONFLICT DO NOTHING
""")
"""A row comes as JSON, as it lies in quarantine, too: PostgreSQL knows the types of a table's columns."""
_QUARANTINE = """
    INSERT INTO telemetry.quarantine (event_id, table_name, occurred_at, "row")
    VALUES (%(event_id)s, %(table_name)s, %(occurred_at)s, %(row)s)
    ON CONFLICT DO NOTHING
"""
_QUARANTINED = 'SELECT event_id, table_name, occurred_at, "row" FROM telemetry.quarantine FOR UPDATE SKIP LOCKED'
_RELEASED = "DELETE FROM telemetry.quarantine WHERE event_id = %(event_id)s AND table_name = %(table_name)s"
_KEY = ("event_id", "occurred_at")

log = structlog.get_logger(__name__)


def record(table: str, row: Mapping[str, Any]) -> None:
    """Append `row`; where its month has no partition (too late, or far in the future) it goes to the quarantine."""
    try:
        with pool.connection() as connection:
            _append(connection, table, row)
    except CheckViolation:  # "no partition of relation … found for row"
        log.warning("telemetry.quarantined", table=table, event_id=row["event_id"], at=str(row["occurred_at"]))
        values = _json({name: value for name, value in row.items() if name not in _KEY})
        with pool.connection() as connection:
            connection.execute(_QUARANTINE, {name: row[name] for name in _KEY} | {"table_name": table, "row": values})


def _append(connection: psycopg.Connection, table: str, row: Mapping[str, Any]) -> None:
    columns = sql.SQL(", ").join(map(sql.Identifier, row))
    connection.execute(_APPEND.format(table=sql.Identifier(SCHEMA, table), columns=columns), {"row": _json(row)})


def _json(row: Mapping[str, Any]) -> Jsonb:
    return Jsonb(row, partial(json.dumps, default=str))


def release() -> int:
    """Move what is in quarantine, and has a partition by now, to where it belongs; returns how many rows."""
    with pool.connection() as connection:
        held = connection.cursor(row_factory=dict_row).execute(_QUARANTINED).fetchall()
        return sum(_release(connection, row) for row in held)


def _release(connection: psycopg.Connection, held: Mapping[str, Any]) -> bool:
    try:
        with connection.transaction():
            _append(connection, held["table_name"], held["row"] | {name: held[name] for name in _KEY})
    except psycopg.IntegrityError:
        return False  # still no partition
    connection.execute(_RELEASED, {name: held[name] for name in ("event_id", "table_name")})
    return True
