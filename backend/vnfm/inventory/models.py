import uuid

from django.db import models
from django.db.models.functions import Now


class VnfInstance(models.Model):
    """The managed thing (SOL003 5.5.2.2). Desired state here, observed state in its VNFCs and stack columns."""

    class InstantiationState(models.TextChoices):
        NOT_INSTANTIATED = "NOT_INSTANTIATED"
        INSTANTIATED = "INSTANTIATED"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=100)
    """For people; several instances may have the same one (SOL003 5.5.2.2)."""
    description = models.CharField(max_length=500, blank=True)
    package = models.ForeignKey("catalog.VnfPackage", on_delete=models.PROTECT, related_name="instances")
    instantiation_state = models.CharField(
        max_length=20, choices=InstantiationState.choices, default=InstantiationState.NOT_INSTANTIATED
    )
    metadata = models.JSONField(default=dict)
    version = models.BigIntegerField(default=1)
    created_at = models.DateTimeField(db_default=Now())
    created_by = models.CharField(max_length=150, blank=True)

    vim = models.ForeignKey("vims.Vim", null=True, on_delete=models.PROTECT, related_name="instances")
    vim_connection_id = models.CharField(max_length=255, default="", db_default="", blank=True)
    """The NFVO's name of the connection to the VIM (SOL003 4.4.1.6: the identifier is the NFVO's); "" without."""
    generation = models.PositiveIntegerField(default=0)
    """Counts instantiations; part of the stack's name, so that no two attempts meet."""
    flavour_id = models.CharField(max_length=100, blank=True)
    instantiation_level_id = models.CharField(max_length=100, blank=True)
    scale_levels = models.JSONField(default=dict)
    """Desired level by aspect id."""
    settings = models.JSONField(default=dict)
    """Values that the operator chose, by HOT parameter; secrets are excluded."""
    management_subnet = models.CharField(max_length=18, blank=True)
    """IPv4 network in which its router is managed, from the request to instantiate until nothing is left of the VNF."""
    management_declined = models.BooleanField(default=False)
    """The request to instantiate declined management: discovery does not link a router to it then."""
    member_slots = models.JSONField(default=dict)
    """VDU id to {group index: slot}: Heat never reuses an index, slots are given back."""
    sealed_settings = models.BinaryField(null=True)

    stack_id = models.CharField(max_length=64, blank=True)
    stack_name = models.CharField(max_length=255, blank=True)
    stack_status = models.CharField(max_length=40, blank=True)
    stack_status_reason = models.TextField(blank=True)
    stack_updated_at = models.CharField(max_length=40, blank=True)
    """Heat's `updated_time` as last observed, as Heat wrote it; "" when the stack was never updated."""
    stack_left_at = models.CharField(max_length=40, blank=True)
    """Heat's `updated_time` as our last operation left it: a later update came from outside."""
    stack_observed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["stack_id"], condition=~models.Q(stack_id=""), name="one_instance_of_a_stack"
            ),
        )
        indexes = (models.Index(fields=["created_at", "id"], name="instance_by_creation"),)


class InstanceNote(models.Model):
    """A user's note about an instance. Never changed; its author may delete it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    instance = models.ForeignKey(VnfInstance, on_delete=models.CASCADE, related_name="notes")
    author = models.CharField(max_length=150)
    text = models.CharField(max_length=2000)
    at = models.DateTimeField()


class StackSnapshot(models.Model):
    """The last input to Heat for an instance: Liberty does not return files and environment."""

    instance = models.OneToOneField(VnfInstance, on_delete=models.CASCADE, related_name="stack_snapshot")
    template = models.TextField()
    environment = models.JSONField()
    parameters = models.JSONField()
    files = models.JSONField()
    created_at = models.DateTimeField(auto_now=True)


class Vnfc(models.Model):
    """A running component: what operations recorded of it is expected, what Nova says of its server is observed."""

    class Desired(models.TextChoices):
        STARTED = "STARTED"
        STOPPED = "STOPPED"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    instance = models.ForeignKey(VnfInstance, on_delete=models.CASCADE, related_name="vnfcs")
    vdu_id = models.CharField(max_length=100)
    slot = models.CharField(max_length=20, blank=True)
    group_index = models.PositiveIntegerField(null=True)
    """Name of the member in Heat's ResourceGroup; null outside groups."""
    server_id = models.CharField(max_length=64)
    name = models.CharField(max_length=255)
    """The server's name when we recorded it; `server_name` is what Nova calls it now."""
    expected_flavor_id = models.CharField(max_length=255, blank=True)
    """The server's flavor when we recorded it, as Nova names it; "" until it is known."""
    expected_host = models.CharField(max_length=255, blank=True)
    """The server's host when we recorded it; "" until it is known, and where our rights hide it."""
    desired = models.CharField(max_length=10, choices=Desired.choices, default=Desired.STARTED)
    created_at = models.DateTimeField(db_default=Now())

    status = models.CharField(max_length=30, default="UNKNOWN")
    """Nova's status as last observed; MISSING when Nova no longer knows the server."""
    status_since = models.DateTimeField(null=True)
    fault = models.TextField(blank=True)
    host = models.CharField(max_length=255, blank=True)
    host_hash = models.CharField(max_length=64, blank=True)
    """Nova's `hostId`: the same for two servers of a project on one host; any role may see it."""
    host_since = models.DateTimeField(null=True)
    """Since when it is on that host; null until a poll has seen it move."""
    flavor = models.CharField(max_length=255, blank=True)
    """Name of its flavor, or the id where the last probe knew no name for it."""
    flavor_id = models.CharField(max_length=255, blank=True)
    """Its flavor as Nova tells it: the id on Liberty. Compared, where `flavor` is shown."""
    server_name = models.CharField(max_length=255, blank=True)
    observed_at = models.DateTimeField(null=True)
    """When a poll last changed this row; the last poll of its VIM is in `VimPollState`."""

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["instance", "server_id"], name="vnfc_once"),
            models.UniqueConstraint(
                fields=["instance", "vdu_id", "slot"], condition=~models.Q(slot=""), name="one_vnfc_in_a_slot"
            ),
        )
        indexes = (models.Index(fields=["server_id"], name="vnfc_server"),)


class VnfcPort(models.Model):
    """A connection point of a VNFC as Neutron shows it."""

    vnfc = models.ForeignKey(Vnfc, on_delete=models.CASCADE, related_name="ports")
    port_id = models.CharField(max_length=64)
    cp_id = models.CharField(max_length=100, blank=True)
    network_id = models.CharField(max_length=64)
    mac_address = models.CharField(max_length=20, blank=True)
    ip_addresses = models.JSONField(default=list)
    vnic_type = models.CharField(max_length=20, blank=True)
    status = models.CharField(max_length=20, blank=True)
    """Neutron's status; MISSING when Neutron no longer has a port that the package made."""
    status_since = models.DateTimeField(null=True)
    worked_until = models.DateTimeField(null=True)
    """When a poll last found it no longer ACTIVE."""
    vif_type = models.CharField(max_length=40, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["vnfc", "port_id"], name="vnfc_port_once"),)


class VnfVirtualLink(models.Model):
    """A network of an instance: made by its stack, or an existing one it was attached to."""

    instance = models.ForeignKey(VnfInstance, on_delete=models.CASCADE, related_name="virtual_links")
    vl_id = models.CharField(max_length=100)
    network_id = models.CharField(max_length=64)
    name = models.CharField(max_length=255, blank=True)
    created_by_stack = models.BooleanField()
    external_id = models.CharField(max_length=255, blank=True, db_default="")
    """The NFVO's id of an external virtual link (SOL003 4.4.1.11); "": none, and our row's id stands for it."""


class VimPollState(models.Model):
    """When and how a VIM was last polled, so that freshness costs one row a poll and not one a VM.

    In the database, so that any process continues where the last one stopped.
    """

    vim = models.OneToOneField("vims.Vim", primary_key=True, on_delete=models.CASCADE, related_name="poll_state")
    servers_at = models.DateTimeField(null=True)
    full_at = models.DateTimeField(null=True)
    """When all servers, and not only changed ones, were listed."""
    changes_until = models.DateTimeField(null=True)
    """Nova's clock at the last poll, or a moment before: derived from its stamps, as ours may differ."""
    stacks_at = models.DateTimeField(null=True)
    ports_at = models.DateTimeField(null=True)
    port_ids_at = models.DateTimeField(null=True)
    """When the ids of all ports were last listed."""
    hosts_at = models.DateTimeField(null=True)
    """When its compute hosts were last listed; null where our rights do not let us."""
    groups_at = models.DateTimeField(null=True)
    durations = models.JSONField(default=dict)
    """Request (`servers`, `full`, `ports`, `port_ids`, `stacks`, `hosts`) to the seconds that its last answer took, or
    that it was waited for."""
    changed_at = models.DateTimeField(null=True)
    """When a poll last found a change."""
    interval_seconds = models.FloatField(null=True)
    """From poll to poll (`domain.poll_interval`); null before the first poll."""
    interval_reason = models.CharField(max_length=20, blank=True)
    interval_message = models.TextField(blank=True)
    failures = models.PositiveIntegerField(default=0)
    """Polls that failed since the last good one."""
    published_reachable = models.CharField(max_length=7, default="Unknown")
    """The reachability that was last published with the instances of this VIM."""


class UnclaimedResource(models.Model):
    """Something in a cloud that no record of ours accounts for: left behind, made by hand, or let go of.

    A row is kept from the first poll that lists it; only one that a later poll still lists is shown
    (`selectors.unclaimed_list`), so that what an operation is just making or removing never is.
    """

    class Kind(models.TextChoices):
        STACK = "stack"
        SERVER = "server"
        IMAGE = "image"
        FLAVOR = "flavor"

    class Removal(models.TextChoices):
        NONE = "NONE"
        REQUESTED = "REQUESTED"
        FAILED = "FAILED"
        REMOVED = "REMOVED"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    vim = models.ForeignKey("vims.Vim", on_delete=models.CASCADE, related_name="unclaimed")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    resource_id = models.CharField(max_length=255)
    name = models.CharField(max_length=255)
    ours = models.BooleanField()
    """It carries our tag: a tag of the stack, metadata of the server, the name of the image or flavor."""
    owner = models.CharField(max_length=100, blank=True)
    """Id of the VNF instance that its tag names, whether or not there is one."""
    instance = models.ForeignKey(VnfInstance, null=True, on_delete=models.SET_NULL, related_name="strays")
    """The instance with this id, while there is one."""
    status = models.CharField(max_length=40, blank=True)
    detail = models.TextField(blank=True)
    pieces = models.JSONField(null=True)
    """The type by name of a stack's root resources, by which a package is found that could adopt it; null before."""
    stack_updated_at = models.CharField(max_length=40, blank=True)
    """Heat's `updated_time` that `pieces` belong to."""
    first_seen_at = models.DateTimeField()
    last_seen_at = models.DateTimeField()
    removal = models.CharField(max_length=10, choices=Removal.choices, default=Removal.NONE)
    removal_problem = models.JSONField(null=True)
    removal_by = models.CharField(max_length=150, blank=True)
    removal_requested_at = models.DateTimeField(null=True)
    """When the cloud was asked to remove it; null before."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=["vim", "kind", "resource_id"], name="unclaimed_once"),)


class Host(models.Model):
    """A compute host of a VIM as Nova shows it to its administrators; without such rights there are no rows.

    What is here is as old as `VimPollState.hosts_at`: ask `selectors.hosts_known` before believing it.
    """

    vim = models.ForeignKey("vims.Vim", on_delete=models.CASCADE, related_name="hosts")
    name = models.CharField(max_length=255)
    """The name that `Vnfc.host` has."""
    state = models.CharField(max_length=4)
    """up or down, the state of its hypervisor."""
    service = models.CharField(max_length=4)
    """up or down, the state of its nova-compute."""
    status = models.CharField(max_length=8)
    """enabled or disabled: whether Nova may place new servers there."""
    forced_down = models.BooleanField(null=True)
    """Forced down by an operator; null before Nova's 2.11."""
    reason = models.TextField(blank=True)
    """Why it was disabled, in the words of who did."""
    since = models.DateTimeField()
    """When a poll first found this state: any of state, service, status and forced_down."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=["vim", "name"], name="host_once"),)


class ServerGroup(models.Model):
    """Servers that Nova keeps together or apart, as of the last full poll."""

    vim = models.ForeignKey("vims.Vim", on_delete=models.CASCADE, related_name="server_groups")
    group_id = models.CharField(max_length=64)
    name = models.CharField(max_length=255, blank=True)
    policies = models.JSONField()
    """Such as ["anti-affinity"]."""
    members = models.JSONField()
    """Server ids."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=["vim", "group_id"], name="server_group_once"),)


class VimNotifications(models.Model):
    """Ways in which a cloud notifies us: its message bus, and webhooks of its alarms. No row: not configured."""

    vim = models.OneToOneField("vims.Vim", primary_key=True, on_delete=models.CASCADE, related_name="notifications")
    sealed_bus = models.BinaryField(null=True)
    """The transport URL of its message bus, which holds a password; null: none."""
    exchanges = models.JSONField(default=list)
    """The exchanges of the services that notify, such as nova."""
    topic = models.CharField(max_length=100, default="notifications")
    queue = models.CharField(max_length=255, blank=True)
    """Declared for us by the operator; "": our own, which ends with the connection."""
    listening = models.CharField(max_length=7, default="Unknown")
    """True, False or Unknown: whether we receive notifications."""
    listening_reason = models.CharField(max_length=60, default="NotTried")
    listening_message = models.TextField(default="No connection was tried yet.")
    listening_since = models.DateTimeField(null=True)
    received_at = models.DateTimeField(null=True)
    """When a notification last requested a poll, to some seconds."""
    webhook_salt = models.CharField(max_length=64, blank=True)
    """Salt of the token in its webhook URL; "": there is no such URL."""
    webhook_created_at = models.DateTimeField(null=True)
    webhook_called_at = models.DateTimeField(null=True)
    version = models.BigIntegerField(default=1)
    """The version of the settings of the bus, not of the webhook."""


class CloudAlarm(models.Model):
    """An alarm of the cloud's telemetry (Aodh, Ceilometer) as its webhook last reported it; it is never polled."""

    class State(models.TextChoices):
        OK = "ok"
        ALARM = "alarm"
        INSUFFICIENT_DATA = "insufficient data"

    vim = models.ForeignKey("vims.Vim", on_delete=models.CASCADE, related_name="cloud_alarms")
    alarm_id = models.CharField(max_length=64)
    name = models.CharField(max_length=255, blank=True)
    state = models.CharField(max_length=20, choices=State.choices)
    severity = models.CharField(max_length=15)
    """X.733's: INDETERMINATE where the telemetry lacks data."""
    reason = models.TextField(blank=True)
    reason_data = models.JSONField(default=dict)
    server_id = models.CharField(max_length=64, blank=True)
    """The server that an event alarm names; "" where it does not say."""
    instance = models.ForeignKey(VnfInstance, null=True, on_delete=models.CASCADE, related_name="cloud_alarms")
    """The instance that it is about; null: none that we know."""
    since = models.DateTimeField()
    """When the webhook first reported this state."""
    received_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["vim", "alarm_id"], name="cloud_alarm_once"),)
