from django.urls import path

from vnfm.sol003_pm.api.charted import ElementThresholdsApi
from vnfm.sol003_pm.api.indicators import IndicatorApi, IndicatorListApi, InstanceIndicatorListApi
from vnfm.sol003_pm.api.jobs import PmJobApi, PmJobListApi, PmJobListV1Api, PmJobV1Api, PmReportApi, PmReportV1Api
from vnfm.sol003_pm.api.thresholds import ThresholdApi, ThresholdListApi, ThresholdListV1Api, ThresholdV1Api

_JOB, _REPORT, _THRESHOLD = "<uuid:job_id>", "<uuid:report_id>", "<uuid:threshold_id>"

urlpatterns = [
    path("api/v1/elements/<uuid:element_id>/thresholds", ElementThresholdsApi.as_view()),
    path("vnfpm/v2/pm_jobs", PmJobListApi.as_view()),
    path(f"vnfpm/v2/pm_jobs/{_JOB}", PmJobApi.as_view()),
    path(f"vnfpm/v2/pm_jobs/{_JOB}/reports/{_REPORT}", PmReportApi.as_view()),
    path("vnfpm/v2/thresholds", ThresholdListApi.as_view()),
    path(f"vnfpm/v2/thresholds/{_THRESHOLD}", ThresholdApi.as_view()),
    path("vnfpm/v1/pm_jobs", PmJobListV1Api.as_view()),
    path(f"vnfpm/v1/pm_jobs/{_JOB}", PmJobV1Api.as_view()),
    path(f"vnfpm/v1/pm_jobs/{_JOB}/reports/{_REPORT}", PmReportV1Api.as_view()),
    path("vnfpm/v1/thresholds", ThresholdListV1Api.as_view()),
    path(f"vnfpm/v1/thresholds/{_THRESHOLD}", ThresholdV1Api.as_view()),
    path("vnfind/v1/indicators", IndicatorListApi.as_view()),
    path("vnfind/v1/indicators/<uuid:instance_id>", InstanceIndicatorListApi.as_view()),
    path("vnfind/v1/indicators/<uuid:instance_id>/<str:indicator_id>", IndicatorApi.as_view()),
]
