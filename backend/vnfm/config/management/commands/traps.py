import signal
import socket
from threading import Event
from typing import Any

import structlog
from django.conf import settings

from vnfm.elements.traps.receiver import Receiver
from vnfm.kit.commands import ServiceCommand
from vnfm.kit.durable import heartbeat

log = structlog.get_logger(__name__)


class Command(ServiceCommand):
    help = "Hear the notifications (traps, informs) of network elements, keep them, and have the poller look."

    def handle(self, *args: Any, **options: Any) -> None:
        stop = Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        heartbeat.register("traps")
        log.info("traps.ready", listen=settings.TRAP_LISTEN)
        Receiver(listen=settings.TRAP_LISTEN, host=socket.gethostname(), secret=settings.SECRET_KEY).run(stop)
