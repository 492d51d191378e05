from django.urls import path

from vnfm.performance.api.counter_views import CounterObjectsApi, CountersApi
from vnfm.performance.api.top_views import PerformanceTopApi

urlpatterns = [
    path("api/v1/performance/top", PerformanceTopApi.as_view()),
    path("api/v1/elements/<uuid:element_id>/counters", CountersApi.as_view()),
    path("api/v1/elements/<uuid:element_id>/counted_objects", CounterObjectsApi.as_view()),
]
