import uuid

from django.db import models
from django.db.models.functions import Now


class Alarm(models.Model):
    """An X.733 alarm (SOL003 7.5.2.4). Identity is (managed object, faulty resource, fault type) while not cleared.

    The managed object is always a VNF instance, also when its VIM is at fault: each instance on a lost VIM has an alarm
    of its own, the root cause of the alarms that were open on it (SOL003 has no alarms of a VIM; see its condition).
    Current alarms and recently cleared ones live here; history lives in `telemetry`.
    """

    class Severity(models.TextChoices):
        CRITICAL = "CRITICAL"
        MAJOR = "MAJOR"
        MINOR = "MINOR"
        WARNING = "WARNING"
        INDETERMINATE = "INDETERMINATE"
        CLEARED = "CLEARED"

    class AckState(models.TextChoices):
        UNACKNOWLEDGED = "UNACKNOWLEDGED"
        ACKNOWLEDGED = "ACKNOWLEDGED"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    managed_object_id = models.UUIDField()
    managed_object_name = models.CharField(max_length=200, blank=True)
    vnfc_ids = models.JSONField(default=list)
    faulty_resource = models.CharField(max_length=255, blank=True)
    """The virtual resource at fault: a Nova server id, a stack id …"""
    faulty_resource_name = models.CharField(max_length=255, blank=True)
    faulty_resource_type = models.CharField(max_length=20, blank=True)
    vim_id = models.UUIDField(null=True)
    fault_type = models.CharField(max_length=60)
    event_type = models.CharField(max_length=40)
    probable_cause = models.CharField(max_length=100)
    perceived_severity = models.CharField(max_length=15, choices=Severity.choices)
    fault_details = models.JSONField(default=list)
    ack_state = models.CharField(max_length=15, choices=AckState.choices, default=AckState.UNACKNOWLEDGED)
    acked_by = models.CharField(max_length=150, blank=True)
    raised_at = models.DateTimeField()
    changed_at = models.DateTimeField(null=True)
    cleared_at = models.DateTimeField(null=True)
    acked_at = models.DateTimeField(null=True)
    event_time = models.DateTimeField()
    root_cause = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="correlated")
    suppressed_by = models.UUIDField(null=True)
    """The LCM operation occurrence that explains the fault: recorded, but told to nobody while the operation runs."""
    version = models.BigIntegerField(default=1)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["managed_object_id", "faulty_resource", "fault_type"],
                condition=models.Q(cleared_at__isnull=True),
                name="one_open_alarm_per_fault",
            ),
        )
        indexes = (
            models.Index(fields=["-raised_at", "-id"], name="alarm_by_time"),
            models.Index(fields=["cleared_at"], name="alarm_cleared_at"),
        )
