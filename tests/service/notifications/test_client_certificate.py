"""Subscribers that want our client certificate (SOL003 4.4.1.13: TLS_CERT)."""

import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.factories.deployed import make_deployed, make_vnfc
from tests.factories.tls import certificate_files
from tests.service.notifications.conftest import Tls
from tests.support.subscriber import NotifiedEndpoint
from vnfm.faults.reconcilers.evaluation import evaluate_all
from vnfm.inventory.models import Vnfc
from vnfm.kit import clock
from vnfm.kit.durable import outbox
from vnfm.notifications.models import Delivery, Subscription
from vnfm.notifications.reconcilers import delivery
from vnfm.notifications.services.queueing import NOTIFICATION_QUEUER

pytestmark = pytest.mark.django_db(transaction=True)
TLS_CERT = {"authType": ["OAUTH2_CLIENT_CREDENTIALS", "BASIC", "TLS_CERT"]}


@pytest.fixture
def ours(tmp_path: Path) -> tuple[str, str]:
    (folder := tmp_path / "ours").mkdir()
    cert, key = certificate_files(folder)
    return str(cert), str(key)


def test_the_test_and_each_notification_present_it(
    operator_api: APIClient, subscribe: Callable[..., Any], tls: Tls, ours: tuple[str, str], settings: Any
) -> None:
    settings.CLIENT_CERT, settings.CLIENT_KEY = ours
    tls.trust()
    tls.context.verify_mode = ssl.CERT_REQUIRED
    tls.context.load_verify_locations(ours[0])
    with NotifiedEndpoint(tls=tls.context) as endpoint:
        without = subscribe(endpoint.url)
        assert Subscription.objects.get().failures == 1, "without a certificate there is no answer"
        assert operator_api.delete(without.headers["Location"]).status_code == 204
        made = subscribe(endpoint.url, authentication=TLS_CERT)
        assert made.status_code == 201, made.json()
        instance = make_deployed()
        make_vnfc(instance, "iom-1")
        Vnfc.objects.update(status="SHUTOFF", status_since=clock.now())
        evaluate_all(now=clock.now())
        while outbox.deliver_pending([NOTIFICATION_QUEUER]):
            pass
        subscription = Subscription.objects.get()
        delivery.deliver(subscription.id)
        assert endpoint.notification_types() == ["AlarmNotification"]
        assert all("Authorization" not in each.headers for each in endpoint.received)

        settings.CLIENT_CERT = ""
        Vnfc.objects.update(status="ACTIVE", status_since=clock.now())
        evaluate_all(now=clock.now())
        while outbox.deliver_pending([NOTIFICATION_QUEUER]):
            pass
        delivery.deliver(subscription.id)
        waiting = Delivery.objects.get(state=Delivery.State.WAITING)
        assert "VNFM_CLIENT_CERT names none any more" in waiting.last_error


def test_without_a_certificate_it_is_refused(operator_api: APIClient) -> None:
    body = {"callbackUri": "https://x.example/", "authentication": {"authType": ["TLS_CERT"]}}
    answer = operator_api.post("/vnffm/v1/subscriptions", body, format="json")
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "/authentication/authType")
    assert "VNFM_CLIENT_CERT" in answer.json()["detail"]
