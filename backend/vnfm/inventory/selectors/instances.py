"""Reads instances, and builds the input of their conditions."""

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from vnfm.inventory.domain.observation import MISSING
from vnfm.inventory.domain.views import (
    INSTANTIATED,
    InstanceView,
    LostPort,
    RunningOperation,
    StackView,
    StrayServer,
    VnfcView,
)
from vnfm.inventory.models import Vnfc, VnfInstance
from vnfm.inventory.selectors.unclaimed import strays
from vnfm.inventory.selectors.vims import flavor_names, poll_state_of, vim_view
from vnfm.kit.etsi.query import one
from vnfm.kit.ids import new_id


def instance_list() -> QuerySet[VnfInstance]:
    """Instances with all that their detail and conditions need, in a fixed number of queries.

    Packages and VIMs carry large JSON: each is read once, not once for every instance of it.
    """
    return VnfInstance.objects.prefetch_related("package", "vim__poll_state", "vnfcs__ports", "virtual_links", strays())


def instance_detail(*, instance_id: UUID) -> VnfInstance:
    """Raises a 404 problem when there is none."""
    return one(instance_list(), "VNF instance", instance_id)


def instance_get(*, instance_id: UUID) -> VnfInstance:
    """The row alone. Raises a 404 problem when there is none."""
    return one(VnfInstance.objects.all(), "VNF instance", instance_id)


def instance_names(ids: Collection[UUID]) -> dict[UUID, str]:
    """Return the names of those that exist."""
    return dict(VnfInstance.objects.filter(id__in=ids).values_list("id", "name"))


def instance_with_vim(*, instance_id: UUID) -> VnfInstance:
    """The row with its package and its VIM. Raises a 404 problem when there is none."""
    return one(VnfInstance.objects.select_related("package", "vim"), "VNF instance", instance_id)


def instance_whole(*, instance_id: UUID) -> VnfInstance:
    """With what it consists of, in a fixed number of queries. Raises a 404 problem when there is none."""
    rows = VnfInstance.objects.select_related("package", "vim").prefetch_related("vnfcs__ports", "virtual_links")
    return one(rows, "VNF instance", instance_id)


def instance_of_stack(*, stack_id: str) -> VnfInstance | None:
    return VnfInstance.objects.filter(stack_id=stack_id).first()


def instance_draft(*, package_id: UUID) -> VnfInstance:
    """An unsaved instance, for a plan without an operation."""
    return VnfInstance(id=new_id(), name="preview", package_id=package_id)


def management_subnets() -> QuerySet[VnfInstance, str]:
    """The subnets in which the routers of VNFs are managed."""
    return VnfInstance.objects.exclude(management_subnet="").values_list("management_subnet", flat=True)


def settings_without_subnet() -> Iterator[tuple[UUID, Mapping[str, Any]]]:
    """Package and settings of instantiated VNFs without a management subnet on record: one that was deployed before
    there was this column has no value in it until its next operation.
    """
    rows = VnfInstance.objects.filter(management_subnet="", instantiation_state=INSTANTIATED)
    return rows.values_list("package_id", "settings").iterator()


def vnfc_get(*, instance_id: UUID, vnfc_id: UUID) -> Vnfc:
    """Raises a 404 problem when the instance has no such VNFC (any more)."""
    rows = Vnfc.objects.filter(instance=instance_get(instance_id=instance_id)).select_related("instance__vim")
    return one(rows, "VNFC", vnfc_id)


def vnfc_view(row: Vnfc, flavors: Mapping[str, str] | None = None) -> VnfcView:
    """`flavors` names the flavors by id, for people."""
    since = row.status_since or row.created_at
    return VnfcView(
        vdu_id=row.vdu_id,
        name=row.name,
        server_name=row.server_name,
        desired="STOPPED" if row.desired == Vnfc.Desired.STOPPED else "STARTED",
        status=row.status,
        status_since=since,
        observed_at=row.observed_at,
        vnfc_id=str(row.id),
        server_id=row.server_id,
        expected_flavor_id=row.expected_flavor_id,
        expected_flavor=(flavors or {}).get(row.expected_flavor_id, row.expected_flavor_id),
        flavor_id=row.flavor_id,
        flavor=row.flavor,
        expected_host=row.expected_host,
        host=row.host,
        lost_ports=tuple(
            LostPort(port.port_id, port.cp_id, port.status_since or since)
            for port in row.ports.all()
            if port.status == MISSING
        ),
    )


def instance_view(
    instance: VnfInstance,
    *,
    wanted: Mapping[str, int] | None,
    running: RunningOperation | None,
    settled_at: datetime | None,
) -> InstanceView:
    """The input of `domain.conditions`; operations and the VNFD's counts come from the callers in lcm."""
    flavors = flavor_names(instance.vim)
    return InstanceView(
        instantiation_state=instance.instantiation_state,
        created_at=instance.created_at,
        settled_at=settled_at or instance.created_at,
        vnfcs=[vnfc_view(row, flavors) for row in instance.vnfcs.all()],
        wanted=wanted,
        vim=vim_view(instance.vim) if instance.vim is not None else None,
        running=running,
        stack=_stack_view(instance) if instance.stack_id else None,
        strays=[StrayServer(row.resource_id, row.name, row.first_seen_at) for row in instance.strays.all()],
    )


def _stack_view(instance: VnfInstance) -> StackView:
    return StackView(
        name=instance.stack_name,
        status=instance.stack_status,
        updated_at=instance.stack_updated_at,
        left_at=instance.stack_left_at,
        observed_at=instance.stack_observed_at,
    )


def stack_observed_at(instance: VnfInstance) -> datetime | None:
    """When the stack was last observed as it is recorded."""
    state = poll_state_of(instance.vim)
    return latest(instance.stack_observed_at, state.stacks_at if state is not None else None)


def latest(*times: datetime | None) -> datetime | None:
    return max((at for at in times if at is not None), default=None)
