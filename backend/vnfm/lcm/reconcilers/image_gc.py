"""Garbage collection of images: removes images that we uploaded and that no package needs any more.

The removal is that of an unclaimed resource: done by one worker, listed, audited and published as any other.
Images that existed before our upload are never removed.
"""

from collections import defaultdict
from datetime import timedelta
from typing import Any
from uuid import UUID

import structlog
from django.db import transaction

from vnfm.catalog import selectors as catalog
from vnfm.clouds import registry
from vnfm.clouds.errors import CloudError
from vnfm.installation.selectors import on_hold
from vnfm.inventory.models import UnclaimedResource
from vnfm.inventory.selectors import UNCLAIMED_GRACE
from vnfm.kit import clock
from vnfm.kit.durable import outbox, tasks
from vnfm.lcm.domain.plan import image_name
from vnfm.lcm.domain.states import FINAL_STATES
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.reconcilers import vim_limiter
from vnfm.lcm.selectors.claims import operation_parameter_values, stack_parameter_values
from vnfm.lcm.services.unclaimed import REMOVE, TOPIC
from vnfm.lcm.steps.shared_artefact import is_maker_stopped
from vnfm.vims import selectors as vims
from vnfm.vims.domain.artefact import ArtefactRecord
from vnfm.vims.domain.vim_record import VimRecord
from vnfm.vims.services.artefacts import artefact_claim, artefact_lock_known

AGAIN = timedelta(hours=1)
"""The pause after a failed removal of an image."""
ACTOR = "vnfm"
"""The user in the audit trail."""

log = structlog.get_logger(__name__)


def collect_images() -> int:
    """Request the removal of every image that is no longer needed; returns how many. Skips clouds that are away.

    Removes none while on hold after a restore: packages onboarded since the backup may need them.
    """
    if on_hold():
        return 0
    needed = {
        image_name(vnfd, image.id, image.sha256)
        for vnfd in map(catalog.vnfd_of, catalog.packages_onboarded())
        for image in vnfd.software_images
    }
    rows = defaultdict(list)
    for row in vims.own_images(without=needed):
        rows[row.vim_id].append(row)
    return sum(_collect(vims.vim_get(vim_id=vim_id), of_vim) for vim_id, of_vim in rows.items())


def _collect(vim: VimRecord, rows: list[ArtefactRecord]) -> int:
    with vim_limiter.acquire(vim.id) as wait:
        if wait:
            return 0
        try:
            servers = registry.provider().connect(vims.connection_of(vim)).servers.list()
        except CloudError as error:
            log.warning("images.not_collected", vim=vim.name, error=error.message)
            return 0
    booted = {server.image for server in servers}
    return sum(_request_removal(row.id, vim) for row in rows if row.made_id not in booted)


@transaction.atomic
def _request_removal(artefact_id: UUID, vim: VimRecord) -> bool:
    """True if no stack or operation uses it. From then on no operation relies on it, see `steps.shared_artefact`."""
    row = artefact_lock_known(artefact_id=artefact_id)
    if row is None or not (row.ready_at or is_maker_stopped(row.maker_id)) or row.resource_id not in ("", row.made_id):
        return False
    planned = LcmOpOcc.objects.exclude(state__in=FINAL_STATES).filter(plan__artefacts__contains=[{"key": row.key}])
    if planned.exists() or {row.key, row.made_id} & (stack_parameter_values(vim) | operation_parameter_values()):
        return False
    now = clock.now()
    same: dict[str, Any] = {"vim_id": row.vim_id, "kind": row.kind, "resource_id": row.made_id}
    refused = UnclaimedResource.objects.filter(**same, removal=UnclaimedResource.Removal.FAILED, removal_by=ACTOR)
    if refused.filter(last_seen_at__gt=now - AGAIN).exists():
        return False
    asked = UnclaimedResource.objects.update_or_create(
        **same,
        defaults={
            "name": row.key,
            "ours": True,
            "detail": "No package of the catalog needs it any more.",
            "first_seen_at": now - UNCLAIMED_GRACE,
            "last_seen_at": now,
            "removal": UnclaimedResource.Removal.REQUESTED,
            "removal_problem": None,
            "removal_by": ACTOR,
            "removal_requested_at": None,
        },
    )[0]
    artefact_claim(artefact_id=row.id, maker_id=asked.id, going=True)
    outbox.publish(TOPIC, row.vim_id, int(now.timestamp()))
    tasks.enqueue_on_commit(REMOVE, asked.id)
    log.info("image.unneeded", vim=vim.name, image=row.key, image_id=row.made_id)
    return True
