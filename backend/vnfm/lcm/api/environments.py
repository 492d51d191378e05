"""/api/v1/environments: named settings of instantiations; as HOT environment files, too."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.utils.http import content_disposition_header
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.catalog.domain.documents import MAX_BYTES
from vnfm.kit import clock
from vnfm.kit.web.downloads import AnyAccept
from vnfm.kit.web.resource import Resource, Sentences
from vnfm.kit.web.wire import StrictSerializer
from vnfm.lcm.api.input_types import WireSerializer
from vnfm.lcm.domain.request_types import ScaleInfo
from vnfm.lcm.domain.requests import MAX_DESCRIPTION, MAX_NAME
from vnfm.lcm.models import Environment
from vnfm.lcm.services.environments import (
    environment_as_hot,
    environment_create,
    environment_delete,
    environment_derive,
    environment_update,
)


class EnvironmentChange(StrictSerializer):
    name = serializers.CharField(max_length=MAX_NAME)
    description = serializers.CharField(max_length=MAX_DESCRIPTION, required=False, allow_blank=True)


class EnvironmentWrite(EnvironmentChange):
    """The rest is as in InstantiateVnfRequest; a setting that the VNFD hides is refused."""

    vnfdId = serializers.UUIDField()
    vimId = serializers.UUIDField(required=False, allow_null=True, help_text="null: for any VIM.")
    flavourId = serializers.CharField(max_length=100)
    instantiationLevelId = serializers.CharField(max_length=100, required=False)
    targetScaleLevelInfo = WireSerializer.of(ScaleInfo)(many=True, required=False)
    additionalParams = serializers.DictField(required=False)


class EnvironmentScaleOut(serializers.Serializer[Any]):
    aspectId = serializers.CharField()
    scaleLevel = serializers.IntegerField()


class EnvironmentOut(serializers.Serializer[Any]):  # Any: one environment, or with many=True several
    id = serializers.UUIDField()
    name = serializers.CharField()
    description = serializers.CharField()
    vnfdId = serializers.UUIDField(source="vnfd_id")
    vnfProvider = serializers.CharField(source="provider")
    vnfProductName = serializers.CharField(source="product_name")
    vnfSoftwareVersion = serializers.CharField(source="software_version")
    vnfdVersion = serializers.CharField(source="vnfd_version")
    vimId = serializers.UUIDField(source="vim_id", allow_null=True, help_text="It may be registered no longer.")
    vimName = serializers.CharField(source="vim_name", help_text="When the environment was saved.")
    flavourId = serializers.CharField(source="flavour_id")
    instantiationLevelId = serializers.CharField(
        source="instantiation_level_id", help_text="Empty: the default one of the flavour."
    )
    targetScaleLevelInfo = serializers.SerializerMethodField()
    additionalParams = serializers.DictField(source="params", help_text="Hidden settings are never in it.")
    createdAt = serializers.DateTimeField(source="created_at")
    createdBy = serializers.CharField(source="created_by")
    changedAt = serializers.DateTimeField(source="changed_at")
    changedBy = serializers.CharField(source="changed_by")
    version = serializers.IntegerField()

    @extend_schema_field(EnvironmentScaleOut(many=True))
    def get_targetScaleLevelInfo(self, row: Environment) -> list[dict[str, Any]]:
        return [{"aspectId": aspect, "scaleLevel": level} for aspect, level in row.scale_levels.items()]


class EnvironmentDeriveRequest(StrictSerializer):
    vnfdId = serializers.UUIDField()
    document = serializers.CharField(
        max_length=MAX_BYTES, trim_whitespace=False, help_text="A HOT environment file: YAML with `parameters`."
    )


class LeftOutShape(serializers.Serializer[Any]):
    name = serializers.CharField()
    reason = serializers.CharField()


class DerivedEnvironment(serializers.Serializer[Any]):
    additionalParams = serializers.DictField(source="params")
    leftOut = LeftOutShape(many=True, source="skipped")


ENVIRONMENTS = Resource(
    name="environment",
    noun="environment",
    key="environment_id",
    rows=Environment.objects.all,
    filters={
        "id": "id",
        "name": "name",
        "vnfdId": "vnfd_id",
        "vnfProvider": "provider",
        "vnfProductName": "product_name",
        "vimId": "vim_id",
    },
    shape=EnvironmentOut,
    creates=EnvironmentWrite,
    changes=EnvironmentChange,
    create=lambda values, user: environment_create(request=values, by=user.username, now=clock.now()),
    change=lambda row, values, user: environment_update(
        environment=row, changes=values, by=user.username, now=clock.now()
    ),
    delete=lambda row, _by: environment_delete(environment=row),
    sentences=Sentences(
        list="All environments, oldest first.",
        create="Save settings of an instantiation under a name. 422 names the fields that the VNFD does not allow.",
        view="One environment.",
        change="Rename or describe an environment. Honours If-Match.",
        delete="Delete an environment; instances made with it keep their settings. Honours If-Match.",
    ),
)


class EnvironmentHotApi(APIView):
    content_negotiation_class = AnyAccept

    @extend_schema(operation_id="environment_hot_get", responses={(200, "text/yaml"): OpenApiTypes.STR})
    def get(self, _request: Request, **place: UUID) -> HttpResponse:
        """The environment as a HOT environment file, for OpenStack's own tools and for another VNF manager."""
        row = ENVIRONMENTS.one(place)
        name = "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in row.name)
        attached = content_disposition_header(True, f"{name}.env.yaml") or "attachment"
        text = environment_as_hot(row)
        return HttpResponse(text, content_type="text/yaml; charset=utf-8", headers={"Content-Disposition": attached})


class EnvironmentDeriveApi(APIView):
    @extend_schema(
        operation_id="environment_derive", request=EnvironmentDeriveRequest, responses={200: DerivedEnvironment}
    )
    def post(self, request: Request) -> Response:
        """The settings of a HOT environment file that fit a VNFD, and why the rest does not. Nothing is saved."""
        body = EnvironmentDeriveRequest(data=request.data)
        body.is_valid(raise_exception=True)
        given = body.validated_data
        fitting = environment_derive(vnfd_id=given["vnfdId"], document=given["document"])
        return Response(DerivedEnvironment(fitting).data)
