"""POST …/package_content/upload_from_uri (SOL005 9.4.6): a worker fetches the content."""

from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.roles import Role
from vnfm.catalog.domain.package_source import PackageUri
from vnfm.catalog.services.onboarding import package_onboard_from_uri
from vnfm.catalog.wire.uploads import FETCH, ROOT, choices_of
from vnfm.catalog.wire.uploads import QUERY as UPLOAD_QUERY
from vnfm.kit.outgoing.addresses import MAX_URL
from vnfm.kit.web.message import Reasons
from vnfm.kit.web.wire import StrictSerializer

_NO_OAUTH = "Only userName and password (HTTP Basic) are supported, as in version 1 of this interface."


class UploadVnfPackageFromUriSerializer(StrictSerializer):
    cannot: ClassVar[Reasons] = {"authType": _NO_OAUTH, "paramsOauth2ClientCredentials": _NO_OAUTH}

    addressInformation = serializers.CharField(max_length=MAX_URL, help_text="A public https URL.")
    userName = serializers.RegexField(r"^[^:\x00-\x1f\x7f]*$", max_length=200, default="")
    password = serializers.CharField(max_length=200, default="", trim_whitespace=False, write_only=True)


class PackageUploadFromUriApi(APIView):
    query = UPLOAD_QUERY
    write_role = Role.OPERATOR

    @extend_schema(
        operation_id="vnf_package_upload_from_uri",
        parameters=[ROOT, FETCH],
        request=UploadVnfPackageFromUriSerializer,
        responses={202: None},
    )
    def post(self, request: Request, package_id: UUID) -> Response:
        """Have the package fetched. Its onboardingState shows the result: ONBOARDED, or ERROR with the reason.

        Allowed are public addresses, on the ports of web servers, and the networks in VNFM_PACKAGE_SOURCES_ALLOWED.
        """
        body = UploadVnfPackageFromUriSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        data: dict[str, Any] = body.validated_data
        source = PackageUri(data["addressInformation"], data["userName"], data["password"])
        package_onboard_from_uri(package_id=package_id, source=source, choices=choices_of(request))
        return Response(status=202)
