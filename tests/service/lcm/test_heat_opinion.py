"""What the Heat of a chosen cloud says of a package: its own words beside ours, and never in their place."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.cloudsim_process import CloudsimProcess
from tests.factories.catalog import onboarded
from tests.factories.packages import edited, shipped_zip, zipped
from tests.factories.templates import fixture_files
from tests.factories.vims import make_vim
from tests.installation import until
from tests.service.lcm.test_waiting import away
from vnfm.clouds.ports import CloudProvider
from vnfm.lcm.models import HeatOpinion
from vnfm.vims.models import Vim

VALIDATE = "/api/v1/packages/validate"
SPEAKER = "heat of cloudsim"

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def artifacts(settings: Any, tmp_path: Path) -> None:
    settings.ARTIFACTS_DIR = tmp_path / "artifacts"


@pytest.fixture
def worker(provider: CloudProvider, transactional_db: None) -> Iterator[None]:
    """Takes up questions as the Celery worker would, told by the row instead of the broker."""
    from django.db import connections

    from vnfm.lcm.tasks import ask_heat

    stop = threading.Event()

    def work() -> None:
        while not stop.wait(0.05):
            for row_id in HeatOpinion.objects.filter(state="waiting").values_list("id", flat=True):
                ask_heat(str(row_id))
        connections.close_all()

    thread = threading.Thread(target=work)
    thread.start()
    yield
    stop.set()
    thread.join()


@pytest.fixture
def fresh(vim: Vim, cloudsim: CloudsimProcess) -> Vim:
    cloudsim.control("POST", "/reset")
    return vim


def validated(api: APIClient, data: bytes, vim: Vim) -> dict[str, Any]:
    answer = api.generic("POST", f"{VALIDATE}?vimId={vim.id}", data, content_type="application/zip")
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()
    return found


def said(report: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Code to severity and message of what the cloud's Heat said."""
    return {f["code"]: (f["severity"], f["message"]) for f in report["validationReport"] if f["speaker"] == SPEAKER}


def offline(report: dict[str, Any]) -> list[dict[str, Any]]:
    return [finding for finding in report["validationReport"] if not finding["speaker"]]


def test_heat_has_nothing_against_the_shipped_package(operator_api: APIClient, fresh: Vim, worker: None) -> None:
    heard = said(validated(operator_api, shipped_zip(), fresh))
    assert heard["HEAT_VALIDATES"][0] == "note"
    severity, message = heard["HEAT_PREVIEW"]
    assert (severity, "3 OS::Nova::Server" in message) == ("note", True), message
    assert not HeatOpinion.objects.exists()


def test_heat_s_own_words(operator_api: APIClient, fresh: Vim, worker: None) -> None:
    """Of what only the cloud can know: which of its services are there."""

    def strange(hot: Any) -> None:
        hot["resources"]["trunk"] = {"type": "OS::Swift::Container"}

    report = validated(operator_api, zipped(edited("base.yaml", strange)), fresh)
    assert report["valid"], offline(report)
    assert set(said(report)) == {"HEAT_REFUSES"}
    severity, message = said(report)["HEAT_REFUSES"]
    assert severity == "error"
    assert "OS::Swift::Container" in message


def test_a_stored_package(operator_api: APIClient, fresh: Vim, worker: None) -> None:
    package = onboarded(shipped_zip())
    plain = operator_api.get(f"/api/v1/packages/{package.id}/validation").json()
    assert {f["speaker"] for f in plain["validationReport"]} <= {""}
    report = operator_api.get(f"/api/v1/packages/{package.id}/validation?vimId={fresh.id}").json()
    assert {"HEAT_VALIDATES", "HEAT_PREVIEW"} == set(said(report))
    assert offline(report) == plain["validationReport"]


def test_plain_templates(operator_api: APIClient, fresh: Vim, worker: None) -> None:
    heard = said(validated(operator_api, zipped(fixture_files("scaling")), fresh))
    assert "HEAT_VALIDATES" in heard
    assert set(heard) & {"HEAT_PREVIEW", "HEAT_PREVIEW_REFUSED", "HEAT_PREVIEW_LEFT_OUT"}


def test_an_unreachable_cloud_takes_nothing_from_our_own_findings(
    operator_api: APIClient, fresh: Vim, worker: None, cloudsim: CloudsimProcess
) -> None:
    data = zipped(fixture_files("vcpe"))
    before = validated(operator_api, data, fresh)
    with away(cloudsim):
        report = validated(operator_api, data, fresh)
    assert set(said(report)) == {"HEAT_UNREACHABLE"}
    assert said(report)["HEAT_UNREACHABLE"][0] == "warning"
    assert offline(report) == offline(before)
    assert report["valid"]


def take_and_say_nothing() -> None:
    from django.db import connections

    from vnfm.lcm.heat_opinion import opinion_take

    until(lambda: [opinion_take(row_id=row.id) for row in HeatOpinion.objects.all()] or None, 5, "a question")
    connections.close_all()


@pytest.mark.parametrize(("state", "words"), [("waiting", "No worker"), ("running", "did not answer within")])
def test_nobody_waits_for_ever(fresh: Vim, state: str, words: str) -> None:
    from vnfm.catalog.selectors import extract_of
    from vnfm.lcm.heat_opinion import ask_heat

    package = onboarded(shipped_zip())
    if state == "running":
        threading.Thread(target=take_and_say_nothing).start()
    (finding,) = ask_heat(vim=fresh, extract=extract_of(package), seconds=1.0)
    assert (finding.severity, finding.code) == ("warning", "HEAT_UNREACHABLE")
    assert words in finding.message
    assert not HeatOpinion.objects.exists()


def test_who_waits_keeps_no_connection_from_others(fresh: Vim) -> None:
    from django.db import connection, connections

    from vnfm.catalog.selectors import extract_of
    from vnfm.lcm.heat_opinion import ask_heat

    alone: list[bool] = []

    def look_on() -> None:
        def only_this() -> bool | None:
            asked, stats = HeatOpinion.objects.exists(), connection.pool.get_stats()
            return (asked and stats["pool_size"] - stats["pool_available"] == 1) or None

        try:
            alone.append(until(only_this, 10, "the pool's connections"))
        finally:
            HeatOpinion.objects.update(state="given")
            with connection.cursor() as cursor:
                cursor.execute("NOTIFY vnfm_heat_opinion")
            connections.close_all()

    extract = extract_of(onboarded(shipped_zip()))
    onlooker = threading.Thread(target=look_on)
    onlooker.start()
    assert ask_heat(vim=fresh, extract=extract, seconds=20.0) == []
    onlooker.join()
    assert alone == [True]


def test_a_viewer_has_no_cloud_asked(viewer_api: APIClient, fresh: Vim) -> None:
    url = f"/api/v1/packages/{onboarded(shipped_zip()).id}/validation"
    assert viewer_api.get(url).status_code == 200
    assert viewer_api.get(f"{url}?vimId={fresh.id}").status_code == 403
    assert not HeatOpinion.objects.exists()


def test_what_is_refused_here_is_not_taken_to_a_cloud(operator_api: APIClient, fresh: Vim) -> None:
    def break_it(hot: Any) -> None:
        hot["resources"]["cpm_a"]["properties"]["flavour"] = "x"

    report = validated(operator_api, zipped(edited("base.yaml", break_it)), fresh)
    assert not report["valid"]
    assert set(said(report)) == {"HEAT_NOT_ASKED"}


@pytest.mark.parametrize("vim", ["nonsense", "5f0c1c2e-7c1d-4f0a-9a53-000000000000"])
def test_a_cloud_that_is_not_there(operator_api: APIClient, vim: str) -> None:
    answer = operator_api.generic("POST", f"{VALIDATE}?vimId={vim}", shipped_zip(), content_type="application/zip")
    assert answer.status_code in (400, 404)


def test_what_dead_web_processes_left_is_removed(vim: Vim) -> None:
    from vnfm.lcm.heat_opinion import opinions_prune

    old = HeatOpinion.objects.create(vim=make_vim(), extract={})
    new = HeatOpinion.objects.create(vim=vim, extract={})
    HeatOpinion.objects.filter(id=old.id).update(created_at="2000-01-01T00:00:00Z")
    opinions_prune()
    assert list(HeatOpinion.objects.all()) == [new]
