"""/api/v1/elements/{id}/configuration: backups, pushes, rollbacks and admin states, as jobs that a worker runs."""

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
from vnfm.configuration.api.versions import SECRETS, wants_secrets
from vnfm.configuration.models import ConfigurationJob
from vnfm.configuration.selectors import job_diff, job_get, job_list, job_text, version_get
from vnfm.configuration.services.admin_state import admin_state_start
from vnfm.configuration.services.jobs import backup_start
from vnfm.configuration.services.push import push_start, rollback_start
from vnfm.elements.selectors import element_get
from vnfm.kit import clock
from vnfm.kit.etsi.query import filtered, page
from vnfm.kit.web.http import etag
from vnfm.kit.web.wire import list_parameters

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
    location = request.build_absolute_uri(f"/api/v1/elements/{job.element_id}/configuration/jobs/{job.id}")
    return Response(ConfigurationJobShape(job).data, status=202, headers={"Location": location})


class ConfigurationBackupApi(APIView):
    @extend_schema(
        operation_id="element_configuration_backup",
        request=serializers.Serializer[None],
        responses={202: ConfigurationJobShape},
    )
    def post(self, request: Request, element_id: UUID) -> Response:
        """Read the configuration now, and store it if it differs from the last version."""
        element, by = element_get(element_id=element_id), caller(request).username
        return _accepted(request, backup_start(element=element, by=by, wake_at=clock.now()))


class ConfigurationPushApi(APIView):
    @extend_schema(
        operation_id="element_configuration_push",
        request=ConfigurationPushWrite,
        responses={202: ConfigurationJobShape},
    )
    def post(self, request: Request, element_id: UUID) -> Response:
        """Make lines part of its configuration, and save it. What it had before is stored as a version.

        SR OS and VRP accept all lines or none; of others the problem says how many are in force when one is rejected.
        In a dry run SR OS and VRP check the lines; for FRR the statements added and removed are only predicted.

        An element with a NETCONF policy accepts XML instead: a `<config>`, or one element of a data model. A change
        that cuts us off is reverted by the element within a minute, if it supports confirmed commits.
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
        """Make a version the running configuration again; a dry run shows how it differs from what runs now."""
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
        """Set the admin state of a port or card; the equipment tree then shows the state that the element reports.

        409 for DOWN of the part with the management address, as it could not be brought up again. 409 also where that
        part is unknown (the interface is on no port, as on SR OS), unless evenIfManagementPathUnknown.
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
        """The jobs of the element, the latest first."""
        rows = filtered(job_list(element=element_get(element_id=element_id)), request, FILTERS)
        found, headers = page(rows, request, order=("-created_at", "id"))
        return Response(ConfigurationJobShape(found, many=True).data, headers=headers)


class ConfigurationJobApi(APIView):
    @extend_schema(
        operation_id="element_configuration_job_view", parameters=[SECRETS], responses=ConfigurationJobDetail
    )
    def get(self, request: Request, element_id: UUID, job_id: UUID) -> Response:
        """One job: its state, and what it has changed or would change."""
        element = element_get(element_id=element_id)
        job, secrets = job_get(element=element, job_id=job_id), wants_secrets(request)
        job.text = job_text(job, element, secrets=secrets)  # type: ignore[attr-defined]
        job.diff = job_diff(job, element, secrets=secrets)  # type: ignore[attr-defined]
        return Response(ConfigurationJobDetail(job).data, headers={"ETag": etag(job.version)})
