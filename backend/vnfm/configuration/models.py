import base64
import uuid
import zlib
from collections.abc import Mapping
from typing import Any

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from vnfm.kit.seal import seal, unseal


def seal_text(text: str) -> bytes:
    """Compressed before it is sealed: a configuration repeats itself a lot."""
    return seal({"packed": base64.b85encode(zlib.compress(text.encode())).decode()})


def unseal_text(token: bytes | memoryview | None) -> str:
    """The text that `seal_text` sealed; "" for None."""
    if token is None:
        return ""
    packed: Mapping[str, Any] = unseal(token)
    return zlib.decompress(base64.b85decode(packed["packed"])).decode()


class ConfigurationPlan(models.Model):
    """When an element's configuration is backed up automatically, and how many versions are kept."""

    element = models.OneToOneField(
        "elements.NetworkElement", primary_key=True, on_delete=models.CASCADE, related_name="configuration_plan"
    )
    interval_seconds = models.PositiveIntegerField(null=True)
    """Between two scheduled backups; null: none."""
    on_change = models.BooleanField(default=False)
    """Back up also when the element reports a change, by a trap or by its time of last change."""
    keep_versions = models.PositiveIntegerField(default=100)
    due_at = models.DateTimeField(null=True)
    """When the next scheduled backup is due."""
    changes_seen_at = models.DateTimeField()
    """Changes reported until then are backed up, or a backup job for them waits."""
    version = models.BigIntegerField(default=1)

    class Meta:
        indexes = (models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="configuration_due"),)


class ConfigurationContent(models.Model):
    """The text of configurations, stored once per element and digest. Sealed, as it holds secrets."""

    id = models.BigAutoField(primary_key=True)
    element = models.ForeignKey(
        "elements.NetworkElement", on_delete=models.CASCADE, related_name="configuration_contents"
    )
    digest = models.CharField(max_length=64)
    """HMAC with our secret key of the SHA-256 of the canonical text, in hexadecimal: the text holds secrets, and a
    plain digest lets anyone who knows the rest of it try them.
    """
    sealed_text = models.BinaryField()
    lines = models.PositiveIntegerField()
    size = models.PositiveIntegerField()
    """Bytes of the text, unsealed."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=["element", "digest"], name="configuration_content_once"),)


class ConfigurationVersion(models.Model):
    """A configuration that an element had: when, why and for whom it was first read."""

    class Reason(models.TextChoices):
        REQUEST = "REQUEST"
        SCHEDULE = "SCHEDULE"
        CHANGE = "CHANGE"
        BEFORE_PUSH = "BEFORE_PUSH"
        PUSH = "PUSH"
        ROLLBACK = "ROLLBACK"
        ADMIN_STATE = "ADMIN_STATE"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    element = models.ForeignKey(
        "elements.NetworkElement", on_delete=models.CASCADE, related_name="configuration_versions"
    )
    number = models.PositiveIntegerField()
    """Counts the element's versions from 1."""
    content = models.ForeignKey(ConfigurationContent, on_delete=models.RESTRICT, related_name="versions")
    reason = models.CharField(max_length=12, choices=Reason.choices)
    by = models.CharField(max_length=150)
    taken_at = models.DateTimeField()
    confirmed_at = models.DateTimeField()
    """When it was last read unchanged."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=["element", "number"], name="configuration_version_once"),)

    @property
    def clear_text(self) -> str:
        """Unsealed, with its secrets."""
        return unseal_text(self.content.sealed_text)


class ConfigurationJob(models.Model):
    """A task at an element's configuration, which a worker runs. The row is the truth, the Celery message a hint."""

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
    element = models.ForeignKey("elements.NetworkElement", on_delete=models.CASCADE, related_name="configuration_jobs")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    dry_run = models.BooleanField(default=False)
    reason = models.CharField(max_length=12, choices=ConfigurationVersion.Reason.choices)
    by = models.CharField(max_length=150)
    sealed_text = models.BinaryField(null=True)
    """The lines or XML to push."""
    target = models.ForeignKey(ConfigurationVersion, null=True, on_delete=models.SET_NULL, related_name="rollback_jobs")
    """The version to which a rollback returns."""
    fdn = models.CharField(max_length=400, blank=True)
    """The part whose admin state is set."""
    admin_state = models.CharField(max_length=4, blank=True)
    """UP | DOWN."""
    even_if_path_unknown = models.BooleanField(default=False)
    """Set it DOWN even if it is unknown whether the element is managed through it."""
    before = models.ForeignKey(ConfigurationVersion, null=True, on_delete=models.SET_NULL, related_name="jobs_after")
    """The version before the first attempt: a later attempt cannot find that out."""
    after = models.ForeignKey(ConfigurationVersion, null=True, on_delete=models.SET_NULL, related_name="jobs_before")
    """The version afterwards."""
    changed = models.BooleanField(null=True)
    """Whether the running configuration has changed, or would by a dry run; null before the job is done."""
    takes_back = models.BooleanField(null=True)
    """The element would revert the change of a dry run by itself if it cut us off."""
    sealed_diff = models.BinaryField(null=True)
    problem = models.JSONField(null=True)
    """RFC 7807; while the job waits, the reason for that."""
    attempts = models.PositiveSmallIntegerField(default=0)
    wake_at = models.DateTimeField(null=True)
    """When to start, or to check that its worker is alive; null when it has ended."""
    created_at = models.DateTimeField(db_default=Now())
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    version = models.BigIntegerField(default=1)

    class Meta:
        indexes = (
            models.Index(fields=["element", "-created_at", "id"], name="configuration_job_by_element"),
            models.Index(fields=["wake_at"], condition=Q(wake_at__isnull=False), name="configuration_job_due"),
        )
