"""/vnfpm/v2/thresholds (SOL003 6.4.5, 6.4.6), and /vnfpm/v1 with the shapes of 2.6.1."""

from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from vnfm.accounts.wire import caller
from vnfm.kit.etsi.json_filters import Texts
from vnfm.kit.etsi.query import Attributes, filtered, one, page
from vnfm.kit.etsi.query_guard import LISTED
from vnfm.kit.web.http import etag, require_match
from vnfm.kit.web.wire import StrictSerializer, list_parameters
from vnfm.notifications.wire import login_of
from vnfm.sol003_pm.api.jobs import PmOperators, update_callback
from vnfm.sol003_pm.api.shapes import (
    CreateThresholdRequest,
    CreateThresholdRequestV1,
    ThresholdModifications,
    ThresholdOut,
    ThresholdV1,
)
from vnfm.sol003_pm.models import PmThreshold
from vnfm.sol003_pm.selectors.jobs import threshold_list
from vnfm.sol003_pm.services.jobs import ThresholdRequest, threshold_create
from vnfm.sol003_pm.services.measurements import measurement_delete

FILTERS_V1: Attributes = {
    "id": "id",
    "objectInstanceId": "object_id",
    "criteria/performanceMetric": "metric",
    "criteria/simpleThresholdDetails/thresholdValue": "value",
    "criteria/simpleThresholdDetails/hysteresis": "hysteresis",
}
FILTERS: Attributes = {
    **FILTERS_V1,
    "objectType": "object_type",
    "subObjectInstanceIds": Texts("sub_object_ids", ()),
    "callbackUri": "visible_uri",
}


class _Thresholds(PmOperators):
    shape: ClassVar[type[ThresholdV1]] = ThresholdOut
    filters: ClassVar[Attributes] = FILTERS

    def _list(self, request: Request) -> Response:
        thresholds = threshold_list(user=caller(request), edition=self.edition)
        rows, headers = page(filtered(thresholds, request, self.filters), request)
        return Response(self.shape(rows, many=True).data, headers=headers)

    def _create(self, request: Request, body: StrictSerializer) -> Response:
        body.is_valid(raise_exception=True)
        values: dict[str, Any] = body.validated_data
        details = values["criteria"]["simpleThresholdDetails"]
        login = login_of(values.get("authentication"))
        threshold = threshold_create(
            request=ThresholdRequest(
                object_type=values.get("objectType", ""),
                object_id=values["objectInstanceId"],
                sub_object_ids=values.get("subObjectInstanceIds"),
                metric=values["criteria"]["performanceMetric"],
                value=details["thresholdValue"],
                hysteresis=details["hysteresis"],
            ),
            edition=self.edition,
            callback=(values["callbackUri"], login) if "callbackUri" in values else None,
            by=caller(request).username,
        )
        location = request.build_absolute_uri(f"{request.path}/{threshold.id}")
        headers = {"Location": location, "ETag": etag(threshold.version)}
        return Response(self.shape(self._threshold(request, threshold.pk)).data, status=201, headers=headers)

    def _view(self, request: Request, threshold_id: UUID) -> Response:
        threshold = self._threshold(request, threshold_id)
        return Response(self.shape(threshold).data, headers={"ETag": etag(threshold.version)})

    def _delete(self, request: Request, threshold_id: UUID) -> Response:
        threshold = self._threshold(request, threshold_id)
        require_match(request, threshold.version)
        measurement_delete(measurement=threshold, by=caller(request).username)
        return Response(status=204)

    def _threshold(self, request: Request, threshold_id: UUID) -> PmThreshold:
        self.require_edition(PmThreshold, threshold_id, "threshold")
        return one(threshold_list(user=caller(request), edition=self.edition), "threshold", threshold_id)


class ThresholdListApi(_Thresholds):
    query = LISTED

    @extend_schema(
        operation_id="threshold_list", parameters=list_parameters(FILTERS), responses=ThresholdOut(many=True)
    )
    def get(self, request: Request) -> Response:
        """All thresholds, of all users."""
        return self._list(request)

    @extend_schema(operation_id="threshold_create", request=CreateThresholdRequest, responses={201: ThresholdOut})
    def post(self, request: Request) -> Response:
        """Notify a callback when a metric crosses a value: upwards at value + hysteresis, downwards at value -
        hysteresis.

        A metric that is not measured is refused with 422. The callback is tested afterwards, as subscribers' are.
        """
        return self._create(request, CreateThresholdRequest(data=request.data))


class ThresholdApi(_Thresholds):
    @extend_schema(operation_id="threshold_view", responses=ThresholdOut)
    def get(self, request: Request, threshold_id: UUID) -> Response:
        """One threshold."""
        return self._view(request, threshold_id)

    @extend_schema(operation_id="threshold_update", request=ThresholdModifications, responses=ThresholdModifications)
    def patch(self, request: Request, threshold_id: UUID) -> Response:
        """Notify another callback, or with another login. The callback is tested afterwards."""
        body = ThresholdModifications(data=request.data)
        return update_callback(request, self._threshold(request, threshold_id), body)

    @extend_schema(operation_id="threshold_delete", responses={204: None})
    def delete(self, request: Request, threshold_id: UUID) -> Response:
        """Delete the threshold."""
        return self._delete(request, threshold_id)


class _ThresholdsV1(_Thresholds):
    """The edition of SOL003 2.6.1."""

    edition, shape, filters = PmThreshold.Edition.V1, ThresholdV1, FILTERS_V1


class ThresholdListV1Api(_ThresholdsV1):
    query = LISTED

    @extend_schema(
        operation_id="threshold_list_v1", parameters=list_parameters(FILTERS_V1), responses=ThresholdV1(many=True)
    )
    def get(self, request: Request) -> Response:
        """All thresholds of this version, of all users."""
        return self._list(request)

    @extend_schema(operation_id="threshold_create_v1", request=CreateThresholdRequestV1, responses={201: ThresholdV1})
    def post(self, request: Request) -> Response:
        """Notify subscribers when a metric of a VNF instance crosses a value, by the hysteresis."""
        return self._create(request, CreateThresholdRequestV1(data=request.data))


class ThresholdV1Api(_ThresholdsV1):
    @extend_schema(operation_id="threshold_view_v1", responses=ThresholdV1)
    def get(self, request: Request, threshold_id: UUID) -> Response:
        """One threshold."""
        return self._view(request, threshold_id)

    @extend_schema(operation_id="threshold_delete_v1", responses={204: None})
    def delete(self, request: Request, threshold_id: UUID) -> Response:
        """Delete the threshold."""
        return self._delete(request, threshold_id)
