import uuid

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from vnfm.elements.models import NetworkElement


class ConfigurationPlan(models.Model):
    """When an element's configuration is backed up without being asked for, and how much of it is kept."""

    element = models.OneToOneField(
        NetworkElement, primary_key=True, on_delete=models.CASCADE, related_name="configuration_plan"
    )
    interval_seconds = models.PositiveIntegerField(null=True)
    """From backup to backup; null: none by the clock."""
    on_change = models.BooleanField(default=False)
    """Also whenever the element tells, by a trap or by its time of last change, that it is another."""
    keep_versions = models.PositiveIntegerField(default=100)
    due_at = models.DateTimeField(null=True)
    """When the next backup by the clock is due."""
    changes_seen_at = models.DateTimeField()
    """Changes that were told up to then have been backed up, or a backup for them waits."""
    version = models.BigIntegerField(default=1)

    class Meta:
        indexes = (models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="configuration_due"),)


class ConfigurationContent(models.Model):
    """The text of configurations, each once: one that comes back is not stored again. Sealed, as it holds secrets."""

    id = models.BigAutoField(primary_key=True)
    element = models.ForeignKey(NetworkElement, on_delete=models.CASCADE, related_name="configuration_contents")
    digest = models.CharField(max_length=64)
    """SHA-256 of the canonical text, in hexadecimal."""
    sealed_text = models.BinaryField()
    lines = models.PositiveIntegerField()
    size = models.PositiveIntegerField()
    """Bytes of the text, unsealed."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=["element", "digest"], name="configuration_content_once"),)


class ConfigurationVersion(models.Model):
    """A configuration that an element had: the first time that it was read, for what reason, and who asked for it."""

    class Reason(models.TextChoices):
        REQUEST = "REQUEST"
        SCHEDULE = "SCHEDULE"
        CHANGE = "CHANGE"
        BEFORE_PUSH = "BEFORE_PUSH"
        PUSH = "PUSH"
        ROLLBACK = "ROLLBACK"
        ADMIN_STATE = "ADMIN_STATE"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    element = models.ForeignKey(NetworkElement, on_delete=models.CASCADE, related_name="configuration_versions")
    number = models.PositiveIntegerField()
    """Of the element's versions, from 1."""
    content = models.ForeignKey(ConfigurationContent, on_delete=models.RESTRICT, related_name="versions")
    reason = models.CharField(max_length=12, choices=Reason.choices)
    by = models.CharField(max_length=150)
    taken_at = models.DateTimeField()
    confirmed_at = models.DateTimeField()
    """When it was last read and still the same."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=["element", "number"], name="configuration_version_once"),)


class ConfigurationJob(models.Model):
    """Something to be done at an element's command line. PostgreSQL holds it, a ring only hurries."""

    class Kind(models.TextChoices):
        BACKUP = "BACKUP"
        PUSH = "PUSH"
        ROLLBACK = "ROLLBACK"
        ADMIN_STATE = "ADMIN_STATE"

    class State(models.TextChoices):
        WAITING = "WAITING"
        RUNNING = "RUNNING"
        DONE = "DONE"
        FAILED = "FAILED"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    element = models.ForeignKey(NetworkElement, on_delete=models.CASCADE, related_name="configuration_jobs")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    dry_run = models.BooleanField(default=False)
    reason = models.CharField(max_length=12, choices=ConfigurationVersion.Reason.choices)
    by = models.CharField(max_length=150)
    sealed_text = models.BinaryField(null=True)
    """What is to be pushed."""
    target = models.ForeignKey(
        ConfigurationVersion, null=True, on_delete=models.SET_NULL, related_name="rollbacks_to_it"
    )
    """The version that a rollback leads to."""
    fdn = models.CharField(max_length=400, blank=True)
    """Of the part that is brought up or down."""
    admin_state = models.CharField(max_length=4, blank=True)
    """UP | DOWN."""
    even_if_path_unknown = models.BooleanField(default=False)
    """Bring it down though nobody knows whether we reach the element through it."""
    before = models.ForeignKey(ConfigurationVersion, null=True, on_delete=models.SET_NULL, related_name="left_by")
    """What was there before the first attempt: a later one does not know any more."""
    after = models.ForeignKey(ConfigurationVersion, null=True, on_delete=models.SET_NULL, related_name="made_by")
    """What was found, or made."""
    changed = models.BooleanField(null=True)
    """Whether the running configuration is another now, or would be by a dry run; null before it is done."""
    takes_back = models.BooleanField(null=True)
    """Of a dry run: whether the element would take the change back by itself, were we cut off by it."""
    sealed_diff = models.BinaryField(null=True)
    problem = models.JSONField(null=True)
    """As RFC 7807; also says, while it waits, why."""
    attempts = models.PositiveSmallIntegerField(default=0)
    wake_at = models.DateTimeField(null=True)
    """When to begin, or to look whether its worker is still alive; null when it has ended."""
    created_at = models.DateTimeField(db_default=Now())
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    version = models.BigIntegerField(default=1)

    class Meta:
        indexes = (
            models.Index(fields=["element", "-created_at", "id"], name="configuration_job_by_element"),
            models.Index(fields=["wake_at"], condition=Q(wake_at__isnull=False), name="configuration_job_due"),
        )
