import uuid

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from vnfm.automation.domain.evaluate import DecisionOutcome
from vnfm.automation.domain.policy import LoadSourceKind, PolicyKind
from vnfm.automation.domain.policy_input import Reason


def _choices(
    words: type[PolicyKind] | type[LoadSourceKind] | type[DecisionOutcome] | type[Reason],
) -> list[tuple[str, str]]:
    return [(word.value, word.value) for word in words]


class AutomationPolicy(models.Model):
    """Heals or scales by itself one VNF instance, or all instances of a package.

    An instance's own policy takes the place of its package's of the same kind and aspect. See `domain.policy`.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=100, unique=True)
    description = models.CharField(max_length=500, blank=True)
    kind = models.CharField(max_length=10, choices=_choices(PolicyKind))
    instance = models.ForeignKey(
        "inventory.VnfInstance", null=True, on_delete=models.CASCADE, related_name="automation_policies"
    )
    package = models.ForeignKey(
        "catalog.VnfPackage", null=True, on_delete=models.CASCADE, related_name="automation_policies"
    )
    paused = models.BooleanField(default=False)
    dry_run = models.BooleanField(default=False)
    cool_down_seconds = models.PositiveIntegerField()
    actions_per_hour = models.PositiveIntegerField()
    heal_after_seconds = models.PositiveIntegerField(null=True)
    aspect_id = models.CharField(max_length=100, blank=True)
    source = models.CharField(max_length=20, choices=_choices(LoadSourceKind), blank=True)
    metric = models.CharField(max_length=255, blank=True)
    """Its name at the source."""
    out_above = models.FloatField(null=True)
    out_after_seconds = models.PositiveIntegerField(null=True)
    in_below = models.FloatField(null=True)
    in_after_seconds = models.PositiveIntegerField(null=True)
    version = models.BigIntegerField(default=1)
    created_at = models.DateTimeField(db_default=Now())
    created_by = models.CharField(max_length=150, blank=True)
    changed_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(instance__isnull=True) ^ Q(package__isnull=True), name="policy_of_instance_or_package"
            ),
        )
        indexes = (models.Index(fields=["created_at", "id"], name="automation_by_creation"),)


class AutomationStatus(models.Model):
    """The last decision of one policy about one VNF instance, and when it is evaluated again."""

    id = models.BigAutoField(primary_key=True)
    policy = models.ForeignKey(AutomationPolicy, on_delete=models.CASCADE, related_name="statuses")
    instance = models.ForeignKey("inventory.VnfInstance", on_delete=models.CASCADE, related_name="automation_statuses")
    outcome = models.CharField(max_length=10, choices=_choices(DecisionOutcome))
    reason = models.CharField(max_length=20, choices=_choices(Reason))
    causes = models.JSONField(default=list)
    message = models.TextField(blank=True)
    since = models.DateTimeField()
    """Since when outcome, reason and causes are what they are."""
    op_id = models.UUIDField(null=True)
    """The LCM operation occurrence that it last started."""
    stopped_at = models.DateTimeField(null=True)
    """When it stopped, having reached its limit; null: it has not, or was resumed."""
    resumed_at = models.DateTimeField(null=True)
    """Earlier actions count neither towards its limit nor for its cool-down."""
    due_at = models.DateTimeField(null=True)
    """When the sweep evaluates it again without an event."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=["policy", "instance"], name="automation_status_once"),)
        indexes = (models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="automation_due"),)


class AutomationDecision(models.Model):
    """One line of the audit trail, never changed: each action, and each change of why there was none."""

    id = models.BigAutoField(primary_key=True)
    policy = models.ForeignKey(AutomationPolicy, on_delete=models.CASCADE, related_name="decisions")
    instance = models.ForeignKey("inventory.VnfInstance", on_delete=models.CASCADE, related_name="automation_decisions")
    at = models.DateTimeField()
    outcome = models.CharField(max_length=10, choices=_choices(DecisionOutcome))
    reason = models.CharField(max_length=20, choices=_choices(Reason))
    message = models.TextField()
    rule = models.TextField()
    """The rule as it was then, in words."""
    evidence = models.JSONField(default=list)
    """`cause`, `subject`, `words` and `since` of each triggered action."""
    action = models.CharField(max_length=10, blank=True)
    request = models.JSONField(null=True)
    """The request of the operation that it started, or would have."""
    op_id = models.UUIDField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["op_id"], name="automation_op_once"),)
        indexes = (
            models.Index(fields=["policy", "-at", "-id"], name="automation_trail"),
            models.Index(fields=["policy", "instance", "-at"], name="automation_acts"),
            models.Index(fields=["at"], name="automation_decision_at"),
        )
