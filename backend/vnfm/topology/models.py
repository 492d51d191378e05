from django.db import models


class SavedPositions(models.Model):
    """Positions of nodes that a user has moved on the map of a scope."""

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="topology_positions")
    scope = models.CharField(max_length=10)
    positions = models.JSONField(default=dict)
    """Node id → [x, y], in pixels from the corner of the group that contains it."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=["user", "scope"], name="positions_once"),)
