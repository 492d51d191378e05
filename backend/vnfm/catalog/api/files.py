"""/api/v1/packages/{id}/files: all files of a package with their sizes, which VnfPkgInfo does not have."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.catalog.selectors import package_onboarded


class PackageFileOut(serializers.Serializer[Any]):
    path = serializers.CharField(help_text="Its bytes: artifacts/{path} of the package.")
    size = serializers.IntegerField(help_text="Bytes.")
    sha256 = serializers.CharField()


class PackageFilesApi(APIView):
    @extend_schema(operation_id="package_files", responses=PackageFileOut(many=True))
    def get(self, request: Request, package_id: UUID) -> Response:
        """Every file of the package, by path, including the descriptor, the manifest and images."""
        rows = package_onboarded(package_id=package_id).files.order_by("path")
        return Response(list(rows.values("path", "size", "sha256")))
