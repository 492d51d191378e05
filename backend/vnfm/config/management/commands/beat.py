from typing import Any

from vnfm.config.celery import app
from vnfm.kit.commands import ServiceCommand


class Command(ServiceCommand):
    help = "Send the tasks that run again and again, until a signal."

    def handle(self, *args: Any, **options: Any) -> None:
        app.Beat(quiet=True, loglevel="INFO").run()
