"""What a request asks for, as values: what the instance is, what it shall be, or why it cannot be."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from uuid import UUID

from vnfm.catalog.domain.vnfd import Flavour, Vnfd
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.sizing import Roster
from vnfm.lcm.domain.states import Operation

Power = Literal["STARTED", "STOPPED"]
"""SOL003 5.5.4.4 VnfOperationalStateType."""

CREATE_FLAVORS = "createFlavors"
"""Reserved name in additionalParams: the operator agrees that missing Nova flavors are created."""

QUOTA_EXCEEDED = "QUOTA_EXCEEDED"


@dataclass(frozen=True, slots=True)
class StandingVnfc:
    """A VNFC on record, as last seen."""

    id: UUID
    vdu_id: str
    slot: str
    name: str
    server_id: str
    status: str
    """Nova's; MISSING and UNKNOWN as in `inventory.domain.observation`."""
    desired: Power


@dataclass(frozen=True, slots=True)
class Standing:
    """What the instance is now, as far as a request builds on it."""

    flavour_id: str = ""
    scale_levels: Mapping[str, int] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    vnfcs: tuple[StandingVnfc, ...] = ()
    rosters: Mapping[str, Roster] = field(default_factory=dict)
    """VDU id to the slots that its group holds."""
    secrets: tuple[str, ...] = ()
    """Names of the hidden settings that have a value; the values stay sealed."""
    upgrading: bool = False
    """Whether a change of the package was given up half-way: some VNFCs run another image than the rest."""
    anew: Mapping[str, str] = field(default_factory=dict)
    """What Heat could only make anew for another value, see `anew.made_anew`; told to those who change settings."""
    booted_otherwise: tuple[str, ...] = ()
    """What servers are made with in the HOT that Heat holds and, otherwise, in that of the package to come."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A request in front of the descriptor and the instance that it is about."""

    operation: Operation
    request: Mapping[str, Any]
    vnfd: Vnfd
    standing: Standing
    successor: Vnfd | None = None
    """The VNFD that a change of the package leads to."""


@dataclass(frozen=True, slots=True)
class Target:
    """What the instance shall be when the operation is over."""

    flavour: Flavour
    instantiation_level_id: str
    scale_levels: Mapping[str, int]
    settings: Mapping[str, Any]
    """Complete: defaults filled in. Secrets included; never stored as it is."""
    chosen: Mapping[str, Any]
    """Only what the operator set."""
    create_flavors: bool = False
    remove: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """VDU id to the slots that the operator named for removal; without a name the highest slots go."""
    changed: frozenset[str] = frozenset()
    """Settings that the request changes. Of all others Heat keeps what it was last given."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """Setting to the place in the request that chose it, where that is not in additionalParams."""
    warnings: tuple[str, ...] = ()
    upgrade: bool = False
    """Whether the images of the package take the place of those that VNFCs run."""

    def pointer(self, setting: str) -> str:
        """Where in the request the setting is chosen, or could be."""
        return self.fields.get(setting, f"/additionalParams/{setting}")


@dataclass(frozen=True, slots=True)
class Refused:
    """Why the request cannot be met, each reason at its field."""

    errors: tuple[FieldError, ...]
    code: str = "REQUEST_REFUSED"


def unknown_params(params: Mapping[str, Any], known: tuple[str, ...], pointer: str = "/additionalParams") -> Refused:
    """Refuses every parameter that this operation does not know; empty when all are known."""
    can = f"only {', '.join(known)}" if known else "none"
    errors = [FieldError(f"{pointer}/{name}", f"Unknown here; known: {can}.") for name in params if name not in known]
    return Refused(tuple(errors))
