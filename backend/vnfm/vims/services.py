"""What changes a VIM."""

from datetime import datetime
from typing import Literal

from django.db import transaction
from django.db.models import F

from vnfm.kit import outbox
from vnfm.vims.models import Vim


@transaction.atomic
def vim_reachability_record(
    *, vim: Vim, reachable: Literal["True", "False", "Unknown"], reason: str, message: str, now: datetime
) -> None:
    """Note what a look at the VIM found; people hear of it when the answer or its reason is another than before."""
    row = Vim.objects.select_for_update(no_key=True).only("reachable", "reachable_reason", "version").get(id=vim.id)
    if (row.reachable, row.reachable_reason) == (reachable, reason):
        Vim.objects.filter(id=vim.id).update(reachable_observed_at=now)
        return
    since = {"reachable_since": now} if row.reachable != reachable else {}
    Vim.objects.filter(id=vim.id).update(
        reachable=reachable,
        reachable_reason=reason,
        reachable_message=message,
        reachable_observed_at=now,
        version=F("version") + 1,
        **since,
    )
    outbox.publish("vim.changed", vim.id, row.version + 1)
