"""/api/v1/vnf_instances/{id}/drift: the difference from the desired state: read it, accept it, or have it repaired."""

from functools import partial
from typing import Any, get_args
from uuid import UUID

from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.wire import caller
from vnfm.inventory.domain.drift import Difference, DriftKind
from vnfm.kit.web.http import etag, require_match
from vnfm.kit.web.wire import AnswerSerializer, StrictSerializer
from vnfm.lcm.services.drift import DifferenceSelector, DriftState, drift_accept, drift_get, drift_repair

TAG = ["Drift"]
KINDS = [(kind, kind) for kind in get_args(DriftKind)]
IN_SYNC = {"True": True, "False": False, "Unknown": None}


class DifferenceOut(AnswerSerializer):
    kind = serializers.ChoiceField(choices=KINDS)
    subject = serializers.CharField(help_text="Name of the VNFC, server or stack; id of the VDU when counts differ.")
    vnfcId = serializers.UUIDField(allow_null=True)
    message = serializers.CharField()
    expected = serializers.CharField()
    found = serializers.CharField()
    since = serializers.DateTimeField(allow_null=True)
    acceptable = serializers.BooleanField()
    accept = serializers.CharField(help_text="What accepting it means.")
    whyNot = serializers.CharField(source="why_not", help_text="Why it cannot be accepted.")
    repair = serializers.CharField(help_text="What a repair would do; empty when no repair can.")

    def get_vnfcId(self, difference: Difference) -> str | None:
        return difference.vnfc_id or None


class DriftStateOut(serializers.Serializer[Any]):
    inSync = serializers.BooleanField(allow_null=True, help_text="Null when it is not known now; see the message.")
    message = serializers.CharField()
    observedAt = serializers.DateTimeField(allow_null=True)
    differences = DifferenceOut(many=True)


class NamedDifference(StrictSerializer):
    kind = serializers.ChoiceField(choices=KINDS)
    vnfcId = serializers.UUIDField(required=False)
    subject = serializers.CharField(max_length=255, required=False, default="")


class AcceptDriftRequest(StrictSerializer):
    """It selects the differences to accept: of these kinds and these ones; all of them when neither is given."""

    kinds = serializers.ListField(child=serializers.ChoiceField(choices=KINDS), required=False, allow_empty=False)
    differences = NamedDifference(many=True, required=False, allow_empty=False)


class DriftApi(APIView):
    @extend_schema(operation_id="vnf_instance_drift", tags=TAG, responses=DriftStateOut)
    def get(self, request: Request, instance_id: UUID) -> Response:
        """Return the differences of the instance from its desired state, as last observed."""
        return _answer(drift_get(instance_id=instance_id))


class AcceptDriftApi(APIView):
    @extend_schema(
        operation_id="vnf_instance_accept_drift", tags=TAG, request=AcceptDriftRequest, responses=DriftStateOut
    )
    def post(self, request: Request, instance_id: UUID) -> Response:
        """Make what was found the desired state; answers with what still differs. Changes nothing in the cloud."""
        body = AcceptDriftRequest(data=request.data)
        body.is_valid(raise_exception=True)
        named = [DifferenceSelector(kind) for kind in body.validated_data.get("kinds", ())]
        named += [
            DifferenceSelector(item["kind"], str(item.get("vnfcId") or ""), item["subject"])
            for item in body.validated_data.get("differences", ())
        ]
        state = drift_accept(
            instance_id=instance_id,
            named=named,
            actor=caller(request).username,
            precondition=partial(require_match, request),
        )
        return _answer(state)


class RepairApi(APIView):
    @extend_schema(
        operation_id="vnf_instance_repair",
        tags=TAG,
        request=None,
        responses={202: OpenApiResponse(description="Accepted; Location names the VNF LCM operation occurrence.")},
    )
    def post(self, request: Request, instance_id: UUID) -> Response:
        """Bring the instance back to its desired state: a heal with `repair`."""
        op = drift_repair(
            instance_id=instance_id, actor=caller(request).username, precondition=partial(require_match, request)
        )
        location = request.build_absolute_uri(reverse("vnf_lcm_op_occ", args=[op.id]))
        return Response(status=202, headers={"Location": location})


def _answer(state: DriftState) -> Response:
    body = {
        "inSync": IN_SYNC[state.condition.status],
        "message": state.condition.message,
        "observedAt": state.condition.observed_at,
        "differences": state.differences,
    }
    return Response(DriftStateOut(body).data, headers={"ETag": etag(state.version)})
