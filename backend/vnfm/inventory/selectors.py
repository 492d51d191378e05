"""Reading instances, and putting together what their conditions depend on."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet

from vnfm.inventory.domain.conditions import InstanceView, RunningOperation, VimView, VnfcView
from vnfm.inventory.models import VimLook, Vnfc, VnfInstance
from vnfm.kit.problem import not_found
from vnfm.vims.models import Vim
from vnfm.vims.selectors import reachability

LOOKS_TO_STALE = 6
"""After so many periods without a look, nobody is watching."""

SHORTEST_STALE = timedelta(seconds=60)
"""A look at a big cloud, or one that waits for a time-out, takes a while; that is not yet nobody watching."""


def instance_list() -> QuerySet[VnfInstance]:
    """Instances with all that their detail and conditions need, in a fixed number of queries."""
    return VnfInstance.objects.select_related("package", "vim", "vim__look").prefetch_related(
        "vnfcs__ports", "virtual_links"
    )


def instance_detail(*, instance_id: UUID) -> VnfInstance:
    """Raises a 404 problem when there is none."""
    instance = instance_list().filter(id=instance_id).first()
    if instance is None:
        raise not_found("VNF instance", instance_id)
    return instance


def vim_view(vim: Vim) -> VimView:
    look = getattr(vim, "look", None)
    assert look is None or isinstance(look, VimLook)
    return VimView(
        name=vim.name,
        reachability=reachability(vim),
        servers_at=look.servers_at if look is not None else None,
        stale_after=max(SHORTEST_STALE, LOOKS_TO_STALE * timedelta(seconds=settings.POLL_SECONDS)),
    )


def vnfc_view(row: Vnfc) -> VnfcView:
    return VnfcView(
        vdu_id=row.vdu_id,
        name=row.name,
        server_name=row.server_name,
        desired="STOPPED" if row.desired == Vnfc.Desired.STOPPED else "STARTED",
        status=row.status,
        status_since=row.status_since or row.created_at,
        observed_at=row.observed_at,
    )


def instance_view(
    instance: VnfInstance, *, wanted: Mapping[str, int], running: RunningOperation | None, settled_at: datetime | None
) -> InstanceView:
    """What `domain.conditions` judges; the operations and the VNFD's counts are known one floor up."""
    return InstanceView(
        instantiation_state=instance.instantiation_state,
        created_at=instance.created_at,
        settled_at=settled_at or instance.created_at,
        vnfcs=[vnfc_view(row) for row in instance.vnfcs.all()],
        wanted=wanted,
        vim=vim_view(instance.vim) if instance.vim is not None else None,
        running=running,
    )


def stack_seen_at(instance: VnfInstance) -> datetime | None:
    """When the stack was last seen as it is on record."""
    look = getattr(instance.vim, "look", None)
    return latest(instance.stack_observed_at, look.stacks_at if look is not None else None)


def latest(*times: datetime | None) -> datetime | None:
    return max((at for at in times if at is not None), default=None)
