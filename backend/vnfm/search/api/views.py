"""/api/v1/search: anything by what people know of it."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.search.api.shapes import AskedSerializer, SearchResult
from vnfm.search.selectors import search


class SearchApi(APIView):
    @extend_schema(operation_id="search", parameters=[AskedSerializer], responses=SearchResult)
    def get(self, request: Request) -> Response:
        """Instances, VMs, elements, addresses, open alarms, packages, clouds and sites; a few of each kind.

        Exact hits come before those that begin so, and these before those that have it somewhere.
        """
        asked = AskedSerializer(data=request.query_params.dict())
        asked.is_valid(raise_exception=True)
        return Response(SearchResult({"groups": search(text=asked.validated_data["q"])}).data)
