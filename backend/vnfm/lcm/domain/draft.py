"""What the parts of a plan's computation share: what goes in, and the draft that they fill."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from vnfm.catalog.domain.vnfd import Flavour, Vdu, Vnfd
from vnfm.clouds.types import Flavor, Network, Port, Quota
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.plan import Artefact, PlannedFlavor, PlannedNetwork, PlannedResource
from vnfm.lcm.domain.sizing import Roster
from vnfm.lcm.domain.target import Target


@dataclass(frozen=True, slots=True)
class CloudView:
    """What the cloud showed when the plan was made."""

    flavors: Sequence[Flavor]
    networks: Sequence[Network]
    quotas: Sequence[Quota]
    artefacts: Mapping[str, str] = field(default_factory=dict)
    """Key of an artefact that is there already, to its id in the cloud."""
    scheduler_filters: Sequence[str] | None = None
    """Nova's, as far as somebody told; None: not known."""
    ports: Sequence[Port] = ()
    """Of the project; looked at only where fixed addresses go to a network that is there already."""


@dataclass(frozen=True, slots=True)
class Before:
    """What stands; all empty before an instantiation."""

    vnfd: Vnfd | None = None
    flavour: Flavour | None = None
    rosters: Mapping[str, Roster] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """What Heat was last given."""
    networks: frozenset[str] = frozenset()
    """Ids of the networks that the stack made."""

    def vdu(self, vdu: Vdu) -> Vdu | None:
        """The same VDU in the package that stands."""
        return next((old for old in self.vnfd.vdus if old.id == vdu.id), None) if self.vnfd else None


@dataclass(slots=True)
class Draft:
    """A plan in the making."""

    vnfd: Vnfd
    target: Target
    before: Before
    view: CloudView
    errors: list[FieldError] = field(default_factory=list)
    parameters: dict[str, Any] = field(default_factory=dict)
    undo_parameters: dict[str, Any] = field(default_factory=dict)
    registry: dict[str, str] = field(default_factory=dict)
    moving_registry: dict[str, str] = field(default_factory=dict)
    moving_parameters: dict[str, Any] = field(default_factory=dict)
    """With the registry: what differs from the plan while ports move from or to a network that the stack makes."""
    artefacts: list[Artefact] = field(default_factory=list)
    resources: list[PlannedResource] = field(default_factory=list)
    flavors: list[PlannedFlavor] = field(default_factory=list)
    networks: list[PlannedNetwork] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    one_way: list[str] = field(default_factory=list)
    moved: dict[str, str] = field(default_factory=dict)
    """Link id to what its ports move to, in words."""
    links: dict[tuple[str, str], str] = field(default_factory=dict)
    """Connection point and slot to the link that a chain puts it on."""
    links_before: dict[tuple[str, str], str] = field(default_factory=dict)
    """The same as Heat was last given it."""
    touched: dict[str, list[str]] = field(default_factory=dict)
    rebuilt: dict[str, list[str]] = field(default_factory=dict)
    """VDU id to the slots whose VNFC gets another image; `touched` has those that are resized as well."""
    undo_slots: dict[str, dict[str, str]] = field(default_factory=dict)
    needed: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("instances", "cores", "ram_mib", "ports", "networks"), 0)
    )
