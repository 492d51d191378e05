"""Celery tasks. A message only says when to look: the rows in PostgreSQL say what to do."""

from uuid import UUID

from celery import shared_task

from vnfm.kit import clock
from vnfm.notifications.reconcilers import delivery, endpoint_test
from vnfm.notifications.services.alarm_routes import TEST_ROUTE
from vnfm.notifications.services.queueing import DELIVER
from vnfm.notifications.services.subscriptions import TEST_ENDPOINT


@shared_task(name=TEST_ENDPOINT)
def test_endpoint(subscription_id: str) -> None:
    endpoint_test.test_endpoint(UUID(subscription_id))


@shared_task(name=TEST_ROUTE)
def test_route(request_id: str) -> None:
    endpoint_test.test_route(UUID(request_id))


@shared_task(name=DELIVER)
def deliver(subscription_id: str) -> None:
    delivery.deliver(UUID(subscription_id))


@shared_task(name="notifications.sweep")
def sweep() -> None:
    endpoint_test.sweep(clock.now())
    delivery.sweep(clock.now())


@shared_task(name="notifications.prune")
def prune() -> None:
    delivery.prune()
