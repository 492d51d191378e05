from django.urls import path

from vnfm.monitoring.api.views import ElementMetricsApi, ManagerMetricsApi

urlpatterns = [
    path("metrics", ManagerMetricsApi.as_view()),
    path("metrics/elements", ElementMetricsApi.as_view()),
]
