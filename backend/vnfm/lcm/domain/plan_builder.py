"""The parts of a plan's computation share these inputs, and the builder that they fill."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from vnfm.catalog.domain.vnfd import Flavour, Vdu, Vnfd
from vnfm.clouds.types import Flavor, Network, Port, Quota
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.operation_request import Target
from vnfm.lcm.domain.plan import Artefact, PlannedFlavor, PlannedNetwork, PlannedResource
from vnfm.lcm.domain.sizing import Roster


@dataclass(frozen=True, slots=True)
class CloudSnapshot:
    """The cloud as it was when the plan was computed."""

    flavors: Sequence[Flavor]
    networks: Sequence[Network]
    quotas: Sequence[Quota]
    artefacts: Mapping[str, str] = field(default_factory=dict)
    """Key of an artefact that the cloud has already → its id there."""
    may_create_flavors: bool | None = None
    """True if the VIM's user may create flavors, as its last probe found; None: unknown."""
    may_create_flavors_since: str = ""
    """The time of that probe's first finding, in ISO 8601 and UTC; "" when unknown."""
    scheduler_filters: Sequence[str] | None = None
    """Nova's enabled filters as the VIM's record has them; None: unknown."""
    ports: Sequence[Port] = ()
    """The project's ports; read only where fixed addresses are used on an existing network."""
    absent: Collection[str] = ()
    """VDUs that Heat's preview does not have; it decides where the settings do not."""


@dataclass(frozen=True, slots=True)
class CurrentStack:
    """The instance's stack before the operation; all empty before an instantiation."""

    vnfd: Vnfd | None = None
    flavour: Flavour | None = None
    rosters: Mapping[str, Roster] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """The last parameters given to Heat."""
    networks: frozenset[str] = frozenset()
    """Ids of the networks that the stack created."""

    def vdu(self, vdu: Vdu) -> Vdu | None:
        """The same VDU in the current package."""
        return next((old for old in self.vnfd.vdus if old.id == vdu.id), None) if self.vnfd else None


@dataclass(slots=True)
class PlanBuilder:
    """A plan under construction."""

    vnfd: Vnfd
    target: Target
    current: CurrentStack
    view: CloudSnapshot
    errors: list[FieldError] = field(default_factory=list)
    parameters: dict[str, Any] = field(default_factory=dict)
    undo_parameters: dict[str, Any] = field(default_factory=dict)
    registry: dict[str, str] = field(default_factory=dict)
    moving_registry: dict[str, str] = field(default_factory=dict)
    moving_parameters: dict[str, Any] = field(default_factory=dict)
    """They differ from the plan while ports move from or to a network that the stack creates, as the registry does."""
    artefacts: list[Artefact] = field(default_factory=list)
    resources: list[PlannedResource] = field(default_factory=list)
    flavors: list[PlannedFlavor] = field(default_factory=list)
    missing_flavors: list[PlannedFlavor] = field(default_factory=list)
    """Flavors that the cloud lacks and that are not created: they reject the plan."""
    networks: list[PlannedNetwork] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    one_way: list[str] = field(default_factory=list)
    moved: dict[str, str] = field(default_factory=dict)
    """Virtual link id → text for where its ports move."""
    links: dict[tuple[str, str], str] = field(default_factory=dict)
    """(Connection point id, slot) → virtual link id in a chain."""
    links_before: dict[tuple[str, str], str] = field(default_factory=dict)
    """The same in the last parameters given to Heat."""
    touched: dict[str, list[str]] = field(default_factory=dict)
    rebuilt: dict[str, list[str]] = field(default_factory=dict)
    """VDU id → slots whose VNFC gets another image; `touched` has the resized ones as well."""
    resized: dict[str, list[str]] = field(default_factory=dict)
    """VDU id → slots whose VNFC gets another flavor."""
    added: dict[str, list[str]] = field(default_factory=dict)
    undo_slots: dict[str, dict[str, str]] = field(default_factory=dict)
    released: dict[str, int] = field(default_factory=dict)
    """Quota of the VNFCs that are removed, by resource."""
    needed: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("instances", "cores", "ram_mib", "ports", "networks"), 0)
    )
