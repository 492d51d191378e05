"""Instances with their VNFD, their running operation and the end of the last one.

The input of conditions and drift, in a fixed number of queries for any number of instances.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Max

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.settings import effective_settings
from vnfm.catalog.domain.vnfd import Flavour, Vnfd
from vnfm.elements.models import NetworkElement
from vnfm.inventory import selectors as inventory
from vnfm.inventory.domain.views import InstanceView, RunningOperation
from vnfm.inventory.models import VnfInstance
from vnfm.lcm.domain.sizing import deployed, rosters_from_json, vnfc_counts
from vnfm.lcm.domain.states import FINAL_STATES, operation_summary
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.selectors.operations import UNDER_WAY


@dataclass(frozen=True, slots=True)
class InstanceStatus:
    instance: VnfInstance
    running: LcmOpOcc | None
    """Its plan and parameters are deferred."""
    view: InstanceView

    @property
    def vnfd(self) -> Vnfd:
        return catalog.vnfd_of(self.instance.package)

    @property
    def flavour(self) -> Flavour | None:
        return flavour_of(self.instance)


def instance_statuses(instances: Sequence[VnfInstance]) -> list[InstanceStatus]:
    """`instances` come from `inventory.selectors.instance_list`."""
    ids = [instance.id for instance in instances]
    operations = LcmOpOcc.objects.filter(instance_uuid__in=ids)
    live = {op.instance_uuid: op for op in operations.filter(UNDER_WAY).defer("plan", "params")}
    over = operations.filter(state__in=FINAL_STATES)
    settled = dict(over.values_list("instance_uuid").annotate(Max("state_entered_time")))
    found = []
    for instance in instances:
        running = live.get(instance.id)
        view = inventory.instance_view(
            instance, wanted=_wanted(instance), running=_described(running), settled_at=settled.get(instance.id)
        )
        found.append(InstanceStatus(instance, running, view))
    return found


def instance_status(*, instance_id: UUID) -> InstanceStatus:
    """Raises a 404 problem when there is no such instance."""
    return instance_statuses([inventory.instance_detail(instance_id=instance_id)])[0]


def management_addresses(instances: Iterable[VnfInstance]) -> Mapping[UUID, Sequence[str]]:
    """Return the addresses of their network elements by instance, ordered by the elements' names."""
    elements = NetworkElement.objects.filter(vnf_instance_id__in=[each.id for each in instances]).order_by("name")
    found: dict[UUID, list[str]] = {}
    for instance_id, address in elements.values_list("vnf_instance_id", "management_address"):
        if instance_id is not None:
            found.setdefault(instance_id, []).append(address)
    return found


def flavour_of(instance: VnfInstance) -> Flavour | None:
    """Its deployment flavour; None while it is not instantiated."""
    if not instance.flavour_id:
        return None
    return catalog.vnfd_of(instance.package).flavour(instance.flavour_id)


def _wanted(instance: VnfInstance) -> dict[str, int] | None:
    flavour = flavour_of(instance)
    if flavour is None:
        return None
    vnfd = catalog.vnfd_of(instance.package)
    settings, rosters = effective_settings(vnfd, instance.settings), rosters_from_json(instance.member_slots)
    return vnfc_counts(deployed(vnfd, settings, flavour, rosters), flavour, instance.scale_levels)


def _described(running: LcmOpOcc | None) -> RunningOperation | None:
    if running is None:
        return None
    return RunningOperation(
        operation_summary(running.operation, running.state), running.state, running.state_entered_time
    )
