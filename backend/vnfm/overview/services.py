from uuid import UUID

from django.db import transaction

from vnfm.kit import clock
from vnfm.overview.models import FirstStepsProgress


@transaction.atomic
def first_steps_update(
    *, user_id: UUID, element_viewed: bool = False, dismissed: bool | None = None
) -> FirstStepsProgress:
    """`element_viewed`: the user viewed a network element; the first time counts. `dismissed` None: as before."""
    row, _ = FirstStepsProgress.objects.select_for_update().get_or_create(user_id=user_id)
    if element_viewed and row.element_viewed_at is None:
        row.element_viewed_at = clock.now()
    if dismissed is not None:
        row.dismissed_at = clock.now() if dismissed else None
    row.save()
    return row
