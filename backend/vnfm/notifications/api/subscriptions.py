"""/vnflcm/v2/subscriptions (SOL003 5.4.18, 5.4.19), /vnffm/v1/subscriptions (7.4.4, 7.4.5), and /api/v1/subscriptions:
how telling the subscribers goes.

Reading takes an operator, too: callback URIs are addresses that often hold a secret.
"""

from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.models import Role
from vnfm.accounts.wire import caller
from vnfm.kit.query import filtered, one, page
from vnfm.kit.wire import StrictSerializer, list_parameters
from vnfm.notifications.api.shapes import (
    DeliveryOut,
    EtsiSubscription,
    FmSubscription,
    FmSubscriptionRequest,
    LccnSubscription,
    LccnSubscriptionRequest,
    SubscriptionOut,
    login_of,
)
from vnfm.notifications.models import Subscription
from vnfm.notifications.selectors import delivery_list, subscription_list
from vnfm.notifications.subscription_services import subscription_create, subscription_delete

ETSI_FILTERS = {"id": "id", "callbackUri": "callback_uri"}
FILTERS = {**ETSI_FILTERS, "interface": "interface", "createdBy": "created_by"}
DELIVERY_FILTERS = {
    "notificationType": "notification_type",
    "subjectId": "subject_id",
    "state": "state",
    "createdAt": "created_at",
}


SAME = OpenApiResponse(description="The same endpoint has the same filter already: at Location.")


class _Operators(APIView):
    read_role = write_role = Role.OPERATOR


class _EtsiApi(_Operators):
    """Subscriptions as one of SOL003's interfaces has them."""

    interface: ClassVar[str]
    shape: ClassVar[type[EtsiSubscription]]

    def listed(self, request: Request) -> Response:
        rows, headers = page(filtered(subscription_list(interface=self.interface), request, ETSI_FILTERS), request)
        return Response(self.shape(rows, many=True).data, headers=headers)

    def made(self, request: Request, body: StrictSerializer) -> Response:
        body.is_valid(raise_exception=True)
        given: dict[str, Any] = body.validated_data
        subscription, new = subscription_create(
            interface=self.interface,
            callback_uri=given["callbackUri"],
            wanted=given.get("filter", {}),
            verbosity=given.get("verbosity", ""),
            login=login_of(given.get("authentication")),
            by=caller(request).username,
        )
        place = {"Location": request.build_absolute_uri(f"{request.path}/{subscription.id}")}
        if not new:
            return Response(status=303, headers=place)
        return Response(self.shape(subscription).data, status=201, headers=place)

    def shown(self, subscription_id: UUID) -> Response:
        return Response(self.shape(_one(subscription_id, self.interface)).data)

    def deleted(self, request: Request, subscription_id: UUID) -> Response:
        subscription_delete(subscription=_one(subscription_id, self.interface), by=caller(request).username)
        return Response(status=204)


class _Fm(_EtsiApi):
    interface, shape = Subscription.Interface.VNFFM, FmSubscription


class _Lccn(_EtsiApi):
    interface, shape = Subscription.Interface.VNFLCM, LccnSubscription


class FmSubscriptionListApi(_Fm):
    @extend_schema(
        operation_id="fm_subscription_list",
        parameters=list_parameters(ETSI_FILTERS),
        responses=FmSubscription(many=True),
    )
    def get(self, request: Request) -> Response:
        """Who is told of alarms, whoever subscribed."""
        return self.listed(request)

    @extend_schema(
        operation_id="fm_subscription_create",
        request=FmSubscriptionRequest,
        responses={201: FmSubscription, 303: SAME},
    )
    def post(self, request: Request) -> Response:
        """Be told of alarms of VNF instances. The endpoint is tested with a GET first, and must answer 204.

        Called are public addresses, on the ports of web servers, and the networks in VNFM_SUBSCRIBERS_ALLOWED.
        """
        return self.made(request, FmSubscriptionRequest(data=request.data))


class FmSubscriptionApi(_Fm):
    @extend_schema(operation_id="fm_subscription_view", responses=FmSubscription)
    def get(self, request: Request, subscription_id: UUID) -> Response:
        """One subscription."""
        return self.shown(subscription_id)

    @extend_schema(operation_id="fm_subscription_delete", responses={204: None})
    def delete(self, request: Request, subscription_id: UUID) -> Response:
        """Be told no more, not even of what waits."""
        return self.deleted(request, subscription_id)


class LccnSubscriptionListApi(_Lccn):
    @extend_schema(
        operation_id="lccn_subscription_list",
        parameters=list_parameters(ETSI_FILTERS),
        responses=LccnSubscription(many=True),
    )
    def get(self, request: Request) -> Response:
        """Who is told of operations and VNF instances, whoever subscribed."""
        return self.listed(request)

    @extend_schema(
        operation_id="lccn_subscription_create",
        request=LccnSubscriptionRequest,
        responses={201: LccnSubscription, 303: SAME},
    )
    def post(self, request: Request) -> Response:
        """Be told of every state that an operation comes into, and of VNF instances that are created and deleted.

        The endpoint is tested with a GET first, and must answer 204. Where it may be is as for alarms.
        """
        return self.made(request, LccnSubscriptionRequest(data=request.data))


class LccnSubscriptionApi(_Lccn):
    @extend_schema(operation_id="lccn_subscription_view", responses=LccnSubscription)
    def get(self, request: Request, subscription_id: UUID) -> Response:
        """One subscription."""
        return self.shown(subscription_id)

    @extend_schema(operation_id="lccn_subscription_delete", responses={204: None})
    def delete(self, request: Request, subscription_id: UUID) -> Response:
        """Be told no more, not even of what waits."""
        return self.deleted(request, subscription_id)


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
