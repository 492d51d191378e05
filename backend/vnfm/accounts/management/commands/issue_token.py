from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from vnfm.accounts.models import User
from vnfm.accounts.services import audit
from vnfm.accounts.tokens import token_issue
from vnfm.kit import clock
from vnfm.kit.commands import InstanceCommand
from vnfm.kit.problem import ProblemError


class Command(InstanceCommand):
    help = "Print a new bearer token of a user."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--username", required=True)
        parser.add_argument(
            "--days",
            type=int,
            default=min(30, settings.TOKEN_MAX_DAYS),
            help="how long it is good for (default: %(default)s)",
        )
        parser.add_argument("--name", default="issued on the command line", help="what the token is listed as")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["username"], is_active=True).first()
        if user is None:
            raise CommandError(f"There is no active user {options['username']!r}.")
        if not 1 <= options["days"] <= settings.TOKEN_MAX_DAYS:
            raise CommandError(f"A token is good for 1 to {settings.TOKEN_MAX_DAYS} days.")
        expires_at = clock.now() + timedelta(days=options["days"])
        try:
            token, secret = token_issue(user=user, name=options["name"], expires_at=expires_at, replaces=True)
        except ProblemError as error:
            raise CommandError(f"{error.problem.detail} {error.problem.next_step}") from error
        audit(actor="command line", action="token.issue", target=str(token.id), detail={"user": user.username})
        self.stdout.write(secret)
