"""Network elements, sites and mediation policies."""

import uuid

from django.db import models
from django.db.models.functions import Now
from django.utils.functional import cached_property

from vnfm.elements.domain.links import Links


class Site(models.Model):
    """A location of network elements. Latitude and longitude in degrees (WGS 84)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=100, unique=True)
    description = models.CharField(max_length=500, blank=True)
    latitude = models.FloatField(null=True)
    longitude = models.FloatField(null=True)
    version = models.BigIntegerField(default=1)
    created_at = models.DateTimeField(db_default=Now())


class MediationPolicy(models.Model):
    """Protocol, settings and credentials for access to elements. The secrets are sealed; see `kit.seal`."""

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
    """By the names of `domain.policies.SETTINGS`; without secrets."""
    sealed_secrets = models.BinaryField()
    networks = models.JSONField(default=list)
    """The only networks that the secrets may be sent to, as 10.1.0.0/16."""
    version = models.BigIntegerField(default=1)
    created_at = models.DateTimeField(db_default=Now())


class ManagementProfile(models.Model):
    """The defaults by which new VNFs of a cloud and package are managed. The most specific profile applies."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=100, unique=True)
    vim = models.ForeignKey("vims.Vim", null=True, on_delete=models.CASCADE, related_name="management_profiles")
    """Null: any cloud."""
    provider = models.CharField(max_length=100, blank=True)
    """Provider of the package; "" matches any, also in `product_name`."""
    product_name = models.CharField(max_length=100, blank=True)
    snmp_policy = models.ForeignKey(MediationPolicy, on_delete=models.PROTECT, related_name="snmp_profiles")
    ssh_policy = models.ForeignKey(MediationPolicy, null=True, on_delete=models.PROTECT, related_name="ssh_profiles")
    netconf_policy = models.ForeignKey(
        MediationPolicy, null=True, on_delete=models.PROTECT, related_name="netconf_profiles"
    )
    address_range = models.CharField(max_length=18, blank=True)
    """IPv4 network from which each VNF gets a management subnet of its own; "": the package's default subnet."""
    configures_snmp = models.BooleanField(null=True)
    """Whether new routers get the SNMP access of `snmp_policy` by the SSH policy; null: as the package says."""
    version = models.BigIntegerField(default=1)
    created_at = models.DateTimeField(db_default=Now())


class PreparedNetwork(models.Model):
    """Registered once: what users delete of it is not registered again."""

    name = models.CharField(max_length=100, primary_key=True)
    created_at = models.DateTimeField(db_default=Now())


class NetworkElement(models.Model):
    """A router, physical or virtual; a Virtual System on a chassis is an element of its own.

    All that was read of it, and its parts, are as last observed: current while `reachable` is True.
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
    """Module of `domain.drivers`, by its sysObjectID; "" until that was read."""
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
    reachable_message = models.TextField(default="It has not been polled yet.")
    reachable_since = models.DateTimeField(db_default=Now())
    observed_at = models.DateTimeField(null=True)
    """When it last answered: all below was current then."""

    equipment_observed_at = models.DateTimeField(null=True)
    """When its equipment rows were last current: a poll may read only other parts."""
    omission_count = models.PositiveIntegerField(default=0, db_default=0)
    """Lines of `ElementOmission`, and those beyond the number that is stored."""
    stale_parts = models.JSONField(default=dict, db_default=models.Value({}, models.JSONField()))
    """Parts of `domain.parts.Part` whose states could not be read: since when, in ISO 8601."""
    slots_leaving = models.JSONField(default=list)
    """Slots that an operation of ours removes from the configuration: their cards may disappear."""

    resync_state = models.CharField(max_length=8, choices=ResyncState.choices, default=ResyncState.WAITING)
    resync_scope = models.JSONField(default=list)
    """Parts to read, of `domain.parts.Part`; empty: all."""
    resync_accepts = models.BooleanField(default=False)
    """Parts that the element does not list any more are deleted."""
    resync_progress = models.PositiveSmallIntegerField(default=0)
    """Percent of the tables."""
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

    vnf_instance = models.ForeignKey(
        "inventory.VnfInstance", null=True, on_delete=models.SET_NULL, related_name="network_elements"
    )
    vnfc = models.ForeignKey("inventory.Vnfc", null=True, on_delete=models.SET_NULL, related_name="network_elements")
    """The VNFC that is all of this element; null where its cards are VNFCs, linked by slot."""
    taken_over = models.JSONField(null=True)
    """Policies, driver and state before a deployment took it over, by column; null: not taken over."""
    host_element = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="hosted_elements")
    """The chassis of a Virtual System."""
    host_set_by_user = models.BooleanField(default=False, db_default=False)
    """A user changed `host_element`, perhaps to null: polls do not set it any more."""
    ssh_host_key = models.TextField(blank=True)
    """Pinned at the first contact, in OpenSSH's form; "" before."""
    netconf_host_key = models.TextField(blank=True)
    """Kept beside `ssh_host_key`: the NETCONF port may belong to another server."""
    login_warning = models.CharField(max_length=200, blank=True, db_default="")
    """The element's warning about our password at the last login by SSH, such as that it expires soon; "" for none."""
    trap_sequence = models.BigIntegerField(null=True)
    """Request-id of the last trap; where the element numbers its traps, a skipped number means a lost trap."""
    trap_gap_since = models.DateTimeField(null=True)
    """Traps have been lost since then; null after a full poll."""
    trap_gap_noticed_at = models.DateTimeField(null=True)
    """When the last loss was noticed: only a full poll that began later makes up for it."""

    class Meta:
        indexes = (
            models.Index(fields=["created_at", "id"], name="element_by_creation"),
            models.Index(fields=["management_address"], name="element_by_address"),
        )

    @cached_property
    def links(self) -> Links:
        return Links(self.interfaces.all())
