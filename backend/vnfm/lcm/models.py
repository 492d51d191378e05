import uuid

from django.db import models
from django.db.models.functions import Now

from vnfm.inventory.models import VnfInstance
from vnfm.lcm.domain.states import LIVE_STATES, CancelMode, OperationState, StepState
from vnfm.lcm.domain.steps import OUTPUT


class LcmOpOcc(models.Model):
    """An LCM operation occurrence (SOL003 5.5.2.13): one requested change with its history.

    PostgreSQL holds the truth: the worker with the lease `op:<id>` drives it on from here (ADR-0001).
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    instance = models.ForeignKey(VnfInstance, null=True, on_delete=models.SET_NULL, related_name="operations")
    instance_uuid = models.UUIDField()
    """Outlives the instance, so that history stays readable."""
    operation = models.CharField(max_length=30)
    state = models.CharField(max_length=20, choices=[(s.value, s.value) for s in OperationState])
    version = models.BigIntegerField(default=1)
    params = models.JSONField()
    """The request body as received, secrets excluded."""
    sealed_secrets = models.BinaryField(null=True)
    """The hidden settings of the request; they become the instance's when the operation is over."""
    grant = models.JSONField(null=True)
    """Who granted it, with which checks, see `reconcilers.grant`."""
    grant_request = models.JSONField(null=True)
    """The grant request to an NFVO and its outcome; null without one, and once its grant is applied."""
    stack_before = models.JSONField(null=True)
    """The stack's input when the plan was made: the target of a rollback. Dropped when the operation is over."""
    record_before = models.JSONField(null=True)
    """The record of the instance at that time; kept as long."""
    changed = models.JSONField(null=True)
    """What it had changed when it last stopped (see `lcm.domain.resource_changes`); null: nothing."""
    plan = models.JSONField(null=True)
    """The computed plan: what the steps need and what was shown (see `lcm.domain.plan`)."""
    problem = models.JSONField(null=True)
    automatic = models.BooleanField(default=False)
    started_by = models.CharField(max_length=150, blank=True)
    start_time = models.DateTimeField(db_default=Now())
    state_entered_time = models.DateTimeField(db_default=Now())
    plan_attempts = models.PositiveIntegerField(default=0)
    settle_attempts = models.PositiveIntegerField(default=0)
    """How often taking over what it left has failed, see `reconcilers.settle_failed`."""
    cancel_mode = models.CharField(max_length=10, blank=True, choices=[(m.value, m.value) for m in CancelMode])
    """Set from the request to cancel until the operation stops."""
    deadline = models.DateTimeField()
    """Until when it waits for a cloud that does not answer."""
    waiting_since = models.DateTimeField(null=True)
    """Since when its cloud, or the NFVO, does not answer; null while it does."""
    wake_at = models.DateTimeField(null=True)
    """When the driver runs it next; null in states that wait for a person, and in final ones."""

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["instance"],
                condition=models.Q(state__in=[s.value for s in LIVE_STATES]),
                name="one_live_operation_per_instance",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=[s.value for s in OperationState]), name="operation_state_known"
            ),
        )
        indexes = (
            models.Index(fields=["wake_at"], condition=models.Q(wake_at__isnull=False), name="operation_due"),
            models.Index(fields=["start_time", "id"], name="operation_by_start"),
            models.Index(fields=["instance_uuid", "state_entered_time"], name="operation_by_instance"),
        )


class Step(models.Model):
    """One cloud effect of an operation: its receipt is what proves that it happened (ADR-0002)."""

    id = models.BigAutoField(primary_key=True)
    op = models.ForeignKey(LcmOpOcc, on_delete=models.CASCADE, related_name="steps")
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=60)
    """Versioned name of the code that runs it, such as create_stack@1."""
    title = models.CharField(max_length=200)
    one_way = models.TextField(blank=True)
    """Why it cannot be undone once begun; "" when it can."""
    params = models.JSONField(default=dict)
    state = models.CharField(max_length=10, choices=[(s.value, s.value) for s in StepState], default=StepState.PENDING)
    receipt = models.JSONField(null=True)
    message = models.TextField(blank=True)
    problem = models.JSONField(null=True)
    attempts = models.PositiveIntegerField(default=0)
    calls = models.JSONField(default=list)
    """The changing requests to the cloud, with its request ids: what its operator looks for in the logs."""
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["op", "seq"], name="step_once"),)
        ordering = ("seq",)

    @property
    def output(self) -> str:
        """What the step has to show, such as the difference that a configuration made; "" when nothing."""
        return str((self.receipt or {}).get(OUTPUT, ""))


class OpTransition(models.Model):
    """A change of an operation's state, and why."""

    id = models.BigAutoField(primary_key=True)
    op = models.ForeignKey(LcmOpOcc, on_delete=models.CASCADE, related_name="transitions")
    source = models.CharField(max_length=20, blank=True)
    target = models.CharField(max_length=20)
    reason = models.TextField(blank=True)
    at = models.DateTimeField(db_default=Now())


class PlanPreview(models.Model):
    """A plan computed on request, without an operation."""

    class State(models.TextChoices):
        PENDING = "PENDING"
        READY = "READY"
        FAILED = "FAILED"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    state = models.CharField(max_length=10, choices=State.choices, default=State.PENDING)
    operation = models.CharField(max_length=30)
    instance = models.ForeignKey(VnfInstance, null=True, on_delete=models.CASCADE)
    vnfd_id = models.UUIDField()
    request = models.JSONField()
    sealed_request = models.BinaryField(null=True)
    result = models.JSONField(null=True)
    problem = models.JSONField(null=True)
    version = models.BigIntegerField(default=1)
    created_by = models.CharField(max_length=150, blank=True)
    created_at = models.DateTimeField(db_default=Now())


class Environment(models.Model):
    """Settings of an instantiation under a name, to be used again. It holds no secret.

    It names VNFD and VIM by id and outlives both: whether it still fits is checked when it is used.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=100)
    description = models.CharField(max_length=500, blank=True)
    vnfd_id = models.UUIDField()
    provider = models.CharField(max_length=100)
    product_name = models.CharField(max_length=100)
    software_version = models.CharField(max_length=100)
    vnfd_version = models.CharField(max_length=100)
    vim_id = models.UUIDField(null=True)
    """Null: for any VIM."""
    vim_name = models.CharField(max_length=100, blank=True)
    """When it was saved: names the VIM when that is no longer registered."""
    flavour_id = models.CharField(max_length=100)
    instantiation_level_id = models.CharField(max_length=100, blank=True)
    """Empty: the default one of the flavour."""
    scale_levels = models.JSONField(default=dict)
    """Level by aspect id, where it differs from the instantiation level's."""
    params = models.JSONField(default=dict)
    """additionalParams of InstantiateVnfRequest (SOL003 5.5.2.4): settings by name, and mediation policies."""
    version = models.BigIntegerField(default=1)
    created_at = models.DateTimeField(db_default=Now())
    created_by = models.CharField(max_length=150, blank=True)
    changed_at = models.DateTimeField()
    changed_by = models.CharField(max_length=150, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["vnfd_id", "name"], name="environment_name_once"),)
        indexes = (models.Index(fields=["created_at", "id"], name="environment_by_creation"),)
