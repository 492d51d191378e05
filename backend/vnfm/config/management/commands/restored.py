from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from vnfm.config.restored import begin_hold


class Command(BaseCommand):
    help = (
        "After the database was restored by other means than ./vnfm restore, such as point in time by PostgreSQL's "
        "archive: stop what was under way then, and hold automation and notifications until an administrator releases "
        "them. Run it after upgrade_schema and before the product starts."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--at", required=True, metavar="TIME", help="of what was restored, ISO 8601 with its zone")
        parser.add_argument("--source", default="a restore by PostgreSQL's archive", help="words about where from")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            at = datetime.fromisoformat(options["at"])
        except ValueError:
            raise CommandError(f"{options['at']} is no time such as 2026-11-25T14:02:00+00:00.") from None
        if at.tzinfo is None:
            raise CommandError(f"{options['at']} says no zone: write it as {options['at']}+00:00.")
        self.stdout.write(begin_hold(at, options["source"]))
