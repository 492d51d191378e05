"""The time of the last poll of a VIM, from which indicators are valued."""

from datetime import timedelta

from vnfm.inventory.models import VimPollState, VnfInstance
from vnfm.kit import clock


def polled(instance: VnfInstance, ago: timedelta = timedelta()) -> None:
    now = clock.now() - ago
    VimPollState.objects.update_or_create(vim=instance.vim, defaults={"servers_at": now, "full_at": now})
