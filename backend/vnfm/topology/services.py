"""Positions of nodes that users have moved on the map."""

from collections.abc import Mapping
from uuid import UUID

from django.db import transaction

from vnfm.kit.problem import bad_request
from vnfm.topology.domain.build import Scope
from vnfm.topology.models import SavedPositions

MAX_POSITIONS = 10_000
"""Positions that a user may save per scope: more than the largest map has nodes."""


@transaction.atomic
def positions_save(
    *, user_id: UUID, scope: Scope, moved: Mapping[str, tuple[float, float] | None]
) -> dict[str, list[float]]:
    """Save positions; None returns a node to the layout. Positions of other nodes stay."""
    row, _ = SavedPositions.objects.select_for_update().get_or_create(user_id=user_id, scope=scope)
    positions = {**row.positions, **{node: point and list(point) for node, point in moved.items()}}
    row.positions = {node: point for node, point in positions.items() if point is not None}
    if len(row.positions) > MAX_POSITIONS:
        raise bad_request("TOO_MANY_POSITIONS", f"At most {MAX_POSITIONS} positions can be saved.")
    row.save(update_fields=["positions"])
    return dict(row.positions)


def positions_reset(*, user_id: UUID, scope: Scope) -> None:
    """Return all nodes to the layout."""
    SavedPositions.objects.filter(user=user_id, scope=scope).delete()
