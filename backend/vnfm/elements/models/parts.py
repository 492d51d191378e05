"""Parts of network elements, as last observed."""

from django.db import models

from vnfm.elements.models.element import NetworkElement


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
        """EMPTY: a slot that holds nothing, and for which nothing is configured. MISSING: it held the part before, and
        no resync has accepted that it is gone.
        """

        IN_SERVICE = "IN_SERVICE"
        OUT_OF_SERVICE = "OUT_OF_SERVICE"
        FAILED = "FAILED"
        BOOTING = "BOOTING"
        EMPTY = "EMPTY"
        PROVISIONED = "PROVISIONED"
        DIAGNOSING = "DIAGNOSING"
        MISSING = "MISSING"
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
    """Why it is not in service, as the element reports it."""
    since = models.DateTimeField()
    """When its administrative or operational state last changed."""
    vnfc = models.ForeignKey("inventory.Vnfc", null=True, on_delete=models.SET_NULL, related_name="equipment")
    """The VNFC that is this card, linked by slot."""
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
    port_if_index = models.BigIntegerField(null=True)
    """The ifIndex of a router interface's port, or link aggregation; null where unknown, and for ports."""
    since = models.DateTimeField()
    """When `admin` or `oper` last changed."""

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
    flaps = models.BigIntegerField(null=True)
    """The number of times that an established session was lost; null where the element does not count."""
    last_error = models.CharField(max_length=255, blank=True, default="", db_default="")
    families = models.JSONField(default=list, db_default=models.Value([], models.JSONField()))
    """Prefixes by address family: family, received, accepted, advertised (null where unknown)."""
    since = models.DateTimeField()
    """When the administrative state or the state last changed."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=["element", "vrf", "peer_address"], name="bgp_peer_once"),)

    @property
    def if_indexes(self) -> list[int]:
        return self.element.links.behind(self.peer_address)


class Adjacency(models.Model):
    """A neighbour of an element on one of its links. It stays as LOST when it disappears, as the link still exists.

    LLDP neighbours are FULL or LOST, BFD sessions have the states of RFC 5880, 4.1; all other states are those of OSPF
    (RFC 2328, 10.1).
    """

    class Protocol(models.TextChoices):
        LLDP = "LLDP"
        OSPF = "OSPF"
        BFD = "BFD"

    class State(models.TextChoices):
        DOWN = "DOWN"
        ATTEMPT = "ATTEMPT"
        INIT = "INIT"
        TWO_WAY = "TWO_WAY"
        EXCHANGE_START = "EXCHANGE_START"
        EXCHANGE = "EXCHANGE"
        LOADING = "LOADING"
        FULL = "FULL"
        UP = "UP"
        ADMIN_DOWN = "ADMIN_DOWN"
        LOST = "LOST"
        UNKNOWN = "UNKNOWN"

    id = models.BigAutoField(primary_key=True)
    element = models.ForeignKey(NetworkElement, on_delete=models.CASCADE, related_name="adjacencies")
    protocol = models.CharField(max_length=4, choices=Protocol.choices)
    local_port = models.CharField(max_length=255, blank=True)
    """Its name towards neighbours."""
    if_index = models.BigIntegerField(null=True)
    remote_id = models.CharField(max_length=255, blank=True)
    """LLDP: identity of the neighbour's chassis, MACs as 02:00:5e:00:53:01. OSPF: its router id. BFD: its address."""
    remote_port = models.CharField(max_length=255, blank=True)
    remote_name = models.CharField(max_length=255, blank=True)
    """The neighbour's sysName, from LLDP."""
    remote_address = models.CharField(max_length=64, blank=True)
    state = models.CharField(max_length=14, choices=State.choices)
    since = models.DateTimeField()
    """When `state` last changed."""
    loss_expected = models.BooleanField(default=False, db_default=False)
    """An operation of ours removes the neighbour, or its card: the row is deleted when the neighbour disappears."""

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["element", "protocol", "local_port", "remote_id", "remote_port"], name="adjacency_once"
            ),
        )


class ElementOmission(models.Model):
    """A row that an element answered at its last poll and that is not shown as read, in the fields of `Omission`."""

    id = models.BigAutoField(primary_key=True)
    # The database has no constraint: release 1.0, which may run beside this one, deletes elements without this table.
    element = models.ForeignKey(NetworkElement, on_delete=models.CASCADE, db_constraint=False, related_name="omissions")
    table = models.CharField(max_length=100, blank=True)
    index = models.CharField(max_length=500, blank=True)
    reason = models.CharField(max_length=500)
    unread = models.BooleanField()
    """The table itself could not be read whole."""
    since = models.DateTimeField()


class LastRows(models.Model):
    """The rows of a column as they were read last: they stand in when it cannot be read for a while."""

    id = models.BigAutoField(primary_key=True)
    # The database has no constraint: release 1.0, which may run beside this one, deletes elements without this table.
    element = models.ForeignKey(NetworkElement, on_delete=models.CASCADE, db_constraint=False, related_name="last_rows")
    column = models.CharField(max_length=255)
    """Its OID."""
    digest = models.BinaryField()
    rows = models.BinaryField()
    """The form is that of `reconcilers.last_rows`."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=["element", "column"], name="last_rows_once"),)


class ElementFact(models.Model):
    """Further state of an element, from which alarms may follow: redundancy, licence, FIB overload …

    `subject`: the part, "" for the whole element. The poller writes rows with `polled`, the trap receiver all others.
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
