"""POST …/package_content/upload_from_uri (SOL005 9.4.6): a worker fetches the content."""

from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.models import Role
from vnfm.catalog.domain.origin import Source
from vnfm.catalog.intake_services import package_content_fetch
from vnfm.kit.addresses import MAX_URL
from vnfm.kit.wire import Reasons, StrictSerializer

_NO_OAUTH = "Only userName and password are sent to the server (HTTP Basic), as version 1 of this interface has it."


class UploadVnfPackageFromUriSerializer(StrictSerializer):
    cannot: ClassVar[Reasons] = {"authType": _NO_OAUTH, "paramsOauth2ClientCredentials": _NO_OAUTH}

    addressInformation = serializers.CharField(max_length=MAX_URL, help_text="An https URL that is on the Internet.")
    userName = serializers.RegexField(r"^[^:\x00-\x1f\x7f]*$", max_length=200, default="")
    password = serializers.CharField(max_length=200, default="", trim_whitespace=False, write_only=True)


class PackageUploadFromUriApi(APIView):
    write_role = Role.OPERATOR

    @extend_schema(
        operation_id="vnf_package_upload_from_uri", request=UploadVnfPackageFromUriSerializer, responses={202: None}
    )
    def post(self, request: Request, package_id: UUID) -> Response:
        """Have the package fetched. Its onboardingState tells how that goes: ONBOARDED, or ERROR with the reason.

        Called are public addresses, on the ports of web servers, and the networks in VNFM_PACKAGE_SOURCES_ALLOWED.
        """
        body = UploadVnfPackageFromUriSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        given: dict[str, Any] = body.validated_data
        source = Source(given["addressInformation"], given["userName"], given["password"])
        package_content_fetch(package_id=package_id, source=source)
        return Response(status=202)
