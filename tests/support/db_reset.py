"""Empty the tables between tests that commit."""

from functools import cache

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

NOT_TRUNCATED = frozenset({"django_content_type", "auth_permission"})
"""Django fills them with the migrations; no test changes them."""


def empty_tables() -> None:
    """As Django's `flush`, but only for tables with rows, and without the `post_migrate` signal.

    Constraints are checked at the end of the transaction, so that the order does not matter.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        for table in tables_with_rows(cursor):
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")


def tables_with_rows(cursor: CursorWrapper) -> list[str]:
    """Django's tables that a test wrote to."""
    cursor.execute(_tables_with_rows_sql())
    return [table for (table,) in cursor.fetchall()]


@cache
def _tables_with_rows_sql() -> str:
    tables = sorted(
        set(connection.introspection.django_table_names(only_existing=True, include_views=False)) - NOT_TRUNCATED
    )
    quoted = connection.ops.quote_name
    return " UNION ALL ".join(f"SELECT '{table}' WHERE EXISTS (SELECT FROM {quoted(table)})" for table in tables)
