"""Network elements, where they stand, and how they are spoken to."""

import uuid

from django.db import models
from django.db.models.functions import Now

from vnfm.inventory.models import Vnfc, VnfInstance


class Site(models.Model):
    """Where network elements stand. Latitude and longitude in degrees (WGS 84)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=100, unique=True)
    description = models.CharField(max_length=500, blank=True)
    latitude = models.FloatField(null=True)
    longitude = models.FloatField(null=True)
    version = models.BigIntegerField(default=1)
    created_at = models.DateTimeField(db_default=Now())


class MediationPolicy(models.Model):
    """How to speak to elements by one protocol. The secrets are sealed; see `kit.seal`."""

    class Protocol(models.TextChoices):
        SNMPV2C = "SNMPv2c"
        SNMPV3 = "SNMPv3"
        SSH = "SSH"
        NETCONF = "NETCONF"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=100, unique=True)
    protocol = models.CharField(max_length=10, choices=Protocol.choices)
    port = models.PositiveIntegerField()
    settings = models.JSONField(default=dict)
    """What is no secret, by the names of `domain.policies.SETTINGS`."""
    sealed_secrets = models.BinaryField()
    version = models.BigIntegerField(default=1)
    created_at = models.DateTimeField(db_default=Now())


class NetworkElement(models.Model):
    """A managed router, physical or virtual; a Virtual System on a chassis is one of its own.

    What an element says of itself, and its parts, is as last seen: it is true while `reachable` is True.
    """

    class Kind(models.TextChoices):
        PHYSICAL = "PHYSICAL"
        VIRTUAL = "VIRTUAL"

    class State(models.TextChoices):
        MANAGED = "MANAGED"
        UNMANAGED = "UNMANAGED"
        SUSPENDED = "SUSPENDED"

    class ResyncState(models.TextChoices):
        NEVER = "NEVER"
        WAITING = "WAITING"
        RUNNING = "RUNNING"
        DONE = "DONE"
        FAILED = "FAILED"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=100, unique=True)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    driver = models.CharField(max_length=40, blank=True)
    """Module of `domain.drivers`, as its sysObjectID says; "" until that was read."""
    site = models.ForeignKey(Site, null=True, on_delete=models.PROTECT, related_name="elements")
    management_address = models.CharField(max_length=255)
    snmp_policy = models.ForeignKey(MediationPolicy, null=True, on_delete=models.PROTECT, related_name="snmp_elements")
    ssh_policy = models.ForeignKey(MediationPolicy, null=True, on_delete=models.PROTECT, related_name="ssh_elements")
    netconf_policy = models.ForeignKey(
        MediationPolicy, null=True, on_delete=models.PROTECT, related_name="netconf_elements"
    )
    state = models.CharField(max_length=10, choices=State.choices, default=State.MANAGED)
    version = models.BigIntegerField(default=1)
    created_at = models.DateTimeField(db_default=Now())

    reachable = models.CharField(max_length=7, default="Unknown")
    reachable_reason = models.CharField(max_length=60, default="NotPolled")
    reachable_message = models.TextField(default="Nobody has asked it yet.")
    reachable_since = models.DateTimeField(db_default=Now())
    observed_at = models.DateTimeField(null=True)
    """When it last answered, so that all below was known to be true."""

    equipment_observed_at = models.DateTimeField(null=True)
    """When its equipment was last known to be as its rows say: a look may read other parts alone."""
    slots_leaving = models.JSONField(default=list)
    """Slots that an operation of ours takes out of its configuration: cards not listed any more are gone by right."""

    resync_state = models.CharField(max_length=8, choices=ResyncState.choices, default=ResyncState.WAITING)
    resync_scope = models.JSONField(default=list)
    """Parts that the resync is to read, of `domain.parts.Part`; empty: all."""
    resync_accepts = models.BooleanField(default=False)
    """It takes what is there for what should be: parts that are not listed any more are forgotten."""
    resync_progress = models.PositiveSmallIntegerField(default=0)
    """Percent of its tables."""
    resync_problem = models.TextField(blank=True)
    resync_requested_at = models.DateTimeField(null=True)
    first_full_resync_at = models.DateTimeField(null=True)
    last_full_resync_at = models.DateTimeField(null=True)

    sys_name = models.CharField(max_length=255, blank=True)
    sys_descr = models.TextField(blank=True)
    sys_object_id = models.CharField(max_length=255, blank=True)
    location = models.CharField(max_length=255, blank=True)
    chassis_type = models.CharField(max_length=100, blank=True)
    software_version = models.CharField(max_length=255, blank=True)
    up_since = models.DateTimeField(null=True)

    vnf_instance = models.ForeignKey(VnfInstance, null=True, on_delete=models.SET_NULL, related_name="network_elements")
    vnfc = models.ForeignKey(Vnfc, null=True, on_delete=models.SET_NULL, related_name="network_elements")
    """The component that is all of this element; null where its cards are components, joined by slot."""
    taken_over = models.JSONField(null=True)
    """Policies, driver and state that it had when a deployment took it over, by column; null for any other."""
    host_element = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="hosted_elements")
    """The chassis that a Virtual System lives on."""
    ssh_host_key = models.TextField(blank=True)
    """Pinned at the first contact, in OpenSSH's form; "" before."""
    netconf_host_key = models.TextField(blank=True)
    """As `ssh_host_key`: what answers at the port of NETCONF may be another server."""
    trap_sequence = models.BigIntegerField(null=True)
    """Number of the last trap heard; where the element counts them, a step over one means that it was lost."""
    trap_gap_since = models.DateTimeField(null=True)
    """Traps were missed since then; null when a resync has made up for it."""
    trap_gap_seen_at = models.DateTimeField(null=True)
    """When that was last noticed: only a look that began later makes up for it."""

    class Meta:
        indexes = (
            models.Index(fields=["created_at", "id"], name="element_by_creation"),
            models.Index(fields=["management_address"], name="element_by_address"),
        )
