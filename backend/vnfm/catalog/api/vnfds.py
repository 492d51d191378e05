"""/api/v1/vnfds: the VNFDs, with everything that forms need."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.catalog.models import VnfPackage
from vnfm.catalog.selectors import package_by_vnfd, package_list
from vnfm.catalog.wire.vnfd import VnfdSerializer, vnfd_view
from vnfm.kit.etsi.query import page


class VnfdListApi(APIView):
    @extend_schema(operation_id="vnfd_list", responses=VnfdSerializer(many=True))
    def get(self, request: Request) -> Response:
        """VNFDs of enabled packages, which allow new instances."""
        enabled = package_list().filter(operational_state=VnfPackage.OperationalState.ENABLED)
        rows, headers = page(enabled, request, ("product_name", "id"))
        return Response([vnfd_view(package) for package in rows], headers=headers)


class VnfdApi(APIView):
    @extend_schema(operation_id="vnfd_get", responses=VnfdSerializer)
    def get(self, request: Request, vnfd_id: UUID) -> Response:
        return Response(vnfd_view(package_by_vnfd(vnfd_id=vnfd_id)))
