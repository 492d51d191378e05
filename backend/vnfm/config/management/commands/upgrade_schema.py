from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from vnfm.kit.database import advisory_lock
from vnfm.telemetry import schema

LOCK = 0x7E1E_0002


class Command(BaseCommand):
    help = "Bring the database up to date: Django's migrations, then Alembic's. Safe to run twice, and at once."

    def handle(self, *args: Any, **options: Any) -> None:
        with advisory_lock(LOCK):
            call_command("migrate", interactive=False, verbosity=options["verbosity"])
            schema.upgrade()
