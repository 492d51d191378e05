"""/api/v1/elements/{id}/configuration from the outside; no worker runs, so what is asked for waits."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.factories.elements import make_card, make_element, make_policy
from vnfm.accounts.models import AuditEntry
from vnfm.configuration.models import ConfigurationJob, ConfigurationVersion
from vnfm.configuration.reconcilers.run import run
from vnfm.configuration.versions import sealed, unsealed, version_record
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


def place(element: NetworkElement, rest: str = "") -> str:
    return f"/api/v1/elements/{element.id}/configuration{rest}"


def post(api: APIClient, path: str, body: Any = None) -> Any:
    return api.post(path, body or {}, format="json")


def record(element: NetworkElement, secret: str, **fields: Any) -> ConfigurationVersion:
    now = clock.now()
    return version_record(element=element, text=TEXT.format(secret), reason="REQUEST", by="ann", now=now, **fields)


def test_nothing_happens_by_itself_until_somebody_says_so(operator_api: APIClient, element: NetworkElement) -> None:
    shown = operator_api.get(place(element))
    assert (shown.json()["intervalSeconds"], shown.json()["onChange"], shown["ETag"]) == (None, False, '"0"')
    body = {"intervalSeconds": 86400, "onChange": True}
    stale = operator_api.patch(place(element), body, format="json", headers={"If-Match": '"3"'})
    assert stale.status_code == 412
    made = operator_api.patch(place(element), body, format="json", headers={"If-Match": '"0"'})
    assert made.status_code == 200, made.json()
    assert made.json()["nextBackupAt"]
    assert (made.json()["intervalSeconds"], made["ETag"]) == (86400, '"1"')
    off = operator_api.patch(place(element), {"intervalSeconds": None}, format="json")
    assert (off.json()["nextBackupAt"], off.json()["onChange"], off["ETag"]) == (None, True, '"2"')


@pytest.mark.parametrize(
    "body", [{"intervalSeconds": 1}, {"intervalSeconds": "x"}, {"keepVersions": 0}, {"keep": 1}, {"onChange": 7}]
)
def test_a_plan_that_makes_no_sense(operator_api: APIClient, element: NetworkElement, body: Any) -> None:
    assert operator_api.patch(place(element), body, format="json").status_code == 400


def test_a_viewer_looks_and_changes_nothing(viewer_api: APIClient, element: NetworkElement) -> None:
    version = record(element, "hush")
    assert viewer_api.patch(place(element), {"onChange": True}, format="json").status_code == 403
    for action in ("backup", "push", "rollback"):
        assert post(viewer_api, place(element, f"/{action}")).status_code == 403
    assert post(viewer_api, f"/api/v1/elements/{element.id}/admin_state").status_code == 403
    assert viewer_api.get(place(element, f"/versions/{version.id}")).status_code == 200
    assert not ConfigurationJob.objects.exists()


def test_secrets_are_for_administrators_who_ask(
    viewer_api: APIClient, operator_api: APIClient, api: APIClient, element: NetworkElement
) -> None:
    first, second = record(element, "hush-1"), record(element, "hush-2")
    one = place(element, f"/versions/{first.id}")
    ways = (one, f"{one}/text", f"{one}/diff?to={second.id}")
    for client in (viewer_api, operator_api, api):
        for way in ways:
            answer = client.get(way)
            assert answer.status_code == 200
            assert b"hush" not in answer.content
            assert b"secret" in answer.content
    for way in ways:
        asking = f"{way}{'&' if '?' in way else '?'}secrets=true"
        assert operator_api.get(asking).status_code == 403
        assert b"hush-1" in api.get(asking).content
    assert AuditEntry.objects.filter(action="GET secrets").count() == len(ways)


def test_versions_are_listed_compared_and_downloaded(viewer_api: APIClient, element: NetworkElement) -> None:
    first, again = record(element, "x"), record(element, "x")
    assert first.id == again.id
    second = record(element, "x\nlocation here")
    listed = viewer_api.get(place(element, "/versions")).json()
    assert [(row["number"], row["by"], row["reason"]) for row in listed] == [
        (2, "ann", "REQUEST"),
        (1, "ann", "REQUEST"),
    ]
    assert viewer_api.get(place(element, "/versions?filter=(eq,number,1)")).json()[0]["id"] == str(first.id)
    assert viewer_api.get(place(element)).json()["latestVersion"]["id"] == str(second.id)
    diff = viewer_api.get(place(element, f"/versions/{first.id}/diff?to={second.id}")).json()["diff"]
    assert diff.startswith("--- version 1\n+++ version 2\n")
    assert viewer_api.get(place(element, f"/versions/{first.id}/diff?to={first.id}")).json()["diff"] == ""
    file = viewer_api.get(place(element, f"/versions/{first.id}/text"))
    assert file["Content-Type"] == "text/plain; charset=utf-8"
    assert f'filename="{element.name}-1.cfg"' in file["Content-Disposition"]
    assert viewer_api.get(place(element, f"/versions/{first.id}/diff")).status_code == 400
    other = make_element()
    assert viewer_api.get(place(other, f"/versions/{first.id}")).status_code == 404
    assert viewer_api.get(place(other, "/versions")).json() == []


def test_what_is_asked_for_waits_for_a_worker(operator_api: APIClient, element: NetworkElement) -> None:
    version = record(element, "hush")
    asked = {
        "backup": {},
        "push": {"text": 'configure system snmp community "hush" r', "dryRun": True},
        "rollback": {"versionId": str(version.id)},
    }
    for action, body in asked.items():
        made = post(operator_api, place(element, f"/{action}"), body)
        assert made.status_code == 202, made.json()
        assert (made.json()["kind"], made.json()["state"]) == (action.upper(), "WAITING")
        job = operator_api.get(made["Location"].removeprefix("http://testserver"))
        assert job.json()["dryRun"] is (action == "push")
        assert "hush" not in job.json()["text"]
        assert AuditEntry.objects.filter(object=place(element, f"/{action}")).exists()
    (push,) = ConfigurationJob.objects.filter(kind="PUSH")
    assert push.sealed_text is not None
    assert "hush" in unsealed(push.sealed_text)
    assert b"hush" not in bytes(push.sealed_text)
    listed = operator_api.get(place(element, "/jobs?filter=(eq,kind,PUSH)")).json()
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
    refused = post(operator_api, place(element, f"/{action}"), body)
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
def test_elements_that_nobody_can_log_in_to(
    operator_api: APIClient, element: NetworkElement, columns: Any, code: str
) -> None:
    NetworkElement.objects.filter(id=element.id).update(**columns)
    refused = post(operator_api, place(element, "/backup"))
    assert (refused.status_code, refused.json()["code"]) == (409, code)


def test_parts_that_cannot_be_switched(operator_api: APIClient, element: NetworkElement) -> None:
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
    made = post(operator_api, where, {**body, "evenIfManagementPathUnknown": True})
    assert (made.status_code, made.json()["fdn"], made.json()["adminState"]) == (202, card.fdn, "DOWN")


def test_a_failure_is_told_with_what_to_do(operator_api: APIClient, element: NetworkElement) -> None:
    """Nobody listens at the element's SSH port."""
    made = post(operator_api, place(element, "/backup"))
    run(ConfigurationJob.objects.get().id)
    job = operator_api.get(made["Location"].removeprefix("http://testserver")).json()
    assert (job["state"], job["problem"]["code"]) == ("WAITING", "UNREACHABLE")
    assert "SSH" in job["problem"]["nextStep"]
    assert job["problem"]["causes"][0]["source"] == "element"


def test_what_is_sealed_comes_back() -> None:
    text = "".join(f"line {number} \u00e9\n" for number in range(10_000))
    token = sealed(text)
    assert unsealed(token) == text
    assert len(token) < len(text) / 2
