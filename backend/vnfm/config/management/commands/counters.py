import signal
from threading import Event
from typing import Any

import structlog
from django.conf import settings

from vnfm.counters.reconcilers.collector import Collector
from vnfm.devices.registry import provider
from vnfm.kit.commands import ServiceCommand
from vnfm.kit.durable import heartbeat

log = structlog.get_logger(__name__)


class Command(ServiceCommand):
    help = "Read the counters of network elements, and keep what was counted."

    def handle(self, *args: Any, **options: Any) -> None:
        stop = Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        heartbeat.register("counters")
        log.info("counters.ready", interval_seconds=settings.COUNTER_SECONDS)
        Collector(devices=provider(), interval=settings.COUNTER_SECONDS).run(stop)
