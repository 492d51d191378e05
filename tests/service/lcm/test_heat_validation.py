"""Findings of the chosen cloud's Heat: they are added to our own and never replace them."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.factories.catalog import onboarded
from tests.factories.packages import edited, shipped_zip, zipped
from tests.factories.templates import fixture_files
from tests.service.lcm.step_control import away
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.installation import until
from tests.support.worker import serving
from vnfm.clouds.ports import CloudProvider
from vnfm.kit.models import WorkerRequest
from vnfm.vims.models import Vim

VALIDATE = "/api/v1/packages/validate"
SPEAKER = "heat of cloudsim"

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def artifacts(settings: Any, tmp_path: Path) -> None:
    settings.ARTIFACTS_DIR = tmp_path / "artifacts"


@pytest.fixture
def worker(provider: CloudProvider, transactional_db: None) -> Iterator[None]:
    """Calls Heat as the Celery worker would."""
    from vnfm.lcm.tasks import validate_package

    with serving(validate_package):
        yield


@pytest.fixture
def fresh(vim: Vim, cloudsim: CloudsimProcess) -> Vim:
    cloudsim.control("POST", "/reset")
    return vim


def validated(api: APIClient, data: bytes, vim: Vim) -> dict[str, Any]:
    answer = api.generic("POST", f"{VALIDATE}?vimId={vim.id}", data, content_type="application/zip")
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()
    return found


def heat_findings(report: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Code to severity and message of the findings of the cloud's Heat."""
    return {f["code"]: (f["severity"], f["message"]) for f in report["validationReport"] if f["speaker"] == SPEAKER}


def offline(report: dict[str, Any]) -> list[dict[str, Any]]:
    return [finding for finding in report["validationReport"] if not finding["speaker"]]


def test_heat_has_nothing_against_the_shipped_package(operator_api: APIClient, fresh: Vim, worker: None) -> None:
    findings = heat_findings(validated(operator_api, shipped_zip(), fresh))
    assert findings["HEAT_VALIDATES"][0] == "note"
    severity, message = findings["HEAT_PREVIEW"]
    assert (severity, "3 OS::Nova::Server" in message) == ("note", True), message
    assert not WorkerRequest.objects.exists()


def test_heat_s_own_words(operator_api: APIClient, fresh: Vim, worker: None) -> None:
    """Only the cloud can know this: which of its services are there."""

    def strange(hot: Any) -> None:
        hot["resources"]["trunk"] = {"type": "OS::Swift::Container"}

    report = validated(operator_api, zipped(edited("base.yaml", strange)), fresh)
    assert report["valid"], offline(report)
    assert set(heat_findings(report)) == {"HEAT_REFUSES"}
    severity, message = heat_findings(report)["HEAT_REFUSES"]
    assert severity == "error"
    assert "OS::Swift::Container" in message


def test_a_stored_package(operator_api: APIClient, fresh: Vim, worker: None) -> None:
    package = onboarded(shipped_zip())
    plain = operator_api.get(f"/api/v1/packages/{package.id}/validation").json()
    assert {f["speaker"] for f in plain["validationReport"]} <= {""}
    report = operator_api.get(f"/api/v1/packages/{package.id}/validation?vimId={fresh.id}").json()
    assert {"HEAT_VALIDATES", "HEAT_PREVIEW"} == set(heat_findings(report))
    assert offline(report) == plain["validationReport"]


def test_the_report_of_a_stored_package_takes_a_bounded_time(
    operator_api: APIClient, fresh: Vim, monkeypatch: pytest.MonkeyPatch
) -> None:
    from vnfm.catalog.domain.hot.validate import cloud_findings
    from vnfm.catalog.selectors import templates_of
    from vnfm.catalog.services import validation
    from vnfm.lcm.selectors.heat_target import heat_target

    package = onboarded(shipped_zip())
    Vim.objects.filter(id=fresh.id).update(versions={"hot": "2015-10-15"})
    fresh.refresh_from_db()
    target = heat_target(fresh)
    found = validation.package_findings_for(package=package, target=target)
    assert found == cloud_findings(replace(templates_of(package), target=target))
    monkeypatch.setattr(validation, "CHECK_SECONDS", 0.001)
    answer = operator_api.get(f"/api/v1/packages/{package.id}/validation?vimId={fresh.id}")
    assert (answer.status_code, answer.json()["code"]) == (422, "PACKAGE_TOO_COSTLY")


def test_a_resource_with_a_condition_stays_a_warning(operator_api: APIClient, fresh: Vim, worker: None) -> None:
    def add_trunk(hot: Any) -> None:
        hot["heat_template_version"] = "2016-10-14"
        hot["conditions"] = {"never": False}
        trunk = {"type": "OS::Neutron::Trunk", "condition": "never", "properties": {"port": "p"}}
        hot["resources"]["trunk"] = trunk

    package = onboarded(zipped(edited("base.yaml", add_trunk)))
    Vim.objects.filter(id=fresh.id).update(versions={"hot": "2016-10-14"})
    for query in ("", f"?vimId={fresh.id}"):
        report = operator_api.get(f"/api/v1/packages/{package.id}/validation{query}").json()
        found = [f["severity"] for f in offline(report) if f["pointer"].startswith("/resources/trunk")]
        assert found == ["warning"], query


def test_plain_templates(operator_api: APIClient, fresh: Vim, worker: None) -> None:
    findings = heat_findings(validated(operator_api, zipped(fixture_files("scaling")), fresh))
    assert "HEAT_VALIDATES" in findings
    assert set(findings) & {"HEAT_PREVIEW", "HEAT_PREVIEW_REFUSED", "HEAT_PREVIEW_LEFT_OUT"}


def test_an_unreachable_cloud_leaves_our_own_findings(
    operator_api: APIClient, fresh: Vim, worker: None, cloudsim: CloudsimProcess
) -> None:
    data = zipped(fixture_files("vcpe"))
    before = validated(operator_api, data, fresh)
    with away(cloudsim):
        report = validated(operator_api, data, fresh)
    assert set(heat_findings(report)) == {"HEAT_UNREACHABLE"}
    assert heat_findings(report)["HEAT_UNREACHABLE"][0] == "warning"
    assert offline(report) == offline(before)
    assert report["valid"]


def claim_and_never_finish() -> None:
    from django.db import connections

    until(lambda: WorkerRequest.objects.update(state="running") or None, 5, "a request")
    connections.close_all()


@pytest.mark.parametrize(("state", "words"), [("waiting", "No worker"), ("running", "did not answer within")])
def test_it_waits_no_longer_than_the_time_limit(fresh: Vim, state: str, words: str) -> None:
    from vnfm.catalog.selectors import template_bundle
    from vnfm.lcm.services.heat_validation import heat_validate

    package = onboarded(shipped_zip())
    if state == "running":
        threading.Thread(target=claim_and_never_finish).start()
    (finding,) = heat_validate(vim=fresh, bundle=template_bundle(package), seconds=1.0)
    assert (finding.severity, finding.code) == ("warning", "HEAT_UNREACHABLE")
    assert words in finding.message
    assert not WorkerRequest.objects.exists()


def test_a_waiting_request_holds_no_pooled_connection(fresh: Vim) -> None:
    from django.db import connection, connections

    from vnfm.catalog.selectors import template_bundle
    from vnfm.lcm.services.heat_validation import heat_validate

    alone: list[bool] = []

    def look_on() -> None:
        def only_this() -> bool | None:
            asked, stats = WorkerRequest.objects.exists(), connection.pool.get_stats()
            return (asked and stats["pool_size"] - stats["pool_available"] == 1) or None

        try:
            alone.append(until(only_this, 10, "the pool's connections"))
        finally:
            WorkerRequest.objects.update(state="done", result={"findings": []})
            with connection.cursor() as cursor:
                cursor.execute("NOTIFY vnfm_worker_request")
            connections.close_all()

    bundle = template_bundle(onboarded(shipped_zip()))
    onlooker = threading.Thread(target=look_on)
    onlooker.start()
    assert heat_validate(vim=fresh, bundle=bundle, seconds=20.0) == []
    onlooker.join()
    assert alone == [True]


def test_a_viewer_cannot_have_heat_validate(viewer_api: APIClient, fresh: Vim) -> None:
    url = f"/api/v1/packages/{onboarded(shipped_zip()).id}/validation"
    assert viewer_api.get(url).status_code == 200
    assert viewer_api.get(f"{url}?vimId={fresh.id}").status_code == 403
    assert not WorkerRequest.objects.exists()


def test_a_package_that_we_refuse_is_not_sent_to_heat(operator_api: APIClient, fresh: Vim) -> None:
    def break_it(hot: Any) -> None:
        hot["resources"]["cpm_a"]["properties"]["flavour"] = "x"

    report = validated(operator_api, zipped(edited("base.yaml", break_it)), fresh)
    assert not report["valid"]
    assert set(heat_findings(report)) == {"HEAT_NOT_ASKED"}


@pytest.mark.parametrize("vim", ["nonsense", "5f0c1c2e-7c1d-4f0a-9a53-000000000000"])
def test_an_unknown_vim(operator_api: APIClient, vim: str) -> None:
    answer = operator_api.generic("POST", f"{VALIDATE}?vimId={vim}", shipped_zip(), content_type="application/zip")
    assert answer.status_code in (400, 404)
