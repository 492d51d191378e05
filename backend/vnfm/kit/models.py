import uuid

from django.db import models
from django.db.models.functions import Now


class OutboxEvent(models.Model):
    """An event for other parts of the product, written in the transaction that made it true.

    The relay hands it to every subscriber at least once, as a rule in `id` order; subscribers are idempotent.
    """

    id = models.BigAutoField(primary_key=True)
    topic = models.CharField(max_length=80)
    aggregate_id = models.UUIDField()
    version = models.BigIntegerField()
    payload = models.JSONField(default=dict)
    created_at = models.DateTimeField(db_default=Now())
    delivered_at = models.DateTimeField(null=True)
    delivered_to = models.JSONField(default=list)
    """Names of the subscribers that have it, kept when others failed."""
    attempts = models.PositiveIntegerField(default=0)
    not_before = models.DateTimeField(null=True)
    last_error = models.TextField(default="")

    class Meta:
        indexes = (
            models.Index(fields=["id"], condition=models.Q(delivered_at__isnull=True), name="outbox_undelivered"),
            models.Index(fields=["delivered_at"], name="outbox_delivered_at"),
        )


class Lease(models.Model):
    """The holder that may work on `key`, until when. `fence` grows with every new holder, `deaths` with each that took
    over from one that had not given it back.
    """

    key = models.CharField(primary_key=True, max_length=120)
    owner = models.CharField(max_length=120)
    fence = models.BigIntegerField()
    expires_at = models.DateTimeField()
    deaths = models.PositiveIntegerField(db_default=0)


class IdempotentAnswer(models.Model):
    """The answer to a POST with an Idempotency-Key, written with its effect; see `kit.web.idempotency`.

    `caller` is the id of the user, `fingerprint` a keyed digest (HMAC-SHA-256) of path and body.
    """

    id = models.BigAutoField(primary_key=True)
    caller = models.CharField(max_length=64)
    key = models.CharField(max_length=255)
    fingerprint = models.BinaryField(max_length=32)
    sealed_answer = models.BinaryField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = (models.UniqueConstraint(fields=["caller", "key"], name="idempotency_key_once"),)
        indexes = (models.Index(fields=["created_at"], name="idempotent_answer_by_time"),)


class WorkerRequest(models.Model):
    """A call that a web request has a worker make while it waits; see `kit.durable.worker_request`.

    Lives for the length of the web request; a row that a dead web process leaves behind is pruned.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    sealed_arguments = models.BinaryField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    result = models.JSONField(null=True)
    problem = models.JSONField(null=True)
    created_at = models.DateTimeField(db_default=Now())


class ProcessHeartbeat(models.Model):
    """The last sign of work of a process, by name and machine; see `kit.durable.heartbeat`."""

    id = models.BigAutoField(primary_key=True)
    name = models.CharField(max_length=20)
    host = models.CharField(max_length=255)
    pid = models.PositiveIntegerField()
    started_at = models.DateTimeField()
    at = models.DateTimeField(db_default=Now())
    waiting_for = models.CharField(max_length=80, blank=True, default="")
    """The resource that the work waits for, such as "database"; "" when it goes on."""
    clock_ahead = models.DurationField(null=True)
    """The machine's clock is ahead of the database's by this; negative: behind. null: written by release 1.0."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=["name", "host"], name="heartbeat_once"),)
