"""/api/v1/vims/{id}/unclaimed: resources in a cloud that belong to no record of ours; remove one, or adopt a stack."""

from typing import Any
from uuid import UUID

from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.wire import caller
from vnfm.inventory import selectors as inventory
from vnfm.inventory.models import UnclaimedResource
from vnfm.kit.etsi.query import filtered, page
from vnfm.kit.web.wire import ProblemDetails, StrictSerializer, list_parameters
from vnfm.lcm.services.unclaimed import adoptable_by, unclaimed_adopt, unclaimed_remove

TAG = ["Unclaimed resources"]
FILTERS = {"id": "id", "kind": "kind", "name": "name", "ours": "ours", "resourceId": "resource_id"}


class RemovalOut(serializers.Serializer[Any]):
    state = serializers.ChoiceField(source="removal", choices=UnclaimedResource.Removal.choices)
    problem = ProblemDetails(source="removal_problem", allow_null=True)


class _AdoptableByField(serializers.ListField):
    def get_attribute(self, row: UnclaimedResource) -> list[UUID]:
        found: dict[UUID, list[UUID]] = self.context["adoptable_by"]
        return found.get(row.id, [])


class UnclaimedOut(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=UnclaimedResource.Kind.choices)
    resourceId = serializers.CharField(source="resource_id")
    name = serializers.CharField()
    ours = serializers.BooleanField(help_text="It carries our tag; only then may it be removed.")
    vnfInstanceId = serializers.UUIDField(
        source="instance_id", allow_null=True, help_text="The instance that its tag names."
    )
    status = serializers.CharField()
    detail = serializers.CharField()
    firstSeenAt = serializers.DateTimeField(source="first_seen_at")
    lastSeenAt = serializers.DateTimeField(source="last_seen_at")
    removal = RemovalOut(source="*")
    adoptableBy = _AdoptableByField(
        child=serializers.UUIDField(), help_text="VNFDs whose resources the stack has, by their names and types."
    )


class RemoveUnclaimedRequest(StrictSerializer):
    confirm = serializers.CharField(max_length=255, help_text="Its name, repeated.")


class AdoptRequest(StrictSerializer):
    """`additionalParams`: the VNFD's hidden settings, which Heat does not return, and the mediation policies of its
    element (`snmpPolicy`, `sshPolicy`, `netconfPolicy`); all other settings are read from the stack.
    """

    vnfdId = serializers.UUIDField()
    vnfInstanceName = serializers.CharField(max_length=100, required=False, default="", allow_blank=True)
    additionalParams = serializers.DictField(required=False, default=dict)


class UnclaimedListApi(APIView):
    @extend_schema(
        operation_id="vim_unclaimed_list",
        tags=TAG,
        parameters=list_parameters(FILTERS),
        responses=UnclaimedOut(many=True),
    )
    def get(self, request: Request, vim_id: UUID) -> Response:
        """Resources in this VIM that belong to no record, as of the last full scan; longest known first."""
        query = inventory.unclaimed_of(vim_id=vim_id)
        rows, headers = page(filtered(query, request, FILTERS), request, order=("first_seen_at", "id"))
        return Response(
            UnclaimedOut(rows, many=True, context={"adoptable_by": adoptable_by(rows)}).data, headers=headers
        )


class RemoveUnclaimedApi(APIView):
    @extend_schema(
        operation_id="unclaimed_remove", tags=TAG, request=RemoveUnclaimedRequest, responses={202: UnclaimedOut}
    )
    def post(self, request: Request, unclaimed_id: UUID) -> Response:
        """Have it removed from the cloud. Only a resource with our tag, and only when its name is repeated."""
        body = RemoveUnclaimedRequest(data=request.data)
        body.is_valid(raise_exception=True)
        row = unclaimed_remove(
            unclaimed_id=unclaimed_id, confirm=body.validated_data["confirm"], actor=caller(request).username
        )
        return Response(UnclaimedOut(row, context={"adoptable_by": adoptable_by([row])}).data, status=202)


class AdoptApi(APIView):
    @extend_schema(
        operation_id="unclaimed_adopt",
        tags=TAG,
        request=AdoptRequest,
        responses={202: OpenApiResponse(description="Accepted; Location names the VNF LCM operation occurrence.")},
    )
    def post(self, request: Request, unclaimed_id: UUID) -> Response:
        """Make a VNF instance of a stack: creates the identifier and starts an instantiation that adopts it."""
        body = AdoptRequest(data=request.data)
        body.is_valid(raise_exception=True)
        given = body.validated_data
        op = unclaimed_adopt(
            unclaimed_id=unclaimed_id,
            vnfd_id=given["vnfdId"],
            name=given["vnfInstanceName"],
            params=given["additionalParams"],
            actor=caller(request).username,
        )
        location = request.build_absolute_uri(reverse("vnf_lcm_op_occ", args=[op.id]))
        return Response(status=202, headers={"Location": location})
