from django.urls import path

from vnfm.indicators.api.indicators import IndicatorApi, IndicatorListApi, InstanceIndicatorListApi

urlpatterns = [
    path("vnfind/v1/indicators", IndicatorListApi.as_view()),
    path("vnfind/v1/indicators/<uuid:instance_id>", InstanceIndicatorListApi.as_view()),
    path("vnfind/v1/indicators/<uuid:instance_id>/<str:indicator_id>", IndicatorApi.as_view()),
]
