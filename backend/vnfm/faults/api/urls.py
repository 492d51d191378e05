from django.urls import path

from vnfm.faults.api.alarms import AlarmApi, AlarmListApi
from vnfm.faults.api.export import AlarmExportApi
from vnfm.faults.api.maintenance import WINDOWS
from vnfm.faults.api.policies import POLICIES
from vnfm.faults.api.records import (
    AlarmBulkApi,
    AlarmClearApi,
    AlarmCountApi,
    AlarmDictionaryApi,
    AlarmNotesApi,
    AlarmRecordApi,
    AlarmRecordListApi,
)
from vnfm.faults.api.summaries import (
    AlarmObjectSummaryApi,
    AlarmPartSummaryApi,
    AlarmSiteSummaryApi,
    AlarmSummaryApi,
)
from vnfm.kit.web.resource import resource_urls

urlpatterns = [
    path("vnffm/v1/alarms", AlarmListApi.as_view()),
    path("vnffm/v1/alarms/<uuid:alarm_id>", AlarmApi.as_view()),
    path("api/v1/alarms", AlarmRecordListApi.as_view()),
    path("api/v1/alarms.csv", AlarmExportApi.as_view()),
    path("api/v1/alarms/bulk", AlarmBulkApi.as_view()),
    path("api/v1/alarms/count", AlarmCountApi.as_view()),
    path("api/v1/alarms/<uuid:alarm_id>", AlarmRecordApi.as_view()),
    path("api/v1/alarms/<uuid:alarm_id>/clear", AlarmClearApi.as_view()),
    path("api/v1/alarms/<uuid:alarm_id>/notes", AlarmNotesApi.as_view()),
    path("api/v1/alarm_summary", AlarmSummaryApi.as_view()),
    path("api/v1/alarm_summary/objects", AlarmObjectSummaryApi.as_view()),
    path("api/v1/alarm_summary/parts", AlarmPartSummaryApi.as_view()),
    path("api/v1/alarm_summary/sites", AlarmSiteSummaryApi.as_view()),
    path("api/v1/alarm_dictionary", AlarmDictionaryApi.as_view()),
    *resource_urls("api/v1/alarm_policies", POLICIES),
    *resource_urls("api/v1/maintenance_windows", WINDOWS),
]
