from typing import Any

from django.urls import URLPattern, path
from rest_framework.views import APIView

from vnfm.catalog.api.csars import PackageCsarApi
from vnfm.catalog.api.dimensioning import DimensioningApi, ReferenceFiguresApi, VnfdFiguresApi
from vnfm.catalog.api.files import PackageFilesApi
from vnfm.catalog.api.from_uri import PackageUploadFromUriApi
from vnfm.catalog.api.packages import (
    PackageApi,
    PackageArtifactApi,
    PackageArtifactListApi,
    PackageContentApi,
    PackageListApi,
    PackageManifestApi,
    PackageVnfdApi,
)
from vnfm.catalog.api.vnfds import VnfdApi, VnfdListApi

PACKAGE = "<uuid:package_id>"

_PACKAGES: tuple[tuple[str, type[APIView]], ...] = (
    ("", PackageListApi),
    (PACKAGE, PackageApi),
    (f"{PACKAGE}/package_content", PackageContentApi),
    (f"{PACKAGE}/package_content/upload_from_uri", PackageUploadFromUriApi),
    (f"{PACKAGE}/manifest", PackageManifestApi),
    (f"{PACKAGE}/vnfd", PackageVnfdApi),
    (f"{PACKAGE}/artifacts", PackageArtifactListApi),
    (f"{PACKAGE}/artifacts/<path:artifact_path>", PackageArtifactApi),
)


def _packages(root: str, **options: Any) -> list[URLPattern]:
    return [path("/".join(filter(None, (root, rest))), view.as_view(**options)) for rest, view in _PACKAGES]


urlpatterns = [
    *_packages("vnfpkgm/v1/vnf_packages"),
    *_packages("vnfpkgm/v2/vnf_packages", schema=None),  # the same shapes
    path("api/v1/packages/<uuid:package_id>/csar", PackageCsarApi.as_view()),
    path("api/v1/packages/<uuid:package_id>/files", PackageFilesApi.as_view()),
    path("api/v1/vnfds", VnfdListApi.as_view()),
    path("api/v1/vnfds/<uuid:vnfd_id>", VnfdApi.as_view()),
    path("api/v1/vnfds/<uuid:vnfd_id>/figures", VnfdFiguresApi.as_view()),
    path("api/v1/reference_figures", ReferenceFiguresApi.as_view()),
    path("api/v1/dimensioning", DimensioningApi.as_view()),
]
