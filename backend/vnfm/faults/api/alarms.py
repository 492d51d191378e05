"""/vnffm/v1/alarms (SOL003 clause 7): alarms of VNF instances alone. All alarms are at /api/v1/alarms."""

from uuid import UUID

from django.db import transaction
from django.db.models import Case, Exists, OuterRef, Value, When
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.wire import caller
from vnfm.faults.models import Alarm
from vnfm.faults.selectors import vnf_alarm_get, vnf_alarm_list
from vnfm.faults.services.alarms import alarm_acknowledge, alarm_lock
from vnfm.faults.wire import AlarmModifications, AlarmOut
from vnfm.kit import clock
from vnfm.kit.etsi.query import Attributes, Computed, filtered, page
from vnfm.kit.etsi.query_guard import LISTED
from vnfm.kit.web.http import etag, require_match
from vnfm.kit.web.wire import list_parameters

_HAS_CORRELATED = Exists(Alarm.objects.filter(root_cause=OuterRef("pk"), cleared_at__isnull=True))
FILTERABLE: Attributes = {
    "id": "id",
    "managedObjectId": "managed_object_id",
    "rootCauseFaultyResource/faultyResourceType": "faulty_resource_type",
    "rootCauseFaultyResource/faultyResource/resourceId": "faulty_resource",
    "eventType": "event_type",
    "perceivedSeverity": "perceived_severity",
    "probableCause": "probable_cause",
    "faultType": "fault_type",
    "ackState": "ack_state",
    "alarmRaisedTime": "raised_at",
    "alarmClearedTime": "cleared_at",
    "alarmChangedTime": "changed_at",
    "eventTime": "event_time",
    "isRootCause": Computed(Case(When(_HAS_CORRELATED, then=Value("true")), default=Value("false"))),
}
"""SOL003 7.4.2.3.2 requires six of these."""


class AlarmListApi(APIView):
    query = LISTED

    @extend_schema(
        operation_id="alarm_list",
        parameters=list_parameters(FILTERABLE),
        responses=AlarmOut(many=True),
    )
    def get(self, request: Request) -> Response:
        """Open alarms of VNF instances, and recently cleared ones; the latest raised first."""
        rows, headers = page(filtered(vnf_alarm_list(), request, FILTERABLE), request, order=("-raised_at", "id"))
        return Response(AlarmOut(rows, many=True).data, headers=headers)


class AlarmApi(APIView):
    @extend_schema(operation_id="alarm_view", responses=AlarmOut)
    def get(self, request: Request, alarm_id: UUID) -> Response:
        """One alarm."""
        alarm = vnf_alarm_get(alarm_id=alarm_id)
        return Response(AlarmOut(alarm).data, headers={"ETag": etag(alarm.version)})

    @extend_schema(operation_id="alarm_acknowledge", request=AlarmModifications, responses=AlarmModifications)
    def patch(self, request: Request, alarm_id: UUID) -> Response:
        """Acknowledge or unacknowledge an alarm; 409 when it is in that state already."""
        body = AlarmModifications(data=request.data)
        body.is_valid(raise_exception=True)
        ack_state: str = body.validated_data["ackState"]
        vnf_alarm_get(alarm_id=alarm_id)
        with transaction.atomic():
            alarm = alarm_lock(alarm_id=alarm_id)
            require_match(request, alarm.version)
            alarm_acknowledge(alarm=alarm, ack_state=ack_state, by=caller(request).username, now=clock.now())
        return Response({"ackState": alarm.ack_state}, headers={"ETag": etag(alarm.version)})
