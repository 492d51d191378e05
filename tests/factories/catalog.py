import io
from hashlib import sha256
from typing import Any
from uuid import uuid4

from vnfm.catalog import selectors
from vnfm.catalog.artifacts import store
from vnfm.catalog.models import PackageFile, VnfPackage
from vnfm.catalog.services import onboarding, packages

_rows: dict[str, tuple[dict[str, Any], list[dict[str, Any]]]] = {}
"""By the content's digest, the rows that its onboarding wrote, without ids and times."""


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
    """The package with this content, as if uploaded. Validated once: later tests get copies of the rows."""
    digest = sha256(data).hexdigest()
    if digest in _rows:
        fields, files = _rows[digest]
        if all(store.object_path(file["sha256"]).exists() for file in files):
            again = VnfPackage.objects.create(**fields)
            PackageFile.objects.bulk_create(PackageFile(package=again, **file) for file in files)
            return selectors.package_get(package_id=again.id)
    package = packages.package_create(user_defined_data={})
    onboarding.package_onboard(package_id=package.id, source=io.BytesIO(data))
    package = selectors.package_get(package_id=package.id)
    fields = VnfPackage.objects.filter(id=package.id).values().get()
    del fields["id"], fields["created_at"]
    _rows[digest] = fields, list(package.files.values("path", "sha256", "size"))
    return package
