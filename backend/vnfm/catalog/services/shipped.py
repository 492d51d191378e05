"""Onboarding of the packages that are shipped with the product, in `catalog/`."""

from pathlib import Path
from uuid import UUID

import structlog
from django.conf import settings
from django.db import transaction

from vnfm.catalog.artifacts import packing, store
from vnfm.catalog.domain import manifest
from vnfm.catalog.models import PackageFile, VnfPackage
from vnfm.catalog.services.content import save_content, validate_content
from vnfm.catalog.services.uploads import stage_upload

log = structlog.get_logger(__name__)


def shipped_packages_onboard(*, catalog_dir: Path) -> list[UUID]:
    """Onboard and enable every package below `catalog_dir` whose VNFD is not there yet; returns those VNFD ids.

    Idempotent. A shipped package that was changed without a new vnfdId is left as it is, with a warning in the log.
    """
    vnfd_ids = (_onboard_folder(descriptor.parent) for descriptor in sorted(catalog_dir.glob("*/*/*/vnfd.yaml")))
    return [vnfd_id for vnfd_id in vnfd_ids if vnfd_id is not None]


def _onboard_folder(folder: Path) -> UUID | None:
    with store.staging() as staging:
        target = staging / "package.zip"
        packing.write_zip(folder, settings.HEAT_TEMPLATES_DIR, target)
        with target.open("rb") as source:
            content = validate_content(stage_upload(source, staging), staging)
        vnfd_id = content.package.vnfd.vnfd_id
        present = PackageFile.objects.filter(package__vnfd_id=vnfd_id, path=manifest.NAME).first()
        if present is not None:
            if present.sha256 != content.files[manifest.NAME].sha256:
                log.warning("catalog.shipped_package_differs", vnfd_id=str(vnfd_id), folder=str(folder))
            return None
        with transaction.atomic():
            package = VnfPackage.objects.create()
            save_content(package, content)
    return vnfd_id
