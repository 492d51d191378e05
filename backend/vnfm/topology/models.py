from django.db import models

from vnfm.accounts.models import User


class SavedPositions(models.Model):
    """Where a user has put nodes on the map of a scope. All else on the map is read from other contexts' tables."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="topology_positions")
    scope = models.CharField(max_length=10)
    positions = models.JSONField(default=dict)
    """Node id to [x, y], in pixels from the corner of the group that it stands in."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=["user", "scope"], name="positions_once"),)
