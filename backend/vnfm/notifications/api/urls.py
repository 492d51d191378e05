from django.urls import path

from vnfm.notifications.api.alarm_routes import (
    AlarmRouteApi,
    AlarmRouteDeliveryListApi,
    AlarmRouteListApi,
    AlarmRouteTestApi,
)
from vnfm.notifications.api.events import events
from vnfm.notifications.api.subscriptions import (
    DeliveryListApi,
    FmSubscriptionApi,
    FmSubscriptionListApi,
    IndicatorSubscriptionApi,
    IndicatorSubscriptionListApi,
    LccnSubscriptionApi,
    LccnSubscriptionListApi,
    LccnSubscriptionListV1Api,
    LccnSubscriptionV1Api,
    PkgmSubscriptionApi,
    PkgmSubscriptionListApi,
    PkgmSubscriptionListV2Api,
    PkgmSubscriptionV2Api,
    PmSubscriptionListV1Api,
    PmSubscriptionV1Api,
    SubscriptionApi,
    SubscriptionListApi,
)

_ONE = "<uuid:subscription_id>"

urlpatterns = [
    path("api/v1/events", events),
    path("vnffm/v1/subscriptions", FmSubscriptionListApi.as_view()),
    path(f"vnffm/v1/subscriptions/{_ONE}", FmSubscriptionApi.as_view()),
    path("vnflcm/v2/subscriptions", LccnSubscriptionListApi.as_view()),
    path(f"vnflcm/v2/subscriptions/{_ONE}", LccnSubscriptionApi.as_view()),
    path("vnflcm/v1/subscriptions", LccnSubscriptionListV1Api.as_view()),
    path(f"vnflcm/v1/subscriptions/{_ONE}", LccnSubscriptionV1Api.as_view()),
    path("vnfind/v1/subscriptions", IndicatorSubscriptionListApi.as_view()),
    path(f"vnfind/v1/subscriptions/{_ONE}", IndicatorSubscriptionApi.as_view()),
    # ETSI's OpenAPI file of 3.7.1 has it here, and so have clients made from that: the standard's text has not.
    path(f"vnfind/v1/indicators/subscriptions/{_ONE}", IndicatorSubscriptionApi.as_view(schema=None)),
    path("vnfpkgm/v1/subscriptions", PkgmSubscriptionListApi.as_view()),
    path(f"vnfpkgm/v1/subscriptions/{_ONE}", PkgmSubscriptionApi.as_view()),
    path("vnfpkgm/v2/subscriptions", PkgmSubscriptionListV2Api.as_view(schema=None)),
    path(f"vnfpkgm/v2/subscriptions/{_ONE}", PkgmSubscriptionV2Api.as_view(schema=None)),
    path("vnfpm/v1/subscriptions", PmSubscriptionListV1Api.as_view()),
    path(f"vnfpm/v1/subscriptions/{_ONE}", PmSubscriptionV1Api.as_view()),
    path("api/v1/alarm_routes", AlarmRouteListApi.as_view()),
    path("api/v1/alarm_routes/<uuid:route_id>", AlarmRouteApi.as_view()),
    path("api/v1/alarm_routes/<uuid:route_id>/test", AlarmRouteTestApi.as_view()),
    path("api/v1/alarm_routes/<uuid:route_id>/deliveries", AlarmRouteDeliveryListApi.as_view()),
    path("api/v1/subscriptions", SubscriptionListApi.as_view()),
    path(f"api/v1/subscriptions/{_ONE}", SubscriptionApi.as_view()),
    path(f"api/v1/subscriptions/{_ONE}/deliveries", DeliveryListApi.as_view()),
]
