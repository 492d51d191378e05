"""Notifications, and the processes that receive them."""

import uuid

from django.db import models

from vnfm.elements.models.element import NetworkElement


class Trap(models.Model):
    """A notification as received. It is not an alarm by itself: it requests polls."""

    id = models.BigAutoField(primary_key=True)
    element = models.ForeignKey(NetworkElement, null=True, on_delete=models.CASCADE, related_name="traps")
    source_address = models.CharField(max_length=64)
    trap_oid = models.CharField(max_length=255)
    name = models.CharField(max_length=100, blank=True)
    """Its name in the trap catalogue; "" for an unknown one."""
    varbinds = models.JSONField(default=dict)
    received_at = models.DateTimeField()
    sequence = models.BigIntegerField(null=True)

    class Meta:
        indexes = (
            models.Index(fields=["received_at", "id"], name="trap_by_time"),
            models.Index(fields=["element", "received_at"], name="trap_by_element"),
        )


class TrapReceiver(models.Model):
    """A trap receiver process, as it last reported; one row for each machine. Counts are since its start."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    host = models.CharField(max_length=255, unique=True)
    address = models.CharField(max_length=64)
    port = models.PositiveIntegerField()
    boots = models.PositiveIntegerField(default=0)
    """Starts on this machine: snmpEngineBoots, by which senders of informs notice that our clock was reset."""
    started_at = models.DateTimeField()
    reported_at = models.DateTimeField()
    """When the process last reported."""
    problem = models.TextField(blank=True)
    """Why it receives nothing, or less than it could; "" without a problem."""
    buffer_wanted = models.PositiveIntegerField()
    buffer_size = models.PositiveIntegerField()
    """Octets of the socket's buffer that the kernel grants."""
    received = models.BigIntegerField(default=0)
    stored = models.BigIntegerField(default=0)
    sampled_out = models.BigIntegerField(default=0)
    """Counted and evaluated, but not stored: storms."""
    repeated = models.BigIntegerField(default=0)
    """Informs that were repeated before their acknowledgement arrived."""
    refused = models.BigIntegerField(default=0)
    """Notifications with another community or user than the element's policy has."""
    garbled = models.BigIntegerField(default=0)
    refusals = models.JSONField(default=list, db_default=models.Value([], models.JSONField()))
    """The last `refused`, `garbled` and `overflowed` by sender and reason, `traps.refusals.MAX_LISTED` at most: source,
    element_id, element_name, reason, count, last_at.
    """
    unknown = models.BigIntegerField(default=0)
    """From addresses of no element; a limited number is stored."""
    overflowed = models.BigIntegerField(default=0)
    dropped = models.BigIntegerField(default=0)
    """Lost: `overflowed` by us, as too many waited or the datagram was too large; `dropped` by the kernel."""
