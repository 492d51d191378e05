"""Subscriptions on real PostgreSQL and over real HTTP."""

import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest

from tests.factories.tls import self_signed
from tests.support.subscriber import NotifiedEndpoint

SUBSCRIPTIONS = "/vnffm/v1/subscriptions"


@pytest.fixture
def reachable(settings: Any) -> None:
    """Notifications may go to this machine, in clear."""
    settings.SUBSCRIBERS_ALLOWED = [ip_network("127.0.0.1/32")]
    settings.SUBSCRIBERS_HTTP = True


def run_endpoint_tests() -> None:
    """Tests the endpoints of new subscriptions as a worker does, whenever the next attempt is due."""
    from vnfm.notifications.models import Subscription
    from vnfm.notifications.tasks import test_endpoint

    Subscription.objects.filter(never_answered=True).update(not_before=None)
    for subscription_id in Subscription.objects.filter(never_answered=True).values_list("id", flat=True):
        test_endpoint(str(subscription_id))


@pytest.fixture
def endpoint(reachable: None) -> Iterator[NotifiedEndpoint]:
    with NotifiedEndpoint() as server:
        yield server


@dataclass(frozen=True)
class Tls:
    """Test servers whose certificate is trusted after `trust`."""

    context: ssl.SSLContext
    trust: Callable[[], None]


@pytest.fixture
def tls(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tls:
    """Notifications may go to this machine, only by https."""
    settings.SUBSCRIBERS_ALLOWED = [ip_network("127.0.0.0/8"), ip_network("::1/128")]
    context, pem = self_signed(tmp_path)
    (tmp_path / "ca.pem").write_text(pem)
    return Tls(context, lambda: monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem")))


@pytest.fixture
def subscribe(operator_api: Any) -> Callable[..., Any]:
    """Posts a subscription, whose endpoint is then tested; returns the response to the POST."""

    def post(url: str, criteria: dict[str, Any] | None = None, **more: Any) -> Any:
        body = {"callbackUri": url, **({} if criteria is None else {"filter": criteria}), **more}
        answer = operator_api.post(SUBSCRIPTIONS, body, format="json")
        run_endpoint_tests()
        return answer

    return post
