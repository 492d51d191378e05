"""The requests of operations (SOL003 5.5.2.4 to 5.5.2.12), as they are on the wire: one frozen type per operation.

The API's serializers, the stored JSON and what clients see of a request follow from these types (ADR-0091).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, Self
from uuid import UUID

from vnfm.kit.message import from_json, presence, wire
from vnfm.kit.problem import FieldError
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
"""SOL003 5.5.4.6 and 5.5.4.8: of a termination and of a stop."""

GRACEFUL_SECONDS = 60
"""A graceful termination waits as long for the servers by default."""
MAX_GRACE = 24 * 3600
"""Seconds that a graceful stop may take; SOL003 has no limit."""
MAX_NAME = 100
MAX_DESCRIPTION = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What all requests have in common."""

    operation: ClassVar[Operation]
    present: frozenset[str] = presence()

    @property
    def malformed(self) -> tuple[FieldError, ...]:
        """Reasons against the request that need neither VNFD nor instance, each at its field."""
        return ()

    @property
    def drain(self) -> bool:
        """Whether routers that work are drained before they are changed, stopped or removed."""
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
    vim_connection_info: Mapping[str, VimConnectionInfo] = field(default_factory=dict)
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
    """Without it the default level of the flavour is meant."""
    target_scale_level_info: tuple[ScaleInfo, ...] = ()
    """Levels of single aspects, which override those of the instantiation level."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InstantiateRequest(SizedRequest):
    """SOL003 5.5.2.4. `additionalParams`: the VNFD's settings by name, `createFlavors` (whether missing Nova flavors
    are created; without it they are where the cloud's user may), `adoptStack`, and the mediation policies of its
    element: `snmpPolicy`, `sshPolicy`, `netconfPolicy`. With the last one it is configured by NETCONF, so the
    package's first configuration has to be XML.
    """

    operation = Operation.INSTANTIATE
    additional_params: InstantiateParams = field(default_factory=InstantiateParams)
    flavour_id: str = wire("", required=True, max_length=100, allow_blank=True)
    """Blank with adoptStack: as it shows."""
    localization_language: str | None = wire(None, max_length=100)
    """By RFC 5646. Without effect: no VNFD here declares languages to choose from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeFlavourRequest(SizedRequest):
    """SOL003 5.5.2.7.

    `additionalParams`: as for the instantiation, and `drain` (false: routers are not drained before they are resized or
    removed).
    """

    operation = Operation.CHANGE_FLAVOUR
    additional_params: ChangeParams = field(default_factory=ChangeParams)
    new_flavour_id: str = wire(max_length=100)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeExtConnRequest(StackRequest):
    """SOL003 5.5.2.11."""

    operation = Operation.CHANGE_EXT_CONN
    ext_virtual_links: tuple[ExtVirtualLink, ...] = wire((), required=True, allow_empty=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeVnfpkgRequest(AttributesRequest):
    """SOL003 5.5.2.11a.

    `additionalParams`: as for the instantiation, and `drain` (false: routers are not drained before they are rebuilt).
    """

    operation = Operation.CHANGE_VNFPKG
    additional_params: ChangeParams = field(default_factory=ChangeParams)
    vnfd_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleRequest(ParamsRequest):
    """SOL003 5.5.2.5."""

    operation = Operation.SCALE
    additional_params: RemovalParams = field(default_factory=RemovalParams)
    type: Literal["SCALE_OUT", "SCALE_IN"]
    aspect_id: str = wire(max_length=100)
    number_of_steps: int = wire(1, min_value=1, max_value=MAX_COUNT)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleToLevelRequest(ParamsRequest):
    """SOL003 5.5.2.6: a level, or scale levels, and not both."""

    operation = Operation.SCALE_TO_LEVEL
    additional_params: RemovalParams = field(default_factory=RemovalParams)
    instantiation_level_id: str = wire("", max_length=100)
    scale_info: tuple[ScaleInfo, ...] = wire((), allow_empty=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class TerminateRequest(ParamsRequest):
    """SOL003 5.5.2.8. `gracefulTerminationTimeout` in seconds."""

    operation = Operation.TERMINATE
    termination_type: StopType
    graceful_termination_timeout: int | None = wire(None, min_value=0, max_value=MAX_GRACE)

    @property
    def graceful_timeout(self) -> int | None:
        """Seconds to wait for the servers to shut down; None for a forceful termination."""
        given, graceful = self.graceful_termination_timeout, self.termination_type == "GRACEFUL"
        return (GRACEFUL_SECONDS if given is None else given) if graceful else None


@dataclass(frozen=True, slots=True, kw_only=True)
class HealRequest(ParamsRequest):
    """SOL003 5.5.2.9, and SOL002's `vnfcInstanceId`: one VNFM serves both.

    `additionalParams`: `vnfcToHeal`, our name for the same, `method`, and `drain` (false: routers that work are not
    drained first). Without both names all VNFCs that are not healthy are healed.
    """

    operation = Operation.HEAL
    additional_params: HealParams = field(default_factory=HealParams)
    cause: str | None = wire(None, max_length=1000)
    vnfc_instance_id: tuple[str, ...] = wire((), allow_empty=False, child_kwargs={"max_length": MAX_ID})


@dataclass(frozen=True, slots=True, kw_only=True)
class OperateRequest(ParamsRequest):
    """SOL003 5.5.2.10, and SOL002's `vnfcInstanceId`. `gracefulStopTimeout` in seconds.

    `additionalParams`: `drain` (false: routers are not drained before they stop).
    """

    operation = Operation.OPERATE
    additional_params: OperateParams = field(default_factory=OperateParams)
    change_state_to: Power
    vnfc_instance_id: tuple[str, ...] = wire((), allow_empty=False, child_kwargs={"max_length": MAX_ID})
    """Without it the whole VNF is meant."""
    stop_type: StopType | None = None
    graceful_stop_timeout: int | None = wire(None, min_value=0, max_value=MAX_GRACE)

    @property
    def graceful_timeout(self) -> int | None:
        """Seconds after which a graceful stop becomes forceful; None where it is not graceful."""
        return self.graceful_stop_timeout if self.stop_type == "GRACEFUL" else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModifyInfoRequest(Request):
    """SOL003 5.5.2.12, a merge patch (RFC 7396): null removes."""

    operation = Operation.MODIFY_INFO
    vnf_instance_name: str | None = wire(None, max_length=MAX_NAME, allow_blank=True)
    vnf_instance_description: str | None = wire(None, max_length=MAX_DESCRIPTION, allow_blank=True)
    vnfd_id: UUID | None = None
    """The VNFD of another package."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """A merge patch, too."""
    extensions: Mapping[str, Any] = field(default_factory=dict)
    vnf_configurable_properties: Mapping[str, Any] = field(default_factory=dict)
    vim_connection_info: Mapping[str, VimConnectionInfo] = field(default_factory=dict)

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

    def _patched(self, attribute: str) -> str | None:
        return (getattr(self, attribute) or "") if attribute in self.present else None


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotRequest(ParamsRequest):
    """What both requests about a snapshot name."""

    vnf_snapshot_info_id: UUID | None = None
    """The Individual VNF snapshot resource; None in a plan of one that is created when the plan is agreed to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateSnapshotRequest(SnapshotRequest):
    """SOL003 5.5.2.21."""

    operation = Operation.CREATE_SNAPSHOT
    user_defined_data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RevertToSnapshotRequest(SnapshotRequest):
    """SOL003 5.5.2.26."""

    operation = Operation.REVERT_TO_SNAPSHOT


REQUESTS: Mapping[Operation, type[Request]] = {
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
    return REQUESTS[operation].of(body)


def undeclared(request: AttributesRequest | ModifyInfoRequest) -> tuple[FieldError, ...]:
    """An error for every attribute whose declaration a VNFD would need: none declares any, so it had no effect."""
    named = (("extensions", request.extensions), ("vnfConfigurableProperties", request.vnf_configurable_properties))
    return tuple(
        FieldError(f"/{attribute}/{name}", "The VNFD declares no such attribute.")
        for attribute, values in named
        for name in values
    )
