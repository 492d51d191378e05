"""Links cards of elements to the VNFCs that they are: by slot (domain facts, 6.4), or all of an element to one VNFC."""

from collections.abc import Callable
from uuid import UUID

from django.db import connection, transaction

from vnfm.elements.models import NetworkElement
from vnfm.elements.services.versioned_rows import publish_change
from vnfm.inventory.models import Vnfc

_LINK_CARDS = """
UPDATE elements_equipment AS part SET vnfc_id = linked.vnfc_id
FROM (
    SELECT card.id, min(component.id::text)::uuid AS vnfc_id
    FROM elements_equipment AS card
    JOIN elements_networkelement AS element ON element.id = card.element_id
    LEFT JOIN inventory_vnfc AS component
        ON component.id = element.vnfc_id OR (element.vnfc_id IS NULL
            AND component.instance_id = element.vnf_instance_id AND component.slot = card.slot AND card.slot <> '')
    WHERE card.equipment_class IN ('CARD', 'CPM') AND (element.vnf_instance_id IS NOT NULL OR card.vnfc_id IS NOT NULL)
    GROUP BY card.id
    HAVING count(component.id) <= 1
) AS linked
WHERE part.id = linked.id AND part.vnfc_id IS DISTINCT FROM linked.vnfc_id
RETURNING part.element_id
"""
"""All cards at once; updates only those whose link is wrong."""


def vnfc_by_slot(element: NetworkElement) -> Callable[[str], UUID | None]:
    """The VNFC of the card in a slot; None for a slot that two VNFCs of the instance claim."""
    if element.vnfc_id is not None:
        only = element.vnfc_id
        return lambda _slot: only
    found: dict[str, list[UUID]] = {}
    if element.vnf_instance_id is not None:
        rows = Vnfc.objects.filter(instance=element.vnf_instance_id).exclude(slot="")
        for slot, vnfc_id in rows.values_list("slot", "id"):
            found.setdefault(slot, []).append(vnfc_id)
    return {slot: ids[0] for slot, ids in found.items() if len(ids) == 1}.get


@transaction.atomic
def link_cards_to_vnfcs() -> int:
    """Link cards and VNFCs that appeared since the element was last read; returns how many elements changed."""
    with connection.cursor() as cursor:
        cursor.execute(_LINK_CARDS)
        changed = {row[0] for row in cursor.fetchall()}
    for element in NetworkElement.objects.select_for_update(no_key=True).filter(id__in=changed).order_by("id"):
        element.version += 1
        NetworkElement.objects.filter(id=element.id).update(version=element.version)
        publish_change(element)
    return len(changed)
