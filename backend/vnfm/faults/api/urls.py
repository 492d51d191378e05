from django.urls import path

from vnfm.faults.api.alarms import AlarmApi, AlarmListApi
from vnfm.faults.api.export import AlarmExportApi
from vnfm.faults.api.maintenance import MaintenanceWindowApi, MaintenanceWindowListApi
from vnfm.faults.api.policies import AlarmPolicyApi, AlarmPolicyListApi
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
    path("api/v1/alarm_policies", AlarmPolicyListApi.as_view()),
    path("api/v1/alarm_policies/<uuid:policy_id>", AlarmPolicyApi.as_view()),
    path("api/v1/maintenance_windows", MaintenanceWindowListApi.as_view()),
    path("api/v1/maintenance_windows/<uuid:window_id>", MaintenanceWindowApi.as_view()),
]
