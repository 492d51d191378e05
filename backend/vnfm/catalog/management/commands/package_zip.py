from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from vnfm.catalog.artifacts.packing import write_manifest, write_zip
from vnfm.catalog.domain.errors import PackageError


class Command(BaseCommand):
    help = "Build a VNF package: write the folder's MANIFEST.json and zip it with its library files."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument("target", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            write_manifest(options["folder"], settings.HEAT_TEMPLATES_DIR)
            count = write_zip(options["folder"], settings.HEAT_TEMPLATES_DIR, options["target"])
        except PackageError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{options['target']}: {count} files")
