"""A request with its context, the instance's state, the target of the operation, and the rejection of a request."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from uuid import UUID

from vnfm.catalog.domain.vnfd import Flavour, Vnfd
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.requests import Power, Request
from vnfm.lcm.domain.sizing import Roster
from vnfm.lcm.domain.snapshot_state import SnapshotState

if TYPE_CHECKING:
    from vnfm.lcm.domain.plan import PlannedFlavor

R_co = TypeVar("R_co", bound=Request, covariant=True)

QUOTA_EXCEEDED = "QUOTA_EXCEEDED"
OWN_NETWORK = "is a network of this instance's own stack, which goes when it is left. Name another one, or none"


@dataclass(frozen=True, slots=True)
class VnfcState:
    """A recorded VNFC, as last observed."""

    id: UUID
    vdu_id: str
    slot: str
    name: str
    server_id: str
    status: str
    """Nova's status, or MISSING or UNKNOWN of `inventory.domain.observation`."""
    desired: Power


@dataclass(frozen=True, slots=True)
class InstanceState:
    """The instance's current state, as far as a request depends on it."""

    flavour_id: str = ""
    scale_levels: Mapping[str, int] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    vnfcs: tuple[VnfcState, ...] = ()
    rosters: Mapping[str, Roster] = field(default_factory=dict)
    """VDU id → roster."""
    secrets: tuple[str, ...] = ()
    """Names of the hidden settings that have a value."""
    upgrading: bool = False
    """A change of the package was marked failed half-way: some VNFCs run another image than the rest."""
    replaced_on_change: Mapping[str, str] = field(default_factory=dict)
    """Settings for which Heat would replace resources, see `replacement`; only for operations that change settings."""
    id: UUID | None = None
    """None before there is an instance."""
    own_networks: frozenset[str] = frozenset()
    """Ids of the networks that its stack created."""
    boot_differences: tuple[str, ...] = ()
    """Paths of server properties that differ between the HOT that Heat holds and that of the new package."""


@dataclass(frozen=True, slots=True)
class OperationRequest(Generic[R_co]):
    """A request with the VNFD and the instance that it is about."""

    request: R_co
    vnfd: Vnfd
    instance: InstanceState
    successor: Vnfd | None = None
    """The VNFD of the new package, where the operation changes it."""
    snapshot: SnapshotState | None = None
    """The snapshot that the request names; None where it names none, or there is no such one."""


@dataclass(frozen=True, slots=True)
class Target:
    """The desired state of the instance after the operation."""

    flavour: Flavour
    instantiation_level_id: str
    scale_levels: Mapping[str, int]
    settings: Mapping[str, Any]
    """All settings with defaults, secrets included; never stored."""
    chosen: Mapping[str, Any]
    """Only the operator's choices."""
    create_flavors: bool | None = None
    """True if missing Nova flavors may be created; None: where the VIM's user has the right."""
    remove: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """VDU id → slots to remove; without them the highest slots are removed."""
    changed: frozenset[str] = frozenset()
    """Settings that the request changes; Heat keeps the last value of all others."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """Setting → its pointer in the request, where that is not in additionalParams."""
    warnings: tuple[str, ...] = ()
    upgrade: bool = False
    """True if VNFCs get the images of the package in place of their current ones."""

    def pointer(self, setting: str) -> str:
        """JSON pointer in the request to the setting."""
        return self.fields.get(setting, f"/additionalParams/{setting}")


@dataclass(frozen=True, slots=True)
class Rejection:
    """The reasons why the request cannot be accepted, each at its field."""

    errors: tuple[FieldError, ...]
    code: str = "REQUEST_REFUSED"
    missing_flavors: "tuple[PlannedFlavor, ...]" = ()
    """The Nova flavors for lack of which it is rejected."""
