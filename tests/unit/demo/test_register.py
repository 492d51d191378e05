import json

import pytest

from demo.api import Api, DemoError
from demo.cloud import register
from demo.screen import Screen
from tests.support.http_standin import HttpStandIn, QuietHandler

TOO_SLOW = {"status": 422, "code": "VIM_TOO_SLOW", "title": "The cloud takes too long", "detail": "No answer in 15 s"}
REFUSED = {"status": 422, "code": "VIM_UNAUTHORIZED", "title": "The cloud refused", "detail": "Wrong password"}


@pytest.fixture
def registering():
    """Return the requests to an API that answers so, one answer after the other."""

    def run(*answers):
        left, asked = list(answers), []

        class Handler(QuietHandler):
            def do_POST(self):  # noqa: N802
                asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                answer = left.pop(0)
                body = json.dumps(answer).encode()
                self.send_response(answer.get("status", 201))
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        with HttpStandIn(Handler) as api:
            try:
                register(Api(api.base, "token"), Screen(), {"name": "mine"})
            except DemoError as error:
                return asked, error.code
        return asked, ""

    return run


def test_a_slow_cloud_is_registered_when_it_is_awake(registering):
    assert registering(TOO_SLOW, TOO_SLOW, {"id": "1"}) == ([{"name": "mine"}] * 3, "")


def test_a_cloud_that_stays_slow_is_abandoned(registering):
    asked, code = registering(TOO_SLOW, TOO_SLOW, TOO_SLOW)
    assert (len(asked), code) == (3, "VIM_TOO_SLOW")


def test_another_refusal_is_reported_at_once(registering):
    asked, code = registering(REFUSED)
    assert (len(asked), code) == (1, "VIM_UNAUTHORIZED")
