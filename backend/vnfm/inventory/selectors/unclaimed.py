"""Resources in clouds that belong to no record of ours."""

from datetime import timedelta
from uuid import UUID

from django.db.models import F, Prefetch, Q, QuerySet

from vnfm.inventory.models import UnclaimedResource
from vnfm.kit.etsi.query import one
from vnfm.vims.selectors import vim_get

UNCLAIMED_GRACE = timedelta(seconds=45)
"""A resource counts as unclaimed when polls this far apart have listed it: the records of what an operation creates or
removes may be a moment behind the cloud. Shorter than the time between two full polls."""

UNCLAIMED = Q(last_seen_at__gte=F("first_seen_at") + UNCLAIMED_GRACE)


def unclaimed_list() -> QuerySet[UnclaimedResource]:
    return UnclaimedResource.objects.filter(UNCLAIMED).select_related("vim")


def unclaimed_of(*, vim_id: UUID) -> QuerySet[UnclaimedResource]:
    """Raises a 404 problem when there is no such VIM."""
    return unclaimed_list().filter(vim=vim_get(vim_id=vim_id))


def unclaimed_get(*, unclaimed_id: UUID) -> UnclaimedResource:
    """Raises a 404 problem when there is none (any more)."""
    return one(unclaimed_list(), "unclaimed resource", unclaimed_id)


def is_removal_requested(*, unclaimed_id: UUID) -> bool:
    requested = UnclaimedResource.Removal.REQUESTED
    return UnclaimedResource.objects.filter(id=unclaimed_id, removal=requested).exists()


def strays() -> "Prefetch[str]":
    """With each instance, the servers whose tag names it and that no operation recorded."""
    servers = UnclaimedResource.objects.filter(UNCLAIMED, kind=UnclaimedResource.Kind.SERVER)
    return Prefetch("strays", servers.exclude(removal=UnclaimedResource.Removal.REMOVED).order_by("name", "id"))
