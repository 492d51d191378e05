"""Notifications, and the processes that hear them."""

import uuid

from django.db import models

from vnfm.elements.models.element import NetworkElement


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
