"""Aodh v2 through keystoneauth's adapter, as there is no SDK proxy for it."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from keystoneauth1.adapter import Adapter

RULE = {"meter_name": "cpu_util", "threshold": 80, "comparison_operator": "gt"}


@pytest.fixture
def aodh(user) -> Adapter:
    return Adapter(user.session, service_type="alarming", interface="public", raise_exc=False)


@pytest.fixture
def webhook() -> Iterator[tuple[str, list]]:
    """A listener: its URL, and what it got (headers, body)."""
    got: list = []

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append((dict(self.headers), json.loads(self.rfile.read(int(self.headers["Content-Length"])))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *args) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Hook)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/alarm", got
    server.shutdown()


def make(aodh: Adapter, **more) -> dict:
    made = aodh.post("/v2/alarms", json={"name": "cpu", "type": "threshold", "threshold_rule": RULE, **more})
    assert made.status_code == 201, made.text
    return made.json()


def test_life_of_an_alarm(aodh):
    alarm = make(aodh)
    assert (alarm["state"], alarm["severity"], alarm["repeat_actions"]) == ("insufficient data", "low", False)
    assert alarm["threshold_rule"]["period"] == 60
    where = f"/v2/alarms/{alarm['alarm_id']}"
    changed = aodh.put(where, json={**alarm, "severity": "critical"}).json()
    assert changed["severity"] == "critical"
    query = {"q.field": "name", "q.op": "eq", "q.value": "cpu"}
    assert [one["alarm_id"] for one in aodh.get("/v2/alarms", params=query).json()] == [alarm["alarm_id"]]
    assert aodh.get(f"{where}/state").json() == "insufficient data"
    assert aodh.delete(where).status_code == 204
    gone = aodh.get(where)
    assert (gone.status_code, gone.json()["error_message"]["faultstring"]) == (
        404,
        f"Alarm {alarm['alarm_id']} not found",
    )
    assert [one["type"] for one in aodh.get(f"{where}/history").json()] == ["deletion", "rule change", "creation"]


def test_a_state_calls_its_webhook_with_the_documented_body(aodh, webhook, heat):
    url, got = webhook
    alarm = make(aodh, alarm_actions=[url], ok_actions=[url], severity="critical")
    for state in ("alarm", "alarm", "ok"):
        assert aodh.put(f"/v2/alarms/{alarm['alarm_id']}/state", json=state).json() == state
        heat.until(lambda: got)
    heat.until(lambda: len(got) == 2)
    headers, body = min(got, key=lambda one: one[1]["current"])
    assert {name.lower(): value for name, value in headers.items()}["x-openstack-request-id"].startswith("req-")
    assert body == {
        "alarm_name": "cpu",
        "alarm_id": alarm["alarm_id"],
        "severity": "critical",
        "previous": "insufficient data",
        "current": "alarm",
        "reason": "Manually set via API",
        "reason_data": {},
    }


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"name": "x", "type": "threshold"}, "threshold_rule must be set for threshold type alarm"),
        ({"name": "x", "type": "nope"}, "Invalid input for field/attribute type. Value: 'nope'."),
        ({"type": "event", "event_rule": {}}, "Invalid input for field/attribute name."),
        ({"name": "x", "type": "event", "event_rule": {}, "alarm_actions": ["ftp://x"]}, "Unsupported action ftp://x"),
        ({"name": "x", "type": "threshold", "threshold_rule": {"meter_name": "m"}}, "field/attribute threshold"),
    ],
)
def test_refusals(aodh, body, words):
    refused = aodh.post("/v2/alarms", json=body)
    assert refused.status_code == 400
    assert words in refused.json()["error_message"]["faultstring"]


def test_an_alarm_from_a_template(aodh, heat):
    template = """
heat_template_version: 2015-10-15
resources:
  cpu:
    type: OS::Ceilometer::Alarm
    properties: {meter_name: cpu_util, threshold: 80, comparison_operator: gt, matching_metadata: {stack: x}}
"""
    ident = heat.create(template)
    where = f"/v2/alarms/{heat.resources(ident)['cpu'].physical_resource_id}"
    assert aodh.get(where).json()["threshold_rule"]["query"] == [
        {"field": "metadata.metering.stack", "op": "eq", "value": "x"}
    ]
    heat.delete(ident)
    assert aodh.get(where).status_code == 404
