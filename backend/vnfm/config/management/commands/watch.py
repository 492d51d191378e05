import signal
import time
from datetime import datetime
from threading import Event
from typing import Any
from uuid import UUID

import structlog
from django.conf import settings

from vnfm.clouds.ports import Cloud
from vnfm.clouds.registry import provider
from vnfm.faults.reconcilers.evaluation import evaluate_vim
from vnfm.inventory.reconcilers.vim_poll import VimPollResult
from vnfm.inventory.reconcilers.vim_watcher import VimWatcher
from vnfm.kit.commands import ServiceCommand
from vnfm.kit.durable import heartbeat
from vnfm.lcm.reconcilers.unclaimed import update_unclaimed
from vnfm.lcm.selectors.operations import operation_runs_on
from vnfm.lcm.services.operations import ops_wake
from vnfm.vims.domain.vim_record import VimRecord
from vnfm.vims.selectors import connection_of

VIM_EVALUATION_SECONDS = 5.0
"""The interval at which a VIM without changes in polls is evaluated: alarms of the cloud leave no trace on it."""

log = structlog.get_logger(__name__)


class Command(ServiceCommand):
    help = "Poll every VIM: keep observed state up to date, raise and clear alarms, find unclaimed resources."

    def handle(self, *args: Any, **options: Any) -> None:
        stop = Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        heartbeat.register("watch")
        log.info("watch.ready", period_seconds=settings.POLL_SECONDS)
        watcher = VimWatcher(
            period_seconds=settings.POLL_SECONDS,
            connect=_connect,
            open_bus=provider().bus,
            after_poll=_AfterPoll(),
            operation_runs=operation_runs_on,
        )
        watcher.run(stop)


def _connect(vim: VimRecord) -> Cloud:
    return provider().connect(connection_of(vim))


class _AfterPoll:
    """The consequences of a poll."""

    def __init__(self) -> None:
        self._evaluate_at: dict[UUID, float] = {}
        """When to evaluate a VIM itself, by the monotonic clock."""

    def __call__(self, vim_id: UUID, result: VimPollResult, now: datetime) -> None:
        update_unclaimed(vim_id=vim_id, result=result, now=now)
        if result.changed:
            ops_wake(instance_ids=result.changed)
        due = time.monotonic() >= self._evaluate_at.get(vim_id, 0.0)
        evaluate_vim(vim_id=vim_id, changed=result.changed, now=now, vim_itself=due or result.vim_changed)
        if due:
            self._evaluate_at[vim_id] = time.monotonic() + VIM_EVALUATION_SECONDS
