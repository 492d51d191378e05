"""AlarmListRebuiltNotification (SOL003 7.5.2.7): to all after a restore, to one that missed notifications."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from tests.factories.alarms import make_alarm
from tests.service.notifications.fm_relay import relay, send
from tests.support.etsi_schema import errors
from tests.support.subscriber import Answer, NotifiedEndpoint, Received
from vnfm.faults.services.lifecycle import alarms_publish
from vnfm.installation.services import hold_begin, hold_release
from vnfm.kit import clock
from vnfm.kit.models import OutboxEvent
from vnfm.notifications.domain.retry import GIVE_UP_AFTER
from vnfm.notifications.models import Delivery
from vnfm.notifications.reconcilers import delivery as reconciler
from vnfm.notifications.selectors.fm_notifications import MISSED_TOPIC

pytestmark = pytest.mark.django_db(transaction=True)
REBUILT = "AlarmListRebuiltNotification"
Subscribe = Callable[..., Any]


def posted(endpoint: NotifiedEndpoint) -> list[Received]:
    return [each for each in endpoint.received if each.method == "POST"]


def raise_alarm() -> None:
    with transaction.atomic():
        alarms_publish([(make_alarm(), "raised")], now=clock.now())


def test_a_released_restore_is_notified_to_all(subscribe: Subscribe, endpoint: NotifiedEndpoint) -> None:
    wanted = subscribe(endpoint.url, {"notificationTypes": [REBUILT]}).json()
    other = {"vnfInstanceSubscriptionFilter": {"vnfInstanceNames": ["none"]}}
    subscribe(f"{endpoint.base}/other", other)
    subscribe(f"{endpoint.base}/not", {"notificationTypes": ["AlarmNotification"]})
    hold_begin(taken_at=clock.now(), source="a backup")
    raise_alarm()
    send()
    assert endpoint.notifications() == []
    hold_release(by="admin")
    send()
    found = {each.path: each.body for each in posted(endpoint) if each.body["notificationType"] == REBUILT}
    assert set(found) == {endpoint.url.removeprefix(endpoint.base), "/other"}
    notice = found[endpoint.url.removeprefix(endpoint.base)]
    assert errors(REBUILT, notice) == []
    assert notice["subscriptionId"] == wanted["id"]
    assert notice["_links"]["alarms"]["href"].endswith("/vnffm/v1/alarms")


def test_who_missed_notifications_reads_the_list_again(subscribe: Subscribe, endpoint: NotifiedEndpoint) -> None:
    subscribe(endpoint.url)
    subscribe(f"{endpoint.base}/other", {"notificationTypes": [REBUILT]})
    raise_alarm()
    endpoint.posts = Answer(503)
    send()
    Delivery.objects.update(created_at=clock.now() - GIVE_UP_AFTER - timedelta(minutes=1))
    reconciler.sweep(clock.now())
    reconciler.sweep(clock.now())  # gives nothing more up
    relay()
    waiting = Delivery.objects.filter(state=Delivery.State.WAITING)
    assert [each.notification_type for each in waiting] == [REBUILT]
    endpoint.posts = Answer(204)
    send()
    kinds = [request.body["notificationType"] for request in posted(endpoint)]
    assert kinds == ["AlarmNotification", REBUILT]  # the first was refused


def test_one_that_waits_is_enough(subscribe: Subscribe, endpoint: NotifiedEndpoint) -> None:
    wanted = subscribe(endpoint.url).json()
    for _ in range(3):
        raise_alarm()
    relay()
    expires = clock.now() - GIVE_UP_AFTER
    for delivery, minutes in zip(Delivery.objects.order_by("event_id"), (1, 3), strict=False):
        Delivery.objects.filter(id=delivery.id).update(created_at=expires + timedelta(minutes=minutes))
    for minutes in (2, 4):
        reconciler.sweep(clock.now() + timedelta(minutes=minutes))
        relay()
    assert Delivery.objects.filter(state=Delivery.State.GIVEN_UP).count() == 2
    assert Delivery.objects.filter(state=Delivery.State.WAITING, notification_type=REBUILT).count() == 1
    (event,) = OutboxEvent.objects.filter(topic=MISSED_TOPIC)
    assert (str(event.aggregate_id), event.payload) == (wanted["id"], {"missed": 1})  # the third still waits
