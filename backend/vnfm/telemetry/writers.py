"""Appending to the history. Doing it twice is doing it once."""

from collections.abc import Mapping
from typing import Any

import structlog
from psycopg.errors import CheckViolation
from sqlalchemy import Connection, RowMapping, Table, delete, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError

from vnfm.telemetry.engine import engine
from vnfm.telemetry.tables import PARTITIONED, quarantine

log = structlog.get_logger(__name__)


def record(table: Table, row: Mapping[str, Any]) -> None:
    """Append `row`; where its month has no partition (too late, or far in the future) it goes to the quarantine."""
    try:
        with engine().begin() as connection:
            _append(connection, table, row)
    except IntegrityError as error:
        if not isinstance(error.orig, CheckViolation):  # "no partition of relation … found for row"
            raise
        log.warning("telemetry.quarantined", table=table.name, event_id=row["event_id"], at=str(row["occurred_at"]))
        with engine().begin() as connection:
            values = {name: str(value) for name, value in row.items() if name not in ("event_id", "occurred_at")}
            connection.execute(
                insert(quarantine)
                .values(event_id=row["event_id"], table_name=table.name, occurred_at=row["occurred_at"], row=values)
                .on_conflict_do_nothing()
            )


def _append(connection: Connection, table: Table, row: Mapping[str, Any]) -> None:
    connection.execute(insert(table).values(**row).on_conflict_do_nothing())


def release() -> int:
    """Move what is in quarantine, and has a partition by now, to where it belongs; returns how many rows."""
    with engine().begin() as connection:
        held = connection.execute(select(quarantine).with_for_update(skip_locked=True)).mappings().all()
        return sum(_release(connection, row) for row in held)


def _release(connection: Connection, held: RowMapping) -> bool:
    row = held["row"] | {"event_id": held["event_id"], "occurred_at": held["occurred_at"]}
    try:
        with connection.begin_nested():
            _append(connection, PARTITIONED[held["table_name"]], row)
    except IntegrityError:
        return False  # still no partition
    same = (quarantine.c.event_id == held["event_id"]) & (quarantine.c.table_name == held["table_name"])
    connection.execute(delete(quarantine).where(same))
    return True
