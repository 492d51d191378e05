import io
from hashlib import sha256
from typing import Any
from uuid import uuid4

from vnfm.catalog import selectors
from vnfm.catalog.artifacts import store
from vnfm.catalog.models import PackageFile, VnfPackage
from vnfm.catalog.services import onboarding, packages

_rows: dict[str, tuple[dict[str, Any], list[dict[str, Any]]]] = {}
"""By the content's digest, the rows that its onboarding wrote."""


def make_package(**fields: object) -> VnfPackage:
    """A row that says ONBOARDED; its descriptor is empty, its artifacts are not there."""
    defaults = {
        "onboarding_state": VnfPackage.OnboardingState.ONBOARDED,
        "operational_state": VnfPackage.OperationalState.ENABLED,
        "vnfd_id": uuid4(),
        "provider": "Example",
        "product_name": "Router",
        "software_version": "1.0",
        "vnfd_version": "1.0",
        "vnfd": {},
    }
    return VnfPackage.objects.create(**defaults | fields)


def onboarded(data: bytes) -> VnfPackage:
    """The package with this content, as if uploaded. Validated once: later tests get the same rows."""
    digest = sha256(data).hexdigest()
    if digest in _rows:
        fields, files = _rows[digest]
        is_new = not VnfPackage.objects.filter(id=fields["id"]).exists()
        if is_new and all(store.object_path(file["sha256"]).exists() for file in files):
            VnfPackage.objects.create(**fields)
            PackageFile.objects.bulk_create(PackageFile(**file) for file in files)
            return selectors.package_get(package_id=fields["id"])
    package = packages.package_create(user_defined_data={})
    onboarding.package_onboard(package_id=package.id, source=io.BytesIO(data))
    package = selectors.package_get(package_id=package.id)
    files = list(package.files.values("package_id", "path", "sha256", "size"))  # their ids may be another's by then
    _rows[digest] = VnfPackage.objects.filter(id=package.id).values().get(), files
    return package
