"""/api/v1/elements/{id}/configuration; without a worker, so jobs wait."""

from __future__ import annotations

import hashlib
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from rest_framework.test import APIClient

from tests.factories.elements import make_card, make_element, make_policy
from vnfm.accounts.models import AuditEntry
from vnfm.configuration.models import (
    ConfigurationContent,
    ConfigurationJob,
    ConfigurationVersion,
    seal_text,
    unseal_text,
)
from vnfm.configuration.reconcilers.jobs import jobs_interrupt, run_job
from vnfm.configuration.services.versions import version_record
from vnfm.elements.models import NetworkElement
from vnfm.kit import clock
from vnfm.kit.models import OutboxEvent
from vnfm.kit.seal import seal

pytestmark = pytest.mark.django_db

TEXT = 'exit all\nconfigure\n    system\n        name "pe1"\n        snmp\n            community "{0}" r\n'


@pytest.fixture
def element() -> NetworkElement:
    policy = make_policy(protocol="SSH", port=1, sealed_secrets=seal({"password": "x"}), settings={"username": "x"})
    return make_element(driver="nokia-sros", ssh_policy=policy, management_address="127.0.0.1")


def path(element: NetworkElement, rest: str = "") -> str:
    return f"/api/v1/elements/{element.id}/configuration{rest}"


def post(api: APIClient, path: str, body: Any = None) -> Any:
    return api.post(path, body or {}, format="json")


def record(element: NetworkElement, secret: str, **fields: Any) -> ConfigurationVersion:
    now = clock.now()
    return version_record(element=element, text=TEXT.format(secret), reason="REQUEST", by="ann", now=now, **fields)


def test_without_a_plan_there_are_no_automatic_backups(operator_api: APIClient, element: NetworkElement) -> None:
    plan = operator_api.get(path(element))
    assert (plan.json()["intervalSeconds"], plan.json()["onChange"], plan["ETag"]) == (None, False, '"0"')
    body = {"intervalSeconds": 86400, "onChange": True}
    stale = operator_api.patch(path(element), body, format="json", headers={"If-Match": '"3"'})
    assert stale.status_code == 412
    created = operator_api.patch(path(element), body, format="json", headers={"If-Match": '"0"'})
    assert created.status_code == 200, created.json()
    assert created.json()["nextBackupAt"]
    assert (created.json()["intervalSeconds"], created["ETag"]) == (86400, '"1"')
    off = operator_api.patch(path(element), {"intervalSeconds": None}, format="json")
    assert (off.json()["nextBackupAt"], off.json()["onChange"], off["ETag"]) == (None, True, '"2"')


@pytest.mark.parametrize(
    "body", [{"intervalSeconds": 1}, {"intervalSeconds": "x"}, {"keepVersions": 0}, {"keep": 1}, {"onChange": 7}]
)
def test_invalid_plans(operator_api: APIClient, element: NetworkElement, body: Any) -> None:
    assert operator_api.patch(path(element), body, format="json").status_code == 400


def test_a_viewer_may_read_but_not_change(viewer_api: APIClient, element: NetworkElement) -> None:
    version = record(element, "hush")
    assert viewer_api.patch(path(element), {"onChange": True}, format="json").status_code == 403
    for action in ("backup", "push", "rollback"):
        assert post(viewer_api, path(element, f"/{action}")).status_code == 403
    assert post(viewer_api, f"/api/v1/elements/{element.id}/admin_state").status_code == 403
    assert viewer_api.get(path(element, f"/versions/{version.id}")).status_code == 200
    assert not ConfigurationJob.objects.exists()


def test_only_administrators_see_secrets_on_request(
    viewer_api: APIClient, operator_api: APIClient, api: APIClient, element: NetworkElement
) -> None:
    first, second = record(element, "hush-1"), record(element, "hush-2")
    one = path(element, f"/versions/{first.id}")
    urls = (one, f"{one}/text", f"{one}/diff?to={second.id}")
    for client in (viewer_api, operator_api, api):
        for url in urls:
            answer = client.get(url)
            assert answer.status_code == 200
            assert b"hush" not in answer.content
            assert b"secret" in answer.content
    for url in urls:
        unmasked = f"{url}{'&' if '?' in url else '?'}secrets=true"
        assert operator_api.get(unmasked).status_code == 403
        assert b"hush-1" in api.get(unmasked).content
    assert AuditEntry.objects.filter(action="GET secrets").count() == len(urls)


def test_versions_are_listed_compared_and_downloaded(viewer_api: APIClient, element: NetworkElement) -> None:
    first, again = record(element, "x"), record(element, "x")
    assert first.id == again.id
    second = record(element, "x\nlocation here")
    listed = viewer_api.get(path(element, "/versions")).json()
    assert [(row["number"], row["by"], row["reason"]) for row in listed] == [
        (2, "ann", "REQUEST"),
        (1, "ann", "REQUEST"),
    ]
    assert viewer_api.get(path(element, "/versions?filter=(eq,number,1)")).json()[0]["id"] == str(first.id)
    assert viewer_api.get(path(element)).json()["latestVersion"]["id"] == str(second.id)
    diff = viewer_api.get(path(element, f"/versions/{first.id}/diff?to={second.id}")).json()["diff"]
    assert diff.startswith("--- version 1\n+++ version 2\n")
    assert viewer_api.get(path(element, f"/versions/{first.id}/diff?to={first.id}")).json()["diff"] == ""
    file = viewer_api.get(path(element, f"/versions/{first.id}/text"))
    assert file["Content-Type"] == "text/plain; charset=utf-8"
    assert f'filename="{element.name}-1.cfg"' in file["Content-Disposition"]
    assert viewer_api.get(path(element, f"/versions/{first.id}/diff")).status_code == 400
    other = make_element()
    assert viewer_api.get(path(other, f"/versions/{first.id}")).status_code == 404
    assert viewer_api.get(path(other, "/versions")).json() == []


def test_jobs_wait_for_a_worker(operator_api: APIClient, element: NetworkElement) -> None:
    version = record(element, "hush")
    requests = {
        "backup": {},
        "push": {"text": 'configure system snmp community "hush" r', "dryRun": True},
        "rollback": {"versionId": str(version.id)},
    }
    for action, body in requests.items():
        created = post(operator_api, path(element, f"/{action}"), body)
        assert created.status_code == 202, created.json()
        assert (created.json()["kind"], created.json()["state"]) == (action.upper(), "WAITING")
        job = operator_api.get(created["Location"].removeprefix("http://testserver"))
        assert job.json()["dryRun"] is (action == "push")
        assert "hush" not in job.json()["text"]
        assert AuditEntry.objects.filter(object=path(element, f"/{action}")).exists()
    (push,) = ConfigurationJob.objects.filter(kind="PUSH")
    assert push.sealed_text is not None
    assert "hush" in unseal_text(push.sealed_text)
    assert b"hush" not in bytes(push.sealed_text)
    listed = operator_api.get(path(element, "/jobs?filter=(eq,kind,PUSH)")).json()
    assert [row["id"] for row in listed] == [str(push.id)]
    assert OutboxEvent.objects.filter(topic="configuration_job.changed", aggregate_id=push.id).exists()


@pytest.mark.parametrize(
    ("action", "body", "code"),
    [
        ("push", {}, "INVALID_REQUEST"),
        ("push", {"text": "# nothing\n\n"}, "NOTHING_TO_PUSH"),
        ("push", {"text": "name x\r\nno shutdown\radmin reboot now"}, "CONTROL_CHARACTER"),
        ("push", {"text": "x", "dry": True}, "INVALID_REQUEST"),
        ("push", {"text": "x" * (1024 * 1024 + 1)}, "INVALID_REQUEST"),
        ("rollback", {"versionId": "x"}, "INVALID_REQUEST"),
        ("rollback", {"versionId": "00000000-0000-0000-0000-000000000000"}, "NOT_FOUND"),
    ],
)
def test_bad_requests(operator_api: APIClient, element: NetworkElement, action: str, body: Any, code: str) -> None:
    refused = post(operator_api, path(element, f"/{action}"), body)
    assert (refused.status_code // 100, refused.json()["code"]) == (4, code)
    assert not ConfigurationJob.objects.exists()


@pytest.mark.parametrize(
    ("columns", "code"),
    [
        ({"state": "SUSPENDED"}, "NOT_MANAGED"),
        ({"ssh_policy": None}, "NO_SSH_POLICY"),
        ({"driver": ""}, "NOT_READ_YET"),
    ],
)
def test_elements_without_a_login(operator_api: APIClient, element: NetworkElement, columns: Any, code: str) -> None:
    NetworkElement.objects.filter(id=element.id).update(**columns)
    refused = post(operator_api, path(element, "/backup"))
    assert (refused.status_code, refused.json()["code"]) == (409, code)


def test_parts_whose_admin_state_cannot_be_set(operator_api: APIClient, element: NetworkElement) -> None:
    where = f"/api/v1/elements/{element.id}/admin_state"
    cpm = make_card(element, "A", equipment_class="CPM")
    for body, status in (
        ({"fdn": cpm.fdn, "adminState": "DOWN"}, 422),
        ({"fdn": "network:nowhere", "adminState": "DOWN"}, 404),
        ({"fdn": cpm.fdn, "adminState": "SIDEWAYS"}, 400),
    ):
        assert post(operator_api, where, body).status_code == status
    card = make_card(element, "1")
    body = {"fdn": card.fdn, "adminState": "DOWN"}
    refused = post(operator_api, where, body)
    assert (refused.status_code, refused.json()["code"]) == (409, "MANAGEMENT_PATH_UNKNOWN")
    created = post(operator_api, where, {**body, "evenIfManagementPathUnknown": True})
    assert (created.status_code, created.json()["fdn"], created.json()["adminState"]) == (202, card.fdn, "DOWN")


def test_a_failed_job_has_a_problem_with_a_next_step(operator_api: APIClient, element: NetworkElement) -> None:
    """The element's SSH port is closed."""
    created = post(operator_api, path(element, "/backup"))
    run_job(ConfigurationJob.objects.get().id)
    job = operator_api.get(created["Location"].removeprefix("http://testserver")).json()
    assert (job["state"], job["problem"]["code"]) == ("WAITING", "UNREACHABLE")
    assert "SSH" in job["problem"]["nextStep"]
    assert job["problem"]["causes"][0]["source"] == "element"


def test_a_push_that_has_ended_is_one_entry_of_the_audit_trail(api: APIClient, element: NetworkElement) -> None:
    def entries() -> list[dict[str, Any]]:
        return list(api.get("/api/v1/audit", {"filter": "(eq,hasResult,false);(eq,dryRun,false)"}).json())

    for dry_run in (True, False):
        assert post(api, path(element, "/push"), {"text": "port 1/1/1", "dryRun": dry_run}).status_code == 202
    assert [entry["action"] for entry in entries()] == ["POST 202"]
    request = AuditEntry.objects.latest("id")
    jobs_interrupt(clock.now())
    (result,) = entries()
    assert result["action"] == "configuration PUSH FAILED"
    assert (result["address"], result["requestId"]) == (request.address, request.request_id)
    assert result["detail"]["tokenName"] == request.detail["tokenName"]
    assert len(api.get("/api/v1/audit", {"filter": "(eq,hasResult,true)"}).json()) == 1
    assert AuditEntry.objects.filter(detail__dryRun=True).count() == 1


def test_a_text_is_sealed_and_unsealed() -> None:
    text = "".join(f"line {number} \u00e9\n" for number in range(10_000))
    token = seal_text(text)
    assert unseal_text(token) == text
    assert len(token) < len(text) / 2


def test_a_masked_secret_cannot_be_guessed_by_a_digest(viewer_api: APIClient, element: NetworkElement) -> None:
    record(element, "hush")
    plain = hashlib.sha256(TEXT.format("hush").encode()).hexdigest()
    for rest in ("/versions", ""):
        answer = viewer_api.get(path(element, rest))
        assert (answer.status_code, "digest" in answer.content.decode()) == (200, False)
    stored = ConfigurationContent.objects.get()
    assert stored.digest != plain
    keyed = stored.digest
    ConfigurationContent.objects.update(digest=plain)
    import_module("vnfm.configuration.migrations.0002_keyed_digests").key_digests(apps, None)
    stored.refresh_from_db()
    assert stored.digest == keyed, "what an earlier version stored is keyed, and found again"
