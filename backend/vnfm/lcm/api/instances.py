"""VNF instances and their tasks (SOL003 5.4.2 to 5.4.11a), in every edition."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import ClassVar
from uuid import UUID

from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.roles import Role
from vnfm.accounts.wire import caller
from vnfm.catalog import selectors as catalog
from vnfm.inventory.domain.instance_record import InstanceRecord
from vnfm.inventory.selectors import instance_whole, instance_with_vim
from vnfm.kit.etsi.query_guard import SELECTED
from vnfm.kit.etsi.selection import selection, selection_parameters
from vnfm.kit.problem import FieldError, ProblemError, unprocessable
from vnfm.kit.web.http import etag, require_match
from vnfm.kit.web.wire import as_json, list_parameters
from vnfm.lcm.api import inputs
from vnfm.lcm.api.filters import instance_attributes
from vnfm.lcm.api.instance_list import instance_page
from vnfm.lcm.api.instance_rows import VnfInstanceRow
from vnfm.lcm.api.instance_view import DEFAULT, OPTIONAL, VnfInstanceOut
from vnfm.lcm.domain.request_types import VimConnectionInfo
from vnfm.lcm.domain.requests import CreateVnfRequest, StackRequest, VnfInfoModificationRequest
from vnfm.lcm.domain.requests import Request as OperationRequest
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.selectors.operations import live_operation
from vnfm.lcm.services.instances import vnf_instance_create, vnf_instance_delete
from vnfm.lcm.services.operations import op_start
from vnfm.lcm.services.request_reader import require_enabled
from vnfm.lcm.services.snapshots import snapshot_picture
from vnfm.lcm.wire.editions import V2, Edition, Json

TAG = ["VNF instances (SOL003)"]

ACCEPTED = {202: OpenApiResponse(description="Accepted; Location names the VNF LCM operation occurrence.")}


class VnfInstanceListApi(APIView):
    query = SELECTED
    edition: Edition = V2

    @extend_schema(
        operation_id="vnf_instance_list",
        tags=TAG,
        parameters=[*list_parameters(instance_attributes(V2)), *selection_parameters(OPTIONAL, DEFAULT)],
        responses=VnfInstanceOut(many=True),
    )
    def get(self, request: Request) -> Response:
        """Instances, oldest first; by default without their complex attributes."""
        chosen = selection(request, optional=OPTIONAL, default=DEFAULT)
        body, headers = instance_page(request, self.edition, chosen)
        return Response(body, headers=headers)

    @extend_schema(
        operation_id="vnf_instance_create",
        tags=TAG,
        request=inputs.CreateVnfRequest,
        responses={201: VnfInstanceOut},
    )
    def post(self, request: Request) -> Response:
        """Create the identifier of a VNF instance; nothing is touched in a cloud."""
        body = inputs.CreateVnfRequest(data=request.data, context={"edition": self.edition})
        body.is_valid(raise_exception=True)
        instance = _created(body.validated_data, caller(request).username)
        location = request.build_absolute_uri(f"{self.edition.instances}/{instance.id}")
        headers = {"Location": location, "ETag": etag(instance.version)}
        return Response(_body(instance, self.edition, busy=False), status=201, headers=headers)


def _body(instance: InstanceRecord, edition: Edition, *, busy: bool) -> Json:
    return VnfInstanceOut(VnfInstanceRow(instance, instance.package, busy), context={"edition": edition}).data


def _created(given: CreateVnfRequest, actor: str) -> InstanceRecord:
    """Raises as the service does, but 422 for a VNFD that is not to be had (SOL003 5.4.2.3.1)."""
    try:
        return vnf_instance_create(
            vnfd_id=given.vnfd_id,
            name=given.vnf_instance_name,
            description=given.vnf_instance_description,
            metadata=given.metadata,
            actor=actor,
        )
    except ProblemError as error:
        problem = error.problem
        if problem.code not in ("NOT_FOUND", "PACKAGE_DISABLED"):
            raise
        errors = [FieldError("/vnfdId", problem.detail)]
        raise unprocessable(problem.code, problem.detail, errors, problem.next_step) from error


class _OperationApi(APIView):
    """Starts an operation on an instance: 202 and the Location of the op occ. Honours If-Match."""

    edition: Edition = V2

    def start(self, request: Request, instance_id: UUID, operation: Operation) -> Response:
        body = inputs.REQUESTS[operation](data=request.data, context={"edition": self.edition})
        body.is_valid(raise_exception=True)
        try:
            op = op_start(
                instance_id=instance_id,
                request=_normalized(body.validated_data, instance_id),
                actor=caller(request).username,
                may_register_vim=Role.ADMIN in caller(request).roles,
                precondition=partial(require_match, request),
                on_accepted=self.accepted,
            )
        except ProblemError as error:
            raise ProblemError(self.edition.located(error.problem, request.data)) from error
        location = request.build_absolute_uri(f"{self.edition.operations}/{op.id}")
        return Response(status=202, headers={"Location": location})

    def accepted(self, op: LcmOpOcc) -> None:
        """A task may add to the transaction that accepts its operation."""


def _normalized(request: OperationRequest, instance_id: UUID) -> OperationRequest:
    """The request with the package named by its VNFD; raises 422 for what leads to another package or VIM than ours."""
    if isinstance(request, VnfInfoModificationRequest | StackRequest) and request.operation != Operation.INSTANTIATE:
        _require_same_vim(request.vim_connection_info, instance_id)
    if isinstance(request, VnfInfoModificationRequest) and request.vnf_pkg_id is not None:
        named = request.present - {"vnf_pkg_id"}
        return replace(request, vnfd_id=_vnfd_of(request.vnf_pkg_id), vnf_pkg_id=None, present=named)
    return request


def _require_same_vim(infos: Mapping[str, VimConnectionInfo], instance_id: UUID) -> None:
    """SOL003 lets these requests add VIMs and change credentials; for us both belong to the VIM, not to an instance."""
    if not infos:
        return
    words = "An instance stays in its VIM: name it by vimId alone. Its credentials are changed at /api/v1/vims."
    vim = instance_with_vim(instance_id=instance_id).vim
    names = (str(vim.id), vim.name) if vim is not None else ()
    others = [key for key, info in infos.items() if info.vim_id not in names or info.interface_info or info.access_info]
    if others:
        errors = [FieldError(f"/vimConnectionInfo/{key}", words) for key in others]
        raise unprocessable("OTHER_VIM", words, errors, "Leave vimConnectionInfo out.")


def _vnfd_of(package_id: UUID) -> UUID:
    try:
        package = catalog.package_onboarded(package_id=package_id)
    except ProblemError as error:
        words = error.problem.detail
        raise unprocessable(
            "UNKNOWN_PACKAGE", words, [FieldError("/vnfPkgId", words)], "Name an onboarded one."
        ) from error
    require_enabled(package, "/vnfPkgId")
    assert package.vnfd_id is not None, "an onboarded package has a VNFD"
    return package.vnfd_id


class VnfInstanceApi(_OperationApi):
    @extend_schema(operation_id="vnf_instance_get", tags=TAG, responses=VnfInstanceOut)
    def get(self, request: Request, instance_id: UUID) -> Response:
        """One instance with everything."""
        instance = instance_whole(instance_id=instance_id)
        busy = live_operation(instance) is not None
        return Response(_body(instance, self.edition, busy=busy), headers={"ETag": etag(instance.version)})

    @extend_schema(
        operation_id="vnf_instance_modify",
        tags=TAG,
        request={"application/merge-patch+json": inputs.REQUESTS[Operation.MODIFY_INFO]},
        responses=ACCEPTED,
    )
    def patch(self, request: Request, instance_id: UUID) -> Response:
        """Modify the instance's information, as a merge patch (RFC 7396)."""
        return self.start(request, instance_id, Operation.MODIFY_INFO)

    @extend_schema(operation_id="vnf_instance_delete", tags=TAG, responses={204: None})
    def delete(self, request: Request, instance_id: UUID) -> Response:
        """Delete the identifier of an instance that is not instantiated."""
        vnf_instance_delete(instance_id=instance_id, precondition=partial(require_match, request))
        return Response(status=204)


class _TaskApi(_OperationApi):
    operation: ClassVar[Operation]

    def __init_subclass__(cls) -> None:
        task = cls.operation
        described = extend_schema(
            operation_id=f"vnf_instance_{task.task}", tags=TAG, request=inputs.REQUESTS[task], responses=ACCEPTED
        )
        extend_schema_view(post=described)(cls)

    def post(self, request: Request, instance_id: UUID) -> Response:
        return self.start(request, instance_id, self.operation)


class VnfInstanceInstantiateApi(_TaskApi):
    operation = Operation.INSTANTIATE


class VnfInstanceScaleApi(_TaskApi):
    operation = Operation.SCALE


class VnfInstanceScaleToLevelApi(_TaskApi):
    operation = Operation.SCALE_TO_LEVEL


class VnfInstanceChangeFlavourApi(_TaskApi):
    operation = Operation.CHANGE_FLAVOUR


class VnfInstanceOperateApi(_TaskApi):
    operation = Operation.OPERATE


class VnfInstanceHealApi(_TaskApi):
    operation = Operation.HEAL


class VnfInstanceChangeExtConnApi(_TaskApi):
    operation = Operation.CHANGE_EXT_CONN


class VnfInstanceChangeVnfPkgApi(_TaskApi):
    operation = Operation.CHANGE_VNFPKG


class VnfInstanceTerminateApi(_TaskApi):
    operation = Operation.TERMINATE


class VnfInstanceCreateSnapshotApi(_TaskApi):
    """SOL003 5.4.21."""

    operation = Operation.CREATE_SNAPSHOT

    def accepted(self, op: LcmOpOcc) -> None:
        """Store the copy of the instance: no other operation changes it from then on."""
        copy = as_json(_body(instance_whole(instance_id=op.instance_uuid), V2, busy=True))
        snapshot_picture(snapshot_id=UUID(op.params["vnfSnapshotInfoId"]), vnf_instance=copy)


class VnfInstanceRevertToSnapshotApi(_TaskApi):
    """SOL003 5.4.22."""

    operation = Operation.REVERT_TO_SNAPSHOT


TASKS: dict[Operation, type[_TaskApi]] = {
    view.operation: view
    for view in (
        VnfInstanceInstantiateApi,
        VnfInstanceScaleApi,
        VnfInstanceScaleToLevelApi,
        VnfInstanceChangeFlavourApi,
        VnfInstanceOperateApi,
        VnfInstanceHealApi,
        VnfInstanceChangeExtConnApi,
        VnfInstanceChangeVnfPkgApi,
        VnfInstanceTerminateApi,
        VnfInstanceCreateSnapshotApi,
        VnfInstanceRevertToSnapshotApi,
    )
}
"""The task resource of each operation, `/vnf_instances/{id}/<task>`."""
