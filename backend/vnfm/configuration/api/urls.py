from django.urls import path

from vnfm.configuration.api import job_views, views

_ELEMENT = "api/v1/elements/<uuid:element_id>"
_CONFIGURATION = f"{_ELEMENT}/configuration"
_VERSION = f"{_CONFIGURATION}/versions/<uuid:version_id>"

urlpatterns = [
    path(_CONFIGURATION, views.ConfigurationApi.as_view()),
    path(f"{_CONFIGURATION}/versions", views.ConfigurationVersionListApi.as_view()),
    path(_VERSION, views.ConfigurationVersionApi.as_view()),
    path(f"{_VERSION}/text", views.ConfigurationDownloadApi.as_view()),
    path(f"{_VERSION}/diff", views.ConfigurationDiffApi.as_view()),
    path(f"{_CONFIGURATION}/backup", job_views.ConfigurationBackupApi.as_view()),
    path(f"{_CONFIGURATION}/push", job_views.ConfigurationPushApi.as_view()),
    path(f"{_CONFIGURATION}/rollback", job_views.ConfigurationRollbackApi.as_view()),
    path(f"{_CONFIGURATION}/jobs", job_views.ConfigurationJobListApi.as_view()),
    path(f"{_CONFIGURATION}/jobs/<uuid:job_id>", job_views.ConfigurationJobApi.as_view()),
    path(f"{_ELEMENT}/admin_state", job_views.ElementAdminStateApi.as_view()),
]
