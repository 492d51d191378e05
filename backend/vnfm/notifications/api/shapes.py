"""Subscriptions on the wire, as SOL003 has them (5.5.2.15, 5.5.2.16, 7.5.2.2, 7.5.2.3) and as we show them."""

from typing import Any, ClassVar, get_args

from rest_framework import serializers

from vnfm.faults.domain.dictionary import Severity
from vnfm.faults.domain.fault_type import EventType
from vnfm.kit.addresses import MAX_URL
from vnfm.kit.wire import LinkSerializer, Reasons, StrictSerializer, unsupported
from vnfm.lcm.domain.states import Operation, OperationState
from vnfm.notifications import fm, lcm
from vnfm.notifications.kinds import KINDS
from vnfm.notifications.models import Delivery, Subscription
from vnfm.notifications.selectors import condition_of
from vnfm.notifications.subscription_services import Login

RESOURCES = {kind.interface: kind.resource for kind in KINDS}
REBUILT = "AlarmListRebuiltNotification"
TYPES = [fm.CHANGED, fm.CLEARED, REBUILT]
RESOURCE_TYPES = ["COMPUTE", "STORAGE", "NETWORK"]
SEVERITIES = [*(severity.value for severity in Severity), "CLEARED"]
EVENT_TYPES = list(get_args(EventType))
AUTH_TYPES = ["BASIC", "OAUTH2_CLIENT_CREDENTIALS", "TLS_CERT"]
STATES = ["True", "False", "Unknown"]
MOST_VALUES = 1000
_NO_TLS = (
    "We have no client certificate of our own to show (TLS_CERT); possible are BASIC and OAUTH2_CLIENT_CREDENTIALS."
)
_NEVER_REBUILT = (
    "It is not sent, as the alarm list is never rebuilt here: nobody would be told of anything. Ask for others, too."
)
_NOT_ASKED_FOR = f"Only with notificationTypes that have {lcm.OCCURRENCE}."
_NOTHING_AGREED = "Nothing is provisioned out of band here: give it."


def _some(child: serializers.Field[Any, Any, Any, Any]) -> serializers.ListField:
    return serializers.ListField(child=child, required=False, max_length=MOST_VALUES)


def _text(**options: Any) -> serializers.CharField:
    return serializers.CharField(max_length=255, **options)


class VnfVersionsFilter(StrictSerializer):
    vnfSoftwareVersion = _text()
    vnfdVersions = _some(_text())


class VnfProductFilter(StrictSerializer):
    vnfProductName = _text()
    versions = VnfVersionsFilter(many=True, required=False)


class VnfProviderFilter(StrictSerializer):
    vnfProvider = _text()
    vnfProducts = VnfProductFilter(many=True, required=False)


class VnfInstanceSubscriptionFilter(StrictSerializer):
    """SOL003 4.4.1.5."""

    vnfdIds = _some(_text())
    vnfProductsFromProviders = VnfProviderFilter(many=True, required=False)
    vnfInstanceIds = _some(_text())
    vnfInstanceNames = _some(_text())


class FmNotificationsFilter(StrictSerializer):
    """SOL003 7.5.3.2: all attributes must match, of each at least one value."""

    vnfInstanceSubscriptionFilter = VnfInstanceSubscriptionFilter(required=False)
    notificationTypes = _some(serializers.ChoiceField(choices=TYPES))
    faultyResourceTypes = _some(serializers.ChoiceField(choices=RESOURCE_TYPES))
    perceivedSeverities = _some(serializers.ChoiceField(choices=SEVERITIES))
    eventTypes = _some(serializers.ChoiceField(choices=EVENT_TYPES))
    probableCauses = _some(_text())

    def validate_notificationTypes(self, given: list[str]) -> list[str]:  # noqa: N802 - DRF finds it by the attribute
        if given and set(given) <= {REBUILT}:
            raise serializers.ValidationError([unsupported(_NEVER_REBUILT)])
        return given


class LifecycleChangeNotificationsFilter(StrictSerializer):
    """SOL003 5.5.3.12: as FmNotificationsFilter. Types and states of operations choose among their notifications."""

    vnfInstanceSubscriptionFilter = VnfInstanceSubscriptionFilter(required=False)
    notificationTypes = _some(serializers.ChoiceField(choices=lcm.TYPES))
    operationTypes = _some(serializers.ChoiceField(choices=[each.value for each in Operation]))
    operationStates = _some(serializers.ChoiceField(choices=[each.value for each in OperationState]))

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        types = attrs.get("notificationTypes")
        if types and lcm.OCCURRENCE not in types:
            wrong = {name: [_NOT_ASKED_FOR] for name in ("operationTypes", "operationStates") if attrs.get(name)}
            if wrong:
                raise serializers.ValidationError(wrong)
        return attrs


class ParamsBasic(StrictSerializer):
    userName = serializers.RegexField(r"^[^:\x00-\x1f\x7f]+$", max_length=200)
    password = serializers.CharField(max_length=200, trim_whitespace=False)


class ParamsOauth2ClientCredentials(StrictSerializer):
    clientId = serializers.CharField(max_length=200)
    clientPassword = serializers.CharField(max_length=200, trim_whitespace=False)
    tokenEndpoint = serializers.CharField(max_length=MAX_URL)


class SubscriptionAuthentication(StrictSerializer):
    """SOL003 4.4.1.13. Of several types the first is used that we can."""

    authType = serializers.ListField(child=serializers.ChoiceField(choices=AUTH_TYPES), min_length=1)
    paramsBasic = ParamsBasic(required=False)
    paramsOauth2ClientCredentials = ParamsOauth2ClientCredentials(required=False)

    PARAMS: ClassVar[Reasons] = {
        "BASIC": "paramsBasic",
        "OAUTH2_CLIENT_CREDENTIALS": "paramsOauth2ClientCredentials",
    }

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        possible = [kind for kind in attrs["authType"] if kind in self.PARAMS]
        if not possible:
            raise serializers.ValidationError({"authType": [unsupported(_NO_TLS)]})
        if not any(self.PARAMS[kind] in attrs for kind in possible):
            raise serializers.ValidationError({self.PARAMS[possible[0]]: [unsupported(_NOTHING_AGREED)]})
        return attrs


class _SubscriptionRequest(StrictSerializer):
    callbackUri = serializers.CharField(max_length=MAX_URL, help_text="An https URL; it must answer 204 to a GET.")
    authentication = SubscriptionAuthentication(required=False, write_only=True)


class FmSubscriptionRequest(_SubscriptionRequest):
    filter = FmNotificationsFilter(required=False)


class LccnSubscriptionRequest(_SubscriptionRequest):
    filter = LifecycleChangeNotificationsFilter(required=False)
    verbosity = serializers.ChoiceField(
        choices=Subscription.Verbosity.choices,
        default=Subscription.Verbosity.FULL,
        help_text="SHORT leaves out of a notification what the operation has changed.",
    )


def login_of(authentication: dict[str, Any] | None) -> Login | None:
    """From what was sent to what is sealed."""
    for kind in (authentication or {}).get("authType", ()):
        params = (authentication or {}).get(SubscriptionAuthentication.PARAMS.get(kind, ""))
        if params is not None and kind == "BASIC":
            return {"type": kind, "user_name": params["userName"], "password": params["password"]}
        if params is not None:
            secret = {"client_id": params["clientId"], "client_password": params["clientPassword"]}
            return {"type": kind, **secret, "token_endpoint": params["tokenEndpoint"]}
    return None


class SubscriptionLinks(serializers.Serializer[None]):
    self = LinkSerializer()


class EtsiSubscription(serializers.Serializer[Any]):  # Any: one subscription, or with many=True several
    """What those of all interfaces have in common."""

    id = serializers.UUIDField()
    callbackUri = serializers.CharField()
    _links = SubscriptionLinks()

    def to_representation(self, instance: Subscription) -> dict[str, Any]:
        shown: dict[str, Any] = {"id": str(instance.id), "callbackUri": instance.callback_uri}
        if instance.filter:
            shown["filter"] = instance.filter
        return {**shown, "_links": {"self": {"href": f"{RESOURCES[instance.interface]}/{instance.id}"}}}


class FmSubscription(EtsiSubscription):
    filter = FmNotificationsFilter(required=False)


class LccnSubscription(EtsiSubscription):
    filter = LifecycleChangeNotificationsFilter(required=False)
    verbosity = serializers.ChoiceField(choices=Subscription.Verbosity.choices)

    def to_representation(self, instance: Subscription) -> dict[str, Any]:
        return {**super().to_representation(instance), "verbosity": instance.verbosity}


class SubscriptionConditionOut(serializers.Serializer[Any]):
    type = serializers.ChoiceField(choices=["Delivering"])
    status = serializers.ChoiceField(choices=STATES)
    reason = serializers.CharField(help_text="One stable word, for programs.")
    message = serializers.CharField(help_text="A sentence, for people, with the endpoint's own words.")
    lastTransitionTime = serializers.DateTimeField(help_text="Since when it is so.")


class SubscriptionOut(serializers.Serializer[Any]):  # Any: as above
    id = serializers.UUIDField()
    interface = serializers.ChoiceField(choices=Subscription.Interface.choices)
    href = serializers.CharField(help_text="The subscription as ETSI's interface has it.")
    callbackUri = serializers.CharField()
    authType = serializers.CharField(help_text='"" where none was asked for.')
    waiting = serializers.IntegerField(help_text="Notifications that it has not been sent yet.")
    conditions = SubscriptionConditionOut(many=True)
    createdAt = serializers.DateTimeField()
    createdBy = serializers.CharField()

    def to_representation(self, instance: Any) -> dict[str, Any]:  # Any: a Subscription with `waiting`
        now = condition_of(instance, waiting=instance.waiting)
        told = {"status": now.status, "reason": now.reason, "message": now.message}
        return super().to_representation(
            {
                "id": instance.id,
                "interface": instance.interface,
                "href": f"{RESOURCES[instance.interface]}/{instance.id}",
                "callbackUri": instance.callback_uri,
                "authType": instance.auth_type,
                "waiting": instance.waiting,
                "conditions": [{"type": "Delivering", **told, "lastTransitionTime": now.last_transition_time}],
                "createdAt": instance.created_at,
                "createdBy": instance.created_by,
            }
        )


class DeliveryOut(serializers.ModelSerializer[Delivery]):
    notificationId = serializers.UUIDField(source="notification_id")
    notificationType = serializers.CharField(source="notification_type")
    subjectId = serializers.UUIDField(source="subject_id", help_text="Of the alarm, operation or VNF instance.")
    state = serializers.ChoiceField(choices=Delivery.State.choices)
    attempts = serializers.IntegerField()
    createdAt = serializers.DateTimeField(source="created_at")
    attemptedAt = serializers.DateTimeField(source="attempted_at", allow_null=True)
    endedAt = serializers.DateTimeField(source="ended_at", allow_null=True)
    lastError = serializers.CharField(source="last_error", help_text="Of the last attempt that failed.")

    class Meta:
        model = Delivery
        fields = (
            *("id", "notificationId", "notificationType", "subjectId", "state", "attempts", "createdAt"),
            *("attemptedAt", "endedAt", "lastError"),
        )
        read_only_fields = fields
