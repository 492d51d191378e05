from django.db import migrations

KEEP_MISSING = """
UPDATE elements_equipment AS part SET oper_state = 'MISSING', extra = extra || '{"equippedBefore": true}',
    reason = coalesce(nullif(reason, ''), 'Its slot is empty.')
FROM elements_networkelement AS element
WHERE element.id = part.element_id AND part.oper_state = 'EMPTY'
AND part.equipment_class IN ('CARD', 'CPM', 'MDA', 'FAN', 'POWER_SUPPLY', 'FABRIC')
AND (
    part.reason = 'The element does not list it any more.'
    OR (part.since > element.first_full_resync_at AND element.vnf_instance_id IS NULL)
)
"""
"""Until now EMPTY was a fault, whether a part was pulled out or there had never been one. A slot that became empty after
the element was first read has lost its part: it stays a fault until a resync accepts it. Of a VNF, operations of ours
empty slots.
"""


class Migration(migrations.Migration):
    dependencies = [("elements", "0011_login_warning")]

    operations = [migrations.RunSQL(KEEP_MISSING, migrations.RunSQL.noop)]
