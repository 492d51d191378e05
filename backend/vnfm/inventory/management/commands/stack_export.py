"""Writes what Heat was last given for a VNF instance, so that the OpenStack tools can be given the same."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import yaml
from django.core.management.base import CommandError

from vnfm.inventory.selectors.stack_export import environment_of, stack_input_of
from vnfm.kit.commands import InstanceCommand


class Command(InstanceCommand):
    help = "Export template, environment and files: openstack stack create -t DIR/template.yaml -e DIR/environment.yaml"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("instance", help="id of the VNF instance")
        parser.add_argument("directory", type=Path, help="folder to write into; made if missing")

    def handle(self, *args: Any, **options: Any) -> None:
        given = stack_input_of(instance_id=options["instance"])
        if given is None:
            raise CommandError(f"Heat was never given a stack for {options['instance']}, or it has no such instance.")
        directory: Path = options["directory"]
        files = {"template.yaml": given.template, **given.files}
        files["environment.yaml"] = yaml.safe_dump(environment_of(given), sort_keys=False)
        for name, text in files.items():
            path = (directory / name).resolve()
            if not path.is_relative_to(directory.resolve()):
                raise CommandError(f"{name} points outside of the folder.")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.stdout.write(f"{len(files)} files in {directory}")
