"""Keeps the faults of parts that were pulled out while a release ran in which EMPTY was a fault."""

from collections.abc import Collection
from uuid import UUID

from django.db import connection, transaction

from vnfm.elements.services.versioned_rows import elements_touch

_KEEP = """
UPDATE elements_equipment AS part SET oper_state = 'MISSING', extra = extra || '{"equippedBefore": true}',
    reason = coalesce(nullif(reason, ''), 'Its slot is empty.')
FROM elements_networkelement AS element
WHERE element.id = ANY(%(elements)s) AND element.id = part.element_id AND part.oper_state = 'EMPTY'
AND NOT EXISTS (SELECT 1 FROM elements_lastrows AS kept WHERE kept.element_id = element.id)
AND part.equipment_class IN ('CARD', 'CPM', 'MDA', 'FAN', 'POWER_SUPPLY', 'FABRIC')
AND (
    part.reason = 'The element does not list it any more.'
    OR (part.since > element.first_full_resync_at AND element.vnf_instance_id IS NULL)
)
RETURNING element.id
"""
"""Release 1.0 had a slot as EMPTY whether its part was pulled out or it never held one. A slot that became empty after
the element was first read has lost its part. Of a VNF, operations of ours empty slots. This release has last rows of
every element that it polled once."""
_KEEP_PORTS = """
UPDATE elements_equipment AS part SET extra = extra || '{"equippedBefore": true}'
FROM elements_networkelement AS element
WHERE element.id = ANY(%(elements)s) AND element.id = part.element_id
AND part.equipment_class = 'PORT'
AND part.extra->>'equippedBefore' IS DISTINCT FROM 'true'
AND part.oper_state = 'OUT_OF_SERVICE' AND part.reason = 'its hardware is missing'
AND NOT EXISTS (SELECT 1 FROM elements_lastrows AS kept WHERE kept.element_id = element.id)
AND part.since > element.first_full_resync_at AND element.vnf_instance_id IS NULL
RETURNING element.id
"""
"""It had a port without a transceiver as out of service, whether it was pulled out or there never was one."""


@transaction.atomic
def emptied_slots_keep(elements: Collection[UUID]) -> None:
    """Make slots of these elements that release 1.0 recorded as emptied MISSING: a fault until a resync accepts it.

    Each poller calls it for the elements of a shard whose lease it has just got, as a poller of release 1.0 that still
    has the lease would record them as EMPTY again. A migration would run beside that one, too.
    """
    changed: set[UUID] = set()
    with connection.cursor() as cursor:
        for statement in (_KEEP, _KEEP_PORTS):
            cursor.execute(statement, {"elements": list(elements)})
            changed |= {element_id for (element_id,) in cursor.fetchall()}
    elements_touch(changed)
