"""/api/v1/sites and /api/v1/mediation_policies: locations of elements, and credentials for access to them."""

from typing import Any

from rest_framework import serializers

from vnfm.accounts.roles import Role
from vnfm.elements.domain.policies import AUTH_PROTOCOLS, NEEDS, PRIV_PROTOCOLS, SECRETS, SETTINGS
from vnfm.elements.models import MediationPolicy
from vnfm.elements.selectors import policy_list, secrets_of, site_list
from vnfm.elements.services.mediation_policies import policy_create, policy_delete, policy_update
from vnfm.elements.services.sites import site_create, site_delete, site_update
from vnfm.kit.web.resource import Resource, Sentences
from vnfm.kit.web.wire import JsonSerializer

NETWORKS = (
    "The only networks that the secrets may be sent to, as 10.1.0.0/16 or 192.0.2.7/32. Adding one needs an "
    "administrator, or the secrets again."
)


class SiteSerializer(JsonSerializer):
    id = serializers.UUIDField(read_only=True)
    name = serializers.CharField(max_length=100)
    description = serializers.CharField(max_length=500, required=False, allow_blank=True)
    latitude = serializers.FloatField(min_value=-90, max_value=90, required=False, allow_null=True)
    longitude = serializers.FloatField(min_value=-180, max_value=180, required=False, allow_null=True)
    createdAt = serializers.DateTimeField(source="created_at", read_only=True)
    version = serializers.IntegerField(read_only=True)


class MediationPolicySerializer(serializers.Serializer[Any]):
    """Secrets are write-only. Settings that a protocol does not have are null; `has…` is false."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    protocol = serializers.ChoiceField(choices=MediationPolicy.Protocol.choices)
    port = serializers.IntegerField()
    networks = serializers.ListField(child=serializers.CharField(), help_text=NETWORKS)
    username = serializers.CharField(allow_null=True)
    authProtocol = serializers.ChoiceField(choices=AUTH_PROTOCOLS, source="auth_protocol", allow_null=True)
    privProtocol = serializers.ChoiceField(choices=PRIV_PROTOCOLS, source="priv_protocol", allow_null=True)
    timeoutSeconds = serializers.FloatField(source="timeout_seconds", allow_null=True)
    retries = serializers.IntegerField(allow_null=True)
    maxRepetitions = serializers.IntegerField(source="max_repetitions", allow_null=True)
    oldAlgorithms = serializers.BooleanField(source="old_algorithms", allow_null=True)
    hasCommunity = serializers.BooleanField(source="community")
    hasAuthPassword = serializers.BooleanField(source="auth_password")
    hasPrivPassword = serializers.BooleanField(source="priv_password")
    hasPassword = serializers.BooleanField(source="password")
    hasPrivateKey = serializers.BooleanField(source="private_key")
    createdAt = serializers.DateTimeField(source="created_at")
    version = serializers.IntegerField()

    def to_representation(self, instance: MediationPolicy) -> dict[str, Any]:
        settings = {**NEEDS[instance.protocol].settings, **instance.settings}
        secrets = secrets_of(instance)
        values: Any = {
            **{
                name: getattr(instance, name)
                for name in ("id", "name", "protocol", "port", "networks", "created_at", "version")
            },
            **{name: settings.get(name) for name in SETTINGS},
            **{name: bool(secrets.get(name)) for name in SECRETS},
        }
        return super().to_representation(values)


class PolicyChangeSerializer(JsonSerializer):
    """Secrets that are left out do not change."""

    name = serializers.CharField(max_length=100)
    networks = serializers.ListField(
        child=serializers.CharField(max_length=50), min_length=1, max_length=100, help_text=NETWORKS
    )
    port = serializers.IntegerField(min_value=1, max_value=65535, required=False)
    username = serializers.CharField(max_length=100, required=False)
    authProtocol = serializers.ChoiceField(
        choices=AUTH_PROTOCOLS, source="auth_protocol", required=False, allow_blank=True
    )
    privProtocol = serializers.ChoiceField(
        choices=PRIV_PROTOCOLS, source="priv_protocol", required=False, allow_blank=True
    )
    timeoutSeconds = serializers.FloatField(source="timeout_seconds", min_value=0.1, max_value=30, required=False)
    retries = serializers.IntegerField(min_value=0, max_value=5, required=False)
    maxRepetitions = serializers.IntegerField(source="max_repetitions", min_value=1, max_value=200, required=False)
    oldAlgorithms = serializers.BooleanField(
        source="old_algorithms", required=False, help_text="Offer SHA-1, ssh-rsa and CBC, for software of 2016."
    )
    community = serializers.CharField(max_length=255, trim_whitespace=False, required=False, write_only=True)
    authPassword = serializers.CharField(
        source="auth_password", max_length=255, trim_whitespace=False, required=False, write_only=True
    )
    privPassword = serializers.CharField(
        source="priv_password", max_length=255, trim_whitespace=False, required=False, write_only=True
    )
    password = serializers.CharField(max_length=500, trim_whitespace=False, required=False, write_only=True)
    privateKey = serializers.CharField(
        source="private_key", max_length=20_000, trim_whitespace=False, required=False, write_only=True
    )


class PolicyCreateSerializer(PolicyChangeSerializer):
    protocol = serializers.ChoiceField(choices=MediationPolicy.Protocol.choices)


SITES = Resource(
    name="site",
    noun="site",
    key="site_id",
    rows=site_list,
    filters={"id": "id", "name": "name"},
    shape=SiteSerializer,
    creates=SiteSerializer,
    changes=SiteSerializer,
    create=lambda values, _by: site_create(columns=values),
    change=lambda site, values, _by: site_update(site=site, changes=values),
    delete=lambda site, _by: site_delete(site=site),
    sentences=Sentences(
        list="Sites, oldest first.",
        create="Create a site.",
        view="One site.",
        change="Change a site; honours If-Match.",
        delete="Remove a site; 409 while elements or discovery rules belong to it.",
    ),
)

POLICIES = Resource(
    name="mediation_policy",
    noun="mediation policy",
    key="policy_id",
    rows=policy_list,
    filters={"id": "id", "name": "name", "protocol": "protocol", "port": "port"},
    shape=MediationPolicySerializer,
    creates=PolicyCreateSerializer,
    changes=PolicyChangeSerializer,
    create=lambda values, _by: policy_create(name=values["name"], protocol=values["protocol"], values=values),
    change=lambda policy, values, user: policy_update(policy=policy, values=values, may_widen=Role.ADMIN in user.roles),
    delete=lambda policy, _by: policy_delete(policy=policy),
    sentences=Sentences(
        list="Mediation policies, oldest first.",
        create="Create a mediation policy: settings and credentials of one protocol. 422 names what is missing.",
        view="One mediation policy.",
        change="Change a policy; the next poll of its elements uses it. Honours If-Match.",
        delete="Remove a policy; 409 while elements or discovery rules use it.",
    ),
)
