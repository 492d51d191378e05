import signal
import sys
from threading import Event, Thread
from typing import Any

import structlog
from django.conf import settings

from vnfm.devices.registry import provider
from vnfm.elements.reconcilers.poller import Poller
from vnfm.faults.reconcilers.element_alarm_loop import run_alarm_loop
from vnfm.kit.commands import ServiceCommand
from vnfm.kit.durable import heartbeat

LEAVE_SECONDS = 5.0
"""A stop waits this time for alarms that are just being written; the next process writes the others."""

SWITCH_SECONDS = 0.0005
"""The interpreter's switch interval (default 5 ms): the thread that speaks to elements yields at each datagram, and
would wait that long for each thread that computes."""

log = structlog.get_logger(__name__)


class Command(ServiceCommand):
    help = "Poll network elements: reachability, states, resyncs, alarms; look for new ones by rules."

    def handle(self, *args: Any, **options: Any) -> None:
        sys.setswitchinterval(SWITCH_SECONDS)
        stop = Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        heartbeat.register("elements")
        log.info("elements.ready", period_seconds=settings.ELEMENT_POLL_SECONDS)
        element_changed = Event()
        alarms = Thread(target=run_alarm_loop, args=(stop, element_changed), name="element alarms", daemon=True)
        alarms.start()
        Poller(devices=provider(), period_seconds=settings.ELEMENT_POLL_SECONDS, on_change=element_changed.set).run(
            stop
        )
        element_changed.set()
        alarms.join(LEAVE_SECONDS)
