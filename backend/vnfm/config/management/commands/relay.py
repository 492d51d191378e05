import signal
from threading import Event
from typing import Any

from vnfm.config.relay import Relay
from vnfm.kit.commands import ServiceCommand
from vnfm.kit.durable import heartbeat


class Command(ServiceCommand):
    help = "Deliver events from the outbox to their subscribers until a signal."

    def handle(self, *args: Any, **options: Any) -> None:
        stop = Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        heartbeat.register("relay")
        Relay(stop).run()
