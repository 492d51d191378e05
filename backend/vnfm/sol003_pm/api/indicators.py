"""/vnfind/v1/indicators (SOL003 8.4.2 to 8.4.4): what the VNFDs declare, with what we observe."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.inventory.models import VnfInstance
from vnfm.inventory.selectors import instance_get
from vnfm.kit import clock
from vnfm.kit.etsi.links import link
from vnfm.kit.etsi.listing import fulfils, parsed_filter
from vnfm.kit.etsi.query import PAGE_SIZE, marked, next_page
from vnfm.kit.etsi.query_guard import LISTED
from vnfm.kit.problem import not_found
from vnfm.kit.web.wire import list_parameters
from vnfm.sol003_pm.api.indicator_shapes import VnfIndicatorOut
from vnfm.sol003_pm.domain.indicator_values import IndicatorValue
from vnfm.sol003_pm.selectors.indicators import SupportedIndicator, indicator_path, indicator_values, supported

DECLARED = ("id", "name", "vnfInstanceId")
"""Attributes that are known before anything is observed."""
OBSERVED = ("value", "reason", "planned", "unit", "periodSeconds", "observedAt")
FILTERS = (*DECLARED, *(f"value/{name}" for name in OBSERVED))

OBSERVED_AT_ONCE = 5 * PAGE_SIZE
"""Indicators that one request observes, whatever it filters by: about a second of work."""

Found = tuple[SupportedIndicator, dict[str, Any]]


class _Indicators(APIView):
    query = LISTED

    def _page(self, request: Request, among: Iterator[SupportedIndicator]) -> Response:
        """Observes only what may be on the page: counters take queries for each indicator.

        A page that would take too many is short, and leads to the next.
        """
        clauses = parsed_filter(request, FILTERS)
        early = [clause for clause in clauses if clause.name in DECLARED]
        late = [clause for clause in clauses if clause.name not in DECLARED]
        after = marked(request, _position)
        wanted = (
            each
            for each in among
            if (after is None or each.position > after) and (not early or fulfils(indicator_out(each), early))
        )
        considered = list(islice(wanted, OBSERVED_AT_ONCE + 1))
        matching = (pair for pair in _observed(considered[:OBSERVED_AT_ONCE]) if fulfils(pair[1], late))
        found = list(islice(matching, PAGE_SIZE + 1))
        headers = {}
        if len(found) > PAGE_SIZE:
            headers = _link(request, found[PAGE_SIZE - 1][0])
        elif len(considered) > OBSERVED_AT_ONCE:
            headers = _link(request, considered[OBSERVED_AT_ONCE - 1])
        return Response([answer for _, answer in found[:PAGE_SIZE]], headers=headers)


class IndicatorListApi(_Indicators):
    @extend_schema(
        operation_id="indicator_list", parameters=list_parameters(FILTERS), responses=VnfIndicatorOut(many=True)
    )
    def get(self, request: Request) -> Response:
        """Indicators of all VNF instances. Their value is an object; `value` in it is null while it is unknown."""
        return self._page(request, supported(VnfInstance.objects.all()))


class InstanceIndicatorListApi(_Indicators):
    @extend_schema(
        operation_id="instance_indicator_list",
        parameters=list_parameters(FILTERS),
        responses=VnfIndicatorOut(many=True),
    )
    def get(self, request: Request, instance_id: UUID) -> Response:
        """Indicators of one VNF instance."""
        return self._page(request, _of(instance_id))


class IndicatorApi(APIView):
    @extend_schema(operation_id="indicator_view", responses=VnfIndicatorOut)
    def get(self, request: Request, instance_id: UUID, indicator_id: str) -> Response:
        """One indicator."""
        chosen = (each for each in _of(instance_id) if each.indicator.id == indicator_id)
        for _, answer in _observed(chosen):
            return Response(answer)
        raise not_found("VNF indicator", indicator_id)


def _of(instance_id: UUID) -> Iterator[SupportedIndicator]:
    """Raises a 404 problem when there is no such instance."""
    return supported(VnfInstance.objects.filter(id=instance_get(instance_id=instance_id).id))


def _observed(wanted: Iterable[SupportedIndicator]) -> Iterator[Found]:
    """As they are now, some at a time."""
    wanted, now = iter(wanted), clock.now()
    while some := list(islice(wanted, PAGE_SIZE + 1)):
        values = indicator_values(some, now)
        yield from ((each, indicator_out(each, values[each.key])) for each in some if each.key in values)


def indicator_out(each: SupportedIndicator, value: IndicatorValue | None = None) -> dict[str, Any]:
    """Return the indicator on the wire; without `value`, what is known before anything is observed."""
    path = indicator_path(each.instance_id, each.indicator.id)
    return {
        "id": each.indicator.id,
        **({"name": each.indicator.name} if each.indicator.name else {}),
        **({"value": value.as_json()} if value is not None else {}),
        "vnfInstanceId": str(each.instance_id),
        "_links": {"self": link(path), "vnfInstance": link(f"/vnflcm/v2/vnf_instances/{each.instance_id}")},
    }


def _position(created_at: str, key: str) -> tuple[datetime, UUID, int]:
    """From a page's marker, which may be forged. Raises ValueError or TypeError for what `_link` did not make."""
    at = datetime.fromisoformat(created_at)
    if at.tzinfo is None:
        raise ValueError(created_at)
    instance_id, _, number = str(key).partition("/")
    return at, UUID(instance_id), int(number)


def _link(request: Request, last: SupportedIndicator) -> dict[str, str]:
    created_at, instance_id, number = last.position
    return next_page(request, created_at, f"{instance_id}/{number}")
