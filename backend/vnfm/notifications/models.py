import uuid

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now


class Subscription(models.Model):
    """SOL003 7.5.2.3 FmSubscription or 5.5.2.16 LccnSubscription, and the state of its deliveries."""

    class Interface(models.TextChoices):
        VNFFM = "vnffm"
        VNFLCM = "vnflcm"
        VNFLCM_V1 = "vnflcm_v1"
        VNFPKGM = "vnfpkgm"
        VNFPKGM_V2 = "vnfpkgm_v2"
        VNFPM_V1 = "vnfpm_v1"
        VNFPM_JOB = "vnfpm_job"
        """The callback of one PM job, whose id it has. So has VNFPM_THRESHOLD of a threshold."""
        VNFPM_THRESHOLD = "vnfpm_threshold"
        VNFIND = "vnfind"
        ALARM_ROUTE = "alarm_route"
        """Not of ETSI: the queue of an AlarmRoute."""

    class Verbosity(models.TextChoices):
        FULL = "FULL"
        SHORT = "SHORT"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    interface = models.CharField(max_length=20, choices=Interface.choices)
    callback_uri = models.CharField(max_length=2000)
    filter = models.JSONField(default=dict)
    filter_digest = models.CharField(max_length=64)
    """SHA-256 of the canonical filter; see `services.subscriptions.digest`."""
    verbosity = models.CharField(max_length=5, choices=Verbosity.choices, blank=True)
    """The verbosity of notifications about operations; "" where the interface has none."""
    auth_type = models.CharField(max_length=30, blank=True)
    sealed_login = models.BinaryField(null=True)
    created_at = models.DateTimeField(db_default=Now())
    created_by = models.CharField(max_length=150)

    never_answered = models.BooleanField(default=False, db_default=False)
    """The endpoint has passed no test and accepted no notification yet. True for each new endpoint; alarm routes are
    tested on request only."""
    failures = models.PositiveIntegerField(default=0)
    """Failed attempts in a row; 0: the last notification was delivered."""
    settled_at = models.DateTimeField()
    """When the first of the current run of successes, or failures, was."""
    not_before = models.DateTimeField(null=True)
    """When the next attempt may be."""
    last_error = models.TextField(blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["interface", "callback_uri", "filter_digest", "verbosity"], name="subscription_once"
            ),
        )
        indexes = (models.Index(fields=["created_at", "id"], name="subscription_by_creation"),)


class AlarmRoute(models.Model):
    """A route of alarms to people or a SIEM: which ones, by which channel, and how many at a time.

    Its queue, secrets and delivery state are those of its subscription.
    """

    class Channel(models.TextChoices):
        MAIL = "MAIL"
        WEBHOOK = "WEBHOOK"
        SYSLOG = "SYSLOG"
        SNMP = "SNMP"

    subscription = models.OneToOneField(Subscription, primary_key=True, on_delete=models.CASCADE, related_name="route")
    name = models.CharField(max_length=100, unique=True)
    enabled = models.BooleanField(default=True)
    channel = models.CharField(max_length=10, choices=Channel.choices)
    settings = models.JSONField()
    """The settings of the channel, without secrets: `domain.channels`."""
    criteria = models.JSONField(default=dict)
    """The alarms that are sent: `domain.routing.RouteCriteria`."""
    group_seconds = models.PositiveIntegerField()
    """The first alarm waits so long for others; all are sent together."""
    interval_seconds = models.PositiveIntegerField()
    """From one message to the next, at least."""
    version = models.BigIntegerField(default=1)


class Delivery(models.Model):
    """One notification for one subscription, and the state of its delivery."""

    class State(models.TextChoices):
        WAITING = "WAITING"
        DELIVERED = "DELIVERED"
        GIVEN_UP = "GIVEN_UP"

    id = models.BigAutoField(primary_key=True)
    subscription = models.ForeignKey(Subscription, on_delete=models.CASCADE, related_name="deliveries")
    event_id = models.BigIntegerField()
    """The outbox event; notifications are sent in this order."""
    notification_id = models.UUIDField()
    """Equal for all subscriptions (SOL003 7.5.2.5)."""
    notification_type = models.CharField(max_length=60)
    subject_id = models.UUIDField()
    """The id of the alarm, operation or VNF instance."""
    body = models.JSONField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    attempts = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField()
    attempted_at = models.DateTimeField(null=True)
    """When the last attempt started. A worker that dies between sending and storing the outcome has it sent again."""
    ended_at = models.DateTimeField(null=True)
    last_error = models.TextField(blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["subscription", "event_id"], name="delivery_once"),)
        indexes = (
            models.Index(fields=["subscription", "event_id"], condition=Q(state="WAITING"), name="delivery_waiting"),
            models.Index(fields=["subscription", "-created_at", "-id"], name="delivery_log"),
            models.Index(fields=["ended_at"], condition=Q(ended_at__isnull=False), name="delivery_ended"),
        )
