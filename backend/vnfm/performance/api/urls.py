from django.urls import path

from vnfm.performance.api.counter_views import CounterObjectsApi, CountersApi
from vnfm.performance.api.top_views import PerformanceTopApi
from vnfm.performance.api.traffic_views import TrafficApi

urlpatterns = [
    path("api/v1/vnf_instances/<uuid:instance_id>/traffic", TrafficApi.as_view()),
    path("api/v1/performance/top", PerformanceTopApi.as_view()),
    path("api/v1/elements/<uuid:element_id>/counters", CountersApi.as_view()),
    path("api/v1/elements/<uuid:element_id>/counted_objects", CounterObjectsApi.as_view()),
]
