from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from vnfm.catalog.artifacts import store
from vnfm.catalog.artifacts.packing import write_zip
from vnfm.catalog.domain.errors import PackageError
from vnfm.catalog.domain.findings import Finding
from vnfm.catalog.domain.hot.templates import OLDEST
from vnfm.catalog.services.validation import package_validate
from vnfm.kit.commands import InstanceCommand


class Command(InstanceCommand):
    help = "Validate a package or plain Heat templates: a zip, or a package's folder."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        with store.staging() as staging:
            path = options["path"]
            if path.is_dir():
                try:
                    write_zip(path, settings.HEAT_TEMPLATES_DIR, staging / "package.zip")
                except PackageError as error:
                    raise CommandError(str(error)) from error
                path = staging / "package.zip"
            with path.open("rb") as source:
                found = package_validate(source=source, vnfd=None, target=OLDEST)
        for finding in found.findings:
            self.stdout.write(_line(finding))
        if found.package is None:
            raise CommandError("It would be refused.")


def _line(finding: Finding) -> str:
    place = ":".join(str(part) for part in (finding.file, finding.line) if part)
    return f"{place or '-'}: {finding.severity}: {finding.message} [{finding.code}]"
