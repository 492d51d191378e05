from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from vnfm.accounts.models import User
from vnfm.accounts.services import audit, token_issue


class Command(BaseCommand):
    help = "Print a new bearer token of a user."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--username", required=True)
        parser.add_argument("--name", default="issued on the command line", help="what the token is listed as")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["username"], is_active=True).first()
        if user is None:
            raise CommandError(f"There is no active user {options['username']!r}.")
        token, secret = token_issue(user=user, name=options["name"])
        audit(actor="command line", action="token.issue", target=str(token.id), detail={"user": user.username})
        self.stdout.write(secret)
