"""Onboarding: every state, every way to end it, and every process that may die during it."""

import io
import os
import signal
from datetime import timedelta
from ipaddress import ip_network
from pathlib import Path
from uuid import uuid4

import pytest
from django.db import connection, connections
from django.db.models.functions import Now

from tests.factories.packages import vsr_files, vsr_zip, with_manifest, zipped
from tests.factories.templates import fixture_files
from tests.support.package_source import PackageSource, announcing, hanging, serving, status
from tests.support.product import CELERY, PATIENCE, running, worker_of
from vnfm.catalog.models import PackageOnboarding, VnfPackage
from vnfm.catalog.reconcilers import onboarding as reconciler
from vnfm.catalog.services import onboarding
from vnfm.kit.durable import lease
from vnfm.kit.models import Lease, OutboxEvent

pytestmark = pytest.mark.django_db(transaction=True)
URL = "/vnfpkgm/v2/vnf_packages"


@pytest.fixture(autouse=True)
def artifacts(settings, tmp_path):
    settings.ARTIFACTS_DIR = tmp_path / "artifacts"
    settings.PACKAGE_SOURCES_ALLOWED = [ip_network("127.0.0.1/32")]
    settings.PACKAGE_SOURCES_HTTP = True
    return settings.ARTIFACTS_DIR


@pytest.fixture
def source():
    with PackageSource() as server:
        yield server


@pytest.fixture
def nothing_is_small(monkeypatch):
    monkeypatch.setattr(onboarding, "SMALL_BYTES", 0)


def create(api):
    return api.post(URL, {}, format="json").json()["id"]


def put(api, package_id, data):
    return api.generic("PUT", f"{URL}/{package_id}/package_content", data, content_type="application/zip")


def from_uri(api, package_id, url, **more):
    body = {"addressInformation": url, **more}
    return api.post(f"{URL}/{package_id}/package_content/upload_from_uri", body, format="json")


def state(api, package_id):
    return api.get(f"{URL}/{package_id}").json()["onboardingState"]


def failure(api, package_id):
    view = api.get(f"{URL}/{package_id}").json()
    assert view["onboardingState"] == "ERROR"
    assert view["operationalState"] == "DISABLED"
    return view["onboardingFailureDetails"]


def nothing_left(artifacts):
    return [
        path
        for folder in ("onboarding", "staging", "objects")
        for path in (artifacts / folder).rglob("*")
        if path.is_file()
    ] == []


def published_changes(package_id):
    """Number of outbox events of the package."""
    return OutboxEvent.objects.filter(topic="vnf_package.changed", aggregate_id=package_id).count()


def test_a_large_upload_is_accepted_and_checked_by_a_worker(api, artifacts):
    files = with_manifest({**vsr_files(), "images/large.raw": os.urandom(onboarding.SMALL_BYTES)})
    package_id = create(api)
    answer = put(api, package_id, zipped(files))
    assert (answer.status_code, answer.content) == (202, b"")
    view = api.get(f"{URL}/{package_id}").json()
    assert (view["onboardingState"], view["operationalState"]) == ("PROCESSING", "DISABLED")
    assert "vnfdId" not in view
    reconciler.onboard(package_id)
    assert state(api, package_id) == "ONBOARDED"
    assert published_changes(package_id) == 4
    assert not PackageOnboarding.objects.exists()
    assert not any((artifacts / "onboarding").iterdir())


def test_files_are_synced_before_the_transaction_that_stores_them(api, artifacts, monkeypatch):
    """Syncing gigabytes takes long, and others wait for the row and the store's lock."""
    before, within, fsync = set(), set(), os.fsync

    def noted(descriptor):
        path = Path(f"/proc/self/fd/{descriptor}").readlink()
        (within if connection.in_atomic_block else before).add((path, path.is_file()))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    package_id = create(api)
    assert put(api, package_id, vsr_zip(str(uuid4()))).status_code == 202
    assert state(api, package_id) == "ONBOARDED"
    kept = sum(path.is_file() for path in (artifacts / "objects").rglob("*"))
    assert sum(is_file for _, is_file in before) == kept > 3
    assert {is_file for _, is_file in within} == {False}, "folders alone"


def test_a_large_upload_that_is_refused(api, artifacts, nothing_is_small):
    package_id = create(api)
    assert put(api, package_id, b"not a zip").status_code == 202
    reconciler.onboard(package_id)
    problem = failure(api, package_id)
    assert (problem["code"], problem["status"]) == ("NOT_A_ZIP", 422)
    assert nothing_left(artifacts)


def test_a_descriptor_with_a_large_upload(api, nothing_is_small):
    from django.core.files.uploadedfile import SimpleUploadedFile

    data = zipped(fixture_files("vfw"))
    derived = api.generic("POST", "/api/v1/packages/derive", data, content_type="application/zip").json()["vnfd"]
    package_id = create(api)
    form = {"file": SimpleUploadedFile("vfw.zip", data), "vnfd": derived.replace("provider: Unknown", "provider: Acme")}
    assert api.put(f"{URL}/{package_id}/package_content", form, format="multipart").status_code == 202
    reconciler.onboard(package_id)
    assert api.get(f"{URL}/{package_id}").json()["vnfProvider"] == "Acme"


def test_fetched_from_an_address(api, source, artifacts):
    content = vsr_zip(str(uuid4()))
    package_id = create(api)
    answer = from_uri(api, package_id, source.at("/p.zip", serving(content)))
    assert (answer.status_code, answer.content) == (202, b"")
    assert state(api, package_id) == "UPLOADING"
    assert source.requests == [], "the worker calls, not the request"
    reconciler.onboard(package_id)
    assert state(api, package_id) == "ONBOARDED"
    assert len(source.requests) == 1
    assert not PackageOnboarding.objects.exists()
    assert not any((artifacts / "onboarding").iterdir())


def test_fetched_by_repeating_the_request(api, source):
    package_id = create(api)
    url = source.at("/p.zip", serving(vsr_zip(str(uuid4()))))
    key = {"headers": {"idempotency-key": "one"}, "format": "json"}
    address = f"{URL}/{package_id}/package_content/upload_from_uri"
    answers = [api.post(address, {"addressInformation": url}, **key) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [202, 202]
    assert PackageOnboarding.objects.count() == 1


def test_a_failed_fetch_is_reported(api, source, artifacts):
    package_id = create(api)
    from_uri(api, package_id, source.at("/p.zip", status(404)) + "?token=secret")
    reconciler.onboard(package_id)
    problem = failure(api, package_id)
    assert (problem["code"], problem["detail"]) == ("SOURCE_ANSWERS", "127.0.0.1 answers 404.")
    assert problem["nextStep"]
    assert "secret" not in str(problem)
    assert nothing_left(artifacts)


def test_fetched_content_that_is_no_package(api, source, artifacts):
    package_id = create(api)
    from_uri(api, package_id, source.at("/p.zip", serving(b"<html>")))
    reconciler.onboard(package_id)
    assert failure(api, package_id)["code"] == "NOT_A_ZIP"
    assert nothing_left(artifacts)


def test_too_much_is_not_fetched_to_its_end(api, source, settings, artifacts):
    settings.PACKAGE_MAX_BYTES = 1000
    for behaviour in (announcing(1001, b""), lambda exchange: (exchange.begin(200), exchange.write(b"x" * 2000))):
        package_id = create(api)
        from_uri(api, package_id, source.at("/p.zip", behaviour))
        reconciler.onboard(package_id)
        assert failure(api, package_id)["code"] == "PACKAGE_TOO_LARGE"
    assert nothing_left(artifacts)


@pytest.mark.parametrize("again", ["put", "from_uri"])
def test_content_may_be_uploaded_again_after_an_error(api, source, again):
    content, package_id = vsr_zip(str(uuid4())), create(api)
    assert put(api, package_id, b"not a zip").status_code == 422
    assert failure(api, package_id)["code"] == "NOT_A_ZIP"
    if again == "put":
        assert put(api, package_id, content).status_code == 202
    else:
        assert from_uri(api, package_id, source.at("/p.zip", serving(content))).status_code == 202
        assert "onboardingFailureDetails" not in api.get(f"{URL}/{package_id}").json()
        reconciler.onboard(package_id)
    view = api.get(f"{URL}/{package_id}").json()
    assert view["onboardingState"] == "ONBOARDED"
    assert "onboardingFailureDetails" not in view


def test_a_package_in_error_is_deleted_at_once(api):
    package_id = create(api)
    put(api, package_id, b"not a zip")
    assert api.patch(f"{URL}/{package_id}", {"operationalState": "ENABLED"}, format="json").status_code == 409
    assert api.delete(f"{URL}/{package_id}").status_code == 204


def test_one_upload_at_a_time(api, source, nothing_is_small):
    package_id = create(api)
    url = source.at("/p.zip", serving(b""))
    from_uri(api, package_id, url)
    for answer in (put(api, package_id, vsr_zip()), from_uri(api, package_id, url)):
        assert (answer.status_code, answer.json()["code"]) == (409, "UPLOAD_RUNNING")
    package_id = create(api)
    put(api, package_id, vsr_zip(str(uuid4())))
    for answer in (put(api, package_id, vsr_zip()), from_uri(api, package_id, url)):
        assert (answer.status_code, answer.json()["code"]) == (409, "UPLOAD_RUNNING")
    reconciler.onboard(package_id)
    for answer in (put(api, package_id, vsr_zip()), from_uri(api, package_id, url)):
        assert (answer.status_code, answer.json()["code"]) == (409, "PACKAGE_HAS_CONTENT")


@pytest.mark.parametrize(
    ("body", "status_code"),
    [
        ({}, 400),
        ({"addressInformation": ""}, 400),
        ({"addressInformation": "https://x/" + "y" * 2000}, 400),
        ({"addressInformation": "https://example.com/", "userName": "a:b"}, 400),
        ({"addressInformation": "https://example.com/", "username": "a"}, 400),
        ({"addressInformation": "https://example.com/", "authType": "OAUTH2_CLIENT_CREDENTIALS"}, 422),
        ({"addressInformation": "ftp://example.com/"}, 422),
        ({"addressInformation": "http://127.0.0.1/", "userName": "jane", "password": "x"}, 422),
    ],
)
def test_requests_that_change_nothing(api, body, status_code):
    package_id = create(api)
    answer = api.post(f"{URL}/{package_id}/package_content/upload_from_uri", body, format="json")
    assert answer.status_code == status_code, answer.content
    assert state(api, package_id) == "CREATED"


def test_viewers_do_not_have_packages_fetched(viewer_api):
    package = VnfPackage.objects.create()
    assert from_uri(viewer_api, package.id, "https://example.com/").status_code == 403


def test_a_package_that_is_not_there(api):
    assert from_uri(api, uuid4(), "https://example.com/").status_code == 404


def test_deleting_a_resource_that_is_being_created(api, artifacts, nothing_is_small):
    package_id = create(api)
    put(api, package_id, vsr_zip(str(uuid4())))
    assert api.delete(f"{URL}/{package_id}").status_code == 204
    reconciler.onboard(package_id)
    assert not VnfPackage.objects.exists()
    reconciler.sweep()
    assert nothing_left(artifacts)


def test_deleting_while_it_is_fetched(api, source, artifacts):
    package_id = create(api)

    def delete_first(exchange):
        VnfPackage.objects.filter(id=package_id).delete()
        connections.close_all()  # this is the server's thread
        serving(vsr_zip())(exchange)

    from_uri(api, package_id, source.at("/p.zip", delete_first))
    reconciler.onboard(package_id)
    assert not VnfPackage.objects.exists()
    reconciler.sweep()
    assert nothing_left(artifacts)


def test_deleting_honours_if_match(api):
    package_id = create(api)
    assert api.delete(f"{URL}/{package_id}", headers={"if-match": '"7"'}).status_code == 412
    assert api.delete(f"{URL}/{package_id}", headers={"if-match": '"1"'}).status_code == 204


def test_a_vnfd_that_came_twice_leaves_nothing_of_the_second(api, artifacts):
    vnfd_id = str(uuid4())
    put(api, create(api), vsr_zip(vnfd_id))
    before = {path.name for path in artifacts.glob("objects/*/*")}
    second = create(api)
    files = {**vsr_files(), "more.txt": b"more"}
    files["vnfd.yaml"] = vsr_files_with(vnfd_id)
    assert put(api, second, zipped(with_manifest(files))).status_code == 409
    assert {path.name for path in artifacts.glob("objects/*/*")} == before
    assert failure(api, second)["code"] == "VNFD_ALREADY_ONBOARDED"


def vsr_files_with(vnfd_id):
    from tests.factories.packages import edited

    return edited("vnfd.yaml", lambda data: data.update(vnfdId=vnfd_id))["vnfd.yaml"]


class Broken(io.BytesIO):
    def read(self, *_):
        raise RuntimeError("the process that read died here")


def test_an_upload_whose_process_died_is_in_error(api, artifacts):
    package_id = create(api)
    with pytest.raises(RuntimeError):
        onboarding.package_onboard(package_id=package_id, source=Broken())
    assert state(api, package_id) == "UPLOADING"
    reconciler.onboard(package_id)
    problem = failure(api, package_id)
    assert (problem["code"], problem["nextStep"]) == ("UPLOAD_INTERRUPTED", "Upload the package again.")
    assert nothing_left(artifacts)
    assert put(api, package_id, vsr_zip(str(uuid4()))).status_code == 202


def test_a_package_that_cannot_be_validated_ends_in_error(api, artifacts, nothing_is_small):
    package_id = create(api)
    put(api, package_id, vsr_zip(str(uuid4())))
    (archive,) = [path for path in (artifacts / "onboarding").rglob("*") if path.is_file()]
    archive.unlink()
    for _ in range(reconciler.MAX_ATTEMPTS):
        with pytest.raises(FileNotFoundError):
            reconciler.onboard(package_id)
        assert state(api, package_id) == "PROCESSING"
    reconciler.onboard(package_id)
    assert failure(api, package_id)["detail"].startswith("Onboarding was attempted 3 times")


def test_two_workers_at_once(api, nothing_is_small):
    package_id = create(api)
    put(api, package_id, vsr_zip(str(uuid4())))
    with lease.hold(onboarding.lease_key(package_id)):
        reconciler.onboard(package_id)
        assert state(api, package_id) == "PROCESSING"
    reconciler.onboard(package_id)
    assert state(api, package_id) == "ONBOARDED"


def test_no_more_at_once_than_there_are_slots(api, source):
    package_id = create(api)
    from_uri(api, package_id, source.at("/p.zip", serving(vsr_zip(str(uuid4())))))
    with lease.hold("onboarding UPLOADING 0") as one, lease.hold("onboarding UPLOADING 1") as two:
        assert one
        assert two
        reconciler.onboard(package_id)
        assert state(api, package_id) == "UPLOADING"
        assert source.requests == []
    reconciler.onboard(package_id)
    assert state(api, package_id) == "ONBOARDED"


def test_a_fetch_ends_when_the_disk_runs_low(api, source, settings):
    settings.DISK_LOW_PERCENT = 101.0
    package_id = create(api)
    from_uri(api, package_id, source.at("/p.zip", serving(vsr_zip(str(uuid4())))))
    reconciler.onboard(package_id)
    assert failure(api, package_id)["status"] == 507


def test_a_worker_is_killed_and_another_goes_on(api, source, artifacts, product_env):
    """Real processes, found by the sweeper, since the first ring is lost; the token is in nothing that they leave."""
    content, package_id = vsr_zip(str(uuid4())), create(api)
    env = product_env | {
        "VNFM_ARTIFACTS_DIR": str(artifacts),
        "VNFM_PACKAGE_SOURCES_ALLOWED": "127.0.0.1/32",
        "VNFM_PACKAGE_SOURCES_HTTP": "1",
    }

    def sweep():
        with running(*CELERY, "call", "catalog.sweep", env=env) as call:
            call.popen.wait(PATIENCE)

    url = source.at("/p.zip", hanging)
    with running(*worker_of(2), env=env) as first:
        first.expect("ready")
        assert from_uri(api, package_id, url + "?token=secret").status_code == 202
        sweep()
        assert source.requested.wait(PATIENCE)
        first.end(signal.SIGKILL)
    assert state(api, package_id) == "UPLOADING"
    assert b"secret" not in bytes(PackageOnboarding.objects.get().sealed_source)
    source.at("/p.zip", serving(content))
    Lease.objects.update(expires_at=Now() - timedelta(seconds=1))
    with running(*worker_of(2), env=env) as second:
        second.expect("ready")
        sweep()
        second.expect("onboarding.completed")
        second.end()
    assert state(api, package_id) == "ONBOARDED"
    assert not PackageOnboarding.objects.exists()
    assert "secret" not in "".join(first.output + second.output)
