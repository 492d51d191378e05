import io
from uuid import uuid4

from vnfm.catalog import intake_services, selectors, services
from vnfm.catalog.models import VnfPackage


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
    """The package with this content, as if uploaded."""
    package = services.package_create(user_defined_data={})
    intake_services.package_content_put(package_id=package.id, source=io.BytesIO(data))
    return selectors.package_get(package_id=package.id)
