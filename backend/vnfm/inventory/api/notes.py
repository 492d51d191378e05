"""/api/v1/vnf_instances/{id}/notes: what people write about an instance."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.wire import caller
from vnfm.inventory.api.consoles import TAG
from vnfm.inventory.models import InstanceNote
from vnfm.inventory.selectors import instance_get
from vnfm.inventory.services.notes import note_add, note_delete
from vnfm.kit import clock
from vnfm.kit.etsi.query import page
from vnfm.kit.web.wire import StrictSerializer


class InstanceNoteOut(serializers.ModelSerializer[InstanceNote]):
    class Meta:
        model = InstanceNote
        fields = ("id", "author", "text", "at")
        read_only_fields = fields


class InstanceNoteWrite(StrictSerializer):
    text = serializers.CharField(max_length=2000)


class InstanceNoteListApi(APIView):
    @extend_schema(operation_id="instance_note_list", tags=TAG, responses=InstanceNoteOut(many=True))
    def get(self, request: Request, instance_id: UUID) -> Response:
        """Notes about the instance, oldest first."""
        rows, headers = page(instance_get(instance_id=instance_id).notes.all(), request, order=("at", "id"))
        return Response(InstanceNoteOut(rows, many=True).data, headers=headers)

    @extend_schema(
        operation_id="instance_note_create", tags=TAG, request=InstanceNoteWrite, responses={201: InstanceNoteOut}
    )
    def post(self, request: Request, instance_id: UUID) -> Response:
        """Add a note about the instance."""
        instance = instance_get(instance_id=instance_id)
        body = InstanceNoteWrite(data=request.data)
        body.is_valid(raise_exception=True)
        text: str = body.validated_data["text"]
        note = note_add(instance=instance, text=text, by=caller(request).username, now=clock.now())
        return Response(InstanceNoteOut(note).data, status=201)


class InstanceNoteApi(APIView):
    @extend_schema(operation_id="instance_note_delete", tags=TAG, responses={204: None})
    def delete(self, request: Request, instance_id: UUID, note_id: UUID) -> Response:
        """Delete one's own note; 403 for another user's."""
        note_delete(instance=instance_get(instance_id=instance_id), note_id=note_id, by=caller(request).username)
        return Response(status=204)
