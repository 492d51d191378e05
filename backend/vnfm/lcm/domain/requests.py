"""The requests of operations (SOL003 5.5.2.4 to 5.5.2.12): one frozen type per operation, parsed once from its JSON.

The body has passed the API's serializers; stored and shown is the body itself. The names of `additionalParams` that are
ours (`createFlavors`, `vnfcToHeal`, mediation policies) have attributes of their own; the rest are the VNFD's settings.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Self, get_args
from uuid import UUID

from vnfm.catalog.domain.vnfd import HealMethod
from vnfm.elements.domain.policies import ROLES
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.managed_links import MANAGED_LINKS, ManagedVirtualLink
from vnfm.lcm.domain.request_params import DRAIN, drain_of, is_names, no_boolean, no_names, undeclared, unknown
from vnfm.lcm.domain.states import Operation

Power = Literal["STARTED", "STOPPED"]
"""SOL003 5.5.4.4 VnfOperationalStateType."""

AUTO: Literal["auto"] = "auto"
METHODS: tuple[HealMethod, ...] = get_args(HealMethod)
GRACEFUL_SECONDS = 60
"""How long a graceful termination waits for the servers by default."""

CREATE_FLAVORS, ADOPT_STACK, POLICIES = "createFlavors", "adoptStack", tuple(ROLES)
CONFIGURE_SNMP = "configureSnmp"
VNFC_TO_REMOVE, VNFC_TO_HEAL, METHOD, REPAIR = "vnfcToRemove", "vnfcToHeal", "method", "repair"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What all requests have in common."""

    operation: ClassVar[Operation]
    malformed: tuple[FieldError, ...] = ()
    """Reasons against the request that need neither VNFD nor instance, each at its field."""

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        """The request with this JSON body."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class ScaleInfo:
    """The level of one scaling aspect (SOL003 4.4.1.4)."""

    aspect_id: str
    level: int


@dataclass(frozen=True, slots=True)
class ExtVirtualLink:
    """An existing network for connection points of the VNF (SOL003 4.4.1.11 ExtVirtualLinkData)."""

    id: str
    resource_id: str
    """Id or name of the Neutron network."""
    cpd_ids: tuple[str, ...]

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "ExtVirtualLink":
        return cls(data["id"], data["resourceId"], tuple(cp["cpdId"] for cp in data.get("extCps") or ()))


@dataclass(frozen=True, slots=True, kw_only=True)
class StackRequest(Request):
    """A request that chooses input of the Heat stack."""

    settings: Mapping[str, Any] = field(default_factory=dict)
    """The VNFD's settings by name."""
    create_flavors: bool | None = None
    """Whether missing Nova flavors may be created; None: they are where the VIM's user has the right."""
    ext_virtual_links: tuple[ExtVirtualLink, ...] = ()
    managed_links: tuple[ManagedVirtualLink, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SizedRequest(StackRequest):
    """A request that chooses the flavour and its size."""

    flavour_id: str
    instantiation_level_id: str = ""
    """"" for the default level of the flavour."""
    scale_info: tuple[ScaleInfo, ...] = ()
    """Levels of single aspects, which override those of the instantiation level."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InstantiateRequest(SizedRequest):
    """SOL003 5.5.2.4."""

    operation = Operation.INSTANTIATE
    policies: Mapping[str, Any] = field(default_factory=dict)
    """The mediation policies of the VNF's element, by the keys of `ROLES`: names or ids."""
    declines_management: bool = False
    """Whether a policy is null instead: no management profile applies."""
    configures_snmp: bool | None = None
    """Whether new elements get the SNMP access of their policy; None: as the package says."""
    adopt_stack: str | None = None
    """Id of the Heat stack to adopt, "" when the request has no valid one; None for a new stack."""
    vim_connections: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Key → VimConnectionInfo (SOL003 4.4.1.6) as JSON, with its credentials."""

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        params, policies = split_policies(body.get("additionalParams") or {})
        adopts, stack_id = ADOPT_STACK in params, params.pop(ADOPT_STACK, None)
        snmp = params.pop(CONFIGURE_SNMP, None)
        stack_input = _stack_input(body, params, may_create=not adopts)
        if snmp is not None and not isinstance(snmp, bool):
            stack_input["malformed"] = (*stack_input["malformed"], no_boolean(CONFIGURE_SNMP))
        return cls(
            flavour_id=body.get("flavourId") or "",
            **_size(body),
            policies=policies,
            declines_management=not policies and any(name in (body.get("additionalParams") or {}) for name in POLICIES),
            adopt_stack=(stack_id if isinstance(stack_id, str) else "") if adopts else None,
            vim_connections=body.get("vimConnectionInfo") or {},
            configures_snmp=snmp if isinstance(snmp, bool) else None,
            **stack_input,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeFlavourRequest(SizedRequest):
    """SOL003 5.5.2.7; `flavour_id` is its `newFlavourId`."""

    operation = Operation.CHANGE_FLAVOUR
    drain: bool = True
    """Whether routers are drained before they are resized or removed."""

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        drain, stack_input = _drained_stack_input(body)
        return cls(flavour_id=body["newFlavourId"], drain=drain, **_size(body), **stack_input)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeExtConnRequest(StackRequest):
    """SOL003 5.5.2.11."""

    operation = Operation.CHANGE_EXT_CONN

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        return cls(**_stack_input(body, _params(body)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeVnfpkgRequest(StackRequest):
    """SOL003 5.5.2.11a."""

    operation = Operation.CHANGE_VNFPKG
    vnfd_id: UUID
    drain: bool = True
    """Whether routers are drained before they are rebuilt."""

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        drain, stack_input = _drained_stack_input(body)
        return cls(vnfd_id=UUID(body["vnfdId"]), drain=drain, **stack_input)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleRequest(Request):
    """SOL003 5.5.2.5."""

    operation = Operation.SCALE
    aspect_id: str
    out: bool
    steps: int = 1
    remove: tuple[str, ...] | None = None
    """Names of the VNFCs to remove; None for those in the highest slots."""
    drain: bool = True
    """Whether routers are drained before they are removed."""

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        steps = body.get("numberOfSteps", 1)
        return cls(aspect_id=body["aspectId"], out=body["type"] == "SCALE_OUT", steps=steps, **_removal(body))


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleToLevelRequest(Request):
    """SOL003 5.5.2.6."""

    operation = Operation.SCALE_TO_LEVEL
    instantiation_level_id: str = ""
    scale_info: tuple[ScaleInfo, ...] = ()
    remove: tuple[str, ...] | None = None
    """As in `ScaleRequest`, and the next."""
    drain: bool = True

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        return cls(**_size(body, "scaleInfo"), **_removal(body))


@dataclass(frozen=True, slots=True, kw_only=True)
class TerminateRequest(Request):
    """SOL003 5.5.2.8."""

    operation = Operation.TERMINATE
    graceful_timeout: int | None = None
    """Seconds to wait for the servers to shut down; None for a forceful termination."""

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        timeout = body.get("gracefulTerminationTimeout", GRACEFUL_SECONDS)
        graceful = body["terminationType"] == "GRACEFUL"
        return cls(graceful_timeout=timeout if graceful else None, malformed=unknown(_params(body)))


@dataclass(frozen=True, slots=True, kw_only=True)
class HealRequest(Request):
    """SOL003 5.5.2.9."""

    operation = Operation.HEAL
    vnfc_instance_ids: tuple[str, ...] = ()
    """SOL002's names of the VNFCs to heal, and `vnfcs` ours; both empty for all that are not healthy."""
    vnfcs: tuple[str, ...] = ()
    method: HealMethod | Literal["auto"] = AUTO
    repair: bool = False
    """Whether the other differences from the desired state are repaired as well."""
    drain: bool = True
    """Whether routers that work are drained before they are healed."""

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        params = _params(body)
        drain, unclear = drain_of(params)
        malformed = (*unknown(params, VNFC_TO_HEAL, METHOD, REPAIR, DRAIN), *unclear)
        vnfcs, method, repair = params.get(VNFC_TO_HEAL) or [], params.get(METHOD, AUTO), params.get(REPAIR, False)
        if not is_names(vnfcs):
            malformed += (no_names(VNFC_TO_HEAL),)
        if not isinstance(repair, bool):
            malformed += (no_boolean(REPAIR),)
        if method not in (AUTO, *METHODS):
            message = f"{method!r} is none of {AUTO}, {', '.join(METHODS)}."
            malformed += (FieldError(f"/additionalParams/{METHOD}", message),)
        return cls(
            vnfc_instance_ids=tuple(body.get("vnfcInstanceId") or ()),
            vnfcs=tuple(vnfcs) if is_names(vnfcs) else (),
            method=method if method in METHODS else AUTO,
            repair=repair is True,
            drain=drain,
            malformed=malformed,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class OperateRequest(Request):
    """SOL003 5.5.2.10."""

    operation = Operation.OPERATE
    target: Power
    vnfc_instance_ids: tuple[str, ...] = ()
    """Empty for the whole VNF."""
    graceful_timeout: int | None = None
    """Seconds after which a graceful stop becomes forceful; None where it is not graceful."""
    drain: bool = True
    """Whether routers are drained before they are stopped."""

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        params = _params(body)
        drain, unclear = drain_of(params)
        return cls(
            target=body["changeStateTo"],
            vnfc_instance_ids=tuple(body.get("vnfcInstanceId") or ()),
            graceful_timeout=body["gracefulStopTimeout"] if body.get("stopType") == "GRACEFUL" else None,
            drain=drain,
            malformed=(*unknown(params, DRAIN), *unclear),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ModifyInfoRequest(Request):
    """SOL003 5.5.2.12, a merge patch (RFC 7396)."""

    operation = Operation.MODIFY_INFO
    name: str | None = None
    """None leaves it, "" removes it; so for the description."""
    description: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """Still a merge patch."""
    vnfd_id: UUID | None = None
    """The VNFD of another package."""

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        return cls(
            name=(body["vnfInstanceName"] or "") if "vnfInstanceName" in body else None,
            description=(body["vnfInstanceDescription"] or "") if "vnfInstanceDescription" in body else None,
            metadata=body.get("metadata") or {},
            vnfd_id=UUID(body["vnfdId"]) if "vnfdId" in body else None,
            malformed=undeclared(body),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotRequest(Request):
    """What both requests about a snapshot name."""

    snapshot_id: UUID | None
    """Of the Individual VNF snapshot resource; None in a plan of one that is created when the plan is agreed to."""

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        named = body.get("vnfSnapshotInfoId")
        return cls(snapshot_id=UUID(named) if named else None, malformed=unknown(_params(body)))


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateSnapshotRequest(SnapshotRequest):
    """SOL003 5.5.2.21."""

    operation = Operation.CREATE_SNAPSHOT


@dataclass(frozen=True, slots=True, kw_only=True)
class RevertToSnapshotRequest(SnapshotRequest):
    """SOL003 5.5.2.26."""

    operation = Operation.REVERT_TO_SNAPSHOT


_REQUESTS: Mapping[Operation, type[Request]] = {
    kind.operation: kind
    for kind in (
        InstantiateRequest,
        ScaleRequest,
        ScaleToLevelRequest,
        ChangeFlavourRequest,
        OperateRequest,
        HealRequest,
        ChangeExtConnRequest,
        ChangeVnfpkgRequest,
        ModifyInfoRequest,
        TerminateRequest,
        CreateSnapshotRequest,
        RevertToSnapshotRequest,
    )
}


def parse_request(operation: Operation, body: Mapping[str, Any]) -> Request:
    """The operation's request with this JSON body."""
    return _REQUESTS[operation].of(body)


def split_policies(params: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """`additionalParams` of an instantiation without its mediation policies, and these; null means none."""
    others = {name: value for name, value in params.items() if name not in POLICIES}
    return others, {name: params[name] for name in POLICIES if params.get(name) is not None}


def _params(body: Mapping[str, Any]) -> dict[str, Any]:
    return dict(body.get("additionalParams") or {})


def _stack_input(body: Mapping[str, Any], params: dict[str, Any], *, may_create: bool = True) -> dict[str, Any]:
    """The attributes of a StackRequest. `createFlavors` is no name of ours where nothing may be created."""
    agreed = params.pop(CREATE_FLAVORS, None) if may_create else None
    unclear = () if agreed is None or isinstance(agreed, bool) else (no_boolean(CREATE_FLAVORS),)
    return {
        "create_flavors": agreed if isinstance(agreed, bool) else None,
        "settings": params,
        "ext_virtual_links": tuple(ExtVirtualLink.of(link) for link in body.get("extVirtualLinks") or ()),
        "managed_links": tuple(ManagedVirtualLink.of(link) for link in body.get(MANAGED_LINKS) or ()),
        "malformed": (*undeclared(body), *unclear),
    }


def _drained_stack_input(body: Mapping[str, Any]) -> tuple[bool, dict[str, Any]]:
    """Whether to drain, and the attributes of a StackRequest."""
    params = _params(body)
    drain, unclear = drain_of(params)
    params.pop(DRAIN, None)
    given = _stack_input(body, params)
    return drain, {**given, "malformed": (*given["malformed"], *unclear)}


def _size(body: Mapping[str, Any], scale_info: str = "targetScaleLevelInfo") -> dict[str, Any]:
    infos = (ScaleInfo(info["aspectId"], info["scaleLevel"]) for info in body.get(scale_info) or ())
    return {"instantiation_level_id": body.get("instantiationLevelId") or "", "scale_info": tuple(infos)}


def _removal(body: Mapping[str, Any]) -> dict[str, Any]:
    params = _params(body)
    names, (drain, unclear) = params.get(VNFC_TO_REMOVE), drain_of(params)
    malformed = (*unknown(params, VNFC_TO_REMOVE, DRAIN), *unclear)
    if VNFC_TO_REMOVE in params and not is_names(names):
        return {"malformed": (*malformed, no_names(VNFC_TO_REMOVE))}
    return {"malformed": malformed, "remove": None if names is None else tuple(names), "drain": drain}
