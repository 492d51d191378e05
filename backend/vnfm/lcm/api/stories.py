"""/api/v1/vnf_lcm_op_occs/{id}/story: the history of an operation, in sentences."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.lcm.selectors.operations import op_get, op_story


class SentenceOut(serializers.Serializer[Any]):
    at = serializers.DateTimeField()
    text = serializers.CharField()


class StoryOut(serializers.Serializer[Any]):
    sentences = SentenceOut(many=True, help_text="Oldest first; the last ones give the present state.")


class StoryApi(APIView):
    @extend_schema(operation_id="operation_story", tags=["Operations"], responses=StoryOut)
    def get(self, request: Request, op_id: UUID) -> Response:
        return Response(StoryOut({"sentences": op_story(op_get(op_id=op_id))}).data)
