"""Uploads looked at before, while and after they become packages: validation, derivation, plain Heat templates."""

import pytest
import yaml
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.factories.packages import edited, gateway_zip, vsr_files, vsr_zip, with_manifest, zipped
from tests.factories.templates import HOT, fixture_files
from tests.factories.vims import make_vim
from tests.support.yaml_text import load_yaml
from vnfm.catalog.models import PackageFile, VnfPackage

pytestmark = pytest.mark.django_db
VALIDATE, DERIVE, PACKAGES = "/api/v1/packages/validate", "/api/v1/packages/derive", "/vnfpkgm/v1/vnf_packages"


@pytest.fixture(autouse=True)
def artifacts(settings, tmp_path):
    settings.ARTIFACTS_DIR = tmp_path / "artifacts"
    return settings.ARTIFACTS_DIR


def post(api, url, data):
    response = api.generic("POST", url, data, content_type="application/zip")
    assert response.status_code == 200, response.content
    return response.json()


def form(files, **more):
    """The files one by one, each part named by its path."""
    return {**{path: SimpleUploadedFile(path.rpartition("/")[2], data) for path, data in files.items()}, **more}


def onboarded(api, data, content_type="application/zip"):
    package_id = api.post(PACKAGES, {}, format="json").json()["id"]
    url = f"{PACKAGES}/{package_id}/package_content"
    if isinstance(data, dict):
        return package_id, api.put(url, data, format="multipart")
    return package_id, api.generic("PUT", url, data, content_type=content_type)


def errors(report):
    return [finding for finding in report["validationReport"] if finding["severity"] == "error"]


def test_a_package_that_is_well(api, artifacts):
    report = post(api, VALIDATE, vsr_zip())
    assert report["valid"]
    assert errors(report) == []
    sizes = {(size["flavourId"], size["instantiationLevelId"]): size for size in report["quota"]}
    assert (sizes["default", "small"]["instances"], sizes["default", "small"]["vcpus"]) == (3, 12)
    assert not VnfPackage.objects.exists()
    assert list((artifacts / "staging").iterdir()) == []


def test_a_package_that_is_in_the_catalog_already_is_not_called_ready(api):
    package_id, response = onboarded(api, vsr_zip())
    assert response.status_code == 202
    report = post(api, VALIDATE, vsr_zip())
    assert (report["valid"], report["onboardedPackageId"]) == (False, package_id)
    assert [(found["code"], found["file"]) for found in errors(report)] == [("VNFD_ALREADY_ONBOARDED", "vnfd.yaml")]


def test_files_with_a_sparse_image_are_no_zip_bomb(api):
    files = vsr_files()
    report = api.post(VALIDATE, form({**files, "images/empty.raw": bytes(12 * 1024 * 1024)}), format="multipart").json()
    assert "validationReport" in report, report


def test_all_that_is_wrong_with_a_package_at_once(api):
    def break_it(data):
        data["resources"]["cpm_a"]["properties"]["flavour"] = "x"
        data["resources"]["cpm_b"]["properties"]["image"] = {"get_param": "imgae"}

    report = post(api, VALIDATE, zipped(edited("base.yaml", break_it)))
    assert not report["valid"]
    assert report["vnfd"] is None
    assert {finding["code"] for finding in errors(report)} == {"PROPERTY_UNKNOWN", "PARAMETER_UNKNOWN"}
    first = errors(report)[0]
    assert first["file"] == "base.yaml"
    assert first["line"] > 0
    assert first["pointer"].startswith("/resources/cpm_")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (lambda: zipped(with_manifest(vsr_files()) | {"more": b"x"}), "MANIFEST_MISMATCH"),
        (lambda: zipped(edited("vnfd.yaml", lambda d: d.pop("vdus"))), "VNFD_INVALID"),
        (lambda: zipped({"x.txt": b"x"}), "ROOT_UNCLEAR"),
    ],
)
def test_refusals_are_findings_too(api, data, code):
    report = post(api, VALIDATE, data())
    assert not report["valid"]
    assert errors(report)[0]["code"] == code


@pytest.mark.parametrize("url", [VALIDATE, DERIVE])
def test_invalid_uploads_are_refused(api, url):
    answer = api.generic("POST", url, b"no zip", content_type="application/zip")
    assert (answer.status_code, answer.json()["code"]) == (422, "NOT_A_ZIP")
    assert answer.json()["errors"] == []
    answer = api.post(url, {"vnfd": "x"}, format="multipart")
    assert (answer.status_code, answer.json()["code"]) == (400, "FILE_MISSING")


def test_files_one_by_one(api):
    report = api.post(VALIDATE, form(fixture_files("vmx")), format="multipart").json()
    assert report["valid"], errors(report)
    assert report["vnfd"]["vdus"], "what a form and a drawing of it are made from"


def test_a_part_s_name_is_no_way_out(api):
    answer = api.post(VALIDATE, form({"../../evil.yaml": HOT.encode(), "x.yaml": HOT.encode()}), format="multipart")
    assert (answer.status_code, answer.json()["code"]) == (422, "ZIP_REFUSED")


def test_against_a_cloud(api):
    files = {"x.yaml": (HOT.replace("2015-10-15", "2018-08-31") + "resources: {}\n").encode()}
    old = make_vim(name="old", versions={"hot": "2015-10-15"})
    new = make_vim(name="new", versions={"hot": "2021-04-16"})
    unknown = make_vim(name="unknown", versions={})
    severities = {}
    for vim in (old, new, unknown):
        report = post(api, f"{DERIVE}?vimId={vim.id}", zipped(files))
        severities[vim.name] = [f["severity"] for f in report["validationReport"] if f["code"] == "HOT_VERSION_NEWER"]
    assert severities == {"old": ["error"], "new": [], "unknown": ["warning"]}


@pytest.mark.parametrize("vim", ["nonsense", "5f0c1c2e-7c1d-4f0a-9a53-000000000000"])
def test_against_a_cloud_that_is_not_there(api, vim):
    answer = api.generic("POST", f"{DERIVE}?vimId={vim}", zipped({}), content_type="application/zip")
    assert answer.status_code in (400, 404)


def test_derivation(api):
    files = fixture_files("scaling")
    found = post(api, DERIVE, zipped(files))
    vnfd = load_yaml(found["vnfd"])
    assert [vdu["id"] for vdu in vnfd["vdus"]] == ["control", "line_cards"]
    assert [(file["path"], file["derived"]) for file in found["files"]] == [
        ("line_card.yaml", False),
        ("router.env", True),
        ("router.yaml", False),
    ]
    assert {"DERIVE_IDENTITY", "DERIVE_NEEDS"} <= {finding["code"] for finding in found["validationReport"]}
    assert not VnfPackage.objects.exists()


def test_plain_templates_become_a_package(api):
    package_id, answer = onboarded(api, zipped(fixture_files("vcpe")))
    assert answer.status_code == 202, answer.content
    view = api.get(f"{PACKAGES}/{package_id}").json()
    assert (view["onboardingState"], view["vnfProvider"], view["vnfProductName"]) == (
        "ONBOARDED",
        "Unknown",
        "vCPE-vGW",
    )
    assert "validationReport" not in view
    assert f"vnfdId: {view['vnfdId']}" in api.get(f"{PACKAGES}/{package_id}/vnfd").content.decode()
    report = api.get(f"/api/v1/packages/{package_id}/validation").json()
    assert report["valid"]
    assert {"PLACEHOLDER", "NIC_ORDER", "DERIVE_IDENTITY"} <= {
        finding["code"] for finding in report["validationReport"]
    }
    assert VnfPackage.objects.get(id=package_id).findings == report["validationReport"]


def test_the_same_upload_is_the_same_package(api):
    first, _ = onboarded(api, zipped(fixture_files("vfw")))
    _, answer = onboarded(api, form(fixture_files("vfw")))
    assert (answer.status_code, answer.json()["code"]) == (409, "VNFD_ALREADY_ONBOARDED")
    assert answer.json()["packageId"] == first


def test_an_edited_descriptor_takes_the_place_of_the_derived_one(api):
    files = fixture_files("scaling")
    vnfd = load_yaml(post(api, DERIVE, zipped(files))["vnfd"])
    vnfd |= {"provider": "Acme", "productName": "Router", "softwareVersion": "7.1"}
    package_id, answer = onboarded(api, form(files, vnfd=yaml.safe_dump(vnfd)))
    assert answer.status_code == 202, answer.content
    view = api.get(f"{PACKAGES}/{package_id}").json()
    assert (view["vnfProvider"], view["vnfProductName"]) == ("Acme", "Router")
    codes = {
        finding["code"] for finding in api.get(f"/api/v1/packages/{package_id}/validation").json()["validationReport"]
    }
    assert not any(code.startswith("DERIVE") for code in codes)


def test_a_zip_with_an_edited_descriptor(api):
    data = zipped(fixture_files("vfw"))
    vnfd = load_yaml(post(api, DERIVE, data)["vnfd"]) | {"provider": "Acme"}
    parts = {"file": SimpleUploadedFile("vfw.zip", data), "vnfd": yaml.safe_dump(vnfd)}
    package_id, answer = onboarded(api, parts)
    assert answer.status_code == 202, answer.content
    assert api.get(f"{PACKAGES}/{package_id}").json()["vnfProvider"] == "Acme"


def test_an_edited_descriptor_that_does_not_fit(api):
    data = zipped(fixture_files("vfw"))
    vnfd = load_yaml(post(api, DERIVE, data)["vnfd"])
    vnfd["vdus"][0]["flavorParameter"] = "flavour"
    parts = {"file": SimpleUploadedFile("vfw.zip", data), "vnfd": yaml.safe_dump(vnfd)}
    _, answer = onboarded(api, parts)
    assert (answer.status_code, answer.json()["code"]) == (422, "VNFD_INVALID")


def test_templates_that_are_wrong_are_refused_with_the_whole_report(api, artifacts):
    files = fixture_files("vfw")
    files["base_vfw.yaml"] = files["base_vfw.yaml"].replace(b"flavor: {get_param: flavor_name}", b"flavour: m1")
    package_id, answer = onboarded(api, zipped(files))
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (422, "HOT_INVALID")
    assert {finding["code"] for finding in errors(problem)} >= {"PROPERTY_UNKNOWN", "PROPERTY_MISSING"}
    assert problem["nextStep"]
    assert not PackageFile.objects.filter(package_id=package_id).exists()


def test_warnings_are_stored_with_the_package(api):
    package_id, _ = onboarded(api, gateway_zip())
    report = api.get(f"/api/v1/packages/{package_id}/validation").json()
    assert report["valid"]
    assert errors(report) == []


def test_an_empty_package_has_no_report(api):
    package_id = api.post(PACKAGES, {}, format="json").json()["id"]
    assert api.get(f"/api/v1/packages/{package_id}/validation").status_code == 409


@pytest.mark.parametrize("url", [VALIDATE, DERIVE])
def test_viewers_do_not_upload(viewer_api, url):
    assert viewer_api.generic("POST", url, zipped({}), content_type="application/zip").status_code == 403
