from django.urls import path

from vnfm.config.metrics.views import ElementMetricsApi, ManagerMetricsApi

urlpatterns = [
    path("metrics", ManagerMetricsApi.as_view()),
    path("metrics/elements", ElementMetricsApi.as_view()),
]
