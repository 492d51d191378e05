"""Forgets an instance whose cloud will never answer again."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError

from vnfm.kit.commands import InstanceCommand
from vnfm.kit.problem import ProblemError
from vnfm.lcm.reconcilers.forget import forget_instance

ACTOR = "manage.py"


class Command(InstanceCommand):
    help = "Forget a VNF instance without any call to its cloud. What still exists there stays, unmanaged."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("instance", type=UUID, help="id of the VNF instance")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            stack = forget_instance(instance_id=options["instance"], actor=ACTOR)
        except ProblemError as error:
            raise CommandError(f"{error.problem.detail} {error.problem.next_step}") from error
        left = f"Stack {stack} may still exist in the cloud." if stack else "It had no stack."
        self.stdout.write(f"Forgotten. {left} The identifier can be deleted now.")
