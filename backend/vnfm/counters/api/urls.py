from django.urls import path

from vnfm.counters.api.board_views import BoardApi, BoardChartListApi, BoardListApi, BoardSeriesApi
from vnfm.counters.api.counter_views import CounterObjectsApi, CountersApi
from vnfm.counters.api.threshold_rules import RULES
from vnfm.counters.api.top_views import PerformanceTopApi
from vnfm.counters.api.traffic_views import TrafficApi
from vnfm.kit.web.resource import resource_urls

urlpatterns = [
    path("api/v1/boards", BoardListApi.as_view()),
    path("api/v1/boards/<uuid:board_id>", BoardApi.as_view()),
    path("api/v1/boards/<uuid:board_id>/charts", BoardChartListApi.as_view()),
    path("api/v1/boards/<uuid:board_id>/series", BoardSeriesApi.as_view()),
    path("api/v1/vnf_instances/<uuid:instance_id>/traffic", TrafficApi.as_view()),
    path("api/v1/performance/top", PerformanceTopApi.as_view()),
    path("api/v1/elements/<uuid:element_id>/counters", CountersApi.as_view()),
    path("api/v1/elements/<uuid:element_id>/counted_objects", CounterObjectsApi.as_view()),
    *resource_urls("api/v1/threshold_rules", RULES),
]
