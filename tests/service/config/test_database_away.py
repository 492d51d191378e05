"""The database goes away and comes back: requests end soon, and the first after its return is answered at once."""

import time
from urllib.parse import urlsplit

import pytest
import requests

from tests.factories.accounts import make_user
from tests.support.installation import until
from tests.support.product import web
from tests.support.tcp_relay import TcpRelay
from vnfm.accounts.tokens import token_issue

pytestmark = pytest.mark.django_db(transaction=True)
AWAY_SECONDS = 8.0
"""Longer than the pool's first waits, which double each time."""


def test_a_database_that_is_away_costs_seconds_and_its_return_none(product_env: dict[str, str]) -> None:
    _, secret = token_issue(user=make_user(role="viewer"), name="test")
    headers = {"Authorization": f"Bearer {secret}"}
    database = urlsplit(product_env["DATABASE_URL"])
    with TcpRelay(database.port) as relay:
        behind = database._replace(netloc=database.netloc.replace(f":{database.port}", f":{relay.port}")).geturl()
        with web(product_env | {"DATABASE_URL": behind}) as url:

            def status(path: str) -> int:
                return requests.get(url + path, headers=headers, timeout=30).status_code

            def seconds_until_503(path: str) -> float:
                begun = time.monotonic()
                assert status(path) == 503
                return time.monotonic() - begun

            assert (status("/api/v1/session"), status("/healthz")) == (200, 200)
            relay.cut()
            end = time.monotonic() + AWAY_SECONDS
            until(lambda: status("/healthz") == 503 or None, 10, "the health check sees it")
            while time.monotonic() < end:
                assert seconds_until_503("/api/v1/session") < 6
                assert seconds_until_503("/api/v1/events") < 6
                assert seconds_until_503("/healthz") < 3
            relay.mend()
            begun = time.monotonic()
            assert status("/api/v1/session") == 200
            assert time.monotonic() - begun < 1
            until(lambda: status("/healthz") == 200 or None, 2, "the health check sees it")
