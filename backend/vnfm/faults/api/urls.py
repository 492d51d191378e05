from django.urls import path

from vnfm.faults.api.alarms import AlarmApi, AlarmListApi, AlarmSummaryApi

urlpatterns = [
    path("vnffm/v1/alarms", AlarmListApi.as_view()),
    path("vnffm/v1/alarms/<uuid:alarm_id>", AlarmApi.as_view()),
    path("api/v1/alarm_summary", AlarmSummaryApi.as_view()),
]
