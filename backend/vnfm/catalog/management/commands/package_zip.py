from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from vnfm.catalog.artifacts.image_files import copy_with_images
from vnfm.catalog.artifacts.packing import write_manifest, write_zip
from vnfm.catalog.domain.errors import PackageError
from vnfm.kit.commands import InstanceCommand


class Command(InstanceCommand):
    help = "Build a VNF package: write the folder's MANIFEST.json and zip it with its library files."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument("target", type=Path)
        parser.add_argument(
            "--image",
            action="append",
            default=[],
            metavar="ID=FILE",
            help="put this file in the place of a placeholder of softwareImages; the folder stays as it is, "
            "and the package gets a vnfdId of its own",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        target: Path = options["target"]
        images = dict(_image(given) for given in options["image"])
        try:
            if not images:
                self._write(options["folder"], target)
                return
            with TemporaryDirectory(dir=target.parent) as directory:
                folder = Path(directory) / "package"
                copy_with_images(options["folder"], images, folder)
                self._write(folder, target)
        except PackageError as error:
            raise CommandError(str(error)) from error

    def _write(self, folder: Path, target: Path) -> None:
        write_manifest(folder, settings.HEAT_TEMPLATES_DIR)
        count = write_zip(folder, settings.HEAT_TEMPLATES_DIR, target)
        self.stdout.write(f"{target}: {count} files")


def _image(given: str) -> tuple[str, Path]:
    image_id, _, name = given.partition("=")
    file = Path(name)
    if not name or not file.is_file():
        raise CommandError(f"{given!r}: write the id of a softwareImages entry, =, and an image file that exists.")
    return image_id, file.resolve()
