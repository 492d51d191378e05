import uuid

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from vnfm.faults.domain.alarm_changes import Suppression
from vnfm.faults.domain.evaluation_result import ObjectType
from vnfm.kit.text_search import WordVector

OPEN = Q(cleared_at__isnull=True)
UNSUPPRESSED = Q(suppression="")
"""Published: neither an operation, a maintenance window nor a debounce suppresses it."""

_SEARCHED = ("managed_object_name", "faulty_resource_name", "fault_type", "probable_cause", "fault_details")


class Alarm(models.Model):
    """An X.733 alarm (SOL003 7.5.2.4). Identity is (managed object, faulty resource, fault type) while not cleared.

    The fault type stands for name, event type and probable cause. An alarm is one episode of a fault; `occurrences`
    counts the episodes that followed each other. Current alarms and recently cleared ones live here; history lives in
    `telemetry`.
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
    managed_object_type = models.CharField(
        max_length=20, choices=[(each.value, each.value) for each in ObjectType], default=ObjectType.VNF_INSTANCE
    )
    managed_object_id = models.UUIDField()
    managed_object_name = models.CharField(max_length=200, blank=True)
    vnfc_ids = models.JSONField(default=list)
    faulty_resource = models.CharField(max_length=500, blank=True)
    """Id of the resource at fault: a Nova server, a stack, a host, the FDN of a card …"""
    faulty_resource_name = models.CharField(max_length=500, blank=True)
    faulty_resource_type = models.CharField(max_length=20, blank=True)
    vim_id = models.UUIDField(null=True)
    fault_type = models.CharField(max_length=60)
    event_type = models.CharField(max_length=40)
    probable_cause = models.CharField(max_length=100)
    fault_details = models.JSONField(default=list)

    perceived_severity = models.CharField(max_length=15, choices=Severity.choices)
    evaluated_severity = models.CharField(max_length=15)
    """By the dictionary's rule; `perceived_severity` also takes policies and promotion into account."""
    promoted_severity = models.CharField(max_length=15, blank=True)
    """The highest severity of the alarms that it has caused, also of those that are cleared since."""
    original_severity = models.CharField(max_length=15)
    previous_severity = models.CharField(max_length=15, blank=True)
    highest_severity = models.CharField(max_length=15)

    ack_state = models.CharField(max_length=15, choices=AckState.choices, default=AckState.UNACKNOWLEDGED)
    acked_by = models.CharField(max_length=150, blank=True)
    acked_at = models.DateTimeField(null=True)
    assigned_to = models.CharField(max_length=150, blank=True)

    occurrences = models.PositiveIntegerField(default=1)
    """Episodes of this fault, this one included; each began within a day after the one before."""
    occurrences_a_day = models.PositiveIntegerField(default=1)
    """Episodes in the 24 hours before this one began, this one included."""
    first_raised_at = models.DateTimeField()
    """When the first of `occurrences` was raised."""
    raised_at = models.DateTimeField()
    changed_at = models.DateTimeField(null=True)
    severity_changed_at = models.DateTimeField(null=True)
    cleared_at = models.DateTimeField(null=True)
    cleared_by = models.CharField(max_length=150, blank=True)
    """User who cleared it by hand; "" when its condition went away."""
    dismissed = models.BooleanField(default=False)
    """Cleared by hand while its condition persists: not raised again until that goes away or its details change."""
    event_time = models.DateTimeField()

    root_cause = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="correlated")
    suppression = models.CharField(max_length=15, blank=True, choices=[(each.value, each.name) for each in Suppression])
    """Why it is recorded but not published; "" when it is published."""
    suppressed_by = models.UUIDField(null=True)
    """The LCM operation occurrence, or the maintenance window, that suppresses it."""
    due_at = models.DateTimeField(null=True)
    """When its policy is applied again: an escalation may be due."""
    version = models.BigIntegerField(default=1)
    created_at = models.DateTimeField(db_default=Now())
    words = models.GeneratedField(expression=WordVector(*_SEARCHED), output_field=SearchVectorField(), db_persist=True)
    """For full-text search. Stored: a list by time is scanned until a page is full, and computing the words of each row
    that does not match would dominate the query."""

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["managed_object_type", "managed_object_id", "faulty_resource", "fault_type"],
                condition=OPEN,
                name="one_open_alarm_per_fault",
            ),
        )
        indexes = (
            models.Index(fields=["-raised_at", "-id"], name="alarm_by_time"),
            models.Index(fields=["-raised_at", "-id"], condition=OPEN & UNSUPPRESSED, name="alarm_open"),
            models.Index(
                fields=["perceived_severity", "-raised_at", "-id"],
                condition=OPEN & UNSUPPRESSED,
                name="alarm_by_severity",
            ),
            models.Index(
                fields=["fault_type", "-raised_at", "-id"], condition=OPEN & UNSUPPRESSED, name="alarm_by_type"
            ),
            models.Index(fields=["ack_state", "-raised_at", "-id"], condition=OPEN & UNSUPPRESSED, name="alarm_by_ack"),
            models.Index(fields=["managed_object_id", "-raised_at", "-id"], name="alarm_by_object"),
            models.Index(
                fields=["managed_object_id", "faulty_resource", "fault_type", "cleared_at"], name="alarm_by_fault"
            ),
            models.Index(fields=["cleared_at", "id"], condition=~OPEN, name="alarm_by_clearing"),
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="alarm_due"),
            models.Index(fields=["managed_object_id"], condition=Q(dismissed=True), name="alarm_dismissed"),
            GinIndex(fields=["words"], name="alarm_words"),
        )


class Manager(models.Model):
    """The VNF manager itself as the managed object of alarms: one row, made when it is first evaluated."""

    THE_ONE = uuid.UUID("6d616e61-6765-4700-8000-000000000001")

    id = models.UUIDField(primary_key=True, default=THE_ONE, editable=False)
    version = models.BigIntegerField(default=1)


class AlarmNote(models.Model):
    """A user's note on an alarm. Immutable."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    alarm = models.ForeignKey(Alarm, on_delete=models.CASCADE, related_name="notes")
    author = models.CharField(max_length=150)
    text = models.CharField(max_length=2000)
    at = models.DateTimeField()


class AlarmCount(models.Model):
    """The number of open, unsuppressed alarms of an object, as a sum of steps: counting half a million alarms for each
    page header, or for each site of a tree, is too slow.

    Statement triggers on the alarms write the steps, so no writer can forget them; `alarm_counts_compact` sums them
    up. Writers never wait for each other: each statement writes rows of its own.
    """

    id = models.BigAutoField(primary_key=True)
    managed_object_type = models.CharField(max_length=20)
    managed_object_id = models.UUIDField(db_index=True)
    severity = models.CharField(max_length=15)
    step = models.IntegerField()


class Assessment(models.Model):
    """When and at which version a managed object was last evaluated, so that unchanged objects are not even loaded.

    Kept of objects that have open alarms, or of which time alone may raise one, and of all network elements.
    """

    managed_object_type = models.CharField(max_length=20)
    managed_object_id = models.UUIDField()
    version = models.BigIntegerField()
    due_at = models.DateTimeField(null=True)
    """When time alone may change its faults; null: never."""

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["managed_object_type", "managed_object_id"], name="assessment_once"),
        )
        indexes = (
            models.Index(
                fields=["managed_object_type", "due_at"], condition=Q(due_at__isnull=False), name="assess_due"
            ),
        )


class AlarmPolicy(models.Model):
    """An operator's policy for alarms of one fault type; null inherits from the global policy. See `PolicySettings`."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    fault_type = models.CharField(max_length=60, unique=True, blank=True)
    """"" is the global policy, for all fault types without one of their own."""
    initial_severity = models.CharField(max_length=15, blank=True)
    escalate_after_minutes = models.PositiveIntegerField(null=True)
    escalate_occurrences = models.PositiveIntegerField(null=True)
    deescalate_after_minutes = models.PositiveIntegerField(null=True)
    debounce_seconds = models.PositiveIntegerField(null=True)
    auto_ack_on_clear = models.BooleanField(null=True)
    keep_cleared_days = models.PositiveIntegerField(null=True)
    pending = models.BooleanField(default=False)
    """Its last change is not yet applied to open alarms."""
    version = models.BigIntegerField(default=1)
    changed_by = models.CharField(max_length=150, blank=True)
    changed_at = models.DateTimeField()


class MaintenanceWindow(models.Model):
    """Between two times, faults of an object are recorded but published only if they outlast the window.

    A window of a VIM covers its VNF instances; one of a VNF instance or chassis covers its network elements.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    managed_object_type = models.CharField(max_length=20, choices=[(each.value, each.value) for each in ObjectType])
    managed_object_id = models.UUIDField()
    managed_object_name = models.CharField(max_length=200)
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    reason = models.CharField(max_length=500)
    created_by = models.CharField(max_length=150)
    created_at = models.DateTimeField(db_default=Now())
    version = models.BigIntegerField(default=1)

    class Meta:
        constraints = (
            models.CheckConstraint(condition=Q(ends_at__gt=models.F("starts_at")), name="window_has_length"),
        )
        indexes = (
            models.Index(fields=["managed_object_id", "ends_at"], name="window_by_object"),
            models.Index(fields=["-starts_at", "-id"], name="window_by_start"),
        )


class ThresholdCrossing(models.Model):
    """A counter of an element that is beyond the threshold of an operator's rule: what its alarm is raised by.

    It goes when a value is within again, or with the rule; never by the lack of values.
    """

    rule_id = models.UUIDField()
    rule_name = models.CharField(max_length=100)
    # There is no constraint: release 1.0, which may run beside this one, deletes elements and does not know this table.
    element = models.ForeignKey(
        "elements.NetworkElement", on_delete=models.CASCADE, db_constraint=False, related_name="crossings"
    )
    object = models.CharField(max_length=300)
    """Its name in the history of counters."""
    label = models.CharField(max_length=350)
    """Object and counter, for people."""
    counter = models.CharField(max_length=40)
    unit = models.CharField(max_length=20)
    below = models.BooleanField()
    threshold = models.FloatField()
    clear = models.FloatField()
    severity = models.CharField(max_length=15)
    since = models.DateTimeField()
    value = models.FloatField()
    """When it crossed the threshold."""
    latest_value = models.FloatField()
    valued_at = models.DateTimeField()
    """The end of the reading that `latest_value` is of."""
    expires_at = models.DateTimeField()
    """When `latest_value` says nothing more about now."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=["rule_id", "element", "object"], name="crossing_once"),)
