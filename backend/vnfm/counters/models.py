"""Boards of charts, and threshold rules."""

import uuid

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from vnfm.counters.domain.crossing import ThresholdDirection, ThresholdLimits
from vnfm.elements.models import NetworkElement


class Board(models.Model):
    """Charts that a user wants to see together."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="boards")
    name = models.CharField(max_length=100)
    position = models.PositiveIntegerField()
    """Its place among the boards of its owner, from 0 on."""
    shared = models.BooleanField(default=False)
    """True: other users may see it."""
    charts = models.JSONField(default=list)
    """The charts in their order: {"id", "title", "series": `domain.boards.SeriesRef.as_json` of each}."""
    version = models.BigIntegerField(default=1)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = (models.UniqueConstraint(fields=["owner", "name"], name="board_name_once"),)


class ThresholdRule(models.Model):
    """An operator's rule: an alarm is raised while a counter is beyond a threshold.

    It holds for one element, for the elements of a VNF instance, or for all of a kind.
    """

    class Severity(models.TextChoices):
        CRITICAL = "CRITICAL"
        MAJOR = "MAJOR"
        MINOR = "MINOR"
        WARNING = "WARNING"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=100, unique=True)
    # They have no constraints: release 1.0 may run beside this one, deletes elements and does not know this table.
    element = models.ForeignKey(
        NetworkElement, null=True, on_delete=models.CASCADE, db_constraint=False, related_name="threshold_rules"
    )
    instance = models.ForeignKey(
        "inventory.VnfInstance",
        null=True,
        on_delete=models.CASCADE,
        db_constraint=False,
        related_name="threshold_rules",
    )
    element_kind = models.CharField(max_length=10, blank=True, choices=NetworkElement.Kind.choices)
    counter = models.CharField(max_length=40)
    """A name of `domain.counters.COUNTERS`."""
    object = models.CharField(max_length=300, blank=True)
    """An interface by its name in history; "": the element itself for its own counters, else each of its interfaces."""
    direction = models.CharField(max_length=5, choices=[(each.value, each.value) for each in ThresholdDirection])
    threshold = models.FloatField()
    clear = models.FloatField()
    severity = models.CharField(max_length=10, choices=Severity.choices)

    crossings = models.PositiveIntegerField(default=0)
    """The number of times that any counter crossed it."""
    crossed_at = models.DateTimeField(null=True)
    """When it was crossed last."""
    evaluated_at = models.DateTimeField(null=True)
    """The end of the last reading with a value; null: there was none yet."""
    evaluated_counters = models.PositiveIntegerField(default=0)
    """Counters that had a value of late."""
    unrecorded = models.PositiveIntegerField(default=0)
    """Counters that are beyond the threshold and have no alarm: a rule has at most `MAX_CROSSINGS`."""
    unvalued = models.PositiveIntegerField(default=0, db_default=0)
    """Counters that have no value of late, while others may have: see `domain.threshold_rules.unvalued_counters`."""
    unvalued_since = models.DateTimeField(null=True)
    version = models.BigIntegerField(default=1)
    created_at = models.DateTimeField(db_default=Now())
    created_by = models.CharField(max_length=150)
    changed_at = models.DateTimeField()
    changed_by = models.CharField(max_length=150)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(element__isnull=False, instance__isnull=True, element_kind="")
                | Q(element__isnull=True, instance__isnull=False, element_kind="")
                | (Q(element__isnull=True, instance__isnull=True) & ~Q(element_kind="")),
                name="threshold_rule_scope",
            ),
        )
        indexes = (models.Index(fields=["created_at", "id"], name="threshold_rule_by_creation"),)

    @property
    def limits(self) -> ThresholdLimits:
        return ThresholdLimits(ThresholdDirection(self.direction), self.threshold, self.clear)
