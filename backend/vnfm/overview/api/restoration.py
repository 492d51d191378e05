"""/api/v1/restoration: what a restore of a backup left to decide, and the end of the hold."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.models import Role
from vnfm.accounts.wire import caller
from vnfm.installation.services import hold_release
from vnfm.kit.problem import not_found
from vnfm.overview.selectors.restoration import KINDS, Comparison, comparison

TAGS = ["Overview"]


class RecordDifferenceOut(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=KINDS)
    objectId = serializers.UUIDField(source="object_id", help_text="Of the VNF instance, cloud or network element.")
    name = serializers.CharField()
    message = serializers.CharField(help_text="What differs, in a sentence.")


class RestorationOut(serializers.Serializer[Any]):
    takenAt = serializers.DateTimeField(source="restoration.taken_at", help_text="When the backup was taken.")
    restoredAt = serializers.DateTimeField(source="restoration.restored_at")
    backup = serializers.CharField(source="restoration.source", help_text="Name of the file.")
    releasedAt = serializers.DateTimeField(
        source="restoration.released_at",
        allow_null=True,
        help_text="Null: automation, notifications and the removal of images are on hold.",
    )
    releasedBy = serializers.CharField(source="restoration.released_by")
    clouds = serializers.IntegerField()
    cloudsCompared = serializers.IntegerField(
        source="clouds_compared", help_text="Clouds that were polled as a whole since the restore."
    )
    elements = serializers.IntegerField(help_text="Managed network elements.")
    elementsCompared = serializers.IntegerField(
        source="elements_compared",
        help_text="Polled since the restore, and read again where a configuration was known.",
    )
    differences = RecordDifferenceOut(many=True, help_text="The first 200 differences of records and reality.")
    differenceCount = serializers.IntegerField(source="count", help_text="Of all differences.")


class RestorationApi(APIView):
    @extend_schema(operation_id="restoration", tags=TAGS, responses=RestorationOut)
    def get(self, request: Request) -> Response:
        """The last restore of a backup, and what differs between its records and the clouds and routers now."""
        return _answer(comparison())


class RestorationReleaseApi(APIView):
    write_role = Role.ADMIN

    @extend_schema(operation_id="restoration_release", tags=TAGS, request=None, responses=RestorationOut)
    def post(self, request: Request) -> Response:
        """End the hold: automation acts again, and what waits for subscribers is sent."""
        hold_release(by=caller(request).username)
        return _answer(comparison())


def _answer(found: Comparison | None) -> Response:
    if found is None:
        raise not_found("restoration", "latest")
    return Response(RestorationOut(found).data)
