"""Reading instances, and putting together what their conditions depend on."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import F, Prefetch, Q, QuerySet

from vnfm.inventory.domain.observation import MISSING
from vnfm.inventory.domain.views import InstanceView, LostPort, RunningOperation, StackView, Stray, VimView, VnfcView
from vnfm.inventory.models import Host, UnclaimedResource, VimLook, VimPush, Vnfc, VnfInstance
from vnfm.kit.problem import not_found
from vnfm.kit.query import one
from vnfm.vims.models import Vim
from vnfm.vims.selectors import reachability, vim_get

LOOKS_TO_STALE = 6
"""After so many periods without a look, nobody is watching."""

SHORTEST_STALE = timedelta(seconds=60)
"""A look at a big cloud, or one that waits for a time-out, takes a while; that is not yet nobody watching."""


def instance_list() -> QuerySet[VnfInstance]:
    """Instances with all that their detail and conditions need, in a fixed number of queries.

    Packages and VIMs carry large JSON: each is read once, not once for every instance of it.
    """
    return VnfInstance.objects.prefetch_related("package", "vim__look", "vnfcs__ports", "virtual_links", strays())


def instance_detail(*, instance_id: UUID) -> VnfInstance:
    """Raises a 404 problem when there is none."""
    instance = instance_list().filter(id=instance_id).first()
    if instance is None:
        raise not_found("VNF instance", instance_id)
    return instance


def instance_get(*, instance_id: UUID) -> VnfInstance:
    """The row alone. Raises a 404 problem when there is none."""
    return one(VnfInstance.objects.all(), "VNF instance", instance_id)


def vnfc_get(*, instance_id: UUID, vnfc_id: UUID) -> Vnfc:
    """Raises a 404 problem when the instance has no such VNFC (any more)."""
    rows = Vnfc.objects.filter(instance=instance_get(instance_id=instance_id)).select_related("instance__vim")
    return one(rows, "VNFC", vnfc_id)


UNCLAIMED_GRACE = timedelta(seconds=45)
"""A resource is unclaimed when looks so far apart have seen it and nobody claimed it: the records of what an operation
makes or removes may be a moment behind the cloud. Shorter than the time between two full looks."""

UNCLAIMED = Q(last_seen_at__gte=F("first_seen_at") + UNCLAIMED_GRACE)


def unclaimed_list() -> QuerySet[UnclaimedResource]:
    return UnclaimedResource.objects.filter(UNCLAIMED).select_related("vim")


def unclaimed_of(*, vim_id: UUID) -> QuerySet[UnclaimedResource]:
    """Raises a 404 problem when there is no such VIM."""
    return unclaimed_list().filter(vim=vim_get(vim_id=vim_id))


def unclaimed_get(*, unclaimed_id: UUID) -> UnclaimedResource:
    """Raises a 404 problem when there is none (any more)."""
    row = unclaimed_list().filter(id=unclaimed_id).first()
    if row is None:
        raise not_found("unclaimed resource", unclaimed_id)
    return row


def strays() -> "Prefetch[str]":
    """With each instance, the servers that say they are of it and that nobody recorded."""
    servers = UnclaimedResource.objects.filter(UNCLAIMED, kind=UnclaimedResource.Kind.SERVER)
    return Prefetch("strays", servers.exclude(removal=UnclaimedResource.Removal.REMOVED).order_by("name", "id"))


def stale_after() -> timedelta:
    """Older knowledge than this is no knowledge: nobody is looking."""
    return max(SHORTEST_STALE, LOOKS_TO_STALE * timedelta(seconds=settings.POLL_SECONDS))


def hosts_known(look: VimLook | None, now: datetime) -> bool:
    """Whether the rows of `Host` say how it is now: we may look, have done so lately, and not lost the VIM since."""
    if look is None or look.hosts_at is None or now - look.hosts_at > stale_after():
        return False
    return look.vim.reachable != "False" or look.hosts_at > look.vim.reachable_since


def host_list(*, vim_id: UUID) -> QuerySet[Host]:
    """Raises a 404 problem when there is no such VIM."""
    return Host.objects.filter(vim=vim_get(vim_id=vim_id))


def vim_look_get(*, vim_id: UUID) -> VimLook:
    """How the VIM is watched; unsaved and empty before the first look. Raises a 404 problem when there is no VIM."""
    vim = vim_get(vim_id=vim_id)
    return VimLook.objects.select_related("vim").filter(vim=vim).first() or VimLook(vim=vim)


def vim_push_get(*, vim_id: UUID) -> VimPush:
    """How the VIM may tell us of news; unsaved where it may not. Raises a 404 problem when there is no VIM."""
    vim = vim_get(vim_id=vim_id)
    return VimPush.objects.select_related("vim").filter(vim=vim).first() or VimPush(vim=vim)


def vim_view(vim: Vim) -> VimView:
    look = getattr(vim, "look", None)
    assert look is None or isinstance(look, VimLook)
    return VimView(
        name=vim.name,
        reachability=reachability(vim),
        servers_at=look.servers_at if look is not None else None,
        stale_after=stale_after(),
        renews_ports=vim.capabilities.get("heat_mark_unhealthy") is True,
    )


def flavor_names(vim: Vim | None) -> dict[str, str]:
    """Names of the VIM's flavors by id, as last probed: Liberty's Nova tells a server's flavor by its id alone."""
    return {item["id"]: item["name"] for item in vim.resources.get("flavors", ())} if vim is not None else {}


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
    """What `domain.conditions` judges; the operations and the VNFD's counts are known one floor up."""
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
        strays=[Stray(row.resource_id, row.name, row.first_seen_at) for row in instance.strays.all()],
    )


def _stack_view(instance: VnfInstance) -> StackView:
    return StackView(
        name=instance.stack_name,
        status=instance.stack_status,
        updated_at=instance.stack_updated_at,
        left_at=instance.stack_left_at,
        observed_at=instance.stack_observed_at,
    )


def stack_seen_at(instance: VnfInstance) -> datetime | None:
    """When the stack was last seen as it is on record."""
    look = getattr(instance.vim, "look", None)
    return latest(instance.stack_observed_at, look.stacks_at if look is not None else None)


def latest(*times: datetime | None) -> datetime | None:
    return max((at for at in times if at is not None), default=None)
