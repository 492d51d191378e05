"""The requests of operations (SOL003 5.5.2.4 to 5.5.2.12), as they are on the wire: one frozen type per operation.

The API's serializers, the stored JSON and what clients see of a request follow from these types (ADR-0091).
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, Self, get_args
from uuid import UUID

from vnfm.kit.problem import FieldError
from vnfm.kit.web.message import Reasons, from_json, presence, wire
from vnfm.lcm.domain.request_params import (
    ChangeParams,
    HealParams,
    InstantiateParams,
    OperateParams,
    Params,
    RemovalParams,
    StackParams,
)
from vnfm.lcm.domain.request_types import (
    MAX_COUNT,
    MAX_ID,
    ExtManagedVirtualLink,
    ExtVirtualLink,
    ScaleInfo,
    VimConnectionInfo,
)
from vnfm.lcm.domain.states import Operation

Power = Literal["STARTED", "STOPPED"]
"""SOL003 5.5.4.4 VnfOperationalStateType."""
StopType = Literal["FORCEFUL", "GRACEFUL"]
"""SOL003 5.5.4.6 and 5.5.4.8: of a termination, a stop and a cancellation."""
STOP_TYPES = get_args(StopType)

GRACEFUL_SECONDS = 60
"""A graceful termination waits as long for the servers by default."""
MAX_GRACE = 24 * 3600
"""Seconds that a graceful stop may take; SOL003 has no limit."""
MAX_NAME = 100
MAX_DESCRIPTION = 500
MAX_METADATA = 64 * 1024
"""Bytes of JSON: notes for other systems, not a store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateVnfRequest:
    """SOL003 5.5.2.3."""

    cannot: ClassVar[Reasons] = {"additionalParams": "Nothing is chosen before the instantiation."}

    vnfd_id: UUID
    vnf_instance_name: str = wire("", max_length=MAX_NAME, allow_blank=True)
    vnf_instance_description: str = wire("", max_length=MAX_DESCRIPTION, allow_blank=True)
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def conflicts(self) -> Iterator[tuple[str, str]]:
        yield from _too_large("metadata", self.metadata)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The base class of all requests."""

    operation: ClassVar[Operation]
    present: frozenset[str] = presence()

    @property
    def malformed(self) -> tuple[FieldError, ...]:
        """Reasons against the request that need neither VNFD nor instance, each at its field."""
        return ()

    @property
    def drain(self) -> bool:
        """True if routers that work are drained before they are changed, stopped or removed."""
        return True

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        """The request with this JSON body."""
        return from_json(cls, body)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParamsRequest(Request):
    """A request with parameters that SOL003 leaves to the VNF."""

    additional_params: Params = field(default_factory=Params)

    @property
    def malformed(self) -> tuple[FieldError, ...]:
        return self.additional_params.malformed

    @property
    def drain(self) -> bool:
        return self.additional_params.drain


@dataclass(frozen=True, slots=True, kw_only=True)
class StackRequest(ParamsRequest):
    """A request that chooses input of the Heat stack."""

    additional_params: StackParams = field(default_factory=StackParams)
    vim_connection_info: Mapping[str, VimConnectionInfo] = wire(default_factory=dict, key="id")
    ext_virtual_links: tuple[ExtVirtualLink, ...] = ()

    @property
    def settings(self) -> Mapping[str, Any]:
        """The VNFD's settings by name."""
        return self.additional_params.settings

    @property
    def managed_links(self) -> tuple[ExtManagedVirtualLink, ...]:
        return ()

    def with_params(self, more: Mapping[str, Any]) -> Self:
        """Return the request with these `additionalParams` beside its own, which they replace."""
        return replace(self, additional_params=self.additional_params.merged(more)) if more else self


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributesRequest(StackRequest):
    """A request that may set attributes which a VNFD would have to declare; none does, so they had no effect."""

    ext_managed_virtual_links: tuple[ExtManagedVirtualLink, ...] = ()
    extensions: Mapping[str, Any] = field(default_factory=dict)
    vnf_configurable_properties: Mapping[str, Any] = field(default_factory=dict)

    @property
    def malformed(self) -> tuple[FieldError, ...]:
        return (*undeclared(self), *self.additional_params.malformed)

    @property
    def managed_links(self) -> tuple[ExtManagedVirtualLink, ...]:
        return self.ext_managed_virtual_links


@dataclass(frozen=True, slots=True, kw_only=True)
class SizedRequest(AttributesRequest):
    """A request that chooses the flavour and its size."""

    instantiation_level_id: str = wire("", max_length=100)
    """The flavour has a default level, which is taken without it."""
    target_scale_level_info: tuple[ScaleInfo, ...] = ()
    """Levels of single aspects, which override those of the instantiation level."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InstantiateVnfRequest(SizedRequest):
    """SOL003 5.5.2.4. `additionalParams`: the VNFD's settings by name, `createFlavors` (whether missing Nova flavors
    are created; without it they are where the cloud's user may), `adoptStack`, and the mediation policies of its
    element: `snmpPolicy`, `sshPolicy`, `netconfPolicy`. With the last one it is configured by NETCONF, so the
    package's first configuration has to be XML.
    """

    operation = Operation.INSTANTIATE
    additional_params: InstantiateParams = field(default_factory=InstantiateParams)
    flavour_id: str = wire("", required=True, max_length=100, allow_blank=True)
    """Blank with adoptStack: as it shows."""
    localization_language: str | None = wire(None, max_length=100, regex=r"^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$")
    """A tag of RFC 5646. It has no effect: no VNFD here declares languages to choose from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeVnfFlavourRequest(SizedRequest):
    """SOL003 5.5.2.7.

    `additionalParams`: as for the instantiation, and `drain` (false: routers are not drained before they are resized or
    removed).
    """

    operation = Operation.CHANGE_FLAVOUR
    additional_params: ChangeParams = field(default_factory=ChangeParams)
    new_flavour_id: str = wire(max_length=100)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeExtVnfConnectivityRequest(StackRequest):
    """SOL003 5.5.2.11."""

    operation = Operation.CHANGE_EXT_CONN
    ext_virtual_links: tuple[ExtVirtualLink, ...] = wire((), required=True, allow_empty=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeCurrentVnfPkgRequest(AttributesRequest):
    """SOL003 5.5.2.11a.

    `additionalParams`: as for the instantiation, and `drain` (false: routers are not drained before they are rebuilt).
    """

    operation = Operation.CHANGE_VNFPKG
    additional_params: ChangeParams = field(default_factory=ChangeParams)
    vnfd_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleVnfRequest(ParamsRequest):
    """SOL003 5.5.2.5."""

    operation = Operation.SCALE
    additional_params: RemovalParams = field(default_factory=RemovalParams)
    type: Literal["SCALE_OUT", "SCALE_IN"]
    aspect_id: str = wire(max_length=100)
    number_of_steps: int = wire(1, default=1, min_value=1, max_value=MAX_COUNT)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleVnfToLevelRequest(ParamsRequest):
    """SOL003 5.5.2.6: a level, or scale levels, and not both."""

    operation = Operation.SCALE_TO_LEVEL
    additional_params: RemovalParams = field(default_factory=RemovalParams)
    instantiation_level_id: str = wire("", max_length=100)
    scale_info: tuple[ScaleInfo, ...] = wire((), allow_empty=False)

    def conflicts(self) -> Iterator[tuple[str, str]]:
        if bool(self.instantiation_level_id) == bool(self.scale_info):
            yield "", "Give either instantiationLevelId or scaleInfo."
        if len({info.aspect_id for info in self.scale_info}) < len(self.scale_info):
            yield "scaleInfo", "Every aspect only once."


@dataclass(frozen=True, slots=True, kw_only=True)
class TerminateVnfRequest(ParamsRequest):
    """SOL003 5.5.2.8. `gracefulTerminationTimeout` in seconds."""

    operation = Operation.TERMINATE
    termination_type: StopType
    graceful_termination_timeout: int | None = wire(None, min_value=0, max_value=MAX_GRACE)

    @property
    def graceful_timeout(self) -> int | None:
        """Seconds to wait for the servers to shut down; None for a forceful termination."""
        given, graceful = self.graceful_termination_timeout, self.termination_type == "GRACEFUL"
        return (GRACEFUL_SECONDS if given is None else given) if graceful else None

    def conflicts(self) -> Iterator[tuple[str, str]]:
        if self.termination_type == "FORCEFUL" and self.graceful_termination_timeout is not None:
            yield "gracefulTerminationTimeout", "Only with terminationType GRACEFUL."


@dataclass(frozen=True, slots=True, kw_only=True)
class HealVnfRequest(ParamsRequest):
    """SOL003 5.5.2.9, and SOL002's `vnfcInstanceId`: one VNFM serves both.

    `additionalParams`: `vnfcToHeal`, our name for the same, `method`, and `drain` (false: routers that work are not
    drained first). Without both names all VNFCs that are not healthy are healed.
    """

    operation = Operation.HEAL
    cannot: ClassVar[Reasons] = {
        "healScript": "Packages bring no scripts; additionalParams.method names a way to heal."
    }
    additional_params: HealParams = field(default_factory=HealParams)
    cause: str | None = wire(None, max_length=1000)
    vnfc_instance_id: tuple[str, ...] = wire((), allow_empty=False, child_kwargs={"max_length": MAX_ID})


@dataclass(frozen=True, slots=True, kw_only=True)
class OperateVnfRequest(ParamsRequest):
    """SOL003 5.5.2.10, and SOL002's `vnfcInstanceId`. `gracefulStopTimeout` in seconds.

    `additionalParams`: `drain` (false: routers are not drained before they stop).
    """

    operation = Operation.OPERATE
    additional_params: OperateParams = field(default_factory=OperateParams)
    change_state_to: Power
    vnfc_instance_id: tuple[str, ...] = wire((), allow_empty=False, child_kwargs={"max_length": MAX_ID})
    """The whole VNF is started or stopped without it."""
    stop_type: StopType | None = None
    graceful_stop_timeout: int | None = wire(None, min_value=0, max_value=MAX_GRACE)

    @property
    def graceful_timeout(self) -> int | None:
        """Seconds after which a graceful stop becomes forceful; None where it is not graceful."""
        return self.graceful_stop_timeout if self.stop_type == "GRACEFUL" else None

    def conflicts(self) -> Iterator[tuple[str, str]]:
        is_graceful, has_timeout = self.stop_type == "GRACEFUL", self.graceful_stop_timeout is not None
        if self.change_state_to == "STARTED" and self.stop_type is not None:
            yield "stopType", "Only with changeStateTo STOPPED."
        elif is_graceful and not has_timeout:
            yield "gracefulStopTimeout", "Needed with stopType GRACEFUL."
        elif has_timeout and not is_graceful:
            yield "gracefulStopTimeout", "Only with stopType GRACEFUL."


@dataclass(frozen=True, slots=True, kw_only=True)
class VnfInfoModificationRequest(Request):
    """SOL003 5.5.2.12, a merge patch: null removes. Older versions named the package by `vnfPkgId`."""

    operation = Operation.MODIFY_INFO
    cannot: ClassVar[Reasons] = {"vimConnectionInfoDeleteIds": "An instance stays in its VIM."}

    vnf_instance_name: str | None = wire(None, max_length=MAX_NAME, allow_blank=True, allow_null=True)
    vnf_instance_description: str | None = wire(None, max_length=MAX_DESCRIPTION, allow_blank=True, allow_null=True)
    vnfd_id: UUID | None = None
    vnf_pkg_id: UUID | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    extensions: Mapping[str, Any] = field(default_factory=dict)
    vnf_configurable_properties: Mapping[str, Any] = field(default_factory=dict)
    vim_connection_info: Mapping[str, VimConnectionInfo] = wire(default_factory=dict, key="id")

    @property
    def malformed(self) -> tuple[FieldError, ...]:
        return undeclared(self)

    @property
    def name(self) -> str | None:
        """None leaves it, "" removes it."""
        return self._patched("vnf_instance_name")

    @property
    def description(self) -> str | None:
        """None leaves it, "" removes it."""
        return self._patched("vnf_instance_description")

    def conflicts(self) -> Iterator[tuple[str, str]]:
        if not self.present:
            yield "", "Name something to change."
        if self.vnfd_id and self.vnf_pkg_id:
            yield "vnfPkgId", "Not together with vnfdId."
        yield from _too_large("metadata", self.metadata)

    def _patched(self, attribute: str) -> str | None:
        return (getattr(self, attribute) or "") if attribute in self.present else None


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotRequest(ParamsRequest):
    """Both requests about a snapshot name it; a plan may name none, which is created when the plan is agreed to."""

    vnf_snapshot_info_id: UUID | None = wire(None, required=True)
    """The Individual VNF snapshot resource."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateVnfSnapshotRequest(SnapshotRequest):
    """SOL003 5.5.2.21."""

    operation = Operation.CREATE_SNAPSHOT
    user_defined_data: Mapping[str, Any] = field(default_factory=dict)

    def conflicts(self) -> Iterator[tuple[str, str]]:
        yield from _too_large("userDefinedData", self.user_defined_data)


@dataclass(frozen=True, slots=True, kw_only=True)
class RevertToVnfSnapshotRequest(SnapshotRequest):
    """SOL003 5.5.2.26."""

    operation = Operation.REVERT_TO_SNAPSHOT


REQUESTS: Mapping[Operation, type[Request]] = {
    kind.operation: kind
    for kind in (
        InstantiateVnfRequest,
        ScaleVnfRequest,
        ScaleVnfToLevelRequest,
        ChangeVnfFlavourRequest,
        OperateVnfRequest,
        HealVnfRequest,
        ChangeExtVnfConnectivityRequest,
        ChangeCurrentVnfPkgRequest,
        VnfInfoModificationRequest,
        TerminateVnfRequest,
        CreateVnfSnapshotRequest,
        RevertToVnfSnapshotRequest,
    )
}


def parse_request(operation: Operation, body: Mapping[str, Any]) -> Request:
    """The operation's request with this JSON body."""
    return REQUESTS[operation].of(body)


def undeclared(request: AttributesRequest | VnfInfoModificationRequest) -> tuple[FieldError, ...]:
    """An error for every attribute whose declaration a VNFD would need: none declares any, so it had no effect."""
    named = (("extensions", request.extensions), ("vnfConfigurableProperties", request.vnf_configurable_properties))
    return tuple(
        FieldError(f"/{attribute}/{name}", "The VNFD declares no such attribute.")
        for attribute, values in named
        for name in values
    )


def _too_large(name: str, metadata: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if len(json.dumps(metadata, separators=(",", ":")).encode()) > MAX_METADATA:
        yield name, f"More than {MAX_METADATA // 1024} KiB of metadata."
