"""Partitions by day of what comes by the million and is soon rolled up; made ahead, dropped when their time is over."""

from datetime import UTC, datetime, timedelta

import psycopg

from vnfm.history.names import SCHEMA

DAILY = ("counter_sample",)
KEEP_DAYS = 2
"""Full days kept next to the current one: 1,000 routers of 100 ports make 144 million rows a day."""
AHEAD_DAYS = 3
_DAY = timedelta(days=1)


def maintain_days(connection: psycopg.Connection, now: datetime) -> list[str]:
    """Make the days to come, drop those that are over; returns the names of what was dropped.

    Yesterday's is made, too: what is counted over midnight began then, also where we were only installed today.
    """
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    dropped = []
    for table in DAILY:
        for day in (today + n * _DAY for n in range(-1, AHEAD_DAYS + 1)):
            bounds = f"FROM ('{day.isoformat()}') TO ('{(day + _DAY).isoformat()}')"
            name = f"{SCHEMA}.{_name(table, day)}"
            connection.execute(f"CREATE TABLE IF NOT EXISTS {name} PARTITION OF {SCHEMA}.{table} FOR VALUES {bounds}")
        oldest = _name(table, today - KEEP_DAYS * _DAY)
        for name in _partitions(connection, table):
            if name < oldest:
                connection.execute(f"DROP TABLE {SCHEMA}.{name}")
                dropped.append(name)
    return dropped


def _name(table: str, day: datetime) -> str:
    return f"{table}_{day:%Y_%m_%d}"


def _partitions(connection: psycopg.Connection, table: str) -> list[str]:
    query = """
        SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = CAST(%s AS regclass) ORDER BY c.relname
    """
    return [str(name) for (name,) in connection.execute(query, [f"{SCHEMA}.{table}"])]
