"""Subscriptions of /vnflcm/v1, /vnflcm/v2 (SOL003 5.4.18, 5.4.19), /vnffm/v1 (7.4.4, 7.4.5), /vnfind/v1 (8.4.5, 8.4.6),
/vnfpm/v1 (of 2.6.1) and /vnfpkgm/v1 (SOL005 9.4.8, 9.4.9), and /api/v1/subscriptions with the state of deliveries.

Reading needs the role operator, too: callback URIs often contain a secret. Of another user's only the server is shown.
"""

from typing import Any, ClassVar
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.roles import Role
from vnfm.accounts.wire import caller
from vnfm.kit.durable import tasks
from vnfm.kit.etsi.json_filters import Texts
from vnfm.kit.etsi.query import Attributes, filtered, one, page
from vnfm.kit.etsi.query_guard import LISTED
from vnfm.kit.web.shapes import answer
from vnfm.kit.web.wire import StrictSerializer, list_parameters
from vnfm.notifications.api.shapes import (
    EtsiSubscription,
    FmSubscription,
    FmSubscriptionRequest,
    LccnSubscription,
    LccnSubscriptionRequest,
    LccnSubscriptionRequestV1,
    LccnSubscriptionV1,
    PkgmSubscription,
    PkgmSubscriptionRequest,
    PmSubscription,
    PmSubscriptionRequest,
    SubscriptionOut,
    VnfIndicatorSubscription,
    VnfIndicatorSubscriptionRequest,
)
from vnfm.notifications.models import Subscription
from vnfm.notifications.selectors.indicator_notifications import WAKE
from vnfm.notifications.selectors.subscriptions import SubscriptionDelivery, delivery_list, subscription_list
from vnfm.notifications.services.subscriptions import subscription_create, subscription_delete
from vnfm.notifications.wire import login_of

_COMMON: dict[str, str] = {"id": "id", "callbackUri": "visible_uri"}
FILTERS = {**_COMMON, "interface": "interface", "createdBy": "created_by"}
_OF_INSTANCES = tuple(
    f"vnfInstanceSubscriptionFilter/{name}" for name in ("vnfdIds", "vnfInstanceIds", "vnfInstanceNames")
)


def _criteria(*names: str) -> Attributes:
    """The attributes to filter by, including these arrays of the subscription's own filter."""
    return {**_COMMON, **{f"filter/{name}": Texts("filter", tuple(name.split("/"))) for name in names}}


FM_FILTERS = _criteria(
    "notificationTypes", "faultyResourceTypes", "perceivedSeverities", "eventTypes", "probableCauses", *_OF_INSTANCES
)
LCCN_FILTERS = _criteria("notificationTypes", "operationTypes", "operationStates", *_OF_INSTANCES)
PM_FILTERS = _criteria("notificationTypes", *_OF_INSTANCES)
INDICATOR_FILTERS = _criteria("notificationTypes", "indicatorIds", *_OF_INSTANCES)
PKGM_FILTERS = _criteria("notificationTypes", "vnfdId", "vnfPkgId", "operationalState", "usageState")
DELIVERY_FILTERS = {
    "notificationType": "notification_type",
    "subjectId": "subject_id",
    "state": "state",
    "createdAt": "created_at",
}


SAME = OpenApiResponse(description="A subscription of the same endpoint and filter exists, at Location.")


class _Operators(APIView):
    read_role = write_role = Role.OPERATOR


class _EtsiApi(_Operators):
    """Subscriptions of one of SOL003's interfaces."""

    query = LISTED
    interface: ClassVar[str]
    shape: ClassVar[type[EtsiSubscription]]
    filters: ClassVar[Attributes]

    def _all(self, request: Request) -> QuerySet[Subscription]:
        return subscription_list(user=caller(request), interface=self.interface)

    def _list(self, request: Request) -> Response:
        rows, headers = page(filtered(self._all(request), request, self.filters), request)
        return Response(self.shape(rows, many=True).data, headers=headers)

    def _create(self, request: Request, body: StrictSerializer) -> Response:
        body.is_valid(raise_exception=True)
        values: dict[str, Any] = body.validated_data
        subscription, new = subscription_create(
            interface=self.interface,
            callback_uri=values["callbackUri"],
            criteria=values.get("filter", {}),
            verbosity=values.get("verbosity", ""),
            login=login_of(values.get("authentication")),
            by=caller(request).username,
        )
        location = {"Location": request.build_absolute_uri(f"{request.path}/{subscription.id}")}
        if not new:
            return Response(status=303, headers=location)
        return Response(self.shape(_one(self._all(request), subscription.pk)).data, status=201, headers=location)

    def _view(self, request: Request, subscription_id: UUID) -> Response:
        return Response(self.shape(_one(self._all(request), subscription_id)).data)

    def _delete(self, request: Request, subscription_id: UUID) -> Response:
        subscription_delete(subscription=_one(self._all(request), subscription_id), by=caller(request).username)
        return Response(status=204)


class _Fm(_EtsiApi):
    interface, shape, filters = Subscription.Interface.VNFFM, FmSubscription, FM_FILTERS


class _Lccn(_EtsiApi):
    interface, shape, filters = Subscription.Interface.VNFLCM, LccnSubscription, LCCN_FILTERS


class FmSubscriptionListApi(_Fm):
    @extend_schema(
        operation_id="fm_subscription_list",
        parameters=list_parameters(FM_FILTERS),
        responses=FmSubscription(many=True),
    )
    def get(self, request: Request) -> Response:
        """All subscriptions to alarms, of all users."""
        return self._list(request)

    @extend_schema(
        operation_id="fm_subscription_create",
        request=FmSubscriptionRequest,
        responses={201: FmSubscription, 303: SAME},
    )
    def post(self, request: Request) -> Response:
        """Subscribe to alarms of VNF instances. The endpoint is tested with a GET afterwards, and must answer 204.

        It must be a public address, at a port of web servers, or in the networks of VNFM_SUBSCRIBERS_ALLOWED.
        """
        return self._create(request, FmSubscriptionRequest(data=request.data))


class FmSubscriptionApi(_Fm):
    @extend_schema(operation_id="fm_subscription_view", responses=FmSubscription)
    def get(self, request: Request, subscription_id: UUID) -> Response:
        """One subscription."""
        return self._view(request, subscription_id)

    @extend_schema(operation_id="fm_subscription_delete", responses={204: None})
    def delete(self, request: Request, subscription_id: UUID) -> Response:
        """Unsubscribe; notifications that wait are not delivered."""
        return self._delete(request, subscription_id)


class LccnSubscriptionListApi(_Lccn):
    @extend_schema(
        operation_id="lccn_subscription_list",
        parameters=list_parameters(LCCN_FILTERS),
        responses=LccnSubscription(many=True),
    )
    def get(self, request: Request) -> Response:
        """All subscriptions to operations and VNF instances, of all users."""
        return self._list(request)

    @extend_schema(
        operation_id="lccn_subscription_create",
        request=LccnSubscriptionRequest,
        responses={201: LccnSubscription, 303: SAME},
    )
    def post(self, request: Request) -> Response:
        """Subscribe to every state that an operation enters, and to the creation and deletion of VNF instances.

        The endpoint is tested with a GET afterwards, and must answer 204. Allowed addresses are as for alarms.
        """
        return self._create(request, LccnSubscriptionRequest(data=request.data))


class LccnSubscriptionApi(_Lccn):
    @extend_schema(operation_id="lccn_subscription_view", responses=LccnSubscription)
    def get(self, request: Request, subscription_id: UUID) -> Response:
        """One subscription."""
        return self._view(request, subscription_id)

    @extend_schema(operation_id="lccn_subscription_delete", responses={204: None})
    def delete(self, request: Request, subscription_id: UUID) -> Response:
        """Unsubscribe; notifications that wait are not delivered."""
        return self._delete(request, subscription_id)


class _LccnV1(_EtsiApi):
    interface, shape, filters = Subscription.Interface.VNFLCM_V1, LccnSubscriptionV1, LCCN_FILTERS


class LccnSubscriptionListV1Api(_LccnV1):
    """The edition of SOL003 2.6.1."""

    @extend_schema(
        operation_id="lccn_subscription_list_v1",
        parameters=list_parameters(LCCN_FILTERS),
        responses=LccnSubscriptionV1(many=True),
    )
    def get(self, request: Request) -> Response:
        """All subscriptions to operations and VNF instances, of all users."""
        return self._list(request)

    @extend_schema(
        operation_id="lccn_subscription_create_v1",
        request=LccnSubscriptionRequestV1,
        responses={201: LccnSubscriptionV1, 303: SAME},
    )
    def post(self, request: Request) -> Response:
        """Subscribe to operations and VNF instances. The endpoint is tested with a GET afterwards."""
        return self._create(request, LccnSubscriptionRequestV1(data=request.data))


class LccnSubscriptionV1Api(_LccnV1):
    @extend_schema(operation_id="lccn_subscription_view_v1", responses=LccnSubscriptionV1)
    def get(self, request: Request, subscription_id: UUID) -> Response:
        """One subscription."""
        return self._view(request, subscription_id)

    @extend_schema(operation_id="lccn_subscription_delete_v1", responses={204: None})
    def delete(self, request: Request, subscription_id: UUID) -> Response:
        """Unsubscribe; notifications that wait are not delivered."""
        return self._delete(request, subscription_id)


class _PmV1(_EtsiApi):
    interface, shape, filters = Subscription.Interface.VNFPM_V1, PmSubscription, PM_FILTERS


class PmSubscriptionListV1Api(_PmV1):
    """SOL003 2.6.1, 6.4.7; from 3.3.1 on each PM job and threshold has a callback of its own."""

    @extend_schema(
        operation_id="pm_subscription_list_v1",
        parameters=list_parameters(PM_FILTERS),
        responses=PmSubscription(many=True),
    )
    def get(self, request: Request) -> Response:
        """All subscriptions to reports and crossed thresholds, of all users."""
        return self._list(request)

    @extend_schema(
        operation_id="pm_subscription_create_v1",
        request=PmSubscriptionRequest,
        responses={201: PmSubscription, 303: SAME},
    )
    def post(self, request: Request) -> Response:
        """Subscribe to reports and crossed thresholds. The endpoint is tested with a GET afterwards."""
        return self._create(request, PmSubscriptionRequest(data=request.data))


class PmSubscriptionV1Api(_PmV1):
    @extend_schema(operation_id="pm_subscription_view_v1", responses=PmSubscription)
    def get(self, request: Request, subscription_id: UUID) -> Response:
        """One subscription."""
        return self._view(request, subscription_id)

    @extend_schema(operation_id="pm_subscription_delete_v1", responses={204: None})
    def delete(self, request: Request, subscription_id: UUID) -> Response:
        """Unsubscribe; notifications that wait are not delivered."""
        return self._delete(request, subscription_id)


class _Indicators(_EtsiApi):
    interface, shape, filters = Subscription.Interface.VNFIND, VnfIndicatorSubscription, INDICATOR_FILTERS


class IndicatorSubscriptionListApi(_Indicators):
    @extend_schema(
        operation_id="indicator_subscription_list",
        parameters=list_parameters(INDICATOR_FILTERS),
        responses=VnfIndicatorSubscription(many=True),
    )
    def get(self, request: Request) -> Response:
        """All subscriptions to VNF indicators, of all users."""
        return self._list(request)

    @extend_schema(
        operation_id="indicator_subscription_create",
        request=VnfIndicatorSubscriptionRequest,
        responses={201: VnfIndicatorSubscription, 303: SAME},
    )
    def post(self, request: Request) -> Response:
        """Subscribe to changed values of VNF indicators, and to changes of what a VNF instance supports.

        The endpoint is tested with a GET afterwards, and must answer 204. Allowed addresses are as for alarms.
        """
        answer = self._create(request, VnfIndicatorSubscriptionRequest(data=request.data))
        tasks.enqueue_on_commit(WAKE, "")
        return answer


class IndicatorSubscriptionApi(_Indicators):
    @extend_schema(operation_id="indicator_subscription_view", responses=VnfIndicatorSubscription)
    def get(self, request: Request, subscription_id: UUID) -> Response:
        """One subscription."""
        return self._view(request, subscription_id)

    @extend_schema(operation_id="indicator_subscription_delete", responses={204: None})
    def delete(self, request: Request, subscription_id: UUID) -> Response:
        """Unsubscribe; notifications that wait are not delivered."""
        return self._delete(request, subscription_id)


class _Pkgm(_EtsiApi):
    interface, shape, filters = Subscription.Interface.VNFPKGM, PkgmSubscription, PKGM_FILTERS


class PkgmSubscriptionListApi(_Pkgm):
    @extend_schema(
        operation_id="pkgm_subscription_list",
        parameters=list_parameters(PKGM_FILTERS),
        responses=PkgmSubscription(many=True),
    )
    def get(self, request: Request) -> Response:
        """All subscriptions to VNF packages, of all users."""
        return self._list(request)

    @extend_schema(
        operation_id="pkgm_subscription_create",
        request=PkgmSubscriptionRequest,
        responses={201: PkgmSubscription, 303: SAME},
    )
    def post(self, request: Request) -> Response:
        """Subscribe to packages that are onboarded, enabled, disabled and deleted.

        The endpoint is tested with a GET afterwards, and must answer 204. Allowed addresses are as for alarms.
        """
        return self._create(request, PkgmSubscriptionRequest(data=request.data))


class PkgmSubscriptionApi(_Pkgm):
    @extend_schema(operation_id="pkgm_subscription_view", responses=PkgmSubscription)
    def get(self, request: Request, subscription_id: UUID) -> Response:
        """One subscription."""
        return self._view(request, subscription_id)

    @extend_schema(operation_id="pkgm_subscription_delete", responses={204: None})
    def delete(self, request: Request, subscription_id: UUID) -> Response:
        """Unsubscribe; notifications that wait are not delivered."""
        return self._delete(request, subscription_id)


class PkgmSubscriptionListV2Api(PkgmSubscriptionListApi):
    """The major version of SOL005 3.x, with the same shapes."""

    interface = Subscription.Interface.VNFPKGM_V2


class PkgmSubscriptionV2Api(PkgmSubscriptionApi):
    interface = Subscription.Interface.VNFPKGM_V2


class SubscriptionListApi(_Operators):
    @extend_schema(
        operation_id="subscription_list", parameters=list_parameters(FILTERS), responses=SubscriptionOut(many=True)
    )
    def get(self, request: Request) -> Response:
        """All subscriptions, and whether notifications reach them."""
        rows, headers = page(filtered(subscription_list(user=caller(request)), request, FILTERS), request)
        return Response(SubscriptionOut(rows, many=True).data, headers=headers)


class SubscriptionApi(_Operators):
    @extend_schema(operation_id="subscription_view", responses=SubscriptionOut)
    def get(self, request: Request, subscription_id: UUID) -> Response:
        """One subscription. Its condition Delivering is False while its endpoint does not accept notifications."""
        return Response(SubscriptionOut(_one(subscription_list(user=caller(request)), subscription_id)).data)


class DeliveryListApi(_Operators):
    @extend_schema(
        operation_id="subscription_delivery_list",
        parameters=list_parameters(DELIVERY_FILTERS),
        responses=answer(SubscriptionDelivery)(many=True),
    )
    def get(self, request: Request, subscription_id: UUID) -> Response:
        """Its notifications, sent and waiting, the latest first; deliveries that ended are kept for seven days."""
        subscription = _one(subscription_list(user=caller(request)), subscription_id)
        found = filtered(delivery_list(subscription=subscription), request, DELIVERY_FILTERS)
        rows, headers = page(found, request, order=("-created_at", "id"))
        return Response(answer(SubscriptionDelivery)(rows, many=True).data, headers=headers)


def _one(rows: QuerySet[Subscription], subscription_id: UUID) -> Subscription:
    """Raises a 404 problem when there is none."""
    return one(rows, "subscription", subscription_id)
