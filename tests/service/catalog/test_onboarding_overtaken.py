"""A process that lost its lease during an onboarding writes nothing."""

import io
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db.models.functions import Now

from tests.factories.packages import vsr_zip
from vnfm.catalog.models import PackageFile, PackageOnboarding
from vnfm.catalog.reconcilers import onboarding as reconciler
from vnfm.catalog.services import onboarding
from vnfm.kit.durable import lease
from vnfm.kit.models import Lease
from vnfm.kit.problem import ProblemError

pytestmark = pytest.mark.django_db(transaction=True)
URL = "/vnfpkgm/v2/vnf_packages"


@pytest.fixture(autouse=True)
def artifacts(settings, tmp_path):
    settings.ARTIFACTS_DIR = tmp_path / "artifacts"


def create(api):
    return api.post(URL, {}, format="json").json()["id"]


def state(api, package_id):
    return api.get(f"{URL}/{package_id}").json()["onboardingState"]


@contextmanager
def lease_lost(package_id):
    """The lease expires and another process holds it; the onboarding itself is unchanged."""
    key = onboarding.lease_key(package_id)
    Lease.objects.filter(key=key).update(expires_at=Now() - timedelta(seconds=1))
    with lease.hold(key) as other:
        assert other
        yield


def test_a_validation_that_lost_its_lease_writes_nothing(api, monkeypatch):
    monkeypatch.setattr(onboarding, "SMALL_BYTES", 0)
    package_id = create(api)
    onboarding.package_onboard(package_id=package_id, source=io.BytesIO(vsr_zip(str(uuid4()))))
    row = PackageOnboarding.objects.get()
    with lease.hold(onboarding.lease_key(package_id)) as frozen, lease_lost(package_id):
        with pytest.raises(ProblemError) as caught, onboarding.fail_on_error(row, frozen):
            onboarding.content_onboard(onboarding=row, lease=frozen)
        assert (caught.value.problem.status, caught.value.problem.code) == (409, "UPLOAD_OVERTAKEN")
        assert state(api, package_id) == "PROCESSING"
        assert not PackageFile.objects.exists()
    reconciler.onboard(package_id)
    assert state(api, package_id) == "ONBOARDED"


def test_an_upload_that_lost_its_lease_writes_nothing(api):
    package_id = create(api)
    with ExitStack() as meanwhile:

        class Slow(io.BytesIO):
            def read(self, *size):
                if self.tell() == 0:
                    meanwhile.enter_context(lease_lost(package_id))
                return super().read(*size)

        with pytest.raises(ProblemError) as caught:
            onboarding.package_onboard(package_id=package_id, source=Slow(vsr_zip(str(uuid4()))))
        assert (caught.value.problem.status, caught.value.problem.code) == (409, "UPLOAD_OVERTAKEN")
        assert state(api, package_id) == "UPLOADING"
        assert (PackageOnboarding.objects.get().size, PackageFile.objects.count()) == (0, 0)
    reconciler.onboard(package_id)
    assert api.get(f"{URL}/{package_id}").json()["onboardingFailureDetails"]["code"] == "UPLOAD_INTERRUPTED"
