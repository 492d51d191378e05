"""Subscriptions on real PostgreSQL and over real HTTP; the worker that tests endpoints is a thread."""

import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest

from tests.factories.tls import self_signed
from tests.subscriber import NotifiedEndpoint
from tests.worker import serving

SUBSCRIPTIONS = "/vnffm/v1/subscriptions"


@pytest.fixture
def reachable(settings: Any) -> None:
    """Notifications may go to this machine, in clear."""
    settings.SUBSCRIBERS_ALLOWED = [ip_network("127.0.0.1/32")]
    settings.SUBSCRIBERS_HTTP = True


@pytest.fixture
def worker(transactional_db: None) -> Iterator[None]:
    """Tests endpoints as the Celery worker would."""
    from vnfm.notifications.tasks import check_endpoint

    with serving(check_endpoint):
        yield


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
def subscribe(operator_api: Any, worker: None) -> Callable[..., Any]:
    """Posts a subscription; returns the response."""

    def post(url: str, criteria: dict[str, Any] | None = None, **more: Any) -> Any:
        body = {"callbackUri": url, **({} if criteria is None else {"filter": criteria}), **more}
        return operator_api.post(SUBSCRIPTIONS, body, format="json")

    return post
