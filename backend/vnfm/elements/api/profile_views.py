"""/api/v1/management_profiles: mediation policies and management subnets of new VNFs, by cloud and package."""

from typing import Any

from rest_framework import serializers

from vnfm.elements.models import MediationPolicy
from vnfm.elements.selectors import profile_list
from vnfm.elements.services.management_profiles import profile_create, profile_delete, profile_update
from vnfm.kit.web.resource import Resource, Sentences
from vnfm.kit.web.wire import JsonSerializer
from vnfm.vims.models import Vim

ANY = "Empty: any."
SNMP = (
    "Whether new routers get the SNMP access of the policy (community or user, trap receiver): of SR OS by the SSH or "
    "NETCONF policy, of VRP by the SSH policy; others, such as FRR, get it by user data (day 0), and the plan says so. "
    "Null: as the package says."
)
RANGE = "IPv4 network from which each VNF gets a management subnet of its own; empty: the package's default subnet."


def _policy(column: str, *, required: bool = False) -> "serializers.PrimaryKeyRelatedField[MediationPolicy]":
    return serializers.PrimaryKeyRelatedField(
        queryset=MediationPolicy.objects.all(), source=column, required=required, allow_null=not required
    )


class ManagementProfileSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    vimId = serializers.UUIDField(source="vim_id", allow_null=True, help_text="Null: any cloud.")
    vimName = serializers.CharField(source="vim.name", default=None, allow_null=True)
    provider = serializers.CharField()
    productName = serializers.CharField(source="product_name")
    snmpPolicyId = serializers.UUIDField(source="snmp_policy_id")
    sshPolicyId = serializers.UUIDField(source="ssh_policy_id", allow_null=True)
    netconfPolicyId = serializers.UUIDField(source="netconf_policy_id", allow_null=True)
    addressRange = serializers.CharField(source="address_range", help_text=RANGE)
    configureSnmp = serializers.BooleanField(source="configures_snmp", allow_null=True, help_text=SNMP)
    createdAt = serializers.DateTimeField(source="created_at")
    version = serializers.IntegerField()


class ManagementProfileWriteSerializer(JsonSerializer):
    name = serializers.CharField(max_length=100)
    vimId = serializers.PrimaryKeyRelatedField(
        queryset=Vim.objects.all(), source="vim", required=False, allow_null=True, help_text="Null: any cloud."
    )
    provider = serializers.CharField(max_length=100, required=False, allow_blank=True, help_text=ANY)
    productName = serializers.CharField(
        source="product_name", max_length=100, required=False, allow_blank=True, help_text=ANY
    )
    snmpPolicyId = _policy("snmp_policy", required=True)
    sshPolicyId = _policy("ssh_policy")
    netconfPolicyId = _policy("netconf_policy")
    addressRange = serializers.CharField(
        source="address_range", max_length=18, required=False, allow_blank=True, help_text=RANGE
    )
    configureSnmp = serializers.BooleanField(source="configures_snmp", required=False, allow_null=True, help_text=SNMP)


PROFILES = Resource(
    name="management_profile",
    noun="management profile",
    key="profile_id",
    rows=profile_list,
    filters={"id": "id", "name": "name", "vimId": "vim_id", "provider": "provider", "productName": "product_name"},
    shape=ManagementProfileSerializer,
    creates=ManagementProfileWriteSerializer,
    changes=ManagementProfileWriteSerializer,
    create=lambda values, _by: profile_create(columns=values),
    change=lambda profile, values, _by: profile_update(profile=profile, changes=values),
    delete=lambda profile, _by: profile_delete(profile=profile),
    sentences=Sentences(
        list="Management profiles, oldest first.",
        create="Policies and management subnets for new VNFs of a cloud and package; the most specific profile applies "
        "where a request names no mediation policy.",
        view="One management profile.",
        change="Change a profile; VNFs that are deployed stay as they are. Honours If-Match.",
        delete="Remove a profile; VNFs that are deployed stay as they are.",
    ),
)
