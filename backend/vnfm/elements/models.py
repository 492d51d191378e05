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


class Equipment(models.Model):
    """A part of an element, addressed as in 5620 SAM: network:ADDRESS:shelf-1:cardSlot-1:card … (domain facts, 3.3)."""

    class Class(models.TextChoices):
        CHASSIS = "CHASSIS"
        CARD = "CARD"
        CPM = "CPM"
        MDA = "MDA"
        PORT = "PORT"
        FAN = "FAN"
        POWER_SUPPLY = "POWER_SUPPLY"
        FABRIC = "FABRIC"
        OTHER = "OTHER"

    class AdminState(models.TextChoices):
        UP = "UP"
        DOWN = "DOWN"
        UNKNOWN = "UNKNOWN"

    class OperState(models.TextChoices):
        IN_SERVICE = "IN_SERVICE"
        OUT_OF_SERVICE = "OUT_OF_SERVICE"
        FAILED = "FAILED"
        BOOTING = "BOOTING"
        EMPTY = "EMPTY"
        PROVISIONED = "PROVISIONED"
        DIAGNOSING = "DIAGNOSING"
        UNKNOWN = "UNKNOWN"

    id = models.BigAutoField(primary_key=True)
    element = models.ForeignKey(NetworkElement, on_delete=models.CASCADE, related_name="equipment")
    fdn = models.CharField(max_length=400)
    parent_fdn = models.CharField(max_length=400)
    equipment_class = models.CharField(max_length=12, choices=Class.choices)
    slot = models.CharField(max_length=40, blank=True)
    name = models.CharField(max_length=255, blank=True)
    type = models.CharField(max_length=255, blank=True)
    serial_number = models.CharField(max_length=100, blank=True)
    software_version = models.CharField(max_length=255, blank=True)
    admin_state = models.CharField(max_length=7, choices=AdminState.choices)
    oper_state = models.CharField(max_length=14, choices=OperState.choices)
    reason = models.CharField(max_length=255, blank=True)
    """Why it is not in service, in the element's words."""
    since = models.DateTimeField()
    """When its administrative or operational state was first seen as it is."""
    vnfc = models.ForeignKey(Vnfc, null=True, on_delete=models.SET_NULL, related_name="equipment")
    """The component of the VNF instance that is this card, joined by slot."""
    if_index = models.BigIntegerField(null=True)
    extra = models.JSONField(default=dict)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["element", "fdn"], name="equipment_once"),)
        indexes = (models.Index(fields=["fdn", "id"], name="equipment_by_fdn"),)


class Interface(models.Model):
    """A row of IF-MIB (RFC 2863). Speed in bit/s, MTU in octets."""

    class Status(models.TextChoices):
        UP = "UP"
        DOWN = "DOWN"
        TESTING = "TESTING"
        UNKNOWN = "UNKNOWN"
        DORMANT = "DORMANT"
        NOT_PRESENT = "NOT_PRESENT"
        LOWER_LAYER_DOWN = "LOWER_LAYER_DOWN"

    id = models.BigAutoField(primary_key=True)
    element = models.ForeignKey(NetworkElement, on_delete=models.CASCADE, related_name="interfaces")
    if_index = models.BigIntegerField()
    name = models.CharField(max_length=255, blank=True)
    alias = models.CharField(max_length=255, blank=True)
    admin = models.CharField(max_length=16, choices=Status.choices)
    oper = models.CharField(max_length=16, choices=Status.choices)
    speed = models.BigIntegerField(null=True)
    mac = models.CharField(max_length=40, blank=True)
    addresses = models.JSONField(default=list)
    """With prefix length, as 192.0.2.1/24."""
    mtu = models.BigIntegerField(null=True)
    since = models.DateTimeField()
    """When `admin` or `oper` was first seen as it is."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=["element", "if_index"], name="interface_once"),)


class BgpPeer(models.Model):
    """A BGP neighbour; the states are those of RFC 4271 and BGP4-MIB."""

    class AdminState(models.TextChoices):
        UP = "UP"
        DOWN = "DOWN"
        UNKNOWN = "UNKNOWN"

    class State(models.TextChoices):
        IDLE = "IDLE"
        CONNECT = "CONNECT"
        ACTIVE = "ACTIVE"
        OPEN_SENT = "OPEN_SENT"
        OPEN_CONFIRM = "OPEN_CONFIRM"
        ESTABLISHED = "ESTABLISHED"
        UNKNOWN = "UNKNOWN"

    id = models.BigAutoField(primary_key=True)
    element = models.ForeignKey(NetworkElement, on_delete=models.CASCADE, related_name="bgp_peers")
    vrf = models.CharField(max_length=100, blank=True)
    """"" is the base instance."""
    peer_address = models.CharField(max_length=64)
    remote_as = models.BigIntegerField(null=True)
    admin_state = models.CharField(max_length=7, choices=AdminState.choices)
    state = models.CharField(max_length=12, choices=State.choices)
    since = models.DateTimeField()
    """When the administrative state or the state was first seen as it is."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=["element", "vrf", "peer_address"], name="bgp_peer_once"),)


class Adjacency(models.Model):
    """A neighbour that an element hears on one of its links. It is kept when it is heard no more: the link is there.

    Of LLDP a neighbour is FULL or LOST; the other words are of OSPF (RFC 2328, 10.1).
    """

    class Protocol(models.TextChoices):
        LLDP = "LLDP"
        OSPF = "OSPF"

    class State(models.TextChoices):
        DOWN = "DOWN"
        ATTEMPT = "ATTEMPT"
        INIT = "INIT"
        TWO_WAY = "TWO_WAY"
        EXCHANGE_START = "EXCHANGE_START"
        EXCHANGE = "EXCHANGE"
        LOADING = "LOADING"
        FULL = "FULL"
        LOST = "LOST"
        UNKNOWN = "UNKNOWN"

    id = models.BigAutoField(primary_key=True)
    element = models.ForeignKey(NetworkElement, on_delete=models.CASCADE, related_name="adjacencies")
    protocol = models.CharField(max_length=4, choices=Protocol.choices)
    local_port = models.CharField(max_length=255, blank=True)
    """As it calls itself towards its neighbours."""
    if_index = models.BigIntegerField(null=True)
    remote_id = models.CharField(max_length=255, blank=True)
    """LLDP: identity of the neighbour's chassis, MACs as 02:00:5e:00:53:01. OSPF: its router id."""
    remote_port = models.CharField(max_length=255, blank=True)
    remote_name = models.CharField(max_length=255, blank=True)
    """Its sysName, as LLDP tells."""
    remote_address = models.CharField(max_length=64, blank=True)
    state = models.CharField(max_length=14, choices=State.choices)
    since = models.DateTimeField()
    """When `state` was first seen as it is."""

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["element", "protocol", "local_port", "remote_id", "remote_port"], name="adjacency_once"
            ),
        )


class ElementFact(models.Model):
    """One more thing that is so of an element, from which alarms may follow: redundancy, licence, FIB overload …

    `subject` says of what part, "" of the element as a whole. Rows that `polled` says were read from tables are written
    and removed by the poller, the others by who hears traps.
    """

    id = models.BigAutoField(primary_key=True)
    element = models.ForeignKey(NetworkElement, on_delete=models.CASCADE, related_name="facts")
    name = models.CharField(max_length=60)
    subject = models.CharField(max_length=255, blank=True)
    value = models.CharField(max_length=255)
    polled = models.BooleanField(default=False)
    since = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["element", "name", "subject"], name="element_fact_once"),)


class Trap(models.Model):
    """A notification as it arrived. It is never an alarm by itself: it says where to look."""

    id = models.BigAutoField(primary_key=True)
    element = models.ForeignKey(NetworkElement, null=True, on_delete=models.CASCADE, related_name="traps")
    source_address = models.CharField(max_length=64)
    trap_oid = models.CharField(max_length=255)
    name = models.CharField(max_length=100, blank=True)
    """As the trap catalogue calls it; "" when it does not know it."""
    varbinds = models.JSONField(default=dict)
    received_at = models.DateTimeField()
    sequence = models.BigIntegerField(null=True)

    class Meta:
        indexes = (
            models.Index(fields=["received_at", "id"], name="trap_by_time"),
            models.Index(fields=["element", "received_at"], name="trap_by_element"),
        )


class TrapReceiver(models.Model):
    """A process that hears notifications, as it last said; one row a machine. Counts are since its start."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    host = models.CharField(max_length=255, unique=True)
    address = models.CharField(max_length=64)
    port = models.PositiveIntegerField()
    boots = models.PositiveIntegerField(default=0)
    """Starts on this machine: snmpEngineBoots, by which senders of informs know that our clock began anew."""
    started_at = models.DateTimeField()
    heard_at = models.DateTimeField()
    """When the process last said so."""
    problem = models.TextField(blank=True)
    """Why it hears nothing, or less than it could; "" when all is well."""
    buffer_wanted = models.PositiveIntegerField()
    buffer_size = models.PositiveIntegerField()
    """Octets of the socket's buffer, as the kernel gives them."""
    received = models.BigIntegerField(default=0)
    stored = models.BigIntegerField(default=0)
    sampled_out = models.BigIntegerField(default=0)
    """Counted and looked after, but no rows: storms."""
    repeated = models.BigIntegerField(default=0)
    """Informs that came again before their acknowledgement arrived."""
    refused = models.BigIntegerField(default=0)
    """Of another community or user than the element's policy says."""
    garbled = models.BigIntegerField(default=0)
    unknown = models.BigIntegerField(default=0)
    """From addresses of no element; stored as far as their number allows."""
    overflowed = models.BigIntegerField(default=0)
    dropped = models.BigIntegerField(default=0)
    """Left out: by us, as too many waited or it was too large; and by the kernel, as the socket's buffer was full."""


class DiscoveryRule(models.Model):
    """Address ranges in which to look for elements, how, and what the last scan found."""

    class ScanState(models.TextChoices):
        NEVER = "NEVER"
        WAITING = "WAITING"
        RUNNING = "RUNNING"
        DONE = "DONE"
        FAILED = "FAILED"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=100, unique=True)
    include = models.JSONField(default=list)
    """Networks, ranges or addresses: 192.0.2.0/24, 192.0.2.10-192.0.2.20, 192.0.2.5."""
    exclude = models.JSONField(default=list)
    enabled = models.BooleanField(default=True)
    scan_interval = models.PositiveIntegerField(null=True)
    """Seconds; null: only when asked to."""
    site = models.ForeignKey(Site, null=True, on_delete=models.PROTECT, related_name="discovery_rules")
    snmp_policy = models.ForeignKey(MediationPolicy, on_delete=models.PROTECT, related_name="snmp_rules")
    ssh_policy = models.ForeignKey(MediationPolicy, null=True, on_delete=models.PROTECT, related_name="ssh_rules")
    netconf_policy = models.ForeignKey(
        MediationPolicy, null=True, on_delete=models.PROTECT, related_name="netconf_rules"
    )
    version = models.BigIntegerField(default=1)
    created_at = models.DateTimeField(db_default=Now())

    scan_state = models.CharField(max_length=8, choices=ScanState.choices, default=ScanState.NEVER)
    scan_started_at = models.DateTimeField(null=True)
    scan_ended_at = models.DateTimeField(null=True)
    scan_asked = models.PositiveIntegerField(default=0)
    """Addresses that the scan has asked so far, of `scan_total`."""
    scan_total = models.PositiveIntegerField(default=0)
    scan_problem = models.TextField(blank=True)
    results = models.JSONField(default=list)
    """By address: what answered at the last scan, and what became of it; see `domain.discovery.Result`."""
