"""/vnfpkgm/v2 (SOL005 3.x): the resources of v1, under the second major version."""

from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from tests.factories.packages import vsr_zip, zipped

if TYPE_CHECKING:
    from rest_framework.test import APIClient

pytestmark = pytest.mark.django_db
URL = "/vnfpkgm/v2/vnf_packages"


@pytest.fixture(autouse=True)
def artifacts(settings: Any, tmp_path: Any) -> None:
    settings.ARTIFACTS_DIR = tmp_path / "artifacts"


def test_a_package_through_its_life(api: "APIClient") -> None:
    ident = api.post(URL, {}, format="json").json()["id"]
    package, other = f"{URL}/{ident}", f"{URL}/{api.post(URL, {}, format='json').json()['id']}"
    content = vsr_zip(str(uuid4()))
    sent = api.generic("PUT", f"{package}/package_content", content, content_type="application/zip")
    assert sent.status_code == 202, sent.content
    shown = api.get(package).json()
    assert shown["onboardingState"] == "ONBOARDED"
    assert {each["id"] for each in api.get(URL).json()} == {ident, other.rpartition("/")[2]}
    artifact = shown["additionalArtifacts"][0]["artifactPath"]
    for path in ("vnfd", "manifest", "package_content", "artifacts", f"artifacts/{artifact}"):
        assert api.get(f"{package}/{path}").status_code in (200, 404), path
    fetched = api.post(f"{other}/package_content/upload_from_uri", {}, format="json")
    assert (fetched.status_code, fetched.json()["errors"][0]["field"]) == (400, "/addressInformation")
    assert api.patch(package, {"operationalState": "DISABLED"}, format="json").status_code == 200
    for each in (package, other):
        assert api.delete(each).status_code == 204


def test_a_refused_upload_is_an_error_in_v2_alone(api: "APIClient") -> None:
    """2.6.1 has CREATED, UPLOADING, PROCESSING and ONBOARDED: a client of it cannot read a list with another word."""
    ident = api.post(URL, {}, format="json").json()["id"]
    bad = zipped({"MANIFEST.json": b"{}", "vnfd.yaml": b"a: 1"})
    api.generic("PUT", f"{URL}/{ident}/package_content", bad, content_type="application/zip")
    for root, shown, hidden in ((URL, "ERROR", "CREATED"), (URL.replace("v2", "v1"), "CREATED", "ERROR")):
        assert api.get(f"{root}/{ident}").json()["onboardingState"] == shown
        assert [each["onboardingState"] for each in api.get(root).json()] == [shown]
        assert len(api.get(root, {"filter": f"(eq,onboardingState,{shown})"}).json()) == 1
        assert api.get(root, {"filter": f"(eq,onboardingState,{hidden})"}).json() == []
    assert api.get(f"{URL}/{ident}").json()["onboardingFailureDetails"]["detail"]
