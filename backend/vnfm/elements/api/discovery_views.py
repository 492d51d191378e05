"""/api/v1/discovery_rules: address ranges that the poller scans for elements, and the results."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.elements.domain.discovery import ScanResult
from vnfm.elements.models import DiscoveryRule, MediationPolicy, Site
from vnfm.elements.selectors import rule_list
from vnfm.elements.services.discovery_rules import rule_create, rule_delete, rule_scan, rule_update
from vnfm.kit.web.message import wire
from vnfm.kit.web.resource import Resource, Sentences
from vnfm.kit.web.shapes import answer
from vnfm.kit.web.wire import JsonSerializer


@dataclass(frozen=True)
class ScanShape:
    state: DiscoveryRule.ScanState = wire(source="scan_state")
    started_at: datetime | None = wire(source="scan_started_at")
    ended_at: datetime | None = wire(source="scan_ended_at")
    asked: int = wire(source="scan_probed")
    """Addresses probed so far."""
    total: int = wire(source="scan_total")
    problem: str = wire(source="scan_problem")


@dataclass(frozen=True, kw_only=True)
class DiscoveryRuleShape:
    id: UUID
    name: str
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    enabled: bool
    scan_interval: int | None
    site_id: UUID | None
    snmp_policy_id: UUID
    ssh_policy_id: UUID | None
    netconf_policy_id: UUID | None
    scan: ScanShape = wire(source="*")
    results: tuple[ScanResult, ...]
    """The addresses that answered the last scan."""
    created_at: datetime
    version: int


class DiscoveryRuleWriteSerializer(JsonSerializer):
    name = serializers.CharField(max_length=100)
    include = serializers.ListField(
        child=serializers.CharField(max_length=100),
        min_length=1,
        max_length=100,
        help_text="192.0.2.0/24, 192.0.2.10-192.0.2.20 or 192.0.2.5; 65,536 addresses at most.",
    )
    exclude = serializers.ListField(child=serializers.CharField(max_length=100), max_length=100, required=False)
    enabled = serializers.BooleanField(required=False)
    scanInterval = serializers.IntegerField(
        source="scan_interval",
        min_value=60,
        max_value=30 * 24 * 3600,
        required=False,
        allow_null=True,
        help_text="Seconds from the end of one scan to the next; null: only on request.",
    )
    siteId = serializers.PrimaryKeyRelatedField(
        queryset=Site.objects.all(), source="site", required=False, allow_null=True
    )
    snmpPolicyId = serializers.PrimaryKeyRelatedField(queryset=MediationPolicy.objects.all(), source="snmp_policy")
    sshPolicyId = serializers.PrimaryKeyRelatedField(
        queryset=MediationPolicy.objects.all(), source="ssh_policy", required=False, allow_null=True
    )
    netconfPolicyId = serializers.PrimaryKeyRelatedField(
        queryset=MediationPolicy.objects.all(), source="netconf_policy", required=False, allow_null=True
    )


RULES = Resource(
    name="discovery_rule",
    noun="discovery rule",
    key="rule_id",
    rows=rule_list,
    filters={"id": "id", "name": "name", "enabled": "enabled", "siteId": "site_id", "scan/state": "scan_state"},
    shape=answer(DiscoveryRuleShape),
    creates=DiscoveryRuleWriteSerializer,
    changes=DiscoveryRuleWriteSerializer,
    create=lambda values, _by: rule_create(columns=values),
    change=lambda rule, values, _by: rule_update(rule=rule, changes=values),
    delete=lambda rule, _by: rule_delete(rule=rule),
    sentences=Sentences(
        list="Discovery rules, oldest first.",
        create="Ranges to scan for elements. Elements that answer are registered and managed.",
        view="One discovery rule, and the results of its last scan.",
        change="Change a rule; honours If-Match.",
        delete="Delete a rule; the elements that it registered stay.",
    ),
)


class DiscoveryRuleScanApi(APIView):
    @extend_schema(
        operation_id="discovery_rule_scan",
        request=serializers.Serializer[None],
        responses={202: answer(DiscoveryRuleShape)},
    )
    def post(self, _request: Request, **place: UUID) -> Response:
        """Scan now, enabled or not; `scan` shows the progress. 409 while a scan is running."""
        return RULES.answer(rule_scan(rule=RULES.one(place)), 202)
