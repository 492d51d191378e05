"""Finds unclaimed resources in a cloud, from each full poll of the watcher.

It makes one call of its own: for a newly found stack, the names of its resources, by which packages that could adopt
it are found; a few per poll, so that a cloud full of other users' stacks causes no delay.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import structlog
from django.db import transaction

from vnfm.clouds import registry
from vnfm.clouds.errors import CloudError, NotFound
from vnfm.inventory.models import UnclaimedResource, VnfInstance
from vnfm.inventory.reconcilers.vim_poll import VimPollResult
from vnfm.inventory.reconcilers.vim_snapshot import VimSnapshot
from vnfm.inventory.selectors import UNCLAIMED
from vnfm.kit.durable import outbox, tasks
from vnfm.lcm.domain.unclaimed import (
    FoundResource,
    artefacts_found,
    as_uuid,
    servers_found,
    stacks_found,
    unclaimed,
)
from vnfm.lcm.selectors.claims import claims_on
from vnfm.lcm.services.unclaimed import REMOVE, TOPIC
from vnfm.vims import selectors as vims
from vnfm.vims.models import Vim

INSPECTIONS = 5
"""Stacks whose resources are listed per poll."""
KEEP_RESULT = timedelta(hours=1)
"""The result of a removal stays listed for this time."""

Removal = UnclaimedResource.Removal

log = structlog.get_logger(__name__)


def update_unclaimed(*, vim_id: UUID, result: VimPollResult, now: datetime) -> None:
    """Update the list of unclaimed resources of a VIM from a full poll; does nothing for other polls."""
    if result.snapshot is None:
        return
    vim = Vim.objects.filter(id=vim_id).first()
    if vim is None:
        return
    found = _found(vim, result.snapshot, now)
    _store(vim, unclaimed(found, claims_on(found, vim)), now)
    _inspect(vim)
    for row in UnclaimedResource.objects.filter(vim=vim, removal=Removal.REQUESTED).only("id"):
        tasks.enqueue_on_commit(REMOVE, row.id)


def _found(vim: Vim, snapshot: VimSnapshot, now: datetime) -> list[FoundResource]:
    probed_at = vim.probed_at or now
    resources = vims.vim_resources(vim)
    return [
        *stacks_found((snapshot.stacks or {}).values(), now),
        *servers_found((snapshot.servers or {}).values(), now),
        *artefacts_found("image", resources["images"], probed_at),
        *artefacts_found("flavor", resources["flavors"], probed_at),
    ]


@transaction.atomic
def _store(vim: Vim, found: Sequence[FoundResource], now: datetime) -> None:
    shown = set(UnclaimedResource.objects.filter(UNCLAIMED, vim=vim).values_list("id", flat=True))
    rows = {(row.kind, row.resource_id): row for row in UnclaimedResource.objects.filter(vim=vim)}
    owners = {as_uuid(item.owner) for item in found} - {None}
    instances = VnfInstance.objects.in_bulk([owner for owner in owners if owner is not None])
    new, same, changed = [], defaultdict(list), False
    for item in found:
        row = rows.pop((item.kind, item.resource_id), None)
        values = _values(item, instances)
        if row is None:
            new.append(
                UnclaimedResource(vim=vim, first_seen_at=item.observed_at, last_seen_at=item.observed_at, **values)
            )
        elif any(getattr(row, name) != value for name, value in values.items()):
            pieces = row.pieces if row.stack_updated_at == item.updated_at else None
            UnclaimedResource.objects.filter(id=row.id).update(last_seen_at=item.observed_at, pieces=pieces, **values)
            changed = True
        else:
            same[item.observed_at].append(row.id)
    UnclaimedResource.objects.bulk_create(new)
    for observed_at, ids in same.items():
        UnclaimedResource.objects.filter(id__in=ids).update(last_seen_at=observed_at)
    changed |= _forget_gone(rows.values(), now)
    after = set(UnclaimedResource.objects.filter(UNCLAIMED, vim=vim).values_list("id", flat=True))
    if changed or shown != after:
        outbox.publish(TOPIC, vim.id, int(now.timestamp()))


def _values(item: FoundResource, instances: Mapping[UUID, VnfInstance]) -> dict[str, Any]:
    owner = as_uuid(item.owner)
    instance = instances.get(owner) if owner is not None else None
    return {
        "kind": item.kind,
        "resource_id": item.resource_id,
        "name": item.name,
        "ours": item.ours,
        "owner": item.owner,
        "instance_id": instance.id if instance is not None else None,
        "status": item.status,
        "stack_updated_at": item.updated_at,
        "detail": _detail(item, instance),
    }


def _detail(item: FoundResource, instance: VnfInstance | None) -> str:
    if instance is not None and item.kind == "stack":
        has = f"which has the stack {instance.stack_name}" if instance.stack_id else "which has no stack"
        return f"Says that it is of VNF instance {instance.name}, {has}."
    if instance is not None:
        return f"Says that it is of VNF instance {instance.name}, which no operation gave it to."
    if item.owner:
        return f"Says that it is of VNF instance {item.owner}, of which there is no record."
    if item.ours:
        return "Carries our name; there is no record of who put it there."
    return "Made by others."


def _forget_gone(rows: Iterable[UnclaimedResource], now: datetime) -> bool:
    """Delete rows that are gone from the cloud or claimed; a removal under way deletes its own."""
    over = [
        row.id
        for row in rows
        if row.removal == Removal.NONE
        or (row.removal in (Removal.REMOVED, Removal.FAILED) and row.last_seen_at < now - KEEP_RESULT)
    ]
    return bool(over) and bool(UnclaimedResource.objects.filter(id__in=over).delete()[0])


def _inspect(vim: Vim) -> None:
    """Read from Heat the resources of stacks that are new or updated since the last reading."""
    waiting = UnclaimedResource.objects.filter(
        UNCLAIMED, vim=vim, kind=UnclaimedResource.Kind.STACK, pieces__isnull=True
    )
    rows = list(waiting.order_by("first_seen_at")[:INSPECTIONS])
    if not rows:
        return
    cloud = registry.provider().connect(vims.connection_of(vim))
    for row in rows:
        try:
            resources = cloud.stacks.resources(row.resource_id, depth=0)
        except NotFound:
            continue
        except CloudError as error:
            log.warning("unclaimed.not_inspected", stack=row.resource_id, error=error.message)
            return
        pieces = {resource.name: resource.type for resource in resources if not resource.path}
        UnclaimedResource.objects.filter(id=row.id).update(pieces=pieces)
