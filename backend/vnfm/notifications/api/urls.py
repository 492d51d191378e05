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
    LccnSubscriptionApi,
    LccnSubscriptionListApi,
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
    path("api/v1/alarm_routes", AlarmRouteListApi.as_view()),
    path("api/v1/alarm_routes/<uuid:route_id>", AlarmRouteApi.as_view()),
    path("api/v1/alarm_routes/<uuid:route_id>/test", AlarmRouteTestApi.as_view()),
    path("api/v1/alarm_routes/<uuid:route_id>/deliveries", AlarmRouteDeliveryListApi.as_view()),
    path("api/v1/subscriptions", SubscriptionListApi.as_view()),
    path(f"api/v1/subscriptions/{_ONE}", SubscriptionApi.as_view()),
    path(f"api/v1/subscriptions/{_ONE}/deliveries", DeliveryListApi.as_view()),
]
