"""/vnf_packages/{id}/artifacts (SOL005 9.4.5a): the artifacts that are not images, as one zip."""

import io
import zipfile
from uuid import uuid4

import pytest

from tests.factories.catalog import onboarded
from tests.factories.csars import MANIFEST, tacker_files
from tests.factories.packages import vsr_files, vsr_zip, zipped
from tests.service.catalog.download_body import URL, body

pytestmark = pytest.mark.django_db
SETS = "non_mano_artifact_sets:\n  onap_ves:\n    Source: Files/ves.yaml\n  docs:\n    Source: Files/guide.txt\n"


def names(api, package, query=""):
    answer = api.get(f"{URL}/{package.id}/artifacts{query}")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/zip")
    return set(zipfile.ZipFile(io.BytesIO(body(answer))).namelist())


def test_the_archive_has_the_bytes_of_the_package(api):
    package = onboarded(vsr_zip(str(uuid4())))
    whole = body(api.get(f"{URL}/{package.id}/artifacts"))
    archive = zipfile.ZipFile(io.BytesIO(whole))
    listed = api.get(f"{URL}/{package.id}").json()["additionalArtifacts"]
    assert set(archive.namelist()) == {each["artifactPath"] for each in listed}
    assert archive.read("base.yaml") == vsr_files()["base.yaml"]
    part = api.get(f"{URL}/{package.id}/artifacts", headers={"range": "bytes=10-29"})
    assert (part.status_code, body(part)) == (206, whole[10:30])
    assert part["ETag"] == api.get(f"{URL}/{package.id}/artifacts")["ETag"]


def test_sets_of_a_csar(api):
    files = tacker_files({"Files/ves.yaml": b"a: 1\n", "Files/guide.txt": b"Hello\n"})
    package = onboarded(zipped({**files, MANIFEST: files[MANIFEST] + SETS.encode()}))
    everything = names(api, package)
    theirs = {"Files/ves.yaml", "Files/guide.txt"}
    assert theirs < everything
    assert names(api, package, "?exclude_all_mano_artifacts") == theirs
    assert names(api, package, "?exclude_all_non_mano_artifacts") == everything - theirs
    assert names(api, package, "?exclude_all_mano_artifacts&select_non_mano_artifact_sets=docs") == {"Files/guide.txt"}
    assert api.get(f"{URL}/{package.id}/artifacts?exclude_all").status_code == 400
