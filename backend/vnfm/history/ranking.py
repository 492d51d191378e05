"""The busiest of what is counted: summed up over a window, ordered and paged by PostgreSQL.

A window is read from the roll-up, and from samples where that is not made yet; one shorter than an hour from samples
alone. All of it is one statement, however many elements there are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from psycopg.errors import QueryCanceled
from psycopg.rows import dict_row
from psycopg_pool import PoolTimeout

from vnfm.history.counters import ROLLUP, newest_roll_up
from vnfm.history.database import pool
from vnfm.history.names import COUNTS, SCHEMA

COARSE_FROM = timedelta(hours=1)
"""In shorter windows a quarter of an hour more or less would matter."""
LONGEST = timedelta(seconds=10)
"""Statement timeout: after it the client has gone, and others need the few connections."""


class TooDearError(Exception):
    """It took longer than LONGEST to sum up, or no connection came free."""


def _rate(*columns: str) -> str:
    """A second's share, of the time in which all of the columns were counted."""
    total, known = " + ".join(columns), " AND ".join(f"{column} IS NOT NULL" for column in columns)
    return f"sum({total}) FILTER (WHERE {known}) / nullif(sum(seconds) FILTER (WHERE {known}), 0)"


def _share(column: str) -> str:
    known = f"FILTER (WHERE {column} IS NOT NULL)"
    return f"100 * sum({column}) FILTER (WHERE capacity IS NOT NULL) / nullif(sum(capacity) {known}, 0)"


MEASURES: Mapping[str, str] = {
    "utilisation_in": _share("octets_in"),
    "utilisation_out": _share("octets_out"),
    "octets_in": _rate("octets_in"),
    "octets_out": _rate("octets_out"),
    "errors": _rate("errors_in", "errors_out"),
    "discards": _rate("discards_in", "discards_out"),
    "cpu": _rate("cpu"),
    "memory": _rate("memory"),
}
"""Measures by name: percent, or rates a second; null for an object that was never counted in the window."""


class Ranked(NamedTuple):
    """An object of an element. `seconds` of the window were counted, the last of them until `counted_until`."""

    element_id: UUID
    object: str
    seconds: float
    counted_until: datetime | None
    values: dict[str, float | None]


class RankingCursor(NamedTuple):
    """The place of a row in the order: what comes after it is the next page."""

    rank: float | None
    element_id: UUID
    object: str


@dataclass(frozen=True, slots=True)
class Question:
    """`whole`: of each of the elements the object `system`, also where nothing was counted of it. Else of its other
    objects those that were counted, if their name holds `words` or their element is one of `named`.
    """

    elements: Sequence[UUID]
    begin: datetime
    end: datetime
    system: str
    whole: bool
    measure: str
    descending: bool
    named: Sequence[UUID] = ()
    words: str = ""


def ranked(question: Question, *, after: RankingCursor | None, limit: int) -> list[Ranked]:
    """The first `limit` of them, or those after a place; what is not known of an object stands last either way.

    Raises TooDearError.
    """
    last = -1.0 if question.descending else float("inf")
    given = {
        "elements": list(question.elements),
        "begin": question.begin,
        "end": question.end,
        "system": question.system,
        "named": list(question.named),
        "pattern": f"%{_plain(question.words)}%",
        "last": last,
        "after": after is not None,
        "rank": last if after is None or after.rank is None else after.rank,
        "element": after.element_id if after else UUID(int=0),
        "object": after.object if after else "",
        "limit": limit,
    }
    try:
        with pool.connection() as connection:
            connection.execute(f"SET LOCAL statement_timeout = {LONGEST // timedelta(milliseconds=1)}")
            coarse = question.end - question.begin >= COARSE_FROM
            newest = newest_roll_up(connection, before=question.end) if coarse else None
            given["fresh"] = max(question.begin, newest + ROLLUP) if newest else question.begin
            rows = connection.cursor(row_factory=dict_row).execute(_statement(question), given)
            return [_ranked(row) for row in rows]
    except (PoolTimeout, QueryCanceled) as error:
        raise TooDearError from error


def _ranked(row: Mapping[str, Any]) -> Ranked:
    values = {name: row[name] for name in MEASURES}
    return Ranked(row["element_id"], row["object"], row["seconds"], row["counted_until"], values)


def last_counted(elements: Sequence[UUID], name: str) -> dict[UUID, datetime]:
    """Until when an object of each was last counted, as far as the roll-up tells; without those that never were."""
    query = f"""
        SELECT asked.id, (
            SELECT occurred_at + make_interval(secs => seconds) FROM {SCHEMA}.counter_rollup
            WHERE element_id = asked.id AND object = %(name)s ORDER BY occurred_at DESC LIMIT 1
        ) AS until
        FROM unnest(CAST(%(elements)s AS uuid[])) AS asked (id)
    """  # noqa: S608 - our own names
    with pool.connection() as connection:
        rows = connection.execute(query, {"elements": list(elements), "name": name})
        return {element_id: until for element_id, until in rows if until is not None}


def _plain(words: str) -> str:
    """For LIKE, without the meaning of its signs."""
    return words.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _counted(table: str, since: str, until: str, *, whole: bool) -> str:
    chosen = "object = %(system)s"
    if not whole:
        chosen = "object <> %(system)s AND (element_id = ANY(CAST(%(named)s AS uuid[])) OR object ILIKE %(pattern)s)"
    return f"""
        SELECT element_id, object, occurred_at, seconds, {", ".join(COUNTS)} FROM {SCHEMA}.{table}
        WHERE occurred_at >= {since} AND occurred_at < {until}
            AND element_id = ANY(CAST(%(elements)s AS uuid[])) AND {chosen}
    """  # noqa: S608 - our own names


def _statement(question: Question) -> str:
    """Return SQL of our own words alone; what was asked for is among the parameters."""
    compared, order = ("<", "DESC") if question.descending else (">", "ASC")
    measures = ", ".join(f"round(CAST({how} AS numeric), 6)::float8 AS {name}" for name, how in MEASURES.items())
    rank = f"coalesce({question.measure}, CAST(%(last)s AS float8))"
    listed = "summed"
    if question.whole:
        listed = "unnest(CAST(%(elements)s AS uuid[])) AS asked (element_id) LEFT JOIN summed USING (element_id)"
    return f"""
        WITH summed AS (
            SELECT element_id, object, sum(seconds) AS seconds,
                max(occurred_at + make_interval(secs => seconds)) AS counted_until, {measures}
            FROM ({_counted("counter_rollup", "%(begin)s", "%(fresh)s", whole=question.whole)}
                UNION ALL {_counted("counter_sample", "%(fresh)s", "%(end)s", whole=question.whole)}) AS counted
            GROUP BY element_id, object
        ), listed AS (
            SELECT element_id, coalesce(object, %(system)s) AS object, coalesce(seconds, 0) AS seconds, counted_until,
                {", ".join(MEASURES)}
            FROM {listed}
        )
        SELECT * FROM listed
        WHERE NOT %(after)s
            OR ({rank}, element_id, object) {compared} (CAST(%(rank)s AS float8), CAST(%(element)s AS uuid), %(object)s)
        ORDER BY {rank} {order}, element_id {order}, object {order}
        LIMIT %(limit)s
    """  # noqa: S608 - our own names
