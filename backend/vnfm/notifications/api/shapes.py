"""Serializers of subscriptions: SOL003's (5.5.2.15, 5.5.2.16, 7.5.2.2, 7.5.2.3) and our own."""

from typing import Any, get_args

from rest_framework import serializers

from vnfm.catalog.models import VnfPackage
from vnfm.faults.domain.dictionary import Severity
from vnfm.faults.domain.fault_type import EventType
from vnfm.kit.etsi.links import link
from vnfm.kit.outgoing.addresses import MAX_URL
from vnfm.kit.web.shapes import answer
from vnfm.kit.web.wire import AnswerSerializer, LinkSerializer, StrictSerializer
from vnfm.lcm.domain.states import Operation, OperationState
from vnfm.notifications.domain.retry import DeliveryCondition
from vnfm.notifications.models import Subscription
from vnfm.notifications.selectors import (
    fm_notifications,
    indicator_notifications,
    lccn_notifications,
    pkgm_notifications,
    pm_notifications,
)
from vnfm.notifications.selectors.sources import RESOURCES
from vnfm.notifications.selectors.subscriptions import condition_of
from vnfm.notifications.wire import VISIBLE_URI, SubscriptionAuthentication

INTERFACES = list(RESOURCES)
TYPES = [fm_notifications.CHANGED, fm_notifications.CLEARED, fm_notifications.REBUILT]
RESOURCE_TYPES = ["COMPUTE", "STORAGE", "NETWORK"]
SEVERITIES = [*(severity.value for severity in Severity), "CLEARED"]
EVENT_TYPES = list(get_args(EventType))
MAX_VALUES = 1000
_ONLY_WITH_OCCURRENCES = f"Only with notificationTypes that include {lccn_notifications.OCCURRENCE}."


def _some(child: serializers.Field[Any, Any, Any, Any]) -> serializers.ListField:
    return serializers.ListField(child=child, required=False, max_length=MAX_VALUES)


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
    """SOL003 7.5.3.2: all attributes must match, each by at least one value."""

    vnfInstanceSubscriptionFilter = VnfInstanceSubscriptionFilter(required=False)
    notificationTypes = _some(serializers.ChoiceField(choices=TYPES))
    faultyResourceTypes = _some(serializers.ChoiceField(choices=RESOURCE_TYPES))
    perceivedSeverities = _some(serializers.ChoiceField(choices=SEVERITIES))
    eventTypes = _some(serializers.ChoiceField(choices=EVENT_TYPES))
    probableCauses = _some(_text())


class LifecycleChangeNotificationsFilter(StrictSerializer):
    """SOL003 5.5.3.12: matches as FmNotificationsFilter. operationTypes and operationStates are about occurrences."""

    vnfInstanceSubscriptionFilter = VnfInstanceSubscriptionFilter(required=False)
    notificationTypes = _some(serializers.ChoiceField(choices=lccn_notifications.TYPES))
    operationTypes = _some(serializers.ChoiceField(choices=[each.value for each in Operation]))
    operationStates = _some(serializers.ChoiceField(choices=[each.value for each in OperationState]))

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        types = attrs.get("notificationTypes")
        if types and lccn_notifications.OCCURRENCE not in types:
            wrong = {
                name: [_ONLY_WITH_OCCURRENCES] for name in ("operationTypes", "operationStates") if attrs.get(name)
            }
            if wrong:
                raise serializers.ValidationError(wrong)
        return attrs


class PmNotificationsFilter(StrictSerializer):
    """SOL003 2.6.1, 6.5.3.4: matches as FmNotificationsFilter."""

    vnfInstanceSubscriptionFilter = VnfInstanceSubscriptionFilter(required=False)
    notificationTypes = _some(serializers.ChoiceField(choices=pm_notifications.TYPES))


class VnfIndicatorNotificationsFilter(StrictSerializer):
    """SOL003 8.5.3.2: matches as FmNotificationsFilter."""

    vnfInstanceSubscriptionFilter = VnfInstanceSubscriptionFilter(required=False)
    notificationTypes = _some(serializers.ChoiceField(choices=indicator_notifications.TYPES))
    indicatorIds = _some(_text())


class PkgmNotificationsFilter(StrictSerializer):
    """SOL005 9.5.3.6: matches as FmNotificationsFilter."""

    notificationTypes = _some(serializers.ChoiceField(choices=pkgm_notifications.TYPES))
    vnfProductsFromProviders = VnfProviderFilter(many=True, required=False)
    vnfdId = _some(_text())
    vnfPkgId = _some(_text())
    operationalState = _some(serializers.ChoiceField(choices=VnfPackage.OperationalState.choices))
    usageState = _some(serializers.ChoiceField(choices=["IN_USE", "NOT_IN_USE"]))


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
        help_text="SHORT leaves the changes of the operation out of a notification.",
    )


class LccnSubscriptionRequestV1(_SubscriptionRequest):
    """SOL003 2.6.1 has no verbosity."""

    filter = LifecycleChangeNotificationsFilter(required=False)


class PmSubscriptionRequest(_SubscriptionRequest):
    filter = PmNotificationsFilter(required=False)


class VnfIndicatorSubscriptionRequest(_SubscriptionRequest):
    filter = VnfIndicatorNotificationsFilter(required=False)


class PkgmSubscriptionRequest(_SubscriptionRequest):
    filter = PkgmNotificationsFilter(required=False)


class SubscriptionLinks(serializers.Serializer[None]):
    self = LinkSerializer()


class EtsiSubscription(AnswerSerializer):
    """Attributes that subscriptions of all interfaces have in common."""

    id = serializers.UUIDField()
    callbackUri = serializers.CharField(source="visible_uri", help_text=VISIBLE_URI)
    _links = SubscriptionLinks()

    def get_filter(self, subscription: Subscription) -> dict[str, Any] | None:
        return subscription.filter or None

    def get__links(self, subscription: Subscription) -> dict[str, Any]:
        return {"self": link(href_of(subscription))}


class FmSubscription(EtsiSubscription):
    filter = FmNotificationsFilter(required=False)


class LccnSubscription(EtsiSubscription):
    filter = LifecycleChangeNotificationsFilter(required=False)
    verbosity = serializers.ChoiceField(choices=Subscription.Verbosity.choices)


class LccnSubscriptionV1(EtsiSubscription):
    filter = LifecycleChangeNotificationsFilter(required=False)


class PmSubscription(EtsiSubscription):
    filter = PmNotificationsFilter(required=False)


class VnfIndicatorSubscription(EtsiSubscription):
    filter = VnfIndicatorNotificationsFilter(required=False)


class PkgmSubscription(EtsiSubscription):
    filter = PkgmNotificationsFilter(required=False)


def href_of(subscription: Subscription) -> str:
    return f"{RESOURCES[subscription.interface]}/{subscription.id}"


class SubscriptionOut(AnswerSerializer):  # its row has the annotation `waiting`
    id = serializers.UUIDField()
    interface = serializers.ChoiceField(choices=INTERFACES)
    href = serializers.CharField(help_text="The subscription at ETSI's interface.")
    callbackUri = serializers.CharField(source="visible_uri", help_text=VISIBLE_URI)
    authType = serializers.CharField(source="auth_type", help_text='"" without authentication.')
    waiting = serializers.IntegerField(help_text="Notifications that are not delivered yet.")
    conditions = answer(DeliveryCondition)(many=True)
    createdAt = serializers.DateTimeField(source="created_at")
    createdBy = serializers.CharField(source="created_by")

    def get_href(self, subscription: Subscription) -> str:
        return href_of(subscription)

    def get_conditions(self, subscription: Any) -> list[DeliveryCondition]:  # Any: with `waiting`
        return [condition_of(subscription, waiting=subscription.waiting)]
