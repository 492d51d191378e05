"""/vnfpkgm/v1/vnf_packages: VNF package management (SOL005 clause 9.4)."""

import io
import zipfile
from functools import partial
from typing import Any
from uuid import UUID

from django.db.models import BooleanField, Case, F, Func, OuterRef, TextField, Value, When
from django.db.models.functions import JSONObject
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.roles import Role
from vnfm.catalog.api.package_outputs import HEAVY, OPTIONAL, VnfPkgInfoSerializer, package_view
from vnfm.catalog.domain import manifest
from vnfm.catalog.domain.package import VNFD
from vnfm.catalog.models import PackageFile, VnfPackage
from vnfm.catalog.selectors import (
    archive_open,
    file_get,
    file_open,
    manifest_get,
    package_get,
    package_list,
    package_onboarded,
)
from vnfm.catalog.services.artifacts_archive import ArtifactChoice, artifacts_archive
from vnfm.catalog.services.onboarding import package_onboard, require_no_content
from vnfm.catalog.services.packages import package_create, package_delete, package_modify
from vnfm.catalog.services.vnfd_files import VnfdFiles, vnfd_files
from vnfm.catalog.wire.uploads import FETCH, ROOT, UPLOAD, UPLOAD_PARSERS, choices_of, read_upload
from vnfm.catalog.wire.uploads import QUERY as UPLOAD_QUERY
from vnfm.kit.etsi.json_filters import Objects
from vnfm.kit.etsi.query import Attributes, Computed, Entry, Member, filtered, page
from vnfm.kit.etsi.query_guard import SELECTED
from vnfm.kit.etsi.selection import selection, selection_parameters
from vnfm.kit.problem import Problem, ProblemError
from vnfm.kit.web.downloads import AnyAccept, content_type_of, download
from vnfm.kit.web.http import etag, require_match
from vnfm.kit.web.wire import list_parameters

_OF_PLACEHOLDER = Value(r"^images/(.+)-placeholder\.qcow2$")
"""`catalog.domain.package.placeholder_path`, read backwards."""
_NO_IMAGE = Func(
    F("package__vnfd"),
    JSONObject(path="path", id=Func(F("path"), _OF_PLACEHOLDER, function="substring", output_field=TextField())),
    function="NOT jsonb_path_exists",
    arg_joiner=", '$.softwareImages[*] ? (@.path == $path || @.placeholder == true && @.id == $id)', ",
    output_field=BooleanField(),
)
_ARTIFACTS = PackageFile.objects.filter(_NO_IMAGE, package=OuterRef("pk")).exclude(path__in=(VNFD, manifest.NAME))
_ARTIFACT_COLUMNS = {"artifactPath": "path", "checksum/hash": "sha256"}
FILTERS: Attributes = {
    "id": "id",
    "vnfdId": "vnfd_id",
    "vnfProvider": "provider",
    "vnfProductName": "product_name",
    "vnfSoftwareVersion": "software_version",
    "vnfdVersion": "vnfd_version",
    "onboardingState": "onboarding_state",
    "operationalState": "operational_state",
    "usageState": Computed(Case(When(uses__gt=0, then=Value("IN_USE")), default=Value("NOT_IN_USE"))),
    "checksum/hash": "checksum_sha256",
    **{f"additionalArtifacts/{name}": Member(_ARTIFACTS, column) for name, column in _ARTIFACT_COLUMNS.items()},
    "softwareImages/id": Objects("vnfd", ("softwareImages",), "id"),
    "softwareImages/name": Objects("vnfd", ("softwareImages",), "name"),
    "userDefinedData/": Entry("user_defined_data"),
}
_STATE_V1 = Computed(Case(When(onboarding_state="ERROR", then=Value("CREATED")), default="onboarding_state"))
QUERY = [*list_parameters(FILTERS), *selection_parameters(OPTIONAL, HEAVY)]
VNFD_TEXTS = ("text/yaml", "application/yaml", "text/plain")
"""Media types of a VNFD as text; the first unless the client prefers another."""


ARTIFACT_QUERY = {
    "include_signatures": "Flag: also the signatures and certificates of files that a CSAR's manifest names.",
    "exclude_all_mano_artifacts": "Flag.",
    "exclude_all_non_mano_artifacts": "Flag.",
    "select_non_mano_artifact_sets": "Of non-MANO artifacts only these sets, with commas between them.",
    "include_external_artifacts": "Flag without effect: what a package needs is in it.",
}
"""SOL005 9.4.5a.3.2."""


def _parts(content_type: str) -> dict[tuple[int, str], Any]:
    """Responses with a file, or with a part of it."""
    return {(200, content_type): OpenApiTypes.BINARY, (206, content_type): OpenApiTypes.BINARY}


def _filters(request: Request) -> Attributes:
    """Return the filters of the major version that the request names: onboarding states differ between v1 and v2."""
    return FILTERS if request.path.startswith("/vnfpkgm/v2/") else {**FILTERS, "onboardingState": _STATE_V1}


class PackageListApi(APIView):
    query = SELECTED
    write_role = Role.OPERATOR

    class InputSerializer(serializers.Serializer[Any]):
        userDefinedData = serializers.DictField(default=dict)

    @extend_schema(operation_id="vnf_package_list", parameters=QUERY, responses=VnfPkgInfoSerializer(many=True))
    def get(self, request: Request) -> Response:
        """VNF packages, oldest first, without their larger attributes unless the query selects them."""
        rows, headers = page(filtered(package_list(), request, _filters(request)), request)
        chosen = selection(request, optional=OPTIONAL, default=HEAVY)
        return Response([package_view(package, request, chosen) for package in rows], headers=headers)

    @extend_schema(operation_id="vnf_package_create", request=InputSerializer, responses={201: VnfPkgInfoSerializer})
    def post(self, request: Request) -> Response:
        """Create an empty package; its content is uploaded afterwards."""
        body = self.InputSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        package = package_create(user_defined_data=body.validated_data["userDefinedData"])
        view = package_view(package, request)
        return Response(view, 201, headers={"Location": view["_links"]["self"]["href"], "ETag": etag(package.version)})


class PackageApi(APIView):
    write_role = Role.OPERATOR

    class InputSerializer(serializers.Serializer[Any]):
        operationalState = serializers.ChoiceField(choices=VnfPackage.OperationalState.choices, required=False)
        userDefinedData = serializers.DictField(required=False)

        def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
            if not attrs:
                raise serializers.ValidationError("Give operationalState, userDefinedData, or both.")
            return attrs

    @extend_schema(operation_id="vnf_package_get", responses=VnfPkgInfoSerializer)
    def get(self, request: Request, package_id: UUID) -> Response:
        package = package_get(package_id=package_id)
        view = package_view(package, request)
        return Response(view, headers={"ETag": etag(package.version)})

    @extend_schema(operation_id="vnf_package_modify", request=InputSerializer, responses=InputSerializer)
    def patch(self, request: Request, package_id: UUID) -> Response:
        """Enable or disable the package, or merge user-defined data. Honours If-Match."""
        body = self.InputSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        package_modify(
            package_id=package_id,
            precondition=partial(require_match, request),
            operational_state=body.validated_data.get("operationalState"),
            user_defined_data=body.validated_data.get("userDefinedData"),
        )
        return Response(body.validated_data, headers={"ETag": etag(package_get(package_id=package_id).version)})

    @extend_schema(operation_id="vnf_package_delete", responses={204: None})
    def delete(self, request: Request, package_id: UUID) -> Response:
        """Delete a package that is not enabled and that no instance uses. Honours If-Match."""
        package_delete(package_id=package_id, precondition=partial(require_match, request))
        return Response(status=204)


class PackageContentApi(APIView):
    query = UPLOAD_QUERY
    write_role = Role.OPERATOR
    content_negotiation_class = AnyAccept
    parser_classes = UPLOAD_PARSERS

    def check_body(self, package_id: UUID) -> None:
        """Raises the problem for which no content is accepted; called before the first byte of it is read."""
        require_no_content(package_get(package_id=package_id))

    @extend_schema(
        operation_id="vnf_package_content_put",
        parameters=[ROOT, FETCH],
        request=UPLOAD,
        responses={202: None},
    )
    def put(self, request: Request, package_id: UUID) -> Response:
        """Onboard the package. A zip of up to 32 MiB is validated at once: the answer says whether it is onboarded.

        A larger one, one with files to fetch, and one while two others are being validated, is validated by a worker;
        its onboardingState shows the result: ONBOARDED, or ERROR with the reason. Our zips have vnfd.yaml and
        MANIFEST.json at their root. Heat templates without them, in a zip or as the form's parts, get a derived VNFD,
        or the one in the part `vnfd`.
        """
        self.check_body(package_id)
        source, vnfd = read_upload(request)
        package_onboard(package_id=package_id, source=source, choices=choices_of(request, vnfd))
        return Response(status=202)

    @extend_schema(operation_id="vnf_package_content_get", responses=_parts("application/zip"))
    def get(self, request: Request, package_id: UUID) -> HttpResponseBase:
        """The zip as it was uploaded, or the part of it that `Range` asks for."""
        package = package_onboarded(package_id=package_id)
        name = f"{package.product_name}-{package.software_version}.zip".replace(" ", "-")
        file = archive_open(package=package)
        return download(request, file, name=name, content_type="application/zip", sha256=package.checksum_sha256)


class PackageVnfdApi(APIView):
    content_negotiation_class = AnyAccept

    @extend_schema(
        operation_id="vnf_package_vnfd_get",
        responses=dict.fromkeys(((200, kind) for kind in VNFD_TEXTS), OpenApiTypes.STR)
        | {(200, "application/zip"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, package_id: UUID) -> HttpResponse:
        """The descriptor: of a CSAR its TOSCA definitions, else vnfd.yaml; as zip with all its files.

        A descriptor of several files comes as zip alone (SOL005 9.4.4.3.2).
        """
        package = package_onboarded(package_id=package_id)
        files = vnfd_files(package=package)
        accepted = [part.split(";")[0].strip() for part in request.headers.get("Accept", "*/*").split(",")]
        text = next((kind for kind in accepted if kind in (*VNFD_TEXTS, "text/*", "*/*")), None)
        if text is not None and len(files.documents) == 1:
            kind = VNFD_TEXTS[0] if "*" in text else text
            return HttpResponse(files.read(files.documents[0]), content_type=kind)  # clients compare it
        if not {"application/zip", "*/*"} & {*accepted}:
            several = len(files.documents) > 1
            words = "This VNFD has several files: it comes as zip." if several else "The VNFD comes as text or zip."
            step = "Accept application/zip." if several else "Accept text/yaml or application/zip."
            raise ProblemError(Problem(406, "NOT_ACCEPTABLE", "Not acceptable", words, step))
        return HttpResponse(_zipped(files), content_type="application/zip")


class PackageManifestApi(APIView):
    content_negotiation_class = AnyAccept

    @extend_schema(operation_id="vnf_package_manifest_get", responses={(200, "text/plain"): OpenApiTypes.STR})
    def get(self, request: Request, package_id: UUID) -> HttpResponseBase:
        """The list of the package's files and their digests; 404 for one that was derived from plain Heat templates."""
        file = manifest_get(package=package_onboarded(package_id=package_id))
        return download(
            request, file_open(file=file), name=file.path, content_type="text/plain; charset=utf-8", sha256=file.sha256
        )


class PackageArtifactListApi(APIView):
    query = frozenset(ARTIFACT_QUERY)
    content_negotiation_class = AnyAccept

    @extend_schema(
        operation_id="vnf_package_artifacts_get",
        parameters=[OpenApiParameter(name, str, description=words) for name, words in ARTIFACT_QUERY.items()],
        responses=_parts("application/zip"),
    )
    def get(self, request: Request, package_id: UUID) -> HttpResponseBase:
        """A zip of the package's files but images, vnfd.yaml and our manifest, or the part of it that `Range` asks for.

        All files that are in no non-MANO artifact set of a CSAR's manifest are MANO artifacts.
        """
        package, asked = package_onboarded(package_id=package_id), request.query_params
        choice = ArtifactChoice(
            mano="exclude_all_mano_artifacts" not in asked,
            non_mano="exclude_all_non_mano_artifacts" not in asked,
            sets=frozenset(filter(None, asked.get("select_non_mano_artifact_sets", "").split(","))),
            signatures="include_signatures" in asked,
        )
        file, digest = artifacts_archive(package=package, choice=choice)
        name = f"{package.product_name}-{package.software_version}-artifacts.zip".replace(" ", "-")
        return download(request, file, name=name, content_type="application/zip", sha256=digest)


class PackageArtifactApi(APIView):
    content_negotiation_class = AnyAccept

    @extend_schema(operation_id="vnf_package_artifact_get", responses=_parts("*/*"))
    def get(self, request: Request, package_id: UUID, artifact_path: str) -> HttpResponseBase:
        """One file of the package, or the part of it that `Range` asks for."""
        file = file_get(package=package_onboarded(package_id=package_id), path=artifact_path)
        kind = content_type_of(file.path)
        return download(request, file_open(file=file), name=file.path, content_type=kind, sha256=file.sha256)


def _zipped(files: VnfdFiles) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted({*files.documents, *files.others}):
            archive.writestr(path, files.read(path))
    return target.getvalue()
