import uuid

from django.db import models
from django.db.models.functions import Now

from vnfm.lcm.domain.states import LIVE_STATES, CancelMode, OperationState, StepState
from vnfm.lcm.domain.steps import OUTPUT


class LcmOpOcc(models.Model):
    """An LCM operation occurrence (SOL003 5.5.2.13): one requested change with its history.

    PostgreSQL holds the truth: the worker with the lease `op:<id>` drives it on from here (ADR-0001).
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    instance = models.ForeignKey(
        "inventory.VnfInstance", null=True, on_delete=models.SET_NULL, related_name="operations"
    )
    instance_uuid = models.UUIDField()
    """Outlives the instance, so that history stays readable."""
    vim_connection_id = models.CharField(max_length=255, default="", db_default="", blank=True)
    """The instance's; the operation outlives it."""
    operation = models.CharField(max_length=30)
    state = models.CharField(max_length=20, choices=[(s.value, s.value) for s in OperationState])
    version = models.BigIntegerField(default=1)
    params = models.JSONField()
    """The request body as received, secrets excluded."""
    sealed_secrets = models.BinaryField(null=True)
    """The hidden settings of the request; they become the instance's when the operation is over."""
    grant = models.JSONField(null=True)
    """It names who granted the operation and the checks that were made, see `reconcilers.grant`."""
    grant_request = models.JSONField(null=True)
    """The grant request to an NFVO and its outcome; null without one, and once its grant is applied."""
    stack_before = models.JSONField(null=True)
    """The stack's input when the plan was made: the target of a rollback. Dropped when the operation is over."""
    record_before = models.JSONField(null=True)
    """The record of the instance at that time; kept as long."""
    changed = models.JSONField(null=True)
    """The resources that it had changed when it last stopped (see `lcm.domain.resource_changes`); null: none."""
    plan = models.JSONField(null=True)
    """The computed plan: what the steps need and what was shown (see `lcm.domain.plan`)."""
    problem = models.JSONField(null=True)
    automatic = models.BooleanField(default=False)
    started_by = models.CharField(max_length=150, blank=True)
    start_time = models.DateTimeField(db_default=Now())
    state_entered_time = models.DateTimeField(db_default=Now())
    plan_attempts = models.PositiveIntegerField(default=0)
    settle_attempts = models.PositiveIntegerField(default=0)
    """It counts failures to take over the remains of the operation, see `reconcilers.settle_failed`."""
    cancel_mode = models.CharField(max_length=10, blank=True, choices=[(m.value, m.value) for m in CancelMode])
    """Set from the request to cancel until the operation stops."""
    deadline = models.DateTimeField()
    """An operation whose cloud does not answer waits until then."""
    waiting_since = models.DateTimeField(null=True)
    """The first failure of its cloud, or of the NFVO, to answer; null while it answers."""
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


class VnfSnapshot(models.Model):
    """An Individual VNF snapshot (SOL003 5.5.2.22), and the snapshot of a VNF instance that fills it.

    All that it has in the cloud carries a name that begins with `domain.snapshots.name_prefix`.
    """

    class State(models.TextChoices):
        EMPTY = "EMPTY"
        CREATING = "CREATING"
        AVAILABLE = "AVAILABLE"
        INCOMPLETE = "INCOMPLETE"
        """Its operation was marked failed: it can be deleted, and nothing else."""
        DELETING = "DELETING"
        """Deleted for clients; what it has in the cloud is being removed."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    state = models.CharField(max_length=12, choices=State.choices, default=State.EMPTY)
    package_info_id = models.CharField(max_length=255, blank=True)
    """SOL003's vnfSnapshotPkgId: the NFVO's, noted for it."""
    instance = models.ForeignKey(
        "inventory.VnfInstance", null=True, on_delete=models.SET_NULL, related_name="snapshots"
    )
    instance_uuid = models.UUIDField(null=True)
    """Outlives the instance."""
    instance_name = models.CharField(max_length=100, blank=True)
    vim = models.ForeignKey("vims.Vim", null=True, on_delete=models.PROTECT, related_name="snapshots")
    vnfd_id = models.UUIDField(null=True)
    vnf_instance = models.JSONField(null=True)
    """The VnfInstance (SOL003 5.5.2.2) as it was, on the wire of the newest edition."""
    content = models.JSONField(default=dict)
    """It has the other facts that a revert compares, see `domain.snapshot_state`."""
    user_defined_data = models.JSONField(default=dict)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now())
    created_by = models.CharField(max_length=150, blank=True)
    version = models.BigIntegerField(default=1)
    removal_problem = models.JSONField(null=True)
    """The reason why the cloud did not remove something of it at the last request."""
    wake_at = models.DateTimeField(null=True)
    """When its removal goes on; null in all states but DELETING."""

    class Meta:
        indexes = (
            models.Index(fields=["created_at", "id"], name="snapshot_by_creation"),
            models.Index(fields=["wake_at"], condition=models.Q(wake_at__isnull=False), name="snapshot_removal_due"),
        )

    @property
    def name(self) -> str:
        return f"snapshot {self.id} of {self.instance_name}"


class VnfcSnapshot(models.Model):
    """A VNFC in a snapshot (SOL003 5.5.3.26)."""

    snapshot = models.ForeignKey(VnfSnapshot, on_delete=models.CASCADE, related_name="vnfcs")
    vnfc_id = models.UUIDField()
    vdu_id = models.CharField(max_length=100)
    slot = models.CharField(max_length=20, blank=True)
    name = models.CharField(max_length=255)
    server_id = models.CharField(max_length=64)
    image_id = models.CharField(max_length=64)
    boots_from_volume = models.BooleanField()
    """Its image has no data of its own, and names the snapshots of its volumes."""
    volumes = models.JSONField(default=list)
    """Each attached volume is {`volumeId`, `snapshotId`, `sizeGib`}."""
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField()
    booted_server_id = models.CharField(max_length=64, blank=True)
    """The server that was last rebuilt from its image; "" when none is on record."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=["snapshot", "vnfc_id"], name="vnfc_snapshot_once"),)
        indexes = (models.Index(fields=["booted_server_id"], name="vnfc_snapshot_booted"),)


class Step(models.Model):
    """One cloud effect of an operation: its receipt is what proves that it happened (ADR-0002)."""

    id = models.BigAutoField(primary_key=True)
    op = models.ForeignKey(LcmOpOcc, on_delete=models.CASCADE, related_name="steps")
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=60)
    """Versioned name of the code that runs it, such as create_stack@1."""
    title = models.CharField(max_length=200)
    one_way = models.TextField(blank=True)
    """The reason why it cannot be undone once begun; "" when it can."""
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
        """Return the text that the step shows, such as the difference that a configuration made; "" without one."""
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
    instance = models.ForeignKey("inventory.VnfInstance", null=True, on_delete=models.CASCADE)
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
