import signal
from datetime import datetime
from threading import Event
from typing import Any
from uuid import UUID

import structlog
from django.conf import settings
from django.core.management.base import BaseCommand

from vnfm.clouds.ports import Cloud
from vnfm.clouds.registry import provider
from vnfm.faults.reconcilers.evaluation import evaluate_vim
from vnfm.inventory.reconcilers.observe import Look
from vnfm.inventory.reconcilers.watch import Watcher
from vnfm.lcm.reconcilers.unclaimed import note_unclaimed
from vnfm.lcm.selectors.operations import operation_runs_on
from vnfm.lcm.services.operations import ops_wake
from vnfm.vims.models import Vim
from vnfm.vims.selectors import connection_of

log = structlog.get_logger(__name__)


class Command(BaseCommand):
    help = "Look at every VIM again and again: keep what is observed up to date, raise and clear alarms, find strays."

    def handle(self, *args: Any, **options: Any) -> None:
        stop = Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        log.info("watch.ready", period_seconds=settings.POLL_SECONDS)
        watcher = Watcher(
            period_seconds=settings.POLL_SECONDS,
            connect=_connect,
            open_bus=provider().bus,
            after_look=_follow,
            operation_runs=operation_runs_on,
        )
        watcher.run(stop)


def _connect(vim: Vim) -> Cloud:
    return provider().connect(connection_of(vim))


def _follow(vim_id: UUID, look: Look, now: datetime) -> None:
    note_unclaimed(vim_id=vim_id, look=look, now=now)
    if look.changed:
        ops_wake(instance_ids=look.changed)
    evaluate_vim(vim_id=vim_id, changed=look.changed, now=now)
