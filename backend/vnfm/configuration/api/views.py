"""/api/v1/elements/{id}/configuration: what configurations an element had, and when they are read."""

from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.models import Role
from vnfm.accounts.services import audit
from vnfm.accounts.wire import caller
from vnfm.configuration.api.shapes import (
    MASKED,
    ConfigurationDiffShape,
    ConfigurationPlanShape,
    ConfigurationPlanWrite,
    ConfigurationTextShape,
    ConfigurationVersionShape,
)
from vnfm.configuration.selectors import plan_of, shown_difference, shown_text, version_get, version_list
from vnfm.configuration.services import plan_update
from vnfm.elements.models import NetworkElement
from vnfm.elements.selectors import element_get
from vnfm.kit import clock
from vnfm.kit.http import etag, require_match
from vnfm.kit.problem import FieldError, bad_request
from vnfm.kit.query import filtered, page
from vnfm.kit.wire import list_parameters

FILTERS = {
    "id": "id",
    "number": "number",
    "reason": "reason",
    "by": "by",
    "takenAt": "taken_at",
    "digest": "content__digest",
}
SECRETS = OpenApiParameter("secrets", bool, description="Show them; for administrators.")


def wants_secrets(request: Request) -> bool:
    """Raises 403 for one who asks for them and is no administrator. The audit trail has who has seen them."""
    if request.query_params.get("secrets") not in ("1", "true"):
        return False
    if Role.ADMIN not in caller(request).roles:
        raise PermissionDenied("Only administrators see the secrets of a configuration.")
    address = request.META.get("REMOTE_ADDR")
    audit(actor=caller(request).username, action="GET secrets", target=request.path, address=address)
    return True


class ConfigurationApi(APIView):
    @extend_schema(operation_id="element_configuration", responses=ConfigurationPlanShape)
    def get(self, request: Request, element_id: UUID) -> Response:
        """When the element's configuration is backed up, and the last version of it."""
        return self._answer(element_get(element_id=element_id))

    @extend_schema(
        operation_id="element_configuration_plan_update",
        request=ConfigurationPlanWrite,
        responses=ConfigurationPlanShape,
    )
    def patch(self, request: Request, element_id: UUID) -> Response:
        """Say when it is backed up by itself, and how many versions are kept. Honours If-Match."""
        element = element_get(element_id=element_id)
        require_match(request, plan_of(element=element).version)
        body = ConfigurationPlanWrite(data=request.data)
        body.is_valid(raise_exception=True)
        plan_update(element=element, changes=body.validated_data, now=clock.now())
        return self._answer(element)

    def _answer(self, element: NetworkElement) -> Response:
        plan = plan_of(element=element)
        plan.latestVersion = version_list(element=element).order_by("-number").first()  # type: ignore[attr-defined]
        return Response(ConfigurationPlanShape(plan).data, headers={"ETag": etag(plan.version)})


class ConfigurationVersionListApi(APIView):
    @extend_schema(
        operation_id="element_configuration_version_list",
        parameters=list_parameters(FILTERS),
        responses=ConfigurationVersionShape(many=True),
    )
    def get(self, request: Request, element_id: UUID) -> Response:
        """The configurations that the element had, the latest first."""
        rows = filtered(version_list(element=element_get(element_id=element_id)), request, FILTERS)
        found, headers = page(rows, request, order=("-number", "id"))
        return Response(ConfigurationVersionShape(found, many=True).data, headers=headers)


class ConfigurationVersionApi(APIView):
    @extend_schema(
        operation_id="element_configuration_version_view", parameters=[SECRETS], responses=ConfigurationTextShape
    )
    def get(self, request: Request, element_id: UUID, version_id: UUID) -> Response:
        """A configuration as it was."""
        element = element_get(element_id=element_id)
        version = version_get(element=element, version_id=version_id)
        version.text = shown_text(version, element, secrets=wants_secrets(request))  # type: ignore[attr-defined]
        return Response(ConfigurationTextShape(version).data)


class ConfigurationDownloadApi(APIView):
    @extend_schema(
        operation_id="element_configuration_version_text",
        parameters=[SECRETS],
        responses={(200, "text/plain"): OpenApiTypes.STR},
        description=f"A configuration as a file. {MASKED}",
    )
    def get(self, request: Request, element_id: UUID, version_id: UUID) -> HttpResponse:
        """A configuration as a file."""
        element = element_get(element_id=element_id)
        version = version_get(element=element, version_id=version_id)
        text = shown_text(version, element, secrets=wants_secrets(request))
        name = "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in element.name)
        return HttpResponse(
            text,
            content_type="text/plain; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{name}-{version.number}.cfg"'},
        )


class ConfigurationDiffApi(APIView):
    @extend_schema(
        operation_id="element_configuration_version_diff",
        parameters=[OpenApiParameter("to", OpenApiTypes.UUID, required=True, description="Another version."), SECRETS],
        responses=ConfigurationDiffShape,
    )
    def get(self, request: Request, element_id: UUID, version_id: UUID) -> Response:
        """How another version differs from this one. Against what runs now: a rollback to it as a dry run."""
        element = element_get(element_id=element_id)
        before = version_get(element=element, version_id=version_id)
        after = version_get(element=element, version_id=_other(request))
        diff = shown_difference(before, after, element, secrets=wants_secrets(request))
        return Response({"fromVersionId": str(before.id), "toVersionId": str(after.id), "diff": diff})


def _other(request: Request) -> UUID:
    try:
        return UUID(request.query_params.get("to", ""))
    except ValueError as error:
        words = "Give the id of a version."
        raise bad_request("INVALID_REQUEST", words, [FieldError("/to", words)]) from error
