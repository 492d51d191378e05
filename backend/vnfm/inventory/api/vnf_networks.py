"""/api/v1/vims/{id}/vnf_networks: networks that belong to VNF instances."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.inventory.selectors.networks import VnfNetwork, vnf_network_list
from vnfm.kit.etsi.query import page
from vnfm.kit.web.shapes import answer
from vnfm.vims.selectors import vim_get


class VnfNetworkListApi(APIView):
    @extend_schema(operation_id="vim_vnf_network_list", responses=answer(VnfNetwork)(many=True))
    def get(self, request: Request, vim_id: UUID) -> Response:
        """Networks of the VIM that stacks of VNF instances made: they end with their instance."""
        rows, headers = page(vnf_network_list(vim=vim_get(vim_id=vim_id)), request, ("network_id", "id"))
        return Response(answer(VnfNetwork)(rows, many=True).data, headers=headers)
