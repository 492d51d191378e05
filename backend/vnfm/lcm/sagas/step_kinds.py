"""All step kinds: the one table from a stored step's versioned name to the class that runs it."""

from vnfm.lcm.router_steps.address import ForgetHostKeys, KeepElementAddress, MoveElementAddress
from vnfm.lcm.router_steps.configuration import LoadConfiguration
from vnfm.lcm.router_steps.coordinate import Coordinate
from vnfm.lcm.router_steps.deprovision import DeprovisionCards
from vnfm.lcm.router_steps.drain import DrainRouters, UndrainRouters, VerifyNeighbours
from vnfm.lcm.router_steps.registration import RegisterElement, ReleaseElement, RemoveElement
from vnfm.lcm.router_steps.restore import KeepConfiguration, RestoreConfiguration
from vnfm.lcm.router_steps.snmp_access import SetUpSnmp
from vnfm.lcm.router_steps.verify_service import VerifyService
from vnfm.lcm.steps.adopt_stack import AdoptStack
from vnfm.lcm.steps.base import Step
from vnfm.lcm.steps.flavor import CreateFlavor
from vnfm.lcm.steps.heal_in_place import HealInPlace
from vnfm.lcm.steps.heal_mark_unhealthy import DeleteServers, MarkUnhealthy
from vnfm.lcm.steps.heal_replace import RecordHealed, ReplaceFailed
from vnfm.lcm.steps.heal_sibling_power import StartSiblings, StopAfterHeal
from vnfm.lcm.steps.image import ProvideImage
from vnfm.lcm.steps.modify_info import ModifyInfo
from vnfm.lcm.steps.power import SetPower, StopServers
from vnfm.lcm.steps.record import ForgetResources, KeepRecord, RecordVnfcs
from vnfm.lcm.steps.repair import RenameServer, RenewPorts, ResizeServer
from vnfm.lcm.steps.snapshot_content import RecordSnapshot, TakeImages, TakeVolumeSnapshots
from vnfm.lcm.steps.snapshot_revert import RebuildFromSnapshot
from vnfm.lcm.steps.stack import CreateStack, DeleteStack, UpdateStack

STEP_KINDS: tuple[type[Step], ...] = (
    ProvideImage,
    CreateFlavor,
    CreateStack,
    UpdateStack,
    DeleteStack,
    AdoptStack,
    RecordVnfcs,
    KeepRecord,
    ForgetResources,
    StopServers,
    SetPower,
    HealInPlace,
    StartSiblings,
    DeleteServers,
    MarkUnhealthy,
    ReplaceFailed,
    RecordHealed,
    StopAfterHeal,
    RenewPorts,
    ResizeServer,
    RenameServer,
    RegisterElement,
    SetUpSnmp,
    LoadConfiguration,
    KeepConfiguration,
    RestoreConfiguration,
    DeprovisionCards,
    Coordinate,
    DrainRouters,
    UndrainRouters,
    VerifyNeighbours,
    KeepElementAddress,
    MoveElementAddress,
    ForgetHostKeys,
    VerifyService,
    ReleaseElement,
    RemoveElement,
    ModifyInfo,
    TakeImages,
    TakeVolumeSnapshots,
    RecordSnapshot,
    RebuildFromSnapshot,
)

STEP_KINDS_BY_NAME = {step.kind: step for step in STEP_KINDS}


def ends_when_cancelled(name: str) -> bool:
    """Return the class's attribute; False for a kind that this release no longer has."""
    return name in STEP_KINDS_BY_NAME and STEP_KINDS_BY_NAME[name].ends_when_cancelled


def step_of_kind(name: str) -> Step:
    """The code of a stored step; raises LookupError for a kind that this release no longer has."""
    if name not in STEP_KINDS_BY_NAME:
        raise LookupError(
            f"This release has no step kind {name}; finish or fail the operation with the release that has it."
        )
    return STEP_KINDS_BY_NAME[name]()
