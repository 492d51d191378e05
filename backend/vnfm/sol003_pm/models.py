import uuid
from datetime import timedelta

from django.db import models
from django.db.models.functions import Now


class _Measurement(models.Model):
    """The columns that PM jobs and thresholds share."""

    class Edition(models.TextChoices):
        V1 = "v1"
        """The edition of SOL003 2.6.1: its subscribers are those of /vnfpm/v1/subscriptions."""
        V2 = "v2"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    edition = models.CharField(max_length=2, choices=Edition.choices)
    subscription = models.OneToOneField(
        "notifications.Subscription", null=True, on_delete=models.CASCADE, related_name="%(class)s"
    )
    """Its callback, under the same id; null in edition v1."""
    object_type = models.CharField(max_length=30, blank=True)
    """`domain.metrics.MeasuredType`; "" in edition v1."""
    sub_object_ids = models.JSONField(null=True)
    """Null: all sub-objects."""
    version = models.BigIntegerField(default=1)
    created_at = models.DateTimeField(db_default=Now())
    created_by = models.CharField(max_length=150)
    collected_until = models.DateTimeField()
    """End of the last collection period that was evaluated."""

    class Meta:
        abstract = True


class PmJob(_Measurement):
    """SOL003 6.5.2.7."""

    object_ids = models.JSONField()
    """The ids of VNF instances or network elements."""
    metrics = models.JSONField(default=list)
    groups = models.JSONField(default=list)
    collection_seconds = models.PositiveIntegerField()
    reporting_seconds = models.PositiveIntegerField()
    reporting_boundary = models.DateTimeField(null=True)
    reported_until = models.DateTimeField()
    report_at = models.DateTimeField(null=True)
    """End of the running reporting period; null: after the boundary."""

    class Meta:
        indexes = (
            models.Index(fields=["created_at", "id"], name="pm_job_by_creation"),
            models.Index(fields=["report_at"], name="pm_job_due"),
        )

    @property
    def collection_period(self) -> timedelta:
        return timedelta(seconds=self.collection_seconds)

    @property
    def reporting_period(self) -> timedelta:
        return timedelta(seconds=self.reporting_seconds)


class PmReport(models.Model):
    """SOL003 6.5.2.10: what a job collected in a reporting period."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    job = models.ForeignKey(PmJob, on_delete=models.CASCADE, related_name="reports")
    ready_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    entries = models.JSONField()
    gaps = models.JSONField(default=list)
    """Periods without a value, as the wire has them."""

    class Meta:
        indexes = (
            models.Index(fields=["job", "ready_at"], name="pm_report_by_time"),
            models.Index(fields=["expires_at"], name="pm_report_expiry"),
        )


class PmThreshold(_Measurement):
    """SOL003 6.5.2.9."""

    object_id = models.UUIDField()
    metric = models.CharField(max_length=255)
    value = models.FloatField()
    hysteresis = models.FloatField()
    sides = models.JSONField(default=dict)
    """Sub-object id ("" without one) to UP or DOWN: the side on which its last value was."""

    class Meta:
        indexes = (models.Index(fields=["created_at", "id"], name="pm_threshold_by_creation"),)
