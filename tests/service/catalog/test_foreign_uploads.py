"""Uploads as people have them: several roots, names with spaces, zips of a desktop."""

import io
import zipfile
from hashlib import sha256

import pytest

from tests.factories.csars import csar_files
from tests.factories.packages import SHIPPED, shipped_files, zipped
from tests.factories.templates import HOT
from vnfm.catalog.domain.manifest import NAME, manifest_text
from vnfm.catalog.models import PackageOnboarding
from vnfm.catalog.reconcilers import onboarding as reconciler
from vnfm.catalog.selectors import package_get, vnfd_of
from vnfm.catalog.services import onboarding

pytestmark = pytest.mark.django_db
PACKAGES, VALIDATE, DERIVE = "/vnfpkgm/v1/vnf_packages", "/api/v1/packages/validate", "/api/v1/packages/derive"
VM = HOT + "resources: {%s: {type: OS::Nova::Server, properties: {flavor: m1.tiny, image: x, networks: []}}}\n"
TWO = {
    "edge.yaml": VM % "edge",
    "core.yaml": VM % "core",
    "core.env": "parameters: {}\n",
    "edge.env": "parameters: {}\n",
}


@pytest.fixture(autouse=True)
def artifacts(settings, tmp_path):
    settings.ARTIFACTS_DIR = tmp_path / "artifacts"


def posted(api, url, files):
    return api.generic("POST", url, zipped(files), content_type="application/zip").json()


def onboarded(api, data, query=""):
    package_id = api.post(PACKAGES, {}, format="json").json()["id"]
    url = f"{PACKAGES}/{package_id}/package_content{query}"
    answer = api.generic("PUT", url, data, content_type="application/zip")
    assert answer.status_code == 202, answer.content
    return package_get(package_id=package_id)


def test_an_unclear_root_is_chosen(api):
    report = posted(api, VALIDATE, TWO)
    assert (report["valid"], report["rootCandidates"]) == (False, ["core.yaml", "edge.yaml"])
    assert report["validationReport"][0]["code"] == "ROOT_UNCLEAR"
    chosen = posted(api, f"{VALIDATE}?root=core.yaml", TWO)
    assert (chosen["valid"], chosen["rootCandidates"]) == (True, ["core.yaml", "edge.yaml"])
    assert "template: core.yaml" in posted(api, f"{DERIVE}?root=core.yaml", TWO)["vnfd"]
    core, edge = (vnfd_of(onboarded(api, zipped(TWO), f"?root={root}.yaml")) for root in ("core", "edge"))
    assert [vdu.id for vdu in (*core.vdus, *edge.vdus)] == ["core", "edge"]
    assert core.vnfd_id != edge.vnfd_id, "two VNFs of the same files"


def test_a_clear_root_offers_no_choice(api):
    assert posted(api, VALIDATE, {"edge.yaml": VM % "edge"})["rootCandidates"] == []


def test_the_choice_reaches_the_worker(api, monkeypatch):
    monkeypatch.setattr(onboarding, "SMALL_BYTES", 0)
    package = onboarded(api, zipped(TWO), "?root=core.yaml")
    assert PackageOnboarding.objects.get().root == "core.yaml"
    reconciler.onboard(package.id)
    package.refresh_from_db()
    assert package.onboarding_state == "ONBOARDED"
    assert vnfd_of(package).hot_template == "core.yaml"


def test_an_edited_descriptor_names_the_root(api):
    files = {"edge.yaml": VM % "edge", "core.yaml": VM % "core"}
    vnfd = posted(api, f"{DERIVE}?root=edge.yaml", files)["vnfd"]
    parts = {"file": io.BytesIO(zipped(files)), "vnfd": vnfd.replace("provider: Unknown", "provider: Acme")}
    parts["file"].name = "x.zip"
    report = api.post(VALIDATE, parts, format="multipart").json()
    assert report["valid"], report
    assert report["vnfd"]["provider"] == "Acme"


def test_names_with_spaces_and_other_letters(api):
    files = {
        "my router/base of it.yaml": HOT + "resources: {r: {type: one más.yaml}}\n",
        "my router/one más.yaml": VM % "vm",
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    package = onboarded(api, buffer.getvalue())
    vnfd = vnfd_of(package)
    assert vnfd.hot_template == "my router/base of it.yaml"
    assert dict(vnfd.hot_files) == {"one más.yaml": "my router/one más.yaml"}
    answer = api.get(f"{PACKAGES}/{package.id}/artifacts/my%20router/one%20m%C3%A1s.yaml")
    assert answer.status_code == 200


def test_files_of_a_desktop_are_left_out_of_a_zip(api):
    junk = {
        "__MACOSX/._edge.yaml": b"\0\5\x16\7",
        "__MACOSX/in/._x.env": b"\0",
        "._edge.yaml": b"\0",
        ".DS_Store": b"\0Bud1",
    }
    package = onboarded(api, zipped({"edge.yaml": VM % "edge", **junk, "Thumbs.db": b"\xd0\xcf"}))
    assert {file.path for file in package.files.all()} == {"edge.yaml", "edge.env", "vnfd.yaml"}


def test_a_file_in_the_packages_own_manifest_stays(api):
    files = {**shipped_files(SHIPPED), "Thumbs.db": b"\xd0\xcf"}
    assert posted(api, VALIDATE, files)["valid"], "what the manifest does not name is left out"
    files[NAME] = manifest_text({path: sha256(data).hexdigest() for path, data in files.items()}).encode()
    assert posted(api, VALIDATE, files)["valid"]


@pytest.mark.parametrize(("root", "code"), [("x" * 301, "ROOT_INVALID"), ("a%00b", "INVALID_REQUEST")])
def test_a_root_that_is_no_path_is_refused(api, root, code):
    answer = api.generic("POST", f"{VALIDATE}?root={root}", zipped(TWO), content_type="application/zip")
    assert (answer.status_code, answer.json()["code"]) == (400, code)


def test_two_files_of_one_name_are_refused(api):
    files = [io.BytesIO(text.encode()) for text in TWO.values()][:2]
    for file in files:
        file.name = "edge.yaml"
    answer = api.post(VALIDATE, {"files": files}, format="multipart")
    assert (answer.status_code, answer.json()["code"]) == (400, "FILE_TWICE")


@pytest.mark.parametrize("path", [VALIDATE, "/api/v1/packages/derive"])
def test_a_part_that_is_text_is_refused(api, path):
    file = io.BytesIO(TWO["edge.yaml"].encode())
    file.name = "edge.yaml"
    answer = api.post(path, {"files": [file], "vndf": "product: a"}, format="multipart")
    assert (answer.status_code, answer.json()["code"]) == (400, "FILE_EXPECTED")
    assert "these are text: vndf." in answer.json()["detail"]


def test_two_descriptors_are_refused(api):
    file = io.BytesIO(TWO["edge.yaml"].encode())
    file.name = "edge.yaml"
    answer = api.post(VALIDATE, {"files": [file], "vnfd": ["product: a", "product: b"]}, format="multipart")
    assert (answer.status_code, answer.json()["code"]) == (400, "FILE_TWICE")


def test_a_csar_of_a_desktop(api):
    files = {**csar_files("cbam"), "__MACOSX/hot/._cache.one.yaml": b"\0", "hot/.DS_Store": b"\0"}
    assert posted(api, VALIDATE, files)["valid"]


def test_missing_files_are_named(api):
    root = HOT + "resources: {a: {type: a.yaml}, b: {type: in/b.yaml, properties: {x: {get_file: init.sh}}}}\n"
    report = posted(api, VALIDATE, {"base.yaml": root})
    assert (report["valid"], report["missingFiles"]) == (False, ["a.yaml", "in/b.yaml", "init.sh"])
    (first, *_) = report["validationReport"]
    assert (first["code"], first["message"]) == (
        "FILE_MISSING",
        "The package has no file 'a.yaml'. Send it with the others, under this path.",
    )
    assert posted(api, VALIDATE, {"base.yaml": VM % "vm"})["missingFiles"] == []


def test_blank_defaults_are_required_settings(api):
    card = HOT + (
        "parameters: {image: {type: string}, chassis: {type: string}}\n"
        "resources: {vm: {type: OS::Nova::Server, properties: {flavor: m1.tiny, image: {get_param: image}, "
        "metadata: {chassis: {get_param: chassis}}, networks: []}}}\n"
    )
    files = {
        "base.yaml": HOT + "resources: {card: {type: card.yaml}}\n",
        "base.env": "parameter_defaults:\n  image:\n  chassis:\n",
        "card.yaml": card,
    }
    report = posted(api, VALIDATE, files)
    assert report["valid"], report["validationReport"]
    settings = {s["name"]: s["required"] for s in report["vnfd"]["settings"]}
    assert settings == {"image": True, "chassis": True}
    assert report["vnfd"]["vdus"][0]["imageParameter"] == "image"
