"""States of operations, read from the product's database: by its API every look would cost a request."""

import time
from collections.abc import Iterable
from typing import Any

import psycopg

PATIENCE = 120.0
"""Seconds until the database must be back: PostgreSQL is restarted by some faults."""

StepPlace = tuple[int, str, str, int]
"""Sequence number, state, message and attempts of the step under way."""


class Database:
    """One connection, opened again when the server was restarted."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._connection: psycopg.Connection[Any] | None = None

    def execute(self, statement: str) -> None:
        """Change rows."""
        self._rows(statement)

    def states(self, ops: Iterable[str]) -> dict[str, str]:
        """Operation's id → state."""
        return dict(self._rows("SELECT id::text, state FROM lcm_lcmopocc WHERE id = ANY(%s::uuid[])", list(ops)))

    def running_steps(self, ops: Iterable[str]) -> dict[str, StepPlace | None]:
        """Operation's id → its step under way, None between two steps."""
        ids = list(ops)
        rows = self._rows(
            "SELECT DISTINCT ON (op_id) op_id::text, seq, state, message, attempts FROM lcm_step "
            "WHERE op_id = ANY(%s::uuid[]) AND state NOT IN ('DONE', 'PENDING') ORDER BY op_id, seq",
            ids,
        )
        return {**dict.fromkeys(ids), **{op: (seq, state, message, tries) for op, seq, state, message, tries in rows}}

    def _rows(self, statement: str, *values: Any) -> list[Any]:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                if self._connection is None:
                    self._connection = psycopg.connect(self._url, autocommit=True, connect_timeout=3)
                cursor = self._connection.execute(statement, values or None)
                return cursor.fetchall() if cursor.description else []
            except psycopg.OperationalError:
                self._connection = None
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)
