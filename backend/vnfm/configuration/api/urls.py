from django.urls import path

from vnfm.configuration.api import jobs, versions

_ELEMENT = "api/v1/elements/<uuid:element_id>"
_CONFIGURATION = f"{_ELEMENT}/configuration"
_VERSION = f"{_CONFIGURATION}/versions/<uuid:version_id>"

urlpatterns = [
    path(_CONFIGURATION, versions.ConfigurationApi.as_view()),
    path(f"{_CONFIGURATION}/versions", versions.ConfigurationVersionListApi.as_view()),
    path(_VERSION, versions.ConfigurationVersionApi.as_view()),
    path(f"{_VERSION}/text", versions.ConfigurationDownloadApi.as_view()),
    path(f"{_VERSION}/diff", versions.ConfigurationDiffApi.as_view()),
    path(f"{_CONFIGURATION}/backup", jobs.ConfigurationBackupApi.as_view()),
    path(f"{_CONFIGURATION}/push", jobs.ConfigurationPushApi.as_view()),
    path(f"{_CONFIGURATION}/rollback", jobs.ConfigurationRollbackApi.as_view()),
    path(f"{_CONFIGURATION}/jobs", jobs.ConfigurationJobListApi.as_view()),
    path(f"{_CONFIGURATION}/jobs/<uuid:job_id>", jobs.ConfigurationJobApi.as_view()),
    path(f"{_ELEMENT}/admin_state", jobs.ElementAdminStateApi.as_view()),
]
