from django.urls import path

from vnfm.performance.api.top import PerformanceTopApi
from vnfm.performance.api.views import CounterObjectsApi, CountersApi

urlpatterns = [
    path("api/v1/performance/top", PerformanceTopApi.as_view()),
    path("api/v1/elements/<uuid:element_id>/counters", CountersApi.as_view()),
    path("api/v1/elements/<uuid:element_id>/counted_objects", CounterObjectsApi.as_view()),
]
