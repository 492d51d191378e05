"""Boards of charts."""

import uuid

from django.db import models
from django.db.models.functions import Now

from vnfm.accounts.models import User


class Board(models.Model):
    """Charts that a user wants to see together."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="boards")
    name = models.CharField(max_length=100)
    position = models.PositiveIntegerField()
    """Its place among the boards of its owner, from 0 on."""
    shared = models.BooleanField(default=False)
    """Whether other users may see it."""
    charts = models.JSONField(default=list)
    """In their order: {"id", "title", "series": `domain.boards.SeriesRef.as_json` of each}."""
    version = models.BigIntegerField(default=1)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = (models.UniqueConstraint(fields=["owner", "name"], name="board_name_once"),)
