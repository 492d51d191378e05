"""/api/v1/alarm_routes: alarms by mail, webhook, syslog and SNMP trap."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.roles import Role
from vnfm.accounts.wire import caller
from vnfm.kit.etsi.query import filtered, page
from vnfm.kit.web.http import etag, require_match
from vnfm.kit.web.shapes import answer, as_answer
from vnfm.kit.web.wire import list_parameters
from vnfm.notifications.api.route_shapes import (
    AlarmRouteOut,
    AlarmRouteUpdate,
    AlarmRouteWrite,
    values_of,
)
from vnfm.notifications.models import AlarmRoute
from vnfm.notifications.selectors.alarm_routes import RouteDelivery, route_delivery_of, route_get, route_list
from vnfm.notifications.selectors.subscriptions import delivery_list
from vnfm.notifications.services.alarm_routes import route_create, route_delete, route_test, route_update

FILTERS = {"name": "name", "channel": "channel", "enabled": "enabled"}
DELIVERY_FILTERS = {"alarmId": "subject_id", "state": "state", "event": "notification_type", "createdAt": "created_at"}
GROUP_SECONDS, INTERVAL_SECONDS = 10, 60


class _RouteApi(APIView):
    """Operators read, administrators write: a route carries alarms out of the house."""

    read_role, write_role = Role.OPERATOR, Role.ADMIN


def _route(request: Request, route: AlarmRoute, status: int = 200) -> Response:
    shown = route_get(route_id=route.pk)
    data = AlarmRouteOut(shown, context=_context(request)).data
    return Response(data, status=status, headers={"ETag": etag(shown.version)})


def _context(request: Request) -> dict[str, bool]:
    """Those who may write a route see all of it."""
    return {"whole": Role.ADMIN in caller(request).roles}


class AlarmRouteListApi(_RouteApi):
    @extend_schema(
        operation_id="alarm_route_list", parameters=list_parameters(FILTERS), responses=AlarmRouteOut(many=True)
    )
    def get(self, request: Request) -> Response:
        """All alarm routes, and whether their messages arrive."""
        rows, headers = page(filtered(route_list(), request, FILTERS), request, order=("name", "subscription_id"))
        return Response(AlarmRouteOut(rows, many=True, context=_context(request)).data, headers=headers)

    @extend_schema(operation_id="alarm_route_create", request=AlarmRouteWrite, responses={201: AlarmRouteOut})
    def post(self, request: Request) -> Response:
        """Send alarms by mail, to a webhook, to a syslog server over TLS, or as SNMPv3 traps.

        Allowed addresses are those of subscriptions: public ones, and the networks of VNFM_SUBSCRIBERS_ALLOWED.
        """
        body = AlarmRouteWrite(data=request.data)
        body.is_valid(raise_exception=True)
        given: dict[str, Any] = body.validated_data
        values, secrets = values_of(given, given["channel"])
        values = {"group_seconds": GROUP_SECONDS, "interval_seconds": INTERVAL_SECONDS, **values}
        return _route(request, route_create(values=values, secrets=secrets, by=caller(request).username), 201)


class AlarmRouteApi(_RouteApi):
    @extend_schema(operation_id="alarm_route_view", responses=AlarmRouteOut)
    def get(self, request: Request, route_id: UUID) -> Response:
        """One alarm route."""
        return _route(request, route_get(route_id=route_id))

    @extend_schema(operation_id="alarm_route_update", request=AlarmRouteUpdate, responses=AlarmRouteOut)
    def patch(self, request: Request, route_id: UUID) -> Response:
        """Change a route; the channel stays. With another server, secrets must be given again. Honours If-Match."""
        route = route_get(route_id=route_id)
        require_match(request, route.version)
        body = AlarmRouteUpdate(data=request.data, context={"channel": route.channel})
        body.is_valid(raise_exception=True)
        values, secrets = values_of(body.validated_data, route.channel)
        updated = route_update(route=route, values=values, secrets=secrets, by=caller(request).username)
        return _route(request, updated)

    @extend_schema(operation_id="alarm_route_delete", responses={204: None})
    def delete(self, request: Request, route_id: UUID) -> Response:
        """Delete a route, and what waits for it. Honours If-Match."""
        route = route_get(route_id=route_id)
        require_match(request, route.version)
        route_delete(route=route, by=caller(request).username)
        return Response(status=204)


class AlarmRouteTestApi(_RouteApi):
    @extend_schema(operation_id="alarm_route_test", request=None, responses={204: None})
    def post(self, request: Request, route_id: UUID) -> Response:
        """Send a test message now; 422 with the reason when it cannot be sent. SNMP and syslog confirm nothing."""
        route_test(route=route_get(route_id=route_id))
        return Response(status=204)


class AlarmRouteDeliveryListApi(_RouteApi):
    @extend_schema(
        operation_id="alarm_route_delivery_list",
        parameters=list_parameters(DELIVERY_FILTERS),
        responses=answer(RouteDelivery)(many=True),
    )
    def get(self, request: Request, route_id: UUID) -> Response:
        """Its events, sent and waiting, the latest first; ended ones stay seven days, and while the alarm is open."""
        deliveries = delivery_list(subscription=route_get(route_id=route_id).subscription)
        found = filtered(deliveries, request, DELIVERY_FILTERS)
        rows, headers = page(found, request, order=("-created_at", "id"))
        return Response([as_answer(route_delivery_of(row)) for row in rows], headers=headers)
