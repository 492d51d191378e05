"""/api/v1/search: instances, VMs, elements, addresses, alarms, packages, clouds and sites."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.kit.web.shapes import answer, as_answer
from vnfm.search.api.shapes import SearchQuery
from vnfm.search.selectors.search import SearchResult, search


class SearchApi(APIView):
    @extend_schema(operation_id="search", parameters=[SearchQuery], responses=answer(SearchResult))
    def get(self, request: Request) -> Response:
        """Instances, VMs, elements, addresses, open alarms, packages, clouds and sites; a few of each kind.

        Exact matches come before prefixes, and these before other matches.
        """
        query = SearchQuery(data=request.query_params.dict())
        query.is_valid(raise_exception=True)
        return Response(as_answer(search(text=query.validated_data["q"])))
