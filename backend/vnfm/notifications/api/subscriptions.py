"""/vnffm/v1/subscriptions (SOL003 7.4.4 and 7.4.5), and /api/v1/subscriptions: how telling the subscribers goes.

Reading takes an operator, too: callback URIs are addresses that often hold a secret.
"""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.api.permissions import caller
from vnfm.accounts.models import Role
from vnfm.kit.query import filtered, one, page
from vnfm.kit.wire import list_parameters
from vnfm.notifications.api.shapes import (
    DeliveryOut,
    FmSubscription,
    FmSubscriptionRequest,
    SubscriptionOut,
    login_of,
)
from vnfm.notifications.models import Subscription
from vnfm.notifications.selectors import delivery_list, subscription_list
from vnfm.notifications.subscription_services import subscription_create, subscription_delete

FM = Subscription.Interface.VNFFM
FM_FILTERS = {"id": "id", "callbackUri": "callback_uri"}
FILTERS = {**FM_FILTERS, "interface": "interface", "createdBy": "created_by"}
DELIVERY_FILTERS = {
    "notificationType": "notification_type",
    "subjectId": "subject_id",
    "state": "state",
    "createdAt": "created_at",
}


class _Operators(APIView):
    read_role = write_role = Role.OPERATOR


class FmSubscriptionListApi(_Operators):
    @extend_schema(
        operation_id="fm_subscription_list",
        parameters=list_parameters(FM_FILTERS),
        responses=FmSubscription(many=True),
    )
    def get(self, request: Request) -> Response:
        """Who is told of alarms, whoever subscribed."""
        rows, headers = page(filtered(subscription_list(interface=FM), request, FM_FILTERS), request)
        return Response(FmSubscription(rows, many=True).data, headers=headers)

    @extend_schema(
        operation_id="fm_subscription_create",
        request=FmSubscriptionRequest,
        responses={
            201: FmSubscription,
            303: OpenApiResponse(description="The same endpoint has the same filter already: at Location."),
        },
    )
    def post(self, request: Request) -> Response:
        """Be told of alarms of VNF instances. The endpoint is tested with a GET first, and must answer 204.

        Called are public addresses, on the ports of web servers, and the networks in VNFM_SUBSCRIBERS_ALLOWED.
        """
        body = FmSubscriptionRequest(data=request.data)
        body.is_valid(raise_exception=True)
        given: dict[str, Any] = body.validated_data
        subscription, new = subscription_create(
            interface=FM,
            callback_uri=given["callbackUri"],
            wanted=given.get("filter", {}),
            login=login_of(given.get("authentication")),
            by=caller(request).username,
        )
        place = {"Location": request.build_absolute_uri(f"{request.path}/{subscription.id}")}
        if not new:
            return Response(status=303, headers=place)
        return Response(FmSubscription(subscription).data, status=201, headers=place)


class FmSubscriptionApi(_Operators):
    @extend_schema(operation_id="fm_subscription_view", responses=FmSubscription)
    def get(self, request: Request, subscription_id: UUID) -> Response:
        """One subscription."""
        return Response(FmSubscription(_one(subscription_id, FM)).data)

    @extend_schema(operation_id="fm_subscription_delete", responses={204: None})
    def delete(self, request: Request, subscription_id: UUID) -> Response:
        """Be told no more, not even of what waits."""
        subscription_delete(subscription=_one(subscription_id, FM), by=caller(request).username)
        return Response(status=204)


class SubscriptionListApi(_Operators):
    @extend_schema(
        operation_id="subscription_list", parameters=list_parameters(FILTERS), responses=SubscriptionOut(many=True)
    )
    def get(self, request: Request) -> Response:
        """Who is told of what, and whether that reaches them."""
        rows, headers = page(filtered(subscription_list(), request, FILTERS), request)
        return Response(SubscriptionOut(rows, many=True).data, headers=headers)


class SubscriptionApi(_Operators):
    @extend_schema(operation_id="subscription_view", responses=SubscriptionOut)
    def get(self, request: Request, subscription_id: UUID) -> Response:
        """One of them. The condition Delivering is False while its endpoint does not take what it is sent."""
        return Response(SubscriptionOut(_one(subscription_id)).data)


class DeliveryListApi(_Operators):
    @extend_schema(
        operation_id="subscription_delivery_list",
        parameters=list_parameters(DELIVERY_FILTERS),
        responses=DeliveryOut(many=True),
    )
    def get(self, request: Request, subscription_id: UUID) -> Response:
        """What it was sent, or is to be, the latest first; what ended is kept for seven days."""
        found = filtered(delivery_list(subscription=_one(subscription_id)), request, DELIVERY_FILTERS)
        rows, headers = page(found, request, order=("-created_at", "id"))
        return Response(DeliveryOut(rows, many=True).data, headers=headers)


def _one(subscription_id: UUID, interface: str | None = None) -> Subscription:
    """Raises a 404 problem when there is none."""
    return one(subscription_list(interface=interface), "subscription", subscription_id)
