"""/api/v1/packages/validate and /derive, the validation of an upload before it becomes a package, and the report of
one that is: nothing is stored. They are here, above packages and VIMs; only a worker calls a cloud.
"""

from typing import Any
from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.roles import Role
from vnfm.catalog.domain.hot.validate import CLOUD_CODES
from vnfm.catalog.selectors import package_onboarded, template_bundle, vnfd_of
from vnfm.catalog.services.validation import package_derive, package_findings_for, package_validate
from vnfm.catalog.wire.reports import FindingSerializer, PackageReportSerializer, report_view
from vnfm.catalog.wire.uploads import ROOT, UPLOAD, UPLOAD_PARSERS, read_upload, root_of
from vnfm.lcm.selectors.heat_target import heat_target
from vnfm.lcm.services.heat_validation import heat_validate
from vnfm.vims.domain.vim_record import VimRecord
from vnfm.vims.selectors import vim_get

FOR_VIM = OpenApiParameter(
    "vimId",
    OpenApiTypes.UUID,
    description="The cloud to validate for: what it has counts, and its Heat validates and previews the "
    'package, too: findings with a speaker, "heat of" and its name. That may take most of a minute; a cloud that '
    "does not answer is reported as a finding. Needs the role operator.",
)
OF_AGE = OpenApiParameter("vimId", OpenApiTypes.UUID, description="The cloud to validate for; what it has counts.")


class DerivedFileSerializer(serializers.Serializer[Any]):
    path = serializers.CharField()
    size = serializers.IntegerField(help_text="Bytes.")
    derived = serializers.BooleanField(help_text="Made for the package; not among the files that were sent.")


class DerivedPackageSerializer(serializers.Serializer[Any]):
    vnfd = serializers.CharField(help_text="vnfd.yaml, to be edited and sent back; empty when none can be derived.")
    files = DerivedFileSerializer(many=True)
    validationReport = FindingSerializer(many=True)


class PackageValidateApi(APIView):
    write_role = Role.OPERATOR
    parser_classes = UPLOAD_PARSERS

    @extend_schema(
        operation_id="package_validate", parameters=[FOR_VIM, ROOT], request=UPLOAD, responses=PackageReportSerializer
    )
    def post(self, request: Request) -> Response:
        """Validate a package, or plain Heat templates, before they are onboarded."""
        vim = _vim(request)
        source, vnfd = read_upload(request)
        found = package_validate(source=source, vnfd=vnfd, target=heat_target(vim), root=root_of(request))
        findings = [*found.findings, *(heat_validate(vim=vim, bundle=found.templates) if vim else ())]
        vnfd_read = found.package.vnfd if found.package else None
        rows = [finding.as_json() for finding in findings]
        return Response(report_view(rows, vnfd_read, found.roots, found.missing, found.onboarded_as))


class PackageReportApi(APIView):
    @property
    def read_role(self) -> Role:
        """A check with a cloud takes a worker, and the cloud, most of a minute."""
        return Role.OPERATOR if FOR_VIM.name in self.request.query_params else Role.VIEWER

    @extend_schema(operation_id="package_validation_get", parameters=[FOR_VIM], responses=PackageReportSerializer)
    def get(self, request: Request, package_id: UUID) -> Response:
        """The findings when the package was onboarded; with `vimId` what that cloud lacks, and its Heat's own now."""
        package, vim = package_onboarded(package_id=package_id), _vim(request)
        target = heat_target(vim)
        if vim is None or not target.chosen:
            stored, found = package.findings, []
        else:
            stored = [finding for finding in package.findings if finding["code"] not in CLOUD_CODES]
            found = package_findings_for(package=package, target=target)
        heat = heat_validate(vim=vim, bundle=template_bundle(package)) if vim else ()
        findings = [*(f.as_json() for f in found), *stored, *(f.as_json() for f in heat)]
        return Response(report_view(findings, vnfd_of(package)))


class PackageDeriveApi(APIView):
    write_role = Role.OPERATOR
    parser_classes = UPLOAD_PARSERS

    @extend_schema(
        operation_id="package_derive", parameters=[OF_AGE, ROOT], request=UPLOAD, responses=DerivedPackageSerializer
    )
    def post(self, request: Request) -> Response:
        """The VNFD that plain Heat templates would get; what they lack is in the report."""
        vim = _vim(request)
        source, _ = read_upload(request)
        derived, sizes = package_derive(source=source, target=heat_target(vim), root=root_of(request))
        files = [{"path": path, "size": size, "derived": path in derived.files} for path, size in sorted(sizes.items())]
        report = [finding.as_json() for finding in derived.findings]
        return Response({"vnfd": derived.vnfd, "files": files, "validationReport": report})


def _vim(request: Request) -> VimRecord | None:
    named = request.query_params.get(FOR_VIM.name)
    return None if named is None else vim_get(vim_id=serializers.UUIDField().to_internal_value(named))
