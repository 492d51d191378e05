"""/metrics and /metrics/elements, for Prometheus."""

from collections.abc import Iterable
from ipaddress import ip_address
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpResponse
from prometheus_client import CollectorRegistry, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from vnfm.accounts.roles import Role
from vnfm.accounts.wire import caller
from vnfm.config.metrics.element_series import ElementSelection, element_series
from vnfm.config.metrics.manager_series import manager_series
from vnfm.kit.problem import FieldError, bad_request

INTERFACES = ("none", "named", "all")
_FORWARDED = ("X-Forwarded-For", "Forwarded")


class MayScrape(BasePermission):
    """A user with the role viewer, best by an API token; or any client in VNFM_METRICS_ALLOWED.

    Behind a proxy that is not trusted every client has the proxy's address: its requests need a token.
    """

    def has_permission(self, request: Request, view: APIView) -> bool:
        if isinstance(request.user, AbstractBaseUser):
            return Role.VIEWER in caller(request).roles
        if not settings.TRUSTED_PROXY and any(name in request.headers for name in _FORWARDED):
            return False
        client = ip_address(request.META["REMOTE_ADDR"])
        return any(client in network for network in settings.METRICS_ALLOWED)


class _AnyType(BaseContentNegotiation):
    """Prometheus accepts types that no renderer has; the answer's is chosen by `choose_encoder`."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        return parsers[0]

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        return renderers[0], renderers[0].media_type


class _Series(Collector):
    def __init__(self, families: Iterable[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        return self._families


def _text(request: Request, families: Iterable[Metric]) -> HttpResponse:
    encoder, content_type = choose_encoder(request.headers.get("Accept", ""))
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Series(list(families)))
    return HttpResponse(encoder(registry), content_type=content_type, headers={"Cache-Control": "no-store"})


class _MetricsApi(APIView):
    permission_classes = (MayScrape,)
    content_negotiation_class = _AnyType
    schema = None


class ManagerMetricsApi(_MetricsApi):
    def get(self, request: Request) -> HttpResponse:
        """The manager itself: operations, queues, clouds, processes."""
        return _text(request, manager_series())


class ElementMetricsApi(_MetricsApi):
    def get(self, request: Request) -> HttpResponse:
        """Network elements; `?interfaces=named|all` adds theirs, `element` and `site` select (both repeatable)."""
        query = request.query_params
        interfaces = query.get("interfaces", "none")
        if interfaces not in INTERFACES:
            words = f"interfaces must be one of {', '.join(INTERFACES)}."
            raise bad_request("INVALID_REQUEST", words, [FieldError("/interfaces", words)], "Correct the named fields.")
        selection = ElementSelection(
            elements=query.getlist("element"), sites=query.getlist("site"), interfaces=interfaces
        )
        return _text(request, element_series(selection))
