"""Hostile inputs over HTTP: the answers, and that nothing outside is read or called and nothing is stored."""

import socket
import sys
from http import HTTPStatus
from io import BytesIO
from urllib.parse import quote

import pytest
from asgiref.sync import async_to_sync

from tests.factories.hostile import DOCUMENT, document
from tests.factories.hostile_addresses import ADDRESSES, MOST_SECONDS, NAMES, NETWORKS
from tests.factories.hostile_content import DOCUMENTS, MOST_BYTES, MOST_UNPACKED, ODD_NAMES, TEMPLATES, TRAP, ZIPS
from tests.factories.packages import zipped
from tests.factories.templates import fixture_files
from tests.support.package_source import Names, PackageSource, Trap
from vnfm.catalog.domain.errors import PackageError
from vnfm.catalog.models import PackageFile, PackageOnboarding
from vnfm.catalog.reconcilers import onboarding as reconciler
from vnfm.catalog.services.package_checks import RefusedContent, check_archive
from vnfm.catalog.services.uploads import stage_upload

pytestmark = pytest.mark.django_db
URL = "/vnfpkgm/v2/vnf_packages"
CONTENTS = [*ZIPS, *DOCUMENTS, *TEMPLATES]
BROKER = str(("127.0.0.1", 1))
"""The address that tasks are sent to (`tests.conftest.CLOSED_BROKER`)."""


class Watch:
    """It records what this interpreter opens and calls, by its audit events (PEP 578)."""

    def __init__(self) -> None:
        self.on = False
        self.opened: set[str] = set()
        self.called: set[str] = set()
        sys.addaudithook(self._hear)

    def _hear(self, event: str, args: tuple[object, ...]) -> None:
        if not self.on:
            return
        if event == "open":
            self.opened.add(str(args[0]))
        elif event == "socket.connect":
            self.called.add(str(args[1]))


WATCH = Watch()


def what(row):
    return row.what


@pytest.fixture(autouse=True)
def sandbox(settings, tmp_path):
    """The artifact store, the watch, and the settings."""
    settings.ARTIFACTS_DIR = tmp_path / "artifacts"
    settings.PACKAGE_MAX_BYTES, settings.PACKAGE_MAX_UNPACKED_BYTES = MOST_BYTES, MOST_UNPACKED
    settings.PACKAGE_FETCH_SECONDS = MOST_SECONDS
    WATCH.opened, WATCH.called, WATCH.on = set(), set(), True
    yield settings.ARTIFACTS_DIR, WATCH, settings
    WATCH.on = False
    assert not [path for path in WATCH.opened if path.startswith("/etc/")]


@pytest.fixture
def names(monkeypatch):
    monkeypatch.setattr(socket, "getaddrinfo", Names(NAMES).getaddrinfo)


@pytest.fixture
def trap():
    """Listens where hostile input leads; a call fails the test."""
    traps = Trap("127.0.0.1"), Trap("127.0.0.2")
    yield traps
    for each in traps:
        assert each.untouched()
        each.close()


def create(api):
    return api.post(URL, {}, format="json").json()["id"]


def put(api, package_id, data):
    return api.generic("PUT", f"{URL}/{package_id}/package_content", data, content_type="application/zip")


def assert_nothing_stored(artifacts):
    files = [path for path in artifacts.rglob("*") if path.is_file() and path.parent.name != "places"]
    assert files == [], "places are the locks of checks, and hold nothing"
    assert not PackageFile.objects.exists()
    assert not PackageOnboarding.objects.exists()


@pytest.mark.parametrize("row", CONTENTS, ids=what)
def test_content(api, sandbox, trap, row):
    artifacts, watch, _ = sandbox
    package_id = create(api)
    answer = put(api, package_id, row.data(trap[0].address))
    problem = answer.json()
    said = problem["detail"].replace(trap[0].address, TRAP)
    assert (answer.status_code, problem["code"], said) == (row.status, row.code, row.says)
    assert problem["nextStep"]
    view = api.get(f"{URL}/{package_id}").json()
    if row.status == HTTPStatus.BAD_REQUEST:
        assert view["onboardingState"] == "CREATED"
    else:
        assert (view["onboardingState"], view["onboardingFailureDetails"]) == ("ERROR", problem)
    assert watch.called == set()
    assert_nothing_stored(artifacts)


def refused(data, folder):
    """Why the check refuses it."""
    try:
        checked = check_archive(stage_upload(BytesIO(data), folder), folder)
    except PackageError as error:
        return error
    assert isinstance(checked, RefusedContent)
    return checked.error


@pytest.mark.parametrize("row", [row for row in CONTENTS if row.status != HTTPStatus.BAD_REQUEST], ids=what)
def test_its_check_opens_and_calls_nothing_else(sandbox, trap, tmp_path, row):
    """As the process of the checks runs it, in this interpreter, which the watch is in."""
    _, watch, _ = sandbox
    folder = tmp_path / "staging"
    folder.mkdir()
    assert refused(row.data(trap[0].address), folder).code == row.code
    assert watch.called == set()
    assert not [path for path in watch.opened if path.startswith("/etc/")]


@pytest.mark.parametrize("row", ADDRESSES, ids=lambda row: row.what)
def test_addresses(api, sandbox, names, trap, row):
    artifacts, watch, settings = sandbox
    if row.open:
        settings.PACKAGE_SOURCES_ALLOWED, settings.PACKAGE_SOURCES_HTTP = NETWORKS, True
    package_id = create(api)
    with PackageSource() as source:
        served = source.at("/p.zip", row.behaviour) if row.behaviour else ""
        address = row.url.format(source=served, port=source.port).replace(TRAP, trap[0].address)
        body = {"addressInformation": address}
        answer = api.post(f"{URL}/{package_id}/package_content/upload_from_uri", body, format="json")
        if row.at_once:
            problem = answer.json()
            assert (answer.status_code, problem["status"]) == (422, 422)
        else:
            assert answer.status_code == 202, answer.content
            reconciler.onboard(package_id)
            view = api.get(f"{URL}/{package_id}").json()
            assert view["onboardingState"] == "ERROR"
            problem = view["onboardingFailureDetails"]
    assert (problem["code"], problem["detail"]) == (row.code, row.says)
    assert problem["nextStep"]
    assert watch.called <= {BROKER, str(("127.0.0.1", source.port))}
    assert bool(source.requests) == row.open
    assert_nothing_stored(artifacts)


@pytest.mark.parametrize("name", ODD_NAMES)
def test_names_that_a_url_would_read_otherwise(api, name):
    """Such files are taken and come out again, under their percent-encoded path."""
    package_id = create(api)
    data = name.encode()
    assert put(api, package_id, zipped({**fixture_files("vfw"), name: data})).status_code == 202
    view = api.get(f"{URL}/{package_id}").json()
    assert name in [artifact["artifactPath"] for artifact in view["additionalArtifacts"]]
    answer = api.get(f"{URL}/{package_id}/artifacts/{quote(name)}")
    assert (answer.status_code, body(answer)) == (200, data)
    header = answer["Content-Disposition"]
    assert header.startswith("attachment; filename")
    assert not set(header) & set("\r\n")


def body(response):
    async def read_all():
        return b"".join([chunk async for chunk in response.streaming_content])

    return async_to_sync(read_all)()


def test_the_table_in_the_catalog_is_true():
    assert DOCUMENT.read_text() == document(), "PYTHONPATH=backend python -m tests.factories.hostile writes it"
