"""Files that templates name by URLs: fetched only if that is allowed, and then part of the package."""

from hashlib import sha256
from ipaddress import ip_network
from urllib.parse import urlencode

import pytest

from tests.factories.packages import vsr_files, with_manifest, zipped
from tests.factories.templates import HOT
from tests.support.package_source import PackageSource, announcing, endless, hanging, redirecting, serving, status
from vnfm.catalog.domain.errors import PackageError
from vnfm.catalog.domain.findings import Finding
from vnfm.catalog.domain.hot.external_files import stored_path
from vnfm.catalog.models import PackageFile, PackageOnboarding
from vnfm.catalog.reconcilers import onboarding as reconciler
from vnfm.catalog.reconcilers.package_fetch import FileFetcher
from vnfm.catalog.selectors import hot_bundle, package_get, vnfd_of
from vnfm.catalog.services.csar_export import package_csar

pytestmark = pytest.mark.django_db
PACKAGES, VALIDATE = "/vnfpkgm/v2/vnf_packages", "/api/v1/packages/validate"
ROOT = HOT + "resources:\n  card:\n    type: %s\n"
CARD = HOT + (
    "resources: {vm: {type: OS::Nova::Server, properties: {flavor: m1.tiny, image: x, networks: [], "
    "user_data: {get_file: init.sh}}}}\n"
)


@pytest.fixture(autouse=True)
def rules(settings, tmp_path):
    settings.ARTIFACTS_DIR = tmp_path / "artifacts"
    settings.PACKAGE_SOURCES_ALLOWED = [ip_network("127.0.0.1/32")]
    settings.PACKAGE_SOURCES_HTTP = True


@pytest.fixture
def source():
    with PackageSource() as server:
        yield server


def onboarded(api, files, *urls):
    package_id = api.post(PACKAGES, {}, format="json").json()["id"]
    url = f"{PACKAGES}/{package_id}/package_content?{urlencode([('fetch', url) for url in urls])}"
    content = files if isinstance(files, bytes) else zipped(files)
    answer = api.generic("PUT", url, content, content_type="application/zip")
    if answer.status_code == 202:
        reconciler.onboard(package_get(package_id=package_id).id)
    return package_get(package_id=package_id)


def missing(findings):
    return [
        (f["url"], f["file"], f["line"]) for f in findings if f["code"] == "FILE_OUTSIDE" and f["severity"] == "error"
    ]


def test_urls_are_reported_and_fetched_when_allowed(api, source):
    card, init = source.at("/hot/card.yaml", serving(CARD.encode())), source.at("/hot/init.sh", serving(b"#!/bin/sh\n"))
    files = {"base.yaml": ROOT % card}
    report = api.generic("POST", VALIDATE, zipped(files), content_type="application/zip").json()
    assert missing(report["validationReport"]) == [(card, "base.yaml", 4)]

    refused = onboarded(api, files)
    assert missing(refused.onboarding_failure["validationReport"]) == [(card, "base.yaml", 4)]
    assert source.requests == [], "never without being allowed"

    half = onboarded(api, files, card)
    assert half.onboarding_state == "ERROR"
    assert missing(half.onboarding_failure["validationReport"]) == [(init, stored_path(card), 2)]
    assert [request.path for request in source.requests] == ["/hot/card.yaml"]

    package = onboarded(api, files, card, init)
    assert package.onboarding_state == "ONBOARDED", package.onboarding_failure
    assert hot_bundle(package=package).files == {card: CARD, "init.sh": "#!/bin/sh\n"}
    assert [vdu.id for vdu in vnfd_of(package).vdus] == ["vm"]
    stored = PackageFile.objects.get(package=package, path=stored_path(card))
    assert stored.sha256 == sha256(CARD.encode()).hexdigest()
    note = next(finding for finding in package.findings if finding["code"] == "FILE_FETCHED")
    assert (note["file"], note["line"]) == ("base.yaml", 4)
    assert stored.sha256 in note["message"]
    assert not PackageOnboarding.objects.exists()


def test_a_package_with_a_manifest(api, source):
    url = source.at("/motd.txt", serving(b"hello\n"))
    files = vsr_files()
    files["base.yaml"] = files["base.yaml"].replace(
        b"\nresources:\n",
        (
            f"\nresources:\n  note: {{type: OS::Heat::RandomString, metadata: {{text: {{get_file: '{url}'}}}}}}\n"
        ).encode(),
    )
    package = onboarded(api, with_manifest(files), url)
    assert package.onboarding_state == "ONBOARDED", package.onboarding_failure
    assert hot_bundle(package=package).files[url] == "hello\n"
    exported = b"".join(package_csar(package=package))
    package.delete()
    again = onboarded(api, exported)
    assert again.onboarding_state == "ONBOARDED", again.onboarding_failure
    assert hot_bundle(package=again).files[url] == "hello\n"


def test_copies_that_a_package_brings_are_in_its_manifest(api, source):
    url = source.at("/init.sh", serving(b"asked for"))
    files = vsr_files()
    note = f"\nresources:\n  note: {{type: OS::Heat::RandomString, metadata: {{text: {{get_file: '{url}'}}}}}}\n"
    files["base.yaml"] = files["base.yaml"].replace(b"\nresources:\n", note.encode())
    own = {stored_path(url): b"of the package"}
    unlisted = onboarded(api, {**with_manifest(files), **own}, url)
    assert unlisted.onboarding_failure["code"] == "MANIFEST_MISMATCH"
    assert stored_path(url) in unlisted.onboarding_failure["detail"]
    package = onboarded(api, with_manifest({**files, **own}), url)
    assert package.onboarding_state == "ONBOARDED", package.onboarding_failure
    assert (hot_bundle(package=package).files[url], source.requests) == ("of the package", [])


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        (status(404), "127.0.0.1 answers 404."),
        (announcing(2 * 1024 * 1024, b""), "127.0.0.1 announces 2097152 bytes; 1048576 are allowed."),
        (endless, "It has more than 1048576 bytes."),
        (announcing(100, b"short"), "127.0.0.1 sent 95 bytes less than it announced."),
        (redirecting("http://127.0.0.2/x.yaml"), "127.0.0.2 has an address that is not public. "),
        (redirecting("file:///etc/passwd"), "Files of templates are fetched by https or http, not by file."),
    ],
)
def test_a_bad_answer_is_refused_with_the_line(api, source, behaviour, words):
    url = source.at("/card.yaml", behaviour)
    failure = onboarded(api, {"base.yaml": ROOT % url}, url).onboarding_failure
    assert failure["code"] == "FILE_NOT_FETCHED"
    assert failure["detail"].startswith(f"base.yaml, line 4: {url} is not fetched. {words}")
    assert failure["validationReport"][0]["line"] == 4
    assert not any(word in failure["nextStep"] for word in ("userName", "Glance")), "no advice for whole packages"


def test_a_failed_fetch_keeps_the_other_findings_and_roots(api, source):
    card, init = source.at("/card.yaml", serving(CARD.encode())), source.at("/init.sh", status(403))
    resources = ROOT % card + f"  note: {{type: OS::Heat::Value, properties: {{value: {{get_file: '{init}'}}}}}}\n"
    files = {"base.yaml": resources, "other.yaml": ROOT % "none.yaml"}
    package_id = api.post(PACKAGES, {}, format="json").json()["id"]
    query = urlencode([("root", "base.yaml"), ("fetch", card), ("fetch", init)])
    url = f"{PACKAGES}/{package_id}/package_content?{query}"
    assert api.generic("PUT", url, zipped(files), content_type="application/zip").status_code == 202
    reconciler.onboard(package_get(package_id=package_id).id)
    failure = package_get(package_id=package_id).onboarding_failure
    found = [(f["code"], f["url"]) for f in failure["validationReport"] if f["severity"] == "error"]
    assert found == [("FILE_NOT_FETCHED", init), ("FILE_OUTSIDE", card), ("DERIVE_NO_SERVER", "")]
    assert failure["rootCandidates"] == ["base.yaml", "other.yaml"]
    assert failure["nextStep"] == "Check the address, or put the file into the package."


@pytest.mark.parametrize(
    "more",
    [
        "  other: {type: OS::Nova::Serwer}\n",
        "  other: {type: OS::Heat::Value, properties: {value: {get_file: absent.sh}}}\n",
        "  other: {type: 'https://h.example/not-allowed.yaml'}\n",
    ],
)
def test_nothing_is_fetched_for_a_package_with_other_errors(api, source, more):
    url = source.at("/card.yaml", serving(CARD.encode()))
    failure = onboarded(api, {"base.yaml": ROOT % url + more}, url).onboarding_failure
    assert source.requests == []
    assert {finding["line"] for finding in failure["validationReport"] if finding["severity"] == "error"} >= {4, 5}


def test_nothing_is_fetched_where_only_signed_packages_are_accepted(api, settings, source):
    settings.PACKAGE_SIGNATURES = "signed"
    url = source.at("/card.yaml", serving(CARD.encode()))
    failure = onboarded(api, {"base.yaml": ROOT % url}, url).onboarding_failure
    assert (failure["code"], source.requests) == ("SIGNATURE_REQUIRED", [])
    assert failure["nextStep"].startswith("Put the files into the package")
    assert missing(failure["validationReport"]) == [(url, "base.yaml", 4)]


def test_all_files_of_a_package_share_one_deadline(source):
    fetcher = FileFetcher(0.5)
    slow, next_one = source.at("/a.yaml", hanging), source.at("/b.yaml", serving(b"x"))
    for url in (slow, next_one):
        with pytest.raises(PackageError) as caught:
            fetcher.fetch(Finding("error", "FILE_OUTSIDE", "", url=url))
    assert "took 0 s, all that they may" in caught.value.faults[0].message
    assert [request.path for request in source.requests] == ["/a.yaml"]


def test_a_private_address_and_a_login_are_refused(api, settings, source):
    settings.PACKAGE_SOURCES_ALLOWED = []
    for url, words in (
        (source.at("/x.yaml", serving(b"")), "has an address that is not public"),
        ("https://user:pw@example.com/x.yaml", "must not hold a user name or password"),
    ):
        failure = onboarded(api, {"base.yaml": ROOT % url}, url).onboarding_failure
        assert words in failure["detail"]
        assert "put the file into the package" in failure["nextStep"]
    assert source.requests == []


def test_a_secret_of_a_url_is_neither_logged_nor_in_sentences(api, source, caplog):
    url = source.at("/card.yaml", status(404)) + "?token=s3cret&x.yaml"
    caplog.set_level("INFO")
    failure = onboarded(api, {"base.yaml": ROOT % url}, url).onboarding_failure
    assert [request.path for request in source.requests] == ["/card.yaml?token=s3cret&x.yaml"]
    assert "/card.yaml?… is not fetched" in failure["detail"]
    assert "onboarding.failed" in caplog.text
    sentences = [failure["detail"], *(error["message"] for error in failure["errors"])]
    sentences += [finding["message"] for finding in failure["validationReport"]]
    assert "s3cret" not in f"{caplog.text} {sentences}"


def test_a_fetched_file_that_is_no_template_is_refused(api, source):
    url = source.at("/card.yaml", serving(b"<html><body>Sign in</body></html>"))
    failure = onboarded(api, {"base.yaml": ROOT % url}, url).onboarding_failure
    assert failure["detail"].startswith(stored_path(url))


def test_a_choice_that_is_no_url(api):
    package_id = api.post(PACKAGES, {}, format="json").json()["id"]
    url = f"{PACKAGES}/{package_id}/package_content?{urlencode({'fetch': 'x' * 2001})}"
    answer = api.generic("PUT", url, zipped({"base.yaml": ROOT % "x.yaml"}), content_type="application/zip")
    assert (answer.status_code, answer.json()["code"]) == (400, "FETCH_INVALID")


def test_a_fetched_package_with_a_chosen_root_and_files_to_fetch(api, source):
    card, init = source.at("/card.yaml", serving(CARD.encode())), source.at("/init.sh", serving(b"x\n"))
    content = zipped({"a.yaml": ROOT % card, "b.yaml": ROOT % "none.yaml"})
    package_id = api.post(PACKAGES, {}, format="json").json()["id"]
    body = {"addressInformation": source.at("/p.zip", serving(content))}
    url = f"{PACKAGES}/{package_id}/package_content/upload_from_uri"

    def fetched(*choices):
        assert api.post(f"{url}?{urlencode(choices)}", body, format="json").status_code == 202
        reconciler.onboard(package_get(package_id=package_id).id)
        return package_get(package_id=package_id)

    assert fetched().onboarding_failure["rootCandidates"] == ["a.yaml", "b.yaml"]
    package = fetched(("root", "a.yaml"), ("fetch", card), ("fetch", init))
    assert package.onboarding_state == "ONBOARDED", package.onboarding_failure
    assert vnfd_of(package).hot_template == "a.yaml"
