"""Loads all that the alarms of some VNF instances depend on, in a fixed number of queries."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from uuid import UUID

from django.db.models import Prefetch, Q, QuerySet

from vnfm.catalog.domain.flavors import scheduler_filters
from vnfm.clouds.types import Flavor
from vnfm.faults.domain.changes import Explained
from vnfm.faults.domain.evaluate import Apart, Misplaced, ObservedInstance, ObservedPort, ObservedVnfc, evaluate
from vnfm.faults.domain.verdict import ObjectType
from vnfm.faults.reconcilers.cases import Case
from vnfm.faults.reconcilers.vims import observed_vim, told_by_cloud
from vnfm.inventory.domain.observation import ACTIVE
from vnfm.inventory.models import ServerGroup, Vnfc, VnfcPort, VnfInstance, VnfVirtualLink
from vnfm.inventory.selectors import strays
from vnfm.lcm.domain.states import OperationState
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.selectors.instance_status import InstanceStatus, instance_statuses
from vnfm.vims.models import Vim

_CHANGING = (OperationState.PROCESSING, OperationState.ROLLING_BACK)
"""While an operation is in these, servers come and go because we say so."""
_EXPLAINING = (*_CHANGING, OperationState.FAILED_TEMP)
"""In these it tells itself what is the matter with its stack."""

NOWHERE = ObservedInstance(vim=None, stack_id="", stack_name="", stack_status="", stack_reason="", vnfcs=())
"""An instance that is not deployed, or no longer exists: it has no faults."""


def instance_cases(ids: Collection[UUID], now: datetime) -> Iterator[Case]:
    """Of these instances, also of those that no longer exist: their alarms must go."""
    found = instance_statuses(list(_instances().filter(id__in=ids)))
    known = {item.instance.id: item for item in found}
    internal, groups = _internal_networks(ids), _groups(item.instance for item in found)
    for instance_id in sorted(ids):
        item = known.get(instance_id)
        operation = item.running if item is not None else None
        vim_id = item.instance.vim_id if item is not None else None
        yield Case(
            object_type=ObjectType.VNF_INSTANCE,
            object_id=instance_id,
            name=item.instance.name if item is not None else "",
            version=item.instance.version if item is not None else 0,
            verdict=evaluate(_observed(item, internal, groups) if item is not None else NOWHERE, now),
            vim_id=vim_id,
            operation_id=operation.id if operation is not None else None,
            explained=explained_by(operation),
            covered_by=(vim_id,) if vim_id is not None else (),
        )


def _instances() -> QuerySet[VnfInstance]:
    """With those of their ports that are not at rest, and no others: most are, always."""
    restless = VnfcPort.objects.filter(~Q(status=ACTIVE) | Q(vif_type="binding_failed"))
    return VnfInstance.objects.prefetch_related(
        "package", "vim__look", "vnfcs", Prefetch("vnfcs__ports", queryset=restless), "cloud_alarms", strays()
    )


def _observed(item: InstanceStatus, internal: Collection[str], groups: Mapping[str, Apart]) -> ObservedInstance:
    instance = item.instance
    instantiated = instance.instantiation_state == VnfInstance.InstantiationState.INSTANTIATED
    if instance.vim is None or not (instantiated or instance.stack_id):
        return NOWHERE
    vnfcs = tuple(_vnfc(row, internal) for row in sorted(instance.vnfcs.all(), key=lambda row: (row.name, row.id)))
    return ObservedInstance(
        vim=observed_vim(instance.vim),
        stack_id=instance.stack_id,
        stack_name=instance.stack_name,
        stack_status=instance.stack_status,
        stack_reason=instance.stack_status_reason,
        vnfcs=vnfcs,
        view=item.view,
        apart=_apart(item, groups),
        misplaced=tuple(_misplaced(item, instance.vim)),
        told=told_by_cloud(instance.cloud_alarms.all()),
    )


def _apart(item: InstanceStatus, groups: Mapping[str, Apart]) -> tuple[Apart, ...]:
    """Servers to be kept apart, by what the operator chose of the package, and by Nova's server groups."""
    rows, chosen = item.instance.vnfcs.all(), item.instance.settings
    own: tuple[Apart, ...] = ()
    if item.flavour is not None and chosen:
        vdus = [vdu.id for vdu in item.vnfd.vdus if vdu.anti_affinity and chosen.get(vdu.anti_affinity)]
        own = tuple(Apart(vdu, frozenset(row.server_id for row in rows if row.vdu_id == vdu)) for vdu in vdus)
    of_servers = {groups[row.server_id] for row in rows if row.server_id in groups}
    return (*own, *sorted(of_servers, key=lambda apart: apart.name))


def _groups(instances: Iterable[VnfInstance]) -> dict[str, Apart]:
    """The group that keeps a server apart from others, by the server's id."""
    vims = {instance.vim_id for instance in instances if instance.vim_id is not None}
    found: dict[str, Apart] = {}
    for row in ServerGroup.objects.filter(vim_id__in=vims, policies__contains="anti-affinity"):
        apart = Apart(row.name or row.group_id, frozenset(row.members))
        found |= dict.fromkeys(row.members, apart)
    return found


def _misplaced(item: InstanceStatus, vim: Vim) -> Iterator[Misplaced]:
    """VDUs whose placement rests on scheduler filters that the VIM, as its administrator said, has not."""
    told, flavour = vim.scheduler_filters, item.flavour
    if told is None or flavour is None:
        return
    flavors = {row["id"]: row["extra_specs"] for row in vim.resources.get("flavors", ())}
    for vdu in item.vnfd.vdus:
        running = next((row for row in item.instance.vnfcs.all() if row.vdu_id == vdu.id), None)
        if running is None:
            continue
        specs = flavors.get(running.flavor_id)
        flavor = Flavor(running.flavor_id, running.flavor, 0, 0, 0, specs) if specs is not None else None
        lacking = tuple(name for name in scheduler_filters(flavour.needs_of(vdu), flavor) if name not in told)
        if lacking:
            yield Misplaced(vdu.id, lacking)


def _vnfc(row: Vnfc, internal: Collection[str]) -> ObservedVnfc:
    since = row.status_since or row.created_at
    return ObservedVnfc(
        vnfc_id=str(row.id),
        vdu_id=row.vdu_id,
        name=row.name,
        server_id=row.server_id,
        desired_stopped=row.desired == Vnfc.Desired.STOPPED,
        status=row.status,
        status_since=since,
        nova_fault=row.fault,
        host=row.host,
        expected_host=row.expected_host,
        host_hash=row.host_hash,
        ports=tuple(
            ObservedPort(
                port.port_id,
                port.cp_id,
                port.status,
                port.status_since or row.created_at,
                port.vif_type,
                port.network_id in internal,
                port.worked_until,
            )
            for port in sorted(row.ports.all(), key=lambda port: (port.cp_id, port.id))
        ),
    )


def _internal_networks(ids: Collection[UUID]) -> set[str]:
    """Networks that the stacks of these instances made."""
    made = VnfVirtualLink.objects.filter(instance_id__in=ids, created_by_stack=True)
    return set(made.values_list("network_id", flat=True))


def explained_by(operation: LcmOpOcc | None) -> Explained:
    """What the operation that an instance has under way explains."""
    if operation is None:
        return Explained()
    return Explained(everything=operation.state in _CHANGING, stack=operation.state in _EXPLAINING)
