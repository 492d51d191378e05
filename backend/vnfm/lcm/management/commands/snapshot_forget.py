"""Forgets a snapshot whose cloud will never answer again."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError

from vnfm.kit.commands import InstanceCommand
from vnfm.kit.problem import ProblemError
from vnfm.lcm.reconcilers.forget import forget_snapshot

ACTOR = "manage.py"


class Command(InstanceCommand):
    help = "Forget a VNF snapshot that is deleted or incomplete, without any call to its cloud."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("snapshot", type=UUID, help="id of the VNF snapshot")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            name = forget_snapshot(snapshot_id=options["snapshot"], actor=ACTOR)
        except ProblemError as error:
            raise CommandError(f"{error.problem.detail} {error.problem.next_step}") from error
        self.stdout.write(f"Forgotten: {name}. Its images and volume snapshots may still exist in the cloud.")
