from django.urls import path

from vnfm.catalog.api.csars import PackageCsarApi
from vnfm.catalog.api.dimensioning import DimensioningApi, ReferenceFiguresApi, VnfdFiguresApi
from vnfm.catalog.api.files import PackageFilesApi
from vnfm.catalog.api.from_uri import PackageUploadFromUriApi
from vnfm.catalog.api.packages import (
    PackageApi,
    PackageArtifactApi,
    PackageContentApi,
    PackageListApi,
    PackageManifestApi,
    PackageVnfdApi,
)
from vnfm.catalog.api.vnfds import VnfdApi, VnfdListApi

PACKAGE = "vnfpkgm/v1/vnf_packages/<uuid:package_id>"

urlpatterns = [
    path("vnfpkgm/v1/vnf_packages", PackageListApi.as_view()),
    path(PACKAGE, PackageApi.as_view()),
    path(f"{PACKAGE}/package_content", PackageContentApi.as_view()),
    path(f"{PACKAGE}/package_content/upload_from_uri", PackageUploadFromUriApi.as_view()),
    path(f"{PACKAGE}/manifest", PackageManifestApi.as_view()),
    path(f"{PACKAGE}/vnfd", PackageVnfdApi.as_view()),
    path(f"{PACKAGE}/artifacts/<path:artifact_path>", PackageArtifactApi.as_view()),
    path("api/v1/packages/<uuid:package_id>/csar", PackageCsarApi.as_view()),
    path("api/v1/packages/<uuid:package_id>/files", PackageFilesApi.as_view()),
    path("api/v1/vnfds", VnfdListApi.as_view()),
    path("api/v1/vnfds/<uuid:vnfd_id>", VnfdApi.as_view()),
    path("api/v1/vnfds/<uuid:vnfd_id>/figures", VnfdFiguresApi.as_view()),
    path("api/v1/reference_figures", ReferenceFiguresApi.as_view()),
    path("api/v1/dimensioning", DimensioningApi.as_view()),
]
