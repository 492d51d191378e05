"""What users do with the map."""

from collections.abc import Mapping

from django.db import transaction

from vnfm.accounts.models import User
from vnfm.kit.problem import bad_request
from vnfm.topology.domain.build import Scope
from vnfm.topology.models import SavedPositions

MOST = 10_000
"""Nodes that a user may put in places of their own, per scope: more than the largest map that we draw."""


@transaction.atomic
def positions_save(
    *, user: User, scope: Scope, moved: Mapping[str, tuple[float, float] | None]
) -> dict[str, list[float]]:
    """Keep where the user has put nodes; None gives one back to the layout. Others' places stay as they were."""
    row, _ = SavedPositions.objects.select_for_update().get_or_create(user=user, scope=scope)
    places = {**row.positions, **{node: place and list(place) for node, place in moved.items()}}
    row.positions = {node: place for node, place in places.items() if place is not None}
    if len(row.positions) > MOST:
        raise bad_request("TOO_MANY_POSITIONS", f"No more than {MOST} nodes can be put in places of their own.")
    row.save(update_fields=["positions"])
    return dict(row.positions)


def positions_forget(*, user: User, scope: Scope) -> None:
    """Everything goes where the layout puts it."""
    SavedPositions.objects.filter(user=user, scope=scope).delete()
