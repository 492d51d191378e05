"""Prints the story of an operation."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError

from vnfm.kit.commands import InstanceCommand
from vnfm.kit.problem import ProblemError
from vnfm.lcm.selectors.operations import op_get, op_story


class Command(InstanceCommand):
    help = "Print the history of an operation: manage.py op explain ID"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("task", choices=["explain"])
        parser.add_argument("operation", type=UUID, help="id of the LCM operation occurrence")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            op = op_get(op_id=options["operation"])
        except ProblemError as error:
            raise CommandError(f"{error.problem.detail} {error.problem.next_step}") from error
        for sentence in op_story(op):
            self.stdout.write(f"{sentence.at:%Y-%m-%d %H:%M:%S}Z  {sentence.text}")
