"""Reads requests: the package and VIM that they name, and their secrets."""

from collections.abc import Iterator, Mapping
from typing import Any, cast
from uuid import UUID

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.package_record import PackageRecord
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.clouds.types import Connection
from vnfm.inventory import selectors as inventory
from vnfm.inventory.domain.instance_record import InstanceRecord
from vnfm.inventory.selectors.stack_export import HIDDEN
from vnfm.kit import seal
from vnfm.kit.problem import FieldError, Problem, ProblemError, unprocessable
from vnfm.kit.web.message import as_json
from vnfm.lcm.domain.operation_request import InstanceState, OperationRequest, VnfcState
from vnfm.lcm.domain.replacement import boot_properties, replaced_on_change
from vnfm.lcm.domain.request_types import AccessInfo, InterfaceInfo, VimConnectionInfo
from vnfm.lcm.domain.requests import (
    ChangeCurrentVnfPkgRequest,
    Power,
    Request,
    SnapshotRequest,
    StackRequest,
    VnfInfoModificationRequest,
)
from vnfm.lcm.domain.sizing import rosters_from_json
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.selectors.snapshots import snapshot_state
from vnfm.vims import selectors as vims
from vnfm.vims import services as vim_services
from vnfm.vims.domain.vim_record import VimRecord

CHANGES_SETTINGS = (Operation.CHANGE_FLAVOUR, Operation.CHANGE_EXT_CONN, Operation.CHANGE_VNFPKG)
MAX_CONNECTION_ID = 255


def read_request(request: Request, instance: InstanceRecord) -> OperationRequest[Request]:
    """The request with the state of its instance; raises 422 when the package that it names cannot be used."""
    vnfd_id = request.vnfd_id if isinstance(request, ChangeCurrentVnfPkgRequest | VnfInfoModificationRequest) else None
    package = _successor_package(vnfd_id) if vnfd_id else None
    vnfd = catalog.vnfd_of(instance.package)
    vnfcs = inventory.vnfcs_of(instance_id=instance.id) if instance.vim_id else ()
    state = InstanceState(
        instance.flavour_id,
        instance.scale_levels,
        instance.settings,
        tuple(
            VnfcState(v.id, v.vdu_id, v.slot, v.name, v.server_id, v.status, cast("Power", v.desired)) for v in vnfcs
        ),
        rosters_from_json(instance.member_slots),
        id=instance.id,
        own_networks=frozenset(_own_networks(instance)) if request.operation in CHANGES_SETTINGS else frozenset(),
        **(_stack_facts(instance, vnfd, package) if request.operation in CHANGES_SETTINGS else {}),
    )
    snapshot_id = request.vnf_snapshot_info_id if isinstance(request, SnapshotRequest) else None
    snapshot = snapshot_state(snapshot_id=snapshot_id) if snapshot_id else None
    return OperationRequest(request, vnfd, state, catalog.vnfd_of(package) if package else None, snapshot)


def _own_networks(instance: InstanceRecord) -> Iterator[str]:
    for link in inventory.links_of(instance_id=instance.id):
        if link.created_by_stack:
            yield link.network_id


def _stack_facts(instance: InstanceRecord, vnfd: Vnfd, package: PackageRecord | None) -> dict[str, Any]:
    """Facts of the stack's last input: VDUs have images of their own only during a change of package."""
    sealed = seal.unseal(instance.sealed_settings) if instance.sealed_settings else {}
    given = inventory.stack_input_of(instance_id=instance.id)
    if given is None:
        return {"secrets": tuple(sorted(sealed))}
    registry = given.environment.get("resource_registry", {})
    return {
        "secrets": tuple(sorted(sealed)),
        "upgrading": any(given.parameters.get(vdu.images_parameter) for vdu in vnfd.vdus),
        "replaced_on_change": replaced_on_change(given.template, registry, given.files),
        "boot_differences": _boot_differences(boot_properties(given.template, registry, given.files), package)
        if package
        else (),
    }


def _boot_differences(before: Mapping[str, Any], package: PackageRecord) -> tuple[str, ...]:
    bundle = catalog.hot_bundle(package=package)
    after = boot_properties(bundle.template, bundle.environment.get("resource_registry", {}), bundle.files)
    return tuple(sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key)))


def _successor_package(vnfd_id: UUID) -> PackageRecord:
    """The package that `vnfdId` names (SOL003 5.5.2.11a, 5.5.2.12); raises 422 for an unknown or disabled one."""
    try:
        package = catalog.package_by_vnfd(vnfd_id=vnfd_id)
    except ProblemError as error:
        detail = error.problem.detail
        raise unprocessable("UNKNOWN_VNFD", detail, [FieldError("/vnfdId", detail)], "Name an onboarded one.") from None
    require_enabled(package, "/vnfdId")
    return package


def require_enabled(package: PackageRecord, pointer: str) -> None:
    """Raise 422 at `pointer`, which names the package, when it is disabled."""
    if package.operational_state != "ENABLED":
        detail = f"Package {package.id} is disabled."
        errors = [FieldError(pointer, detail)]
        raise unprocessable("PACKAGE_DISABLED", detail, errors, "Enable it in the catalog first.")


def target_package(request: Request, package: PackageRecord) -> PackageRecord:
    """The package whose settings the request gives: the one that it changes to, else `package`, the instance's own."""
    return _successor_package(request.vnfd_id) if isinstance(request, ChangeCurrentVnfPkgRequest) else package


def resolve_vim(infos: Mapping[str, VimConnectionInfo], *, may_register: bool = False) -> VimRecord:
    """The VIM that a request's vimConnectionInfo names (SOL003 4.4.1.6), or the only one there is.

    Full credentials (interfaceInfo and accessInfo) of a cloud that is not registered yet register it on the spot, if
    the caller may. Otherwise they name the VIM of the same user and project, whatever the password: a comparison would
    let the caller guess it. Raises a 422 problem otherwise, or 403.
    """
    if len(infos) > 1:
        raise _vim_error("/vimConnectionInfo", "One VNF instance lives in one VIM: name one.")
    if not infos:
        only = vims.vim_only()
        if only is None:
            raise _vim_error("/vimConnectionInfo", "Name the VIM: there is not exactly one.")
        return only
    key, info = next(iter(infos.items()))
    if len(key) > MAX_CONNECTION_ID:
        raise _vim_error(
            "/vimConnectionInfo", f"The identifier of a connection has at most {MAX_CONNECTION_ID} characters."
        )
    pointer = f"/vimConnectionInfo/{key}"
    if registers(info):
        return _resolve_connection(_connection(info, pointer), may_register=may_register)
    named = vims.vim_named(info.vim_id or "")
    if named is None:
        words = f"There is no VIM {info.vim_id or ''!r}; GET /api/v1/vims lists them."
        raise _vim_error(f"{pointer}/vimId", words)
    return named


def _resolve_connection(connection: Connection, *, may_register: bool) -> VimRecord:
    if may_register:
        return vim_services.vim_for_connection(connection=connection)
    # A caller may use any VIM by its id, and needs to know neither its password nor its user.
    known = vims.vim_of_same_user(connection=connection) or vims.vim_of_project(connection=connection)
    if known is not None:
        return known
    account = f"user {connection.username} in project {connection.project_name or connection.project_id}"
    detail = f"No cloud is registered at {connection.auth_url} for {account}; only an administrator may register one."
    next_step = "Let an administrator register it under Clouds (POST /api/v1/vims), then name it by vimId."
    raise ProblemError(Problem(403, "VIM_NOT_REGISTERED", "Not registered", detail, next_step))


def _vim_error(field: str, message: str) -> Exception:
    return unprocessable("UNKNOWN_VIM", message, [FieldError(field, message)], "Name a registered VIM.")


def registers(info: VimConnectionInfo) -> bool:
    """True if it has credentials, with which a cloud that is not registered yet becomes a VIM."""
    return info.access_info not in (None, AccessInfo())


def _connection(info: VimConnectionInfo, pointer: str) -> Connection:
    """ETSI's keys for ETSINFV.OPENSTACK_KEYSTONE.V_3 (SOL003 4.4.1.6 and its registry of VIM types)."""
    interface, access = info.interface_info or InterfaceInfo(), info.access_info or AccessInfo()
    needed = (
        ("interfaceInfo/endpoint", "Keystone's URL", interface.endpoint),
        ("accessInfo/username", "the user name", access.username),
        ("accessInfo/password", "the password", access.password),
        ("accessInfo/project", "the project (project or projectId)", access.project or access.project_id),
    )
    missing = [(path, what) for path, what, value in needed if not value]
    if missing:
        errors = [FieldError(f"{pointer}/{path}", f"Give {what}: it is needed to log in.") for path, what in missing]
        words = f"The VIM connection lacks {', '.join(what for _, what in missing)}."
        raise unprocessable("INCOMPLETE_VIM", words, errors, "Give what is named, or name a registered VIM by vimId.")
    return Connection(
        auth_url=interface.endpoint,
        username=access.username,
        password=access.password,
        project_name=access.project,
        project_id=access.project_id,
        user_domain_name=access.user_domain or "Default",
        project_domain_name=access.project_domain or "Default",
        region=access.region,
        cacert="\n".join(interface.trusted_certificates),
        insecure=bool(interface.skip_certificate_verification),
    )


def request_secrets(request: Request, vnfd: Vnfd) -> dict[str, str]:
    """The hidden settings that the request gives."""
    given = request.settings if isinstance(request, StackRequest) else {}
    return {s.name: str(given[s.name]) for s in vnfd.settings if s.hidden and given.get(s.name) is not None}


def effective_secrets(op: LcmOpOcc, instance: InstanceRecord) -> dict[str, str]:
    """Hidden settings as of the end of the operation, in clear: for the moment of a call."""
    tokens = (instance.sealed_settings, op.sealed_secrets)
    return {name: value for token in tokens if token for name, value in seal.unseal(token).items()}


def redacted(request: Request, vnfd: Vnfd) -> dict[str, Any]:
    """The JSON of a request without its secrets: to be stored and shown."""
    body: dict[str, Any] = as_json(with_secrets(request, dict.fromkeys(request_secrets(request, vnfd), HIDDEN)), HIDDEN)
    return body


def with_secrets(request: Request, secrets: Mapping[str, str]) -> Request:
    """A stored request with its secrets back in place: for the moment of planning."""
    return request.with_params(secrets) if isinstance(request, StackRequest) else request
