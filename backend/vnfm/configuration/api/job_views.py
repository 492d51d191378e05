"""What is to be done at an element's command line: asked for here, done by a worker."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.wire import caller
from vnfm.configuration.api.shapes import (
    AdminStateWrite,
    ConfigurationJobDetail,
    ConfigurationJobShape,
    ConfigurationPushWrite,
    ConfigurationRollbackWrite,
)
from vnfm.configuration.api.views import SECRETS, wants_secrets
from vnfm.configuration.models import ConfigurationJob
from vnfm.configuration.selectors import job_get, job_list, shown_job_diff, shown_job_text, version_get
from vnfm.configuration.services import admin_state_start, backup_start, push_start, rollback_start
from vnfm.elements.selectors import element_get
from vnfm.kit import clock
from vnfm.kit.http import etag
from vnfm.kit.query import filtered, page
from vnfm.kit.wire import list_parameters

FILTERS = {
    "id": "id",
    "kind": "kind",
    "state": "state",
    "dryRun": "dry_run",
    "reason": "reason",
    "by": "by",
    "fdn": "fdn",
    "createdAt": "created_at",
}


def _accepted(request: Request, job: ConfigurationJob) -> Response:
    place = request.build_absolute_uri(f"/api/v1/elements/{job.element_id}/configuration/jobs/{job.id}")
    return Response(ConfigurationJobShape(job).data, status=202, headers={"Location": place})


class ConfigurationBackupApi(APIView):
    @extend_schema(
        operation_id="element_configuration_backup",
        request=serializers.Serializer[None],
        responses={202: ConfigurationJobShape},
    )
    def post(self, request: Request, element_id: UUID) -> Response:
        """Read the configuration now, and keep it if it is another than the last version."""
        element, by = element_get(element_id=element_id), caller(request).username
        return _accepted(request, backup_start(element=element, by=by, wake_at=clock.now()))


class ConfigurationPushApi(APIView):
    @extend_schema(
        operation_id="element_configuration_push",
        request=ConfigurationPushWrite,
        responses={202: ConfigurationJobShape},
    )
    def post(self, request: Request, element_id: UUID) -> Response:
        """Make lines part of its configuration, and save it. What it had before is kept as a version.

        SR OS and VRP take all lines or none; others say how many are in force when one is refused. A dry run has SR OS
        and VRP check them; FRR cannot, so only what would come and go is foreseen.

        An element with a NETCONF policy takes XML instead: a `<config>`, or one element of a data model. What cuts us
        off from it, it takes back by itself within a minute, if it can confirm commits.
        """
        element, by = element_get(element_id=element_id), caller(request).username
        body = ConfigurationPushWrite(data=request.data)
        body.is_valid(raise_exception=True)
        return _accepted(request, push_start(element=element, by=by, now=clock.now(), **body.validated_data))


class ConfigurationRollbackApi(APIView):
    @extend_schema(
        operation_id="element_configuration_rollback",
        request=ConfigurationRollbackWrite,
        responses={202: ConfigurationJobShape},
    )
    def post(self, request: Request, element_id: UUID) -> Response:
        """Make a version the running configuration again; a dry run tells how it differs from what runs now."""
        element, by = element_get(element_id=element_id), caller(request).username
        body = ConfigurationRollbackWrite(data=request.data)
        body.is_valid(raise_exception=True)
        version = version_get(element=element, version_id=body.validated_data["version_id"])
        dry_run = body.validated_data["dry_run"]
        job = rollback_start(element=element, version=version, dry_run=dry_run, by=by, now=clock.now())
        return _accepted(request, job)


class ElementAdminStateApi(APIView):
    @extend_schema(
        operation_id="element_admin_state",
        request=AdminStateWrite,
        responses={202: ConfigurationJobShape},
    )
    def post(self, request: Request, element_id: UUID) -> Response:
        """Bring a port or card up or down; the equipment tree then shows what the element says.

        409 for the part that carries the management address: we could not bring it up again. 409 also where nobody
        knows which part does (its interface is on no port, as on SR OS), unless evenIfManagementPathUnknown accepts it.
        """
        element, by = element_get(element_id=element_id), caller(request).username
        body = AdminStateWrite(data=request.data)
        body.is_valid(raise_exception=True)
        return _accepted(request, admin_state_start(element=element, by=by, now=clock.now(), **body.validated_data))


class ConfigurationJobListApi(APIView):
    @extend_schema(
        operation_id="element_configuration_job_list",
        parameters=list_parameters(FILTERS),
        responses=ConfigurationJobShape(many=True),
    )
    def get(self, request: Request, element_id: UUID) -> Response:
        """What was asked of the element's command line, the latest first."""
        rows = filtered(job_list(element=element_get(element_id=element_id)), request, FILTERS)
        found, headers = page(rows, request, order=("-created_at", "id"))
        return Response(ConfigurationJobShape(found, many=True).data, headers=headers)


class ConfigurationJobApi(APIView):
    @extend_schema(
        operation_id="element_configuration_job_view", parameters=[SECRETS], responses=ConfigurationJobDetail
    )
    def get(self, request: Request, element_id: UUID, job_id: UUID) -> Response:
        """One job: how far it is, and what it has changed or would change."""
        element = element_get(element_id=element_id)
        job, secrets = job_get(element=element, job_id=job_id), wants_secrets(request)
        job.text = shown_job_text(job, element, secrets=secrets)  # type: ignore[attr-defined]
        job.diff = shown_job_diff(job, element, secrets=secrets)  # type: ignore[attr-defined]
        return Response(ConfigurationJobDetail(job).data, headers={"ETag": etag(job.version)})
