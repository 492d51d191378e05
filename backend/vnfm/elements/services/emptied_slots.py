"""Keeps the faults of parts that were pulled out while a release ran in which EMPTY was a fault."""

from django.db import connection

_KEEP = """
UPDATE elements_equipment AS part SET oper_state = 'MISSING', extra = extra || '{"equippedBefore": true}',
    reason = coalesce(nullif(reason, ''), 'Its slot is empty.')
FROM elements_networkelement AS element
WHERE element.id = part.element_id AND part.oper_state = 'EMPTY'
AND NOT EXISTS (SELECT 1 FROM elements_lastrows AS kept WHERE kept.element_id = element.id)
AND part.equipment_class IN ('CARD', 'CPM', 'MDA', 'FAN', 'POWER_SUPPLY', 'FABRIC')
AND (
    part.reason = 'The element does not list it any more.'
    OR (part.since > element.first_full_resync_at AND element.vnf_instance_id IS NULL)
)
"""
"""Release 1.0 had a slot as EMPTY whether its part was pulled out or it never held one. A slot that became empty after
the element was first read has lost its part. Of a VNF, operations of ours empty slots. This release has last rows of
every element that it polled once."""
_KEEP_PORTS = """
UPDATE elements_equipment AS part SET extra = extra || '{"equippedBefore": true}'
FROM elements_networkelement AS element
WHERE element.id = part.element_id AND part.equipment_class = 'PORT'
AND part.oper_state = 'OUT_OF_SERVICE' AND part.reason = 'its hardware is missing'
AND NOT EXISTS (SELECT 1 FROM elements_lastrows AS kept WHERE kept.element_id = element.id)
AND part.since > element.first_full_resync_at AND element.vnf_instance_id IS NULL
"""
"""It had a port without a transceiver as out of service, whether it was pulled out or there never was one."""


def emptied_slots_keep() -> None:
    """Make slots that release 1.0 recorded as emptied MISSING: a fault until a resync accepts it.

    It runs before the first alarms are evaluated, and not as a migration: the older release may still poll then.
    """
    with connection.cursor() as cursor:
        cursor.execute(_KEEP)
        cursor.execute(_KEEP_PORTS)
