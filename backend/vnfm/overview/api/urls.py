from django.urls import path

from vnfm.overview.api.restoration import RestorationApi, RestorationReleaseApi
from vnfm.overview.api.views import FirstStepsApi, OperationLinesApi, OverviewApi, ReadinessApi, readyz

urlpatterns = [
    path("api/v1/overview", OverviewApi.as_view()),
    path("api/v1/readiness", ReadinessApi.as_view()),
    path("api/v1/restoration", RestorationApi.as_view()),
    path("api/v1/restoration/release", RestorationReleaseApi.as_view()),
    path("readyz", readyz),
    path("api/v1/operations", OperationLinesApi.as_view()),
    path("api/v1/first_steps", FirstStepsApi.as_view()),
]
