"""/vnfpkgm/v2 through HTTP, on PostgreSQL and a real artifact store."""

import io
import json
import zipfile
from hashlib import sha256
from uuid import uuid4

import pytest
from asgiref.sync import async_to_sync
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.factories.inventory import make_instance
from tests.factories.packages import SHIPPED, edited, vsr_files, vsr_zip, with_manifest, zipped
from vnfm.catalog.artifacts import store
from vnfm.catalog.models import PackageFile, VnfPackage
from vnfm.kit.durable import lease
from vnfm.kit.models import OutboxEvent

pytestmark = pytest.mark.django_db
URL = "/vnfpkgm/v2/vnf_packages"
OWN_TRANSACTIONS = pytest.mark.django_db(transaction=True)
"""For two uploads to one package: leases go by PostgreSQL's now(), which stands still in a transaction."""


@pytest.fixture(autouse=True)
def artifacts(settings, tmp_path):
    settings.ARTIFACTS_DIR = tmp_path / "artifacts"
    return settings.ARTIFACTS_DIR


def create(api, **body):
    response = api.post(URL, body, format="json")
    assert response.status_code == 201, response.content
    return response.json()["id"]


def put(api, package_id, data, content_type="application/zip"):
    return api.generic("PUT", f"{URL}/{package_id}/package_content", data, content_type=content_type)


def onboard(api, vnfd_id=None):
    package_id = create(api)
    response = put(api, package_id, vsr_zip(vnfd_id or str(uuid4())))
    assert response.status_code == 202, response.content
    return package_id


def body(response):
    async def read_all():
        return [chunk async for chunk in response.streaming_content]

    return b"".join(async_to_sync(read_all)())


def objects(artifacts):
    return {path.name for path in artifacts.glob("objects/*/*")}


def test_an_empty_package(api):
    response = api.post(URL, {"userDefinedData": {"rack": "7"}}, format="json")
    view = response.json()
    assert response["Location"] == view["_links"]["self"]["href"] == f"http://testserver{URL}/{view['id']}"
    assert view["onboardingState"] == "CREATED"
    assert view["operationalState"] == "DISABLED"
    assert view["usageState"] == "NOT_IN_USE"
    assert view["userDefinedData"] == {"rack": "7"}
    assert "vnfdId" not in view
    for rest in ("vnfd", "package_content", "artifacts/vnfd.yaml"):
        answer = api.get(f"{URL}/{view['id']}/{rest}")
        assert (answer.status_code, answer.json()["code"]) == (409, "PACKAGE_NOT_ONBOARDED")


def test_onboarding(api, artifacts):
    vnfd_id = str(uuid4())
    content = vsr_zip(vnfd_id)
    package_id = create(api)
    assert put(api, package_id, content).status_code == 202
    response = api.get(f"{URL}/{package_id}")
    view = response.json()
    assert response["ETag"].startswith('"4.')
    assert (view["onboardingState"], view["operationalState"]) == ("ONBOARDED", "ENABLED")
    assert (view["vnfdId"], view["vnfProvider"], view["vnfProductName"]) == (vnfd_id, "Nokia", "VSR-PE")
    assert (view["vnfSoftwareVersion"], view["vnfdVersion"]) == ("0.0.B2-4601", "1.1")
    assert view["checksum"] == {"algorithm": "SHA-256", "hash": sha256(content).hexdigest()}
    image = view["softwareImages"][0]
    assert (image["id"], image["size"], image["diskFormat"]) == ("vsr", 2048, "QCOW2")
    assert image["userMetadata"] == {"placeholder": "true"}
    paths = [artifact["artifactPath"] for artifact in view["additionalArtifacts"]]
    assert paths == sorted(set(vsr_files()) - {"vnfd.yaml", "MANIFEST.json"})
    assert list((artifacts / "onboarding").iterdir()) == []
    event = OutboxEvent.objects.latest("id")
    assert (event.topic, str(event.aggregate_id), event.version) == ("vnf_package.changed", package_id, 4)


@OWN_TRANSACTIONS
def test_content_never_changes(api):
    package_id = onboard(api)
    answer = put(api, package_id, vsr_zip(str(uuid4())))
    assert (answer.status_code, answer.json()["code"]) == (409, "PACKAGE_HAS_CONTENT")


def test_uploaded_content_is_downloaded_unchanged(api):
    vnfd_id = str(uuid4())
    content = vsr_zip(vnfd_id)
    package_id = create(api)
    put(api, package_id, content)
    answer = api.get(f"{URL}/{package_id}/package_content", headers={"accept": "application/zip"})
    assert answer["Content-Type"] == "application/zip"
    assert body(answer) == content
    answer = api.get(f"{URL}/{package_id}/artifacts/nested/data_path.yaml")
    assert body(answer) == vsr_files()["nested/data_path.yaml"]
    assert answer["Content-Disposition"] == 'attachment; filename="data_path.yaml"'
    assert body(api.get(f"{URL}/{package_id}/artifacts/images/vsr-placeholder.qcow2"))[:4] == b"QFI\xfb"
    answer = api.get(f"{URL}/{package_id}/artifacts/nothing")
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")


def test_every_file_with_its_size(api):
    package_id = onboard(api)
    listed = {file["path"]: file for file in api.get(f"/api/v1/packages/{package_id}/files").json()}
    assert list(listed) == sorted(listed)
    assert set(listed) == {*vsr_files(), "images/vsr-placeholder.qcow2"}
    nested = vsr_files()["nested/data_path.yaml"]
    assert listed["nested/data_path.yaml"] == {
        "path": "nested/data_path.yaml",
        "size": len(nested),
        "sha256": sha256(nested).hexdigest(),
    }
    empty = api.get(f"/api/v1/packages/{create(api)}/files")
    assert (empty.status_code, empty.json()["code"]) == (409, "PACKAGE_NOT_ONBOARDED")


@pytest.mark.parametrize(
    ("accept", "content_type"),
    [
        ("*/*", "text/yaml"),
        ("text/plain", "text/plain"),
        ("application/yaml", "application/yaml"),
        ("application/zip", "application/zip"),
    ],
)
def test_the_descriptor_by_accept(api, accept, content_type):
    vnfd_id = str(uuid4())
    answer = api.get(f"{URL}/{onboard(api, vnfd_id)}/vnfd", headers={"accept": accept})
    assert answer["Content-Type"] == content_type
    if accept == "application/zip":
        names = zipfile.ZipFile(io.BytesIO(answer.content)).namelist()
        assert {"vnfd.yaml", "base.yaml", "base.env", "nested/data_path.yaml"} <= set(names)
    else:
        assert f"vnfdId: {vnfd_id}" in answer.content.decode()


def test_a_descriptor_that_cannot_be_accepted(api):
    answer = api.get(f"{URL}/{onboard(api)}/vnfd", headers={"accept": "image/png"})
    assert (answer.status_code, answer.json()["code"]) == (406, "NOT_ACCEPTABLE")


def test_multipart(api):
    package_id = create(api)
    file = SimpleUploadedFile("vsr.zip", vsr_zip(str(uuid4())), content_type="application/zip")
    assert api.put(f"{URL}/{package_id}/package_content", {"file": file}, format="multipart").status_code == 202
    assert VnfPackage.objects.get(id=package_id).onboarding_state == "ONBOARDED"


@pytest.mark.parametrize(("field", "code"), [("vnfd", "FILE_MISSING"), ("text", "FILE_EXPECTED")])
def test_multipart_without_a_file(api, field, code):
    answer = api.put(f"{URL}/{create(api)}/package_content", {field: "x"}, format="multipart")
    assert (answer.status_code, answer.json()["code"]) == (400, code)


def test_another_media_type(api):
    answer = put(api, create(api), b"x", "application/x-tar")
    assert answer.status_code == 415
    assert answer["Content-Type"] == "application/problem+json"
    gzip = put(api, create(api), b"\x1f\x8b\x08", "application/gzip").json()
    assert gzip["detail"] == "A package is no application/gzip: it is a zip, or the files of a form."
    assert "Unpack it, and zip its files. Send a zip as application/zip" in str(gzip)


@pytest.mark.parametrize(
    ("content", "status", "code"),
    [
        (lambda: b"not a zip", 422, "NOT_A_ZIP"),
        (lambda: zipped({"../evil": b"x"}), 422, "ZIP_REFUSED"),
        (lambda: zipped(with_manifest(vsr_files()) | {"more": b"x"}), 422, "MANIFEST_MISMATCH"),
        (lambda: zipped(with_manifest(vsr_files() | {"vnfd.yaml": b"a: ["})), 422, "YAML_INVALID"),
        (lambda: zipped(edited("vnfd.yaml", lambda d: d.pop("vdus"))), 422, "VNFD_INVALID"),
        (lambda: zipped(edited("base.yaml", lambda d: d.pop("heat_template_version"))), 422, "HOT_INVALID"),
    ],
)
def test_a_refused_package_leaves_nothing_but_the_reason(api, artifacts, content, status, code):
    package_id = create(api)
    answer = put(api, package_id, content())
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (status, code)
    assert problem["detail"]
    assert problem["nextStep"]
    assert [each for each in problem["errors"] if "#" not in each["field"]] == []
    assert bool(problem["errors"]) is (code != "NOT_A_ZIP")
    view = api.get(f"{URL}/{package_id}").json()
    assert view["onboardingState"] == "ERROR"
    assert view["onboardingFailureDetails"] == problem
    assert "vnfdId" not in view
    assert objects(artifacts) == set()
    assert list((artifacts / "onboarding").iterdir()) == []
    assert not PackageFile.objects.filter(package_id=package_id).exists()


@OWN_TRANSACTIONS
def test_after_a_refusal_the_same_package_can_be_filled(api):
    package_id = create(api)
    put(api, package_id, b"not a zip")
    assert put(api, package_id, vsr_zip(str(uuid4()))).status_code == 202
    assert "onboardingFailureDetails" not in api.get(f"{URL}/{package_id}").json()


def test_too_large(api, settings, artifacts):
    settings.PACKAGE_MAX_BYTES = 1000
    answer = put(api, create(api), vsr_zip())
    assert (answer.status_code, answer.json()["code"]) == (413, "PACKAGE_TOO_LARGE")
    assert objects(artifacts) == set()


def test_a_vnfd_is_onboarded_once(api):
    vnfd_id = str(uuid4())
    first, second = onboard(api, vnfd_id), create(api)
    answer = put(api, second, vsr_zip(vnfd_id))
    assert (answer.status_code, answer.json()["code"]) == (409, "VNFD_ALREADY_ONBOARDED")
    assert answer.json()["packageId"] == first
    assert api.get(f"{URL}/{second}").json()["onboardingFailureDetails"]["code"] == "VNFD_ALREADY_ONBOARDED"


def test_two_uploads_at_once(api):
    package_id = create(api)
    with lease.hold(f"package:{package_id}") as held:
        assert held
        answer = put(api, package_id, vsr_zip(str(uuid4())))
    assert (answer.status_code, answer.json()["code"]) == (409, "UPLOAD_RUNNING")


def test_modify(api):
    package_id = onboard(api)
    answer = api.patch(
        f"{URL}/{package_id}",
        json.dumps({"operationalState": "DISABLED", "userDefinedData": {"a": 1}}),
        content_type="application/merge-patch+json",
        headers={"if-match": '"4"'},
    )
    assert answer.status_code == 200
    assert answer.json() == {"operationalState": "DISABLED", "userDefinedData": {"a": 1}}
    assert answer["ETag"] == '"5"'
    api.patch(f"{URL}/{package_id}", {"userDefinedData": {"a": None, "b": 2}}, format="json")
    view = api.get(f"{URL}/{package_id}").json()
    assert view["userDefinedData"] == {"b": 2}
    assert view["operationalState"] == "DISABLED"


def test_modify_after_another_change(api):
    answer = api.patch(
        f"{URL}/{onboard(api)}", {"operationalState": "DISABLED"}, format="json", headers={"if-match": '"1"'}
    )
    assert answer.status_code == 412


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({}, 400),
        ({"operationalState": "ON"}, 400),
        ({"operationalState": "ENABLED"}, 409),
        ({"userDefinedData": 1}, 400),
    ],
)
def test_modifications_that_make_no_sense(api, change, status):
    assert api.patch(f"{URL}/{create(api)}", change, format="json").status_code == status


def test_packages_are_filtered_by_use_checksum_and_user_data(api):
    first, second = onboard(api), create(api)
    api.patch(f"{URL}/{second}", {"userDefinedData": {"site": "Ulm"}}, format="json")
    checksum = api.get(f"{URL}/{first}").json()["checksum"]["hash"]
    for expression, expected in (
        (f"(eq,checksum/hash,{checksum})", [first]),
        ("(eq,userDefinedData/site,Ulm)", [second]),
        ("(eq,usageState,NOT_IN_USE)", [first, second]),
        ("(eq,usageState,IN_USE)", []),
    ):
        assert [row["id"] for row in api.get(URL, {"filter": expression}).json()] == expected, expression


def test_a_package_that_is_enabled_cannot_be_enabled(api):
    path = f"{URL}/{onboard(api)}"
    for state in ("ENABLED", "DISABLED"):
        if state == "DISABLED":
            assert api.patch(path, {"operationalState": state}, format="json").status_code == 200
        again = api.patch(path, {"operationalState": state}, format="json")
        assert (again.status_code, again.json()["code"]) == (409, "SAME_STATE")


def test_user_data_is_bounded(api):
    answer = api.post(URL, {"userDefinedData": {"a": "x" * 100_000}}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "USER_DATA_TOO_LARGE")


def test_an_enabled_package_is_not_deleted(api):
    answer = api.delete(f"{URL}/{onboard(api)}")
    assert (answer.status_code, answer.json()["code"]) == (409, "PACKAGE_ENABLED")


def test_a_package_in_use_is_not_deleted_and_says_by_whom(api):
    package_id = onboard(api)
    make_instance(package=VnfPackage.objects.get(id=package_id), name="edge-1")
    api.patch(f"{URL}/{package_id}", {"operationalState": "DISABLED"}, format="json")
    assert api.get(f"{URL}/{package_id}").json()["usageState"] == "IN_USE"
    answer = api.delete(f"{URL}/{package_id}")
    assert (answer.status_code, answer.json()["code"]) == (409, "PACKAGE_IN_USE")
    assert "edge-1" in answer.json()["detail"]
    assert api.get(f"{URL}/{package_id}/vnfd").status_code == 200


def test_files_go_with_the_last_package_that_has_them(api, artifacts):
    first, second = onboard(api), onboard(api)
    api.patch(f"{URL}/{first}", {"operationalState": "DISABLED"}, format="json")
    api.patch(f"{URL}/{second}", {"operationalState": "DISABLED"}, format="json")
    assert api.delete(f"{URL}/{first}").status_code == 204
    assert api.get(f"{URL}/{first}").status_code == 404
    assert objects(artifacts) == {
        *PackageFile.objects.filter(package_id=second).values_list("sha256", flat=True),
        VnfPackage.objects.get(id=second).checksum_sha256,
    }
    assert api.get(f"{URL}/{second}/vnfd").status_code == 200
    assert api.delete(f"{URL}/{second}").status_code == 204
    assert objects(artifacts) == set()


def test_a_file_that_the_store_has_lost(api):
    package_id = onboard(api)
    store.remove(PackageFile.objects.get(package_id=package_id, path="vnfd.yaml").sha256)
    answer = api.get(f"{URL}/{package_id}/vnfd")
    assert (answer.status_code, answer.json()["code"]) == (500, "ARTIFACT_LOST")


def test_lists_leave_out_large_attributes_by_default(api):
    package_id = onboard(api)
    (light,) = api.get(URL).json()
    assert "softwareImages" not in light
    assert "checksum" not in light
    (heavy,) = api.get(URL + "?all_fields").json()
    assert heavy == api.get(f"{URL}/{package_id}").json()
    (some,) = api.get(URL + "?fields=checksum,softwareImages/id").json()
    assert {"checksum", "softwareImages", "id", "_links"} <= set(some)
    assert "vnfProvider" not in some
    (others,) = api.get(URL + "?exclude_fields=checksum").json()
    assert "checksum" not in others
    assert "softwareImages" in others


def test_filter_and_pages(api, monkeypatch):
    onboarded, empty = onboard(api), create(api)
    assert [p["id"] for p in api.get(URL + "?filter=(eq,onboardingState,CREATED)").json()] == [empty]
    assert [p["id"] for p in api.get(URL + "?filter=(cont,vnfProductName,vsr)").json()] == [onboarded]
    assert api.get(URL + "?filter=(eq,nothing,x)").status_code == 400
    shown = api.get(f"{URL}/{onboarded}").json()
    artifact, image = shown["additionalArtifacts"][0], shown["softwareImages"][0]["imagePath"]
    digest = artifact["checksum"]["hash"]
    clauses = f"(eq,additionalArtifacts/artifactPath,'{artifact['artifactPath']}')"
    assert len(api.get(f"{URL}?filter={clauses};(eq,additionalArtifacts/checksum/hash,{digest})").json()) == 1
    assert api.get(f"{URL}?filter={clauses};(eq,additionalArtifacts/checksum/hash,0)").json() == []
    for other in (image, "vnfd.yaml"):
        assert api.get(f"{URL}?filter=(eq,additionalArtifacts/artifactPath,'{other}')").json() == []


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_viewers_look_but_do_not_touch(viewer_api, method):
    package = VnfPackage.objects.create()
    assert viewer_api.get(f"{URL}/{package.id}").status_code == 200
    url = {"post": URL, "put": f"{URL}/{package.id}/package_content"}.get(method, f"{URL}/{package.id}")
    assert getattr(viewer_api, method)(url, {}, format="multipart" if method == "put" else "json").status_code == 403


def test_operators_onboard(operator_api):
    onboard(operator_api)


def test_strangers_are_refused(anonymous_api):
    assert anonymous_api.get(URL).status_code == 401


def test_the_shipped_folder_is_where_settings_say():
    assert SHIPPED.is_relative_to(settings.CATALOG_DIR)
