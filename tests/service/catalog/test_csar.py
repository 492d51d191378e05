"""SOL004 CSARs over the API: in, with or without a signature, and out again."""

import io
import shutil
import zipfile
from hashlib import sha256

import pytest
from asgiref.sync import async_to_sync
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.factories.csars import MANIFEST, META, Signer, csar_files, signed_in_manifest, tacker_files
from tests.factories.packages import ROOT, SHIPPED, shipped_folders, shipped_zip, vsr_zip, zipped
from tests.support.yaml_text import load_yaml
from vnfm.catalog.artifacts.store import StagedFile
from vnfm.catalog.models import VnfPackage
from vnfm.catalog.selectors import package_get, text_of, vnfd_of
from vnfm.catalog.services.shipped import shipped_packages_onboard
from vnfm.catalog.services.signatures import signature_of
from vnfm.catalog.services.uploads import Envelope, Upload

pytestmark = pytest.mark.django_db
PACKAGES, VALIDATE, DERIVE = "/vnfpkgm/v1/vnf_packages", "/api/v1/packages/validate", "/api/v1/packages/derive"


@pytest.fixture(autouse=True)
def folders(settings, tmp_path):
    settings.ARTIFACTS_DIR = tmp_path / "artifacts"
    settings.PACKAGE_CERTIFICATES_DIR = tmp_path / "certificates"
    settings.PACKAGE_CERTIFICATES_DIR.mkdir()


@pytest.fixture(scope="module")
def maker():
    """A signer with a valid certificate."""
    return Signer("Example Networks", days=(-20_000, 20_000))


@pytest.fixture
def trusted(settings, maker):
    (settings.PACKAGE_CERTIFICATES_DIR / "example.pem").write_bytes(maker.pem)


def onboarded(api, data):
    package_id = api.post(PACKAGES, {}, format="json").json()["id"]
    url = f"{PACKAGES}/{package_id}/package_content"
    return package_id, api.generic("PUT", url, data, content_type="application/zip")


def package_info(api, package_id):
    return api.get(f"{PACKAGES}/{package_id}").json()


def csar_of(api, package_id):
    answer = api.get(f"/api/v1/packages/{package_id}/csar")
    assert answer.status_code == 200

    async def read_all():
        return [chunk async for chunk in answer.streaming_content]

    return b"".join(async_to_sync(read_all)())


def remove(api, package_id):
    api.patch(f"{PACKAGES}/{package_id}", {"operationalState": "DISABLED"}, format="json")
    assert api.delete(f"{PACKAGES}/{package_id}").status_code == 204


def files_of(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_a_csar_becomes_a_package(api):
    package_id, answer = onboarded(api, zipped(tacker_files()))
    assert answer.status_code == 202, answer.content
    view = package_info(api, package_id)
    assert (view["onboardingState"], view["vnfProductName"]) == ("ONBOARDED", "Edge Firewall")
    assert view["signature"] == {"state": "UNSIGNED", "reason": ""}
    assert "packageSecurityOption" not in view
    paths = {artifact["artifactPath"] for artifact in view["additionalArtifacts"]}
    assert {"TOSCA-Metadata/TOSCA.meta", MANIFEST, "BaseHOT/simple/edge_hot-flat.yaml"} <= paths
    report = api.get(f"/api/v1/packages/{package_id}/validation").json()["validationReport"]
    assert {"SOL001_POLICY", "SOL001_SCRIPT", "CSAR_FLATTENED"} <= {finding["code"] for finding in report}
    vnfd = load_yaml(text_of(package=package_get(package_id=package_id), path="vnfd.yaml"))
    assert vnfd["flavours"][0]["aspects"][0]["id"] == "throughput"


def test_the_vnfd_of_a_csar_is_its_tosca_definitions(api):
    files = tacker_files()
    package_id, _ = onboarded(api, zipped(files))
    answer = api.get(f"{PACKAGES}/{package_id}/vnfd", headers={"accept": "application/zip"})
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        found = {name: archive.read(name) for name in archive.namelist()}
    assert META in found
    assert len(found) > 2
    assert found == {path: files[path] for path in found}
    assert all(path == META or b"tosca_definitions_version" in data for path, data in found.items())
    text = api.get(f"{PACKAGES}/{package_id}/vnfd", headers={"accept": "text/plain"})
    assert (text.status_code, text.json()["nextStep"]) == (406, "Accept application/zip.")
    assert api.get(f"{PACKAGES}/{package_id}/vnfd")["Content-Type"] == "application/zip"


def test_the_vnfd_of_an_exported_package_that_comes_back_is_tosca(api):
    """Its stored files are those of the package; its definitions are in the zip alone."""
    package_id, _ = onboarded(api, vsr_zip())
    exported = csar_of(api, package_id)
    assert api.patch(f"{PACKAGES}/{package_id}", {"operationalState": "DISABLED"}, format="json").status_code == 200
    assert api.delete(f"{PACKAGES}/{package_id}").status_code == 204
    package_id, _ = onboarded(api, exported)
    assert api.get(f"{PACKAGES}/{package_id}/vnfd", headers={"accept": "text/plain"}).status_code == 406
    answer = api.get(f"{PACKAGES}/{package_id}/vnfd", headers={"accept": "application/zip"})
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive, zipfile.ZipFile(io.BytesIO(exported)) as whole:
        found = {name: archive.read(name) for name in archive.namelist()}
        assert found == {name: whole.read(name) for name in found}
    assert META in found
    assert {name.partition("/")[0] for name in found} == {"Definitions", "TOSCA-Metadata"}
    assert len(found) > 2


def test_a_csar_goes_as_it_came(api):
    data = zipped(tacker_files())
    package_id, _ = onboarded(api, data)
    assert csar_of(api, package_id) == data


def without_meta():
    """The layout is that of SOL004 clause 4.1.3."""
    return {path: data for path, data in csar_files("cbam").items() if path != META}


def test_a_csar_without_tosca_meta_goes_as_it_came(api):
    data = zipped(without_meta())
    package_id, _ = onboarded(api, data)
    assert package_info(api, package_id)["vnfProductName"] == "Cache"
    assert csar_of(api, package_id) == data


def test_an_export_that_was_signed_goes_as_it_came(api, maker):
    package_id, _ = onboarded(api, vsr_zip())
    files = files_of(csar_of(api, package_id))
    (listing,) = [path for path in files if path.endswith(".mf")]
    data = zipped({**files, listing.replace(".mf", ".cms"): maker.sign(files[listing])})
    remove(api, package_id)
    package_id, answer = onboarded(api, data)
    assert answer.status_code == 202, answer.content
    assert csar_of(api, package_id) == data


@pytest.mark.parametrize("made", [tacker_files, without_meta])
def test_an_export_contains_the_descriptor_that_was_sent_separately(api, made):
    data = zipped(made())
    vnfd = api.generic("POST", DERIVE, data, content_type="application/zip").json()["vnfd"]
    package_id = api.post(PACKAGES, {}, format="json").json()["id"]
    parts = {"file": SimpleUploadedFile("x.csar", data), "vnfd": vnfd.replace("Example Networks", "Acme")}
    assert api.put(f"{PACKAGES}/{package_id}/package_content", parts, format="multipart").status_code == 202
    before = package_get(package_id=package_id).vnfd
    gone = csar_of(api, package_id)
    assert files_of(gone).keys() >= files_of(data).keys()
    remove(api, package_id)
    again, answer = onboarded(api, gone)
    assert answer.status_code == 202, answer.content
    assert package_info(api, again)["vnfProvider"] == "Acme"
    assert package_get(package_id=again).vnfd == before


def test_a_csar_is_previewed_before_onboarding(api):
    data = zipped(csar_files("cbam"))
    report = api.generic("POST", VALIDATE, data, content_type="application/zip").json()
    assert report["valid"], report
    derived = api.generic("POST", DERIVE, data, content_type="application/zip").json()
    assert "productName: Cache" in derived["vnfd"]


def test_all_shipped_packages_there_and_back(api):
    """Onboarded, exported, deleted, and onboarded again from the export: the same in all that counts."""
    shipped_packages_onboard(catalog_dir=ROOT / "catalog")
    packages = list(VnfPackage.objects.all())
    assert len(packages) == len(shipped_folders()) == 9
    for package in packages:
        before = _essence(package)
        data = csar_of(api, package.id)
        assert csar_of(api, package.id) == data
        remove(api, package.id)
        again, answer = onboarded(api, data)
        assert answer.status_code == 202, answer.content
        assert _essence(package_get(package_id=again)) == before
        report = api.get(f"/api/v1/packages/{again}/validation").json()["validationReport"]
        assert not [finding for finding in report if finding["code"].startswith(("CSAR", "SOL001"))]


def _essence(package):
    return vnfd_of(package), package.vnfd, sorted(package.files.values_list("path", "sha256", "size"))


def test_a_derived_package_there_and_back(api):
    from tests.factories.templates import fixture_files

    package_id, answer = onboarded(api, zipped(fixture_files("vmx")))
    assert answer.status_code == 202, answer.content
    before = _essence(package_get(package_id=package_id))
    data = csar_of(api, package_id)
    remove(api, package_id)
    again, answer = onboarded(api, data)
    assert answer.status_code == 202, answer.content
    assert _essence(package_get(package_id=again)) == before


def test_an_export_that_was_tampered_with(api):
    package_id, _ = onboarded(api, vsr_zip())
    files = files_of(csar_of(api, package_id))
    files["base.yaml"] += b"# more\n"
    _, answer = onboarded(api, zipped(files))
    assert (answer.status_code, answer.json()["code"]) == (422, "CSAR_INVALID")
    assert "base.yaml: its SHA-256 is" in answer.json()["detail"]


@pytest.mark.usefixtures("trusted")
def test_signed_in_the_manifest(api, maker):
    package_id, answer = onboarded(api, zipped(signed_in_manifest(tacker_files(), maker)))
    assert answer.status_code == 202, answer.content
    view = package_info(api, package_id)
    assert view["packageSecurityOption"] == "OPTION_1"
    assert view["signingCertificate"].encode() == maker.pem
    assert view["signature"]["state"] == "VALID"
    assert view["signature"]["subject"] == "CN=Example Networks"
    assert view["signature"]["serialNumber"] == f"{maker.certificate.serial_number:x}"


@pytest.mark.usefixtures("trusted")
def test_a_signature_in_a_file_of_its_own(api, maker):
    files = tacker_files()
    files |= {"edge.cms": maker.sign(files[MANIFEST])}
    package_id, _ = onboarded(api, zipped(files))
    assert package_info(api, package_id)["signature"]["state"] == "VALID"


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize("inner", ["csar", "ours"])
def test_signed_as_a_whole(api, maker, inner):
    data = zipped(tacker_files()) if inner == "csar" else vsr_zip()
    outer = zipped({"edge.csar": data, "edge.cms": maker.sign(data), "edge.cert": maker.pem})
    package_id, answer = onboarded(api, outer)
    assert answer.status_code == 202, answer.content
    view = package_info(api, package_id)
    assert (view["packageSecurityOption"], view["signature"]["state"]) == ("OPTION_2", "VALID")


@pytest.mark.usefixtures("trusted")
def test_a_package_of_gigabytes_is_not_read_again_for_its_sha_256(maker, tmp_path):
    data = b"a package, hashed while it was unpacked"
    gone = StagedFile(tmp_path / "gone", sha256(data).hexdigest(), len(data))
    upload = Upload(gone, {}, Envelope(gone, maker.sign(data), b""))
    assert signature_of(upload, None).state == "VALID"


def test_an_unknown_signer(api, maker):
    package_id, answer = onboarded(api, zipped(signed_in_manifest(tacker_files(), maker)))
    assert answer.status_code == 202
    assert package_info(api, package_id)["signature"]["state"] == "UNKNOWN_SIGNER"
    report = api.get(f"/api/v1/packages/{package_id}/validation").json()["validationReport"]
    (finding,) = [finding for finding in report if finding["code"] == "SIGNATURE_UNKNOWN"]
    assert "the certificate store is empty" in finding["message"]


def test_an_export_by_an_unknown_signer(api, maker):
    package_id, _ = onboarded(api, vsr_zip())
    data = csar_of(api, package_id)
    assert api.patch(f"{PACKAGES}/{package_id}", {"operationalState": "DISABLED"}, format="json").status_code == 200
    assert api.delete(f"{PACKAGES}/{package_id}").status_code == 204
    outer = zipped({"router.csar": data, "router.p7s": maker.sign(data)})
    report = api.generic("POST", VALIDATE, outer, content_type="application/zip").json()
    assert report["valid"]
    assert "SIGNATURE_UNKNOWN" in {finding["code"] for finding in report["validationReport"]}


def _other_content(maker):
    files = tacker_files()
    return zipped({**files, "edge.cms": maker.sign(b"other")})


def _other_package(maker):
    return zipped({"edge.csar": zipped(tacker_files()), "edge.cms": maker.sign(zipped(csar_files("cbam")))})


def _smuggled(maker):
    return zipped({**signed_in_manifest(tacker_files(), maker), "BaseHOT/simple/more.sh": b"#!/bin/sh"})


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize(
    ("made", "words"),
    [(_other_content, "other content"), (_other_package, "other content"), (_smuggled, "gives no digest of BaseHOT")],
)
def test_a_signature_that_is_wrong_is_refused(api, maker, made, words):
    data = made(maker)
    _, answer = onboarded(api, data)
    assert (answer.status_code, answer.json()["code"]) == (422, "SIGNATURE_INVALID")
    assert words in answer.json()["detail"]
    report = api.generic("POST", VALIDATE, data, content_type="application/zip").json()
    assert [finding["code"] for finding in report["validationReport"]] == ["SIGNATURE_INVALID"]


@pytest.mark.parametrize("kind", ["plain", "csar", "unknown"])
def test_unsigned_packages_are_refused_where_signatures_are_required(api, settings, maker, kind):
    settings.PACKAGE_SIGNATURES = "signed"
    data = {
        "plain": shipped_zip,
        "csar": lambda: zipped(tacker_files()),
        "unknown": lambda: zipped(signed_in_manifest(tacker_files(), maker)),
    }[kind]()
    _, answer = onboarded(api, data)
    assert (answer.status_code, answer.json()["code"]) == (422, "SIGNATURE_REQUIRED")
    report = api.generic("POST", VALIDATE, data, content_type="application/zip").json()
    assert not report["valid"]


@pytest.mark.usefixtures("trusted")
def test_signed_packages_are_accepted_where_signatures_are_required(api, settings, maker):
    settings.PACKAGE_SIGNATURES = "signed"
    _, answer = onboarded(api, zipped(signed_in_manifest(tacker_files(), maker)))
    assert answer.status_code == 202, answer.content


def _signed_whole(maker):
    data = zipped(tacker_files())
    return zipped({"edge.csar": data, "edge.cms": maker.sign(data)})


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize("made", [_signed_whole, lambda maker: zipped(signed_in_manifest(tacker_files(), maker))])
def test_no_signature_covers_a_descriptor_that_is_sent_separately(api, settings, maker, made):
    data = made(maker)
    vnfd = api.generic("POST", DERIVE, data, content_type="application/zip").json()["vnfd"]

    def sent(url, method):
        parts = {"file": SimpleUploadedFile("edge.zip", data), "vnfd": vnfd.replace("Example Networks", "Mallory")}
        return getattr(api, method)(url, parts, format="multipart")

    package_id = api.post(PACKAGES, {}, format="json").json()["id"]
    assert sent(f"{PACKAGES}/{package_id}/package_content", "put").status_code == 202
    view = package_info(api, package_id)
    assert view["vnfProvider"] == "Mallory"
    assert view["signature"]["state"] == "UNSIGNED"
    assert "does not cover it" in view["signature"]["reason"]
    assert "packageSecurityOption" not in view
    assert "signingCertificate" not in view
    settings.PACKAGE_SIGNATURES = "signed"
    package_id = api.post(PACKAGES, {}, format="json").json()["id"]
    answer = sent(f"{PACKAGES}/{package_id}/package_content", "put")
    assert (answer.status_code, answer.json()["code"]) == (422, "SIGNATURE_REQUIRED")
    assert "does not cover it" in answer.json()["detail"]
    assert not sent(VALIDATE, "post").json()["valid"]


def test_shipped_packages_need_no_signature(settings, tmp_path):
    settings.PACKAGE_SIGNATURES = "signed"
    shutil.copytree(SHIPPED, tmp_path / "catalog" / "nokia" / "vsr-pe" / "0.0.B2-4601")
    assert len(shipped_packages_onboard(catalog_dir=tmp_path / "catalog")) == 1


def test_a_certificate_that_cannot_be_read_is_no_certificate(api, settings, maker):
    (settings.PACKAGE_CERTIFICATES_DIR / "bad.pem").write_bytes(b"-----BEGIN CERTIFICATE-----\n!\n")
    package_id, _ = onboarded(api, zipped(signed_in_manifest(tacker_files(), maker)))
    assert package_info(api, package_id)["signature"]["state"] == "UNKNOWN_SIGNER"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"TOSCA-Metadata/TOSCA.meta": b"Entry-Definitions: ../../etc/passwd\n"}, "CSAR_INVALID"),
        ({MANIFEST: b"Source: http://evil.example/x\nAlgorithm: SHA-256\nHash: 00\n"}, "CSAR_INVALID"),
        ({"Definitions/edge_types.yaml": b"a: &a [*a]\n"}, "YAML_INVALID"),
    ],
)
def test_hostile_ones_are_refused(api, changes, code):
    files = {**tacker_files({p: d for p, d in changes.items() if p != MANIFEST}), **changes}
    _, answer = onboarded(api, zipped(files))
    assert answer.status_code == 422
    found = [answer.json()["code"], *(finding["code"] for finding in answer.json().get("validationReport", []))]
    assert code in found


def test_a_zip_within_a_signed_zip_that_blows_up(api, maker):
    bomb = zipped({"a.yaml": b"\0" * (30 * 1024 * 1024)})
    _, answer = onboarded(api, zipped({"x.csar": bomb, "x.cms": maker.sign(bomb)}))
    assert (answer.status_code, answer.json()["code"]) == (422, "ZIP_REFUSED")


def test_no_package_no_csar(api):
    package_id = api.post(PACKAGES, {}, format="json").json()["id"]
    assert api.get(f"/api/v1/packages/{package_id}/csar").status_code == 409
