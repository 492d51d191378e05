"""VIMs on the wire."""

from ipaddress import ip_network
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from vnfm.kit.web.shapes import answer, as_answer
from vnfm.kit.web.wire import JsonSerializer
from vnfm.vims.domain.quota_use import QuotaUse
from vnfm.vims.domain.reachability import VimReachable
from vnfm.vims.models import Vim
from vnfm.vims.selectors import project_of, quotas_of, reachability

FILTERS_HELP = "Nova's enabled scheduler filters, as its administrator entered them; null: not known."
INTERFACES = ("public", "internal", "admin")
LEAST_ADDRESSES = 4
"""The addresses that a subnet needs: the network's own, the gateway, a VM, and the broadcast address."""


class VimSerializer(serializers.ModelSerializer[Vim]):
    authUrl = serializers.CharField(source="auth_url")
    userDomainName = serializers.CharField(source="user_domain_name")
    projectDomainName = serializers.CharField(source="project_domain_name")
    projectName = serializers.SerializerMethodField(
        help_text="As registered, or else that of the last probe; empty where neither tells."
    )
    projectId = serializers.CharField(source="project_id", help_text="Scopes instead of projectName, if not empty.")
    applicationCredentialId = serializers.CharField(source="application_credential_id")
    applicationCredentialName = serializers.CharField(source="application_credential_name")
    hasPassword = serializers.SerializerMethodField()
    endpointOverrides = serializers.DictField(source="endpoint_overrides", child=serializers.CharField())
    schedulerFilters = serializers.ListField(
        source="scheduler_filters", child=serializers.CharField(), allow_null=True, help_text=FILTERS_HELP
    )
    conditions = serializers.SerializerMethodField()
    capabilities = serializers.DictField(
        child=serializers.BooleanField(allow_null=True),
        help_text="What the last probe found; null: the cloud does not say.",
    )
    capabilitiesSince = serializers.DictField(
        source="capabilities_since",
        child=serializers.DateTimeField(),
        help_text="When a probe first found the present value of each capability, and of hot_functions, resource_types "
        "and network_extensions (see the resources of the VIM).",
    )
    quotas = serializers.SerializerMethodField()
    versions = serializers.DictField(child=serializers.CharField())
    probedAt = serializers.DateTimeField(source="probed_at", allow_null=True)
    createdAt = serializers.DateTimeField(source="created_at")

    class Meta:
        model = Vim
        fields = (
            "id", "name", "description", "authUrl", "region", "interface", "userDomainName", "projectDomainName",
            "projectName", "username", "hasPassword", "cacert", "insecure", "endpointOverrides",
            *(
                "projectId",
                "applicationCredentialId",
                "applicationCredentialName",
                "schedulerFilters",
                "conditions",
                "capabilities",
                "capabilitiesSince",
                "quotas",
                "versions",
                "probedAt",
                "createdAt",
                "version",
            ),
        )  # fmt: skip
        read_only_fields = fields

    def get_projectName(self, vim: Vim) -> str:
        return project_of(vim).name

    def get_hasPassword(self, vim: Vim) -> bool:
        return bool(vim.sealed_credentials)

    @extend_schema_field(serializers.DictField(child=answer(QuotaUse)()))
    def get_quotas(self, vim: Vim) -> dict[str, Any]:
        return {resource: as_answer(quota) for resource, quota in quotas_of(vim).items()}

    @extend_schema_field(answer(VimReachable)(many=True))
    def get_conditions(self, vim: Vim) -> list[Any]:
        return [as_answer(reachability(vim).at(self.context["now"]))]


class VimWriteSerializer(JsonSerializer):
    """Unknown members are ignored, so that what GET gave may be sent back; no password means: as before.

    Needed are username, password, and projectId or projectName; or password, as its secret, with
    applicationCredentialId, or with applicationCredentialName and username.
    A change of authUrl, cacert, insecure or endpointOverrides needs the password.
    """

    name = serializers.CharField(max_length=100)
    description = serializers.CharField(max_length=500, required=False, allow_blank=True)
    authUrl = serializers.CharField(source="auth_url", max_length=500)
    region = serializers.CharField(max_length=100, required=False, allow_blank=True)
    interface = serializers.ChoiceField(choices=INTERFACES, required=False)
    userDomainName = serializers.CharField(source="user_domain_name", max_length=100, required=False)
    projectDomainName = serializers.CharField(source="project_domain_name", max_length=100, required=False)
    projectName = serializers.CharField(source="project_name", max_length=100, required=False, allow_blank=True)
    projectId = serializers.CharField(source="project_id", max_length=64, required=False, allow_blank=True)
    username = serializers.CharField(max_length=100, required=False, allow_blank=True)
    applicationCredentialId = serializers.CharField(
        source="application_credential_id", max_length=64, required=False, allow_blank=True
    )
    applicationCredentialName = serializers.CharField(
        source="application_credential_name", max_length=255, required=False, allow_blank=True
    )
    password = serializers.CharField(max_length=500, trim_whitespace=False, write_only=True)
    cacert = serializers.CharField(max_length=100_000, required=False, allow_blank=True)
    insecure = serializers.BooleanField(required=False)
    endpointOverrides = serializers.DictField(
        source="endpoint_overrides",
        child=serializers.CharField(max_length=500),
        required=False,
        help_text="Service type to URL; a change replaces them all.",
    )
    schedulerFilters = serializers.ListField(
        source="scheduler_filters",
        child=serializers.RegexField(r"^[A-Za-z][A-Za-z0-9_.]*$", max_length=100),
        max_length=100,
        required=False,
        allow_null=True,
        help_text=FILTERS_HELP,
    )


class NetworkWriteSerializer(JsonSerializer):
    name = serializers.CharField(max_length=100)
    cidr = serializers.CharField(
        max_length=43, help_text="Of its subnet, IPv4 or IPv6: 10.20.0.0/24. The first address is the gateway's."
    )
    dhcp = serializers.BooleanField(default=True)

    def validate_cidr(self, value: str) -> str:
        try:
            subnet = ip_network(value)
        except ValueError as error:
            raise serializers.ValidationError(f"Enter a subnet such as 10.20.0.0/24: {error}.") from error
        if subnet.is_multicast or "%" in value:
            raise serializers.ValidationError(f"{value} is not a subnet of VMs: enter one such as 10.20.0.0/24.")
        if subnet.num_addresses < LEAST_ADDRESSES:
            raise serializers.ValidationError(f"{value} is too small: it has no room for a gateway and a VM.")
        return str(subnet)
