from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from vnfm.catalog.artifacts.packing import write_manifest
from vnfm.catalog.domain.errors import PackageError
from vnfm.kit.commands import InstanceCommand


class Command(InstanceCommand):
    help = "Write MANIFEST.json of the VNF package in a folder: the SHA-256 of each file, library files included."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, nargs="+")
        parser.add_argument("--check", action="store_true", help="do not write, fail when a manifest is out of date")

    def handle(self, *args: Any, **options: Any) -> None:
        for folder in options["folder"]:
            try:
                changed = write_manifest(folder, settings.HEAT_TEMPLATES_DIR, write=not options["check"])
            except PackageError as error:
                raise CommandError(str(error)) from error
            if changed and options["check"]:
                raise CommandError(f"{folder}: MANIFEST.json is out of date.")
            self.stdout.write(f"{folder}: {'written' if changed else 'unchanged'}")
