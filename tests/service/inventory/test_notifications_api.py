"""Notifications of a cloud: its message bus and the webhooks of its alarms, by the API."""

import logging
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
import redis
from rest_framework.test import APIClient

from tests.factories.vims import make_vim
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.product import web
from tests.support.waiting import until
from vnfm.inventory.api.webhooks import MOST_CALLS
from vnfm.inventory.models import CloudAlarm, VimNotifications
from vnfm.kit.seal import unseal
from vnfm.kit.web.throttle import PREFIX
from vnfm.vims.models import Vim

pytestmark = pytest.mark.django_db

URL = "rabbit://nova:s3cret@10.0.0.1:5672/"
CALL = {"alarm_id": "a1", "alarm_name": "cpu", "severity": "critical", "previous": "ok", "current": "alarm"}


class LogLines(logging.Handler):
    """A handler that keeps what is logged, as text."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


def notifications(vim: Vim) -> str:
    return f"/api/v1/vims/{vim.id}/notifications"


def webhooks(vim: Vim) -> str:
    return f"/api/v1/vims/{vim.id}/webhooks"


def put(api: APIClient, vim: Vim, **body: Any) -> Any:
    return api.put(notifications(vim), body, format="json")


def path_of(answer: Any) -> str:
    url = str(answer.json()["aodhUrl"])
    assert url.startswith("http://testserver/")
    return url.removeprefix("http://testserver")


# The message bus


def test_a_bus_is_stored_sealed_and_never_returned(api: APIClient) -> None:
    vim = make_vim()
    before = api.get(notifications(vim)).json()
    assert (before["hasTransportUrl"], before["listening"]["status"]) == (False, "Unknown")
    answer = put(api, vim, transportUrl=URL)
    assert answer.status_code == 200, answer.json()
    shown = answer.json()
    assert (shown["hasTransportUrl"], shown["exchanges"]) == (True, ["nova", "neutron", "heat"])
    assert (shown["topic"], shown["queue"], shown["listening"]["reason"]) == ("notifications", "", "NotTried")
    assert "s3cret" not in answer.content.decode()
    row = VimNotifications.objects.get(vim=vim)
    assert row.sealed_bus is not None
    assert b"s3cret" not in bytes(row.sealed_bus)
    assert unseal(row.sealed_bus) == {"url": URL}
    kept = put(api, vim, exchanges=["nova"], topic="vnfm", queue="for-vnfm").json()
    assert (kept["hasTransportUrl"], kept["exchanges"]) == (True, ["nova"])
    assert (kept["topic"], kept["queue"]) == ("vnfm", "for-vnfm")
    assert kept["version"] > shown["version"]


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({}, 422, "/transportUrl"),
        ({"transportUrl": "kafka://nova:s3cret@h/"}, 422, "/transportUrl"),
        ({"transportUrl": URL, "exchanges": []}, 400, "/exchanges"),
        ({"transportUrl": URL, "exchanges": ["a b"]}, 400, "/exchanges/0"),
        ({"transportUrl": URL, "topic": "*"}, 400, "/topic"),
        ({"transportUrl": URL, "url": "x"}, 400, "/url"),
    ],
)
def test_a_bus_that_cannot_be_is_refused(api: APIClient, body: dict[str, Any], status: int, field: str) -> None:
    vim = make_vim()
    answer = put(api, vim, **body)
    assert answer.status_code == status, answer.json()
    assert [error["field"] for error in answer.json()["errors"]] == [field]
    assert "s3cret" not in answer.content.decode()
    assert not VimNotifications.objects.exists()


def test_a_bus_is_let_go_of(api: APIClient) -> None:
    vim = make_vim()
    made = put(api, vim, transportUrl=URL)
    stale = api.delete(notifications(vim), headers={"If-Match": '"0"'})
    assert stale.status_code == 412
    assert api.delete(notifications(vim), headers={"If-Match": made["ETag"]}).status_code == 204
    assert VimNotifications.objects.get(vim=vim).sealed_bus is None
    assert api.get(notifications(vim)).json()["hasTransportUrl"] is False


def test_roles_of_notification_settings(
    operator_api: APIClient, viewer_api: APIClient, anonymous_api: APIClient, api: APIClient
) -> None:
    vim = make_vim()
    assert viewer_api.get(notifications(vim)).status_code == 200
    assert put(operator_api, vim, transportUrl=URL).status_code == 403
    assert operator_api.get(webhooks(vim)).status_code == 403, "the URL is a secret"
    assert operator_api.post(webhooks(vim)).status_code == 403
    assert anonymous_api.get(webhooks(vim)).status_code == 401
    assert api.get(webhooks(vim)).json() == {"aodhUrl": None, "madeAt": None, "calledAt": None}
    assert api.get(f"/api/v1/vims/{uuid4()}/watch").status_code == 404


# Webhooks


def test_a_webhook_call_is_recorded(api: APIClient, anonymous_api: APIClient) -> None:
    vim = make_vim()
    path = path_of(api.post(webhooks(vim)))
    assert path_of(api.get(webhooks(vim))) == path
    first = anonymous_api.post(path, {**CALL, "reason": "hot", "reason_data": {"count": 1}}, format="json")
    assert (first.status_code, first.content) == (204, b"")
    row = CloudAlarm.objects.get()
    assert (row.vim_id, row.alarm_id, row.name, row.state) == (vim.id, "a1", "cpu", "alarm")
    assert (row.severity, row.reason, row.reason_data) == ("CRITICAL", "hot", {"count": 1})
    assert api.get(webhooks(vim)).json()["calledAt"] is not None
    anonymous_api.post(path, {**CALL, "reason": "hotter"}, format="json")
    again = CloudAlarm.objects.get()
    assert (again.reason, again.since) == ("hotter", row.since)
    assert again.received_at > row.received_at
    anonymous_api.post(path, {**CALL, "current": "ok"}, format="json")
    over = CloudAlarm.objects.get()
    assert over.state == "ok"
    assert over.since > row.since


def test_any_wrong_token_is_nothing_at_all(api: APIClient, anonymous_api: APIClient) -> None:
    vim, other, without = make_vim(), make_vim(), make_vim()
    token = path_of(api.post(webhooks(vim))).rsplit("/", 1)[1]
    api.post(webhooks(other))
    asked = [
        f"{webhooks(vim)}/aodh/{token[:-1]}x",
        f"{webhooks(other)}/aodh/{token}",
        f"{webhooks(without)}/aodh/{token}",
        f"/api/v1/vims/{uuid4()}/webhooks/aodh/{token}",
    ]
    answers = [anonymous_api.post(path, CALL, format="json") for path in asked]
    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.content for answer in answers}) == 1, "it does not say what was wrong"
    assert not CloudAlarm.objects.exists()


def test_a_new_url_ends_the_old_one_and_none_ends_both(api: APIClient, anonymous_api: APIClient) -> None:
    vim = make_vim()
    old = path_of(api.post(webhooks(vim)))
    new = path_of(api.post(webhooks(vim)))
    assert anonymous_api.post(old, CALL, format="json").status_code == 404
    assert anonymous_api.post(new, CALL, format="json").status_code == 204
    assert api.delete(webhooks(vim)).status_code == 204
    assert anonymous_api.post(new, CALL, format="json").status_code == 404
    assert not CloudAlarm.objects.exists(), "no call would say that it is over"
    assert api.get(webhooks(vim)).json()["aodhUrl"] is None


@pytest.mark.parametrize("body", [{}, {"alarm_id": "a1"}, [1], {**CALL, "current": "red"}])
def test_an_invalid_webhook_call_is_refused_and_its_secret_path_not_logged(
    api: APIClient, anonymous_api: APIClient, body: Any
) -> None:
    path, said = path_of(api.post(webhooks(make_vim()))), LogLines()
    logging.getLogger().addHandler(said)
    try:
        assert anonymous_api.post(path, body, format="json").status_code == 400
        assert anonymous_api.post("/api/v1/nothing").status_code == 404
    finally:
        logging.getLogger().removeHandler(said)
    assert any("/api/v1/nothing" in line for line in said.lines), "what is refused elsewhere is logged"
    assert not [line for line in said.lines if path.rsplit("/", 1)[1] in line]
    assert not CloudAlarm.objects.exists()


def test_a_flood_is_limited_for_its_sender(api: APIClient, anonymous_api: APIClient, valkey: str) -> None:
    vim, url = make_vim(), f"/api/v1/vims/{uuid4()}/webhooks/aodh/x"
    flooding = {"REMOTE_ADDR": "192.0.2.66"}
    most = int(MOST_CALLS.partition("/")[0])
    redis.Redis.from_url(valkey).set(f"{PREFIX}webhook-address-192.0.2.66", most - 1, ex=60)  # as after as many calls
    answers = [anonymous_api.post(url, CALL, format="json", **flooding) for _ in range(2)]
    assert answers[0].status_code == 404
    assert (answers[-1].status_code, answers[-1].json()["code"]) == (429, "TOO_MANY_REQUESTS")
    assert 1 <= int(answers[-1]["Retry-After"]) <= 60
    path = path_of(api.post(webhooks(vim)))
    assert anonymous_api.post(path, CALL, format="json").status_code == 204, "others are still heard"


@pytest.mark.django_db(transaction=True)
def test_aodh_itself_calls_it(
    cloudsim: CloudsimProcess, product_env: dict[str, str], api: APIClient, transactional_db: None
) -> None:
    """The simulated Aodh, over HTTP, on a web process of the product."""
    cloudsim.control("POST", "/reset")
    vim = make_vim()
    path = path_of(api.post(webhooks(vim)))
    aodh = _aodh(cloudsim)
    with web(product_env) as site:
        rule = {"meter_name": "cpu_util", "threshold": 80.0}
        actions = {name: [f"{site}{path}"] for name in ("alarm_actions", "ok_actions")}
        body = {"name": "cpu", "type": "threshold", "severity": "moderate", "threshold_rule": rule, **actions}
        alarm_id = aodh("POST", "/v2/alarms", body)["alarm_id"]
        aodh("PUT", f"/v2/alarms/{alarm_id}/state", "alarm")
        until(lambda: CloudAlarm.objects.filter(alarm_id=alarm_id, state="alarm").exists(), "the call", seconds=20)
        assert CloudAlarm.objects.get().severity == "MAJOR"
        aodh("PUT", f"/v2/alarms/{alarm_id}/state", "ok")
        until(lambda: CloudAlarm.objects.filter(alarm_id=alarm_id, state="ok").exists(), "its end", seconds=20)


def _aodh(cloudsim: CloudsimProcess) -> Callable[[str, str, Any], Any]:
    import openstack

    config = openstack.config.OpenStackConfig(config_files=[str(cloudsim.clouds_yaml)])
    token = openstack.connection.Connection(config=config.get_one("cloudsim")).auth_token

    def ask(method: str, path: str, body: Any) -> Any:
        status, answer = cloudsim.request(method, f"/alarming{path}", body, {"X-Auth-Token": token})
        assert status < 300, answer
        return answer

    return ask
