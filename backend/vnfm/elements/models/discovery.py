"""Discovery rules."""

import uuid

from django.db import models
from django.db.models.functions import Now

from vnfm.elements.models.element import MediationPolicy, Site


class DiscoveryRule(models.Model):
    """Address ranges to scan for elements, the policies to use, and the results of the last scan."""

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
    """Seconds; null: only on request."""
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
    scan_probed = models.PositiveIntegerField(default=0)
    """Addresses probed so far, of `scan_total`."""
    scan_total = models.PositiveIntegerField(default=0)
    scan_problem = models.TextField(blank=True)
    results = models.JSONField(default=list)
    """A `domain.discovery.ScanResult` for each address that answered the last scan."""
