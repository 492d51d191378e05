import os
from argparse import ArgumentParser
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
from django.core.management.base import BaseCommand, CommandError
from psycopg import sql

from vnfm.kit.durable.database_url import connection_to

SHIPPED = "vnfm"
"""docker-compose.yml had this password by default, until passwords were generated."""


class Command(BaseCommand):
    help = (
        "Give the user of DATABASE_URL the password in a file, where the server still has a former one: of another "
        "file (a line each, removed once the server has the new one), or the one that docker-compose.yml once had by "
        "default. The server's stays where it fits."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--password-file", type=Path, required=True)
        parser.add_argument("--former-file", type=Path, required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        to, password = connection_to(os.environ["DATABASE_URL"]), options["password_file"].read_text().strip()
        former = options["former_file"]
        formers = [*(reversed(former.read_text().split("\n")) if former.exists() else ()), SHIPPED]
        try:
            psycopg.connect(**to | {"password": password}).close()
        except psycopg.OperationalError as refused:
            if not any(_renewed(to, each, password) for each in formers if each):
                raise CommandError(
                    f"The database accepts none of the known passwords: {str(refused).strip()} Its volume has another "
                    "one: set that as POSTGRES_PASSWORD, once; it is kept."
                ) from refused
            self.stdout.write("The database has its new password.")
        with suppress(OSError):  # who mounts it read-only keeps them
            former.unlink(missing_ok=True)


def _renewed(to: dict[str, Any], former: str, password: str) -> bool:
    """True if the server accepted the former password; then it has the new one, of which it gets the digest only."""
    try:
        connection = psycopg.connect(**to | {"password": former})
    except psycopg.OperationalError:
        return False
    with connection:
        digest = connection.pgconn.encrypt_password(
            password.encode(), connection.info.user.encode(), b"scram-sha-256"
        ).decode()
        connection.execute(sql.SQL("ALTER ROLE CURRENT_USER PASSWORD {}").format(sql.Literal(digest)))
    return True
