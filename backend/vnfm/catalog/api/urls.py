from django.urls import path

from vnfm.catalog.api.packages import (
    PackageApi,
    PackageArtifactApi,
    PackageContentApi,
    PackageListApi,
    PackageVnfdApi,
)
from vnfm.catalog.api.vnfds import VnfdApi, VnfdListApi

PACKAGE = "vnfpkgm/v1/vnf_packages/<uuid:package_id>"

urlpatterns = [
    path("vnfpkgm/v1/vnf_packages", PackageListApi.as_view()),
    path(PACKAGE, PackageApi.as_view()),
    path(f"{PACKAGE}/package_content", PackageContentApi.as_view()),
    path(f"{PACKAGE}/vnfd", PackageVnfdApi.as_view()),
    path(f"{PACKAGE}/artifacts/<path:artifact_path>", PackageArtifactApi.as_view()),
    path("api/v1/vnfds", VnfdListApi.as_view()),
    path("api/v1/vnfds/<uuid:vnfd_id>", VnfdApi.as_view()),
]
