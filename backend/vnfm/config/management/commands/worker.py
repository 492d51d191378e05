import sys
from argparse import ArgumentParser
from typing import Any

from vnfm.config.celery import app
from vnfm.kit.commands import ServiceCommand

THREADS = 16


class Command(ServiceCommand):
    help = "Take tasks from the broker and do them, in threads, until a signal."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--threads", type=int, default=THREADS, help=f"tasks at a time ({THREADS})")

    def handle(self, *args: Any, threads: int, **options: Any) -> None:
        worker = app.Worker(
            pool_cls="threads",
            concurrency=threads,
            quiet=True,
            loglevel="INFO",
            # Workers meet in PostgreSQL only.
            without_gossip=True,
            without_mingle=True,
            without_heartbeat=True,
        )
        worker.start()
        sys.exit(worker.exitcode)
