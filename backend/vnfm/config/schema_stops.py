"""Find pending migrations that the running release would not bear: for those `./vnfm upgrade` stops it (ADR-0066).

Django's are judged by the SQL that they would execute, not by their classes: what adds is borne, all else is not.
"""

import re
from collections.abc import Iterable, Iterator

from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from vnfm.history import schema

_NO_SQL = "THIS OPERATION CANNOT BE WRITTEN AS SQL"
_WORDS = re.compile(r"\s+")
_CREATED = re.compile(r"CREATE TABLE (?:IF NOT EXISTS )?(\S+)")
_ON_TABLE = re.compile(
    r"(?:ALTER TABLE|CREATE (?:UNIQUE )?INDEX \S+ ON)(?: IF EXISTS)?(?: ONLY)? (\S+)|COMMENT ON COLUMN (\S+)\.\S+"
)
_BORNE = re.compile(
    r"CREATE (TABLE|SCHEMA|EXTENSION|VIEW|ROLE)\b"
    r"|CREATE (UNIQUE )?INDEX CONCURRENTLY\b"
    r"|(DROP INDEX|GRANT|COMMENT ON|SET CONSTRAINTS|BEGIN|COMMIT)\b"
    r"|ALTER TABLE \S+ (DROP CONSTRAINT|ALTER COLUMN \S+ DROP NOT NULL\b)"
    r"|ALTER TABLE \S+ ADD COLUMN (?=.*\bDEFAULT\b|(?!.*\bNOT NULL\b))"
    r"|ALTER TABLE \S+ ADD CONSTRAINT .* NOT VALID$",
)


def stopping_statements(statements: Iterable[str]) -> Iterator[str]:
    """Yield those that lock a table for long, or take away or change what is there. Tables of their own are empty."""
    created: set[str] = set()
    for raw in statements:
        for part in raw.split(";"):
            words = _WORDS.sub(" ", _without_comments(part)).strip()
            if _NO_SQL in part:
                yield "a program that changes rows"
            if not words:
                continue
            if found := _CREATED.match(words):
                created.add(found[1])
            on = _ON_TABLE.match(words)
            if not (_BORNE.match(words) or (on and (on[1] or on[2]) in created)):
                yield words


def _without_comments(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("--"))


def stops() -> list[str]:
    """A sentence for each pending statement that the running release would not bear."""
    try:
        statements = _django()
    except ValueError as error:  # a constraint of a table that an earlier pending migration makes
        return [str(error)]
    return [*stopping_statements(statements), *_telemetry()]


def _django() -> list[str]:
    executor = MigrationExecutor(connection)
    graph = executor.loader.graph
    state = executor.loader.project_state([key for key in executor.loader.applied_migrations if key in graph.nodes])
    statements: list[str] = []
    for migration, _ in executor.migration_plan(graph.leaf_nodes()):
        with connection.schema_editor(collect_sql=True, atomic=migration.atomic) as editor:
            state = migration.apply(state, editor, collect_sql=True)
        statements += editor.collected_sql
    return statements


def _telemetry() -> list[str]:
    """Alembic's revisions, which insert rows and so have no SQL beforehand, say it themselves: STOPS, a sentence."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass('telemetry.alembic_version')")
        if cursor.fetchone() == (None,):
            return []
        cursor.execute("SELECT version_num FROM telemetry.alembic_version")
        [(version,)] = cursor.fetchall()
    return [revision.STOPS for revision in schema.pending(version) if hasattr(revision, "STOPS")]
