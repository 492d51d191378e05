"""Objects to evaluate though no poll reported a change, by one statement, as it runs several times a second.

An object is stale when its version differs from that of its last assessment, or when that is due.
"""

from datetime import datetime
from uuid import UUID

from django.db import connection

_STALE = """
SELECT EXISTS (
    SELECT FROM inventory_vnfinstance AS instance WHERE instance.vim_id IS NULL AND NOT EXISTS (
        SELECT FROM faults_assessment AS last
        WHERE last.managed_object_type = 'VNF_INSTANCE' AND last.managed_object_id = instance.id
            AND last.version = instance.version AND (last.due_at IS NULL OR last.due_at > %(now)s)
    )
) OR EXISTS (
    SELECT FROM elements_networkelement AS element WHERE NOT EXISTS (
        SELECT FROM faults_assessment AS last
        WHERE last.managed_object_type = 'NETWORK_ELEMENT' AND last.managed_object_id = element.id
            AND last.version = element.version AND (last.due_at IS NULL OR last.due_at > %(now)s)
    )
) OR EXISTS (
    SELECT FROM faults_alarm AS alarm WHERE cleared_at IS NULL AND managed_object_type = 'VIM'
        AND NOT EXISTS (SELECT FROM vims_vim WHERE id = alarm.managed_object_id)
) OR EXISTS (
    SELECT FROM faults_alarm AS alarm WHERE cleared_at IS NULL AND managed_object_type = 'VNF_INSTANCE'
        AND NOT EXISTS (SELECT FROM inventory_vnfinstance WHERE id = alarm.managed_object_id)
) OR EXISTS (
    SELECT FROM faults_alarm AS alarm WHERE cleared_at IS NULL AND managed_object_type = 'NETWORK_ELEMENT'
        AND NOT EXISTS (SELECT FROM elements_networkelement WHERE id = alarm.managed_object_id)
)
"""


def anything_stale(now: datetime) -> bool:
    """Return whether `evaluate_unpolled` or `evaluate_stale_elements` would evaluate an object."""
    with connection.cursor() as cursor:
        cursor.execute(_STALE, {"now": now})
        row = cursor.fetchone()
    return row is not None and bool(row[0])


_OF_VIM = """
SELECT 'VIM', vim.id FROM vims_vim AS vim WHERE vim.id = %(vim)s AND NOT EXISTS (
    SELECT FROM faults_assessment AS last
    WHERE last.managed_object_type = 'VIM' AND last.managed_object_id = vim.id
        AND last.version = vim.version AND (last.due_at IS NULL OR last.due_at > %(now)s)
)
UNION ALL
SELECT 'VNF_INSTANCE', instance.id FROM inventory_vnfinstance AS instance
WHERE instance.vim_id = %(vim)s AND NOT EXISTS (
    SELECT FROM faults_assessment AS last
    WHERE last.managed_object_type = 'VNF_INSTANCE' AND last.managed_object_id = instance.id
        AND last.version = instance.version AND (last.due_at IS NULL OR last.due_at > %(now)s)
)
"""


def stale_of_vim(vim_id: UUID, now: datetime) -> tuple[bool, set[UUID]]:
    """Whether the VIM itself is stale, and its instances that are."""
    with connection.cursor() as cursor:
        cursor.execute(_OF_VIM, {"vim": vim_id, "now": now})
        rows = cursor.fetchall()
    return ("VIM", vim_id) in rows, {object_id for object_type, object_id in rows if object_type == "VNF_INSTANCE"}
