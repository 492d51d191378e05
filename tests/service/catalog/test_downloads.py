"""Parts of packages and of their files, and what clients know already (RFC 9110), through HTTP."""

from hashlib import sha256
from uuid import uuid4

import pytest

from tests.factories.catalog import onboarded
from tests.factories.csars import MANIFEST, tacker_files
from tests.factories.packages import vsr_files, vsr_zip, zipped
from tests.factories.templates import fixture_files
from tests.service.catalog.download_body import URL, body
from vnfm.catalog.models import VnfPackage

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def content():
    return vsr_zip(str(uuid4()))


@pytest.fixture
def package(content):
    return onboarded(content)


@pytest.fixture(params=["package_content", "artifacts/base.yaml"])
def resource(request, package, content):
    """Its URL, and all of it."""
    return f"{URL}/{package.id}/{request.param}", content if request.param == "package_content" else vsr_files()[
        "base.yaml"
    ]


def test_the_whole(api, resource):
    url, whole = resource
    answer = api.get(url)
    assert (answer.status_code, body(answer)) == (200, whole)
    assert answer["Accept-Ranges"] == "bytes"
    assert answer["Content-Length"] == str(len(whole))
    assert answer["ETag"] == f'"{sha256(whole).hexdigest()}"'


@pytest.mark.parametrize("asked", ["bytes=0-9", "bytes=100-", "bytes=-7", "bytes=50-99999999"])
def test_a_part(api, resource, asked):
    url, whole = resource
    answer = api.get(url, headers={"range": asked})
    first, _, last = asked.removeprefix("bytes=").partition("-")
    start = int(first) if first else len(whole) - int(last)
    part = whole[start : int(last) + 1] if first and last else whole[start:]
    assert (answer.status_code, body(answer)) == (206, part)
    assert answer["Content-Range"] == f"bytes {start}-{start + len(part) - 1}/{len(whole)}"
    assert answer["Content-Length"] == str(len(part))


def test_a_part_that_is_not_there(api, resource):
    url, whole = resource
    answer = api.get(url, headers={"range": f"bytes={len(whole)}-"})
    assert (answer.status_code, answer.json()["code"]) == (416, "RANGE_NOT_SATISFIABLE")
    assert answer["Content-Range"] == f"bytes */{len(whole)}"
    assert answer["Content-Type"] == "application/problem+json"


def test_a_download_goes_on_where_it_was_broken_off(api, resource):
    url, whole = resource
    tag = api.get(url)["ETag"]
    answer = api.get(url, headers={"range": "bytes=1000-", "if-range": tag})
    assert whole[:1000] + body(answer) == whole
    assert api.get(url, headers={"range": "bytes=1000-", "if-range": '"another"'}).status_code == 200


def test_several_parts_at_once_are_all_of_it(api, resource):
    url, whole = resource
    answer = api.get(url, headers={"range": "bytes=0-1,5-9"})
    assert (answer.status_code, body(answer)) == (200, whole)


@pytest.mark.parametrize("known", ["{tag}", "W/{tag}", '"other", {tag}', "*"])
def test_a_cached_download_gets_not_modified(api, resource, known):
    url, _ = resource
    tag = api.get(url)["ETag"]
    answer = api.get(url, headers={"if-none-match": known.format(tag=tag), "range": "bytes=0-1"})
    assert (answer.status_code, answer.content, answer["ETag"]) == (304, b"", tag)
    assert api.get(url, headers={"if-none-match": '"other"'}).status_code == 200


def test_the_manifest(api, package):
    answer = api.get(f"{URL}/{package.id}/manifest")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert b'"format": "vnf-package/1"' in body(answer)


def test_the_manifest_of_a_csar_is_its_maker_s(api):
    files = tacker_files()
    package = onboarded(zipped(files))
    assert body(api.get(f"{URL}/{package.id}/manifest")) == files[MANIFEST]


def test_a_package_without_a_manifest(api):
    package = onboarded(zipped(fixture_files("scaling")))
    answer = api.get(f"{URL}/{package.id}/manifest")
    assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND")


def test_no_content_no_parts(api):
    package = VnfPackage.objects.create()
    for rest in ("manifest", "package_content", "artifacts/base.yaml"):
        assert api.get(f"{URL}/{package.id}/{rest}", headers={"range": "bytes=0-1"}).status_code == 409


@pytest.mark.parametrize("path", ["%2e%2e/x", "..%2Fobjects", "/etc/passwd", "base.yaml/x"])
def test_paths_are_names_of_the_package_s_files_and_nothing_else(api, package, path):
    assert api.get(f"{URL}/{package.id}/artifacts/{path}").status_code == 404
