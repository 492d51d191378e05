"""Tests of endpoints (SOL003 7.4.6.3.2, 5.4.20.3.2), and of alarm routes.

A subscription exists before its endpoint is tested: who subscribes waits for no worker. The outcome is stored with the
subscription, whose condition Delivering shows it. An endpoint that does not answer is tested again for a day.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

import structlog
from django.db.models import Q

from vnfm.installation.selectors import on_hold
from vnfm.kit import clock
from vnfm.kit.durable import lease, tasks, worker_request
from vnfm.kit.problem import Problem, ProblemError
from vnfm.notifications.domain.retry import GIVE_UP_AFTER
from vnfm.notifications.models import Delivery, Subscription
from vnfm.notifications.reconcilers.outcomes import DeliveryError, internal_error, record_failure, record_success
from vnfm.notifications.reconcilers.route_delivery import send_test
from vnfm.notifications.reconcilers.webhook import webhook_of
from vnfm.notifications.services.subscriptions import TEST_ENDPOINT

MAX_TESTS = 4
"""Tested at once: any subscriber can let a test time out."""

log = structlog.get_logger(__name__)


def test_endpoint(subscription_id: UUID) -> None:
    """Test an endpoint that has never answered, and store the outcome. Idempotent. Calls none while on hold."""
    if on_hold():
        return
    with lease.hold(f"notify:{subscription_id}") as held, lease.slot("notify test", MAX_TESTS) as free:
        subscription = Subscription.objects.filter(_due(clock.now()), id=subscription_id).first()
        if held is None or not free or subscription is None:
            return  # the sweep comes back to it
        none = Delivery.objects.none()
        try:
            webhook_of(subscription).test()
        except ProblemError as error:
            record_failure(subscription, none, DeliveryError(error.problem.detail), clock.now())
            log.info("notifications.endpoint_failed", subscription=str(subscription_id), code=error.problem.code)
        except Exception as error:  # recorded, or it would be repeated every 2 s
            log.exception("notifications.crashed", subscription=str(subscription_id))
            record_failure(subscription, none, DeliveryError(internal_error(error)), clock.now())
        else:
            record_success(subscription, none, clock.now())


def sweep(now: datetime) -> int:
    """Enqueue every test that is due; returns how many. None is while on hold after a restore."""
    if on_hold():
        return 0
    due = Subscription.objects.filter(_due(now)).values_list("id", flat=True)
    return tasks.enqueue_due((TEST_ENDPOINT, subscription_id) for subscription_id in due)


def _due(now: datetime) -> Q:
    """Tested for as long as notifications are tried; later, a notification that is accepted is an answer, too."""
    in_time = Q(not_before__isnull=True) | Q(not_before__lte=now)
    return in_time & Q(never_answered=True, settled_at__gt=now - GIVE_UP_AFTER)


def test_route(request_id: UUID) -> None:
    """Send a test message by an alarm route, and finish the request with the outcome."""
    worker_request.answer(request_id, _test_route)


def _test_route(subject: Mapping[str, Any]) -> Mapping[str, Any]:
    with lease.slot("notify test", MAX_TESTS) as free:
        if not free:
            raise _too_many_tests()
        send_test(UUID(subject["route"]))
    return {}


def _too_many_tests() -> ProblemError:
    words, extra = f"{MAX_TESTS} notification endpoints are being tested already.", {"retryAfter": 30}
    step = "Try again in half a minute."
    return ProblemError(Problem(503, "TOO_MANY_TRIALS", "Service unavailable", words, step, extra=extra))
