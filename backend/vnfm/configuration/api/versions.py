"""/api/v1/elements/{id}/configuration: the versions of an element's configuration, and its backup plan."""

from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.roles import Role
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
from vnfm.configuration.selectors import plan_of, version_difference, version_get, version_list, version_text
from vnfm.configuration.services.plans import plan_update
from vnfm.elements.models import NetworkElement
from vnfm.elements.selectors import element_get
from vnfm.kit import clock
from vnfm.kit.etsi.query import filtered, page, requested_size
from vnfm.kit.problem import FieldError, bad_request
from vnfm.kit.web.http import etag, require_match
from vnfm.kit.web.shapes import answer, as_answer
from vnfm.kit.web.wire import list_parameters, size_parameter

FILTERS = {
    "id": "id",
    "number": "number",
    "reason": "reason",
    "by": "by",
    "takenAt": "taken_at",
}
SECRETS = OpenApiParameter("secrets", bool, description="Do not mask secrets; for administrators.")


def wants_secrets(request: Request) -> bool:
    """Audit and return whether the request wants unmasked secrets. Raises 403 for others than administrators."""
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
        """The backup plan of the element, and its last version."""
        return self._answer(element_get(element_id=element_id))

    @extend_schema(
        operation_id="element_configuration_plan_update",
        request=ConfigurationPlanWrite,
        responses=ConfigurationPlanShape,
    )
    def patch(self, request: Request, element_id: UUID) -> Response:
        """Change when it is backed up automatically, and how many versions are kept. Honours If-Match."""
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
        parameters=[*list_parameters(FILTERS), size_parameter()],
        responses=answer(ConfigurationVersionShape)(many=True),
    )
    def get(self, request: Request, element_id: UUID) -> Response:
        """The versions of the element's configuration, the latest first."""
        rows = filtered(version_list(element=element_get(element_id=element_id)), request, FILTERS)
        found, headers = page(rows, request, ("-number", "id"), requested_size(request))
        return Response(answer(ConfigurationVersionShape)(found, many=True).data, headers=headers)


class ConfigurationVersionApi(APIView):
    @extend_schema(
        operation_id="element_configuration_version_view",
        parameters=[SECRETS],
        responses=answer(ConfigurationTextShape),
    )
    def get(self, request: Request, element_id: UUID, version_id: UUID) -> Response:
        """One version, with its text."""
        element = element_get(element_id=element_id)
        version = version_get(element=element, version_id=version_id)
        text = version_text(version, element, secrets=wants_secrets(request))
        return Response(as_answer(version, ConfigurationVersionShape) | {"text": text})


class ConfigurationDownloadApi(APIView):
    @extend_schema(
        operation_id="element_configuration_version_text",
        parameters=[SECRETS],
        responses={(200, "text/plain"): OpenApiTypes.STR},
        description=f"One version as a file. {MASKED}",
    )
    def get(self, request: Request, element_id: UUID, version_id: UUID) -> HttpResponse:
        """One version as a file."""
        element = element_get(element_id=element_id)
        version = version_get(element=element, version_id=version_id)
        text = version_text(version, element, secrets=wants_secrets(request))
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
        responses=answer(ConfigurationDiffShape),
    )
    def get(self, request: Request, element_id: UUID, version_id: UUID) -> Response:
        """The difference between this version and another one. A dry run of a rollback compares with what runs now."""
        element = element_get(element_id=element_id)
        before = version_get(element=element, version_id=version_id)
        after = version_get(element=element, version_id=_other_version(request))
        diff = version_difference(before, after, element, secrets=wants_secrets(request))
        return Response(as_answer(ConfigurationDiffShape(before.id, after.id, diff)))


def _other_version(request: Request) -> UUID:
    try:
        return UUID(request.query_params.get("to", ""))
    except ValueError as error:
        words = "Give the id of a version."
        raise bad_request("INVALID_REQUEST", words, [FieldError("/to", words)]) from error
