"""Sends what waits for an alarm route, as one group; then nothing for the route's interval.

So a storm of thousands of alarms makes one message when it begins, and one after each interval.
"""

from datetime import timedelta
from uuid import UUID, uuid5

import structlog
from django.conf import settings
from django.db.models import F

from vnfm.kit import clock
from vnfm.kit.durable import tasks
from vnfm.kit.ids import new_id
from vnfm.kit.problem import ProblemError
from vnfm.kit.seal import unseal
from vnfm.metrics.catalogue import NOTIFICATIONS
from vnfm.notifications.domain.routing import RoutedAlarm
from vnfm.notifications.models import AlarmRoute, Delivery, Subscription
from vnfm.notifications.reconcilers.outcomes import DeliveryError, internal_error, record_failure, record_success
from vnfm.notifications.reconcilers.route_channels import channel_of
from vnfm.notifications.services.alarm_routes import ROUTES
from vnfm.notifications.services.queueing import DELIVER

MAX_GROUP = 5000
"""Events in one group."""
_MESSAGES = UUID("3f5a6a0e-7d0b-4bd5-8f0a-8e2a6c9f7a51")
"""Namespace of message ids, which are derived from the last event: a message that is sent again has the same id."""

log = structlog.get_logger(__name__)


def deliver_group(subscription: Subscription) -> None:
    """Send what waits, unless the first event waits for others still. The caller holds the lease."""
    route = AlarmRoute.objects.filter(pk=subscription.id, enabled=True).first()
    waiting = Delivery.objects.filter(subscription=subscription.id, state=Delivery.State.WAITING).order_by("event_id")
    rows = list(waiting[:MAX_GROUP])
    if route is None or not rows:
        return
    due_at = rows[0].created_at + timedelta(seconds=route.group_seconds)
    if due_at > clock.now() and not subscription.failures:
        tasks.enqueue_on_commit(DELIVER, subscription.id, after=(due_at - clock.now()).total_seconds())
        return
    _send(subscription, route, rows)


def _send(subscription: Subscription, route: AlarmRoute, rows: list[Delivery]) -> None:
    batch = Delivery.objects.filter(id__in=[row.id for row in rows])
    batch.update(attempts=F("attempts") + 1, attempted_at=clock.now())
    secrets = {}
    try:
        secrets = unseal(subscription.sealed_login) if subscription.sealed_login is not None else {}
        events = [RoutedAlarm(**{**row.body, "tried": row.attempts > 0}) for row in rows]
        channel_of(route, secrets).send(events, str(uuid5(_MESSAGES, str(rows[-1].notification_id))))
    except (DeliveryError, ProblemError) as error:
        failure = error if isinstance(error, DeliveryError) else DeliveryError(error.problem.detail)
        log.info("notifications.route_failed", route=route.name, error=str(failure), events=len(rows))
        record_failure(subscription, batch, failure, clock.now())
        NOTIFICATIONS.add(subscription.interface, "refused" if failure.permanent else "failed")
    except Exception as error:  # recorded, as for subscribers
        log.exception("notifications.route_crashed", route=route.name)
        record_failure(subscription, batch, DeliveryError(internal_error(error)), clock.now())
        NOTIFICATIONS.add(subscription.interface, "crashed")
    else:
        now = clock.now()
        record_success(subscription, batch, now, not_before=now + timedelta(seconds=route.interval_seconds))
        log.info("notifications.route_delivered", route=route.name, events=len(rows))
        NOTIFICATIONS.add(subscription.interface, "delivered")


def send_test(route_id: UUID) -> None:
    """Send an alarm that does not exist. Raises ProblemError with the reason when that fails."""
    route = AlarmRoute.objects.select_related("subscription").filter(pk=route_id).first()
    if route is None:
        raise ROUTES.problem("DELETED", "The route was deleted.", "Nothing to do.")
    sealed = route.subscription.sealed_login
    try:
        channel_of(route, unseal(sealed) if sealed is not None else {}).send([_test_alarm(route)], str(new_id()))
    except DeliveryError as error:
        raise ROUTES.problem("ANSWERS", str(error), "Check the settings of the route, and the server.") from error


def _test_alarm(route: AlarmRoute) -> RoutedAlarm:
    now = clock.now().isoformat()
    return RoutedAlarm(
        id=str(route.pk),
        event="raised",
        severity="INDETERMINATE",
        highest="INDETERMINATE",
        object_type="MANAGER",
        object_id=str(route.pk),
        object_name=route.name,
        site_id="",
        site_name="",
        resource="",
        fault_type="TestMessage",
        event_type="PROCESSING_ERROR_ALARM",
        probable_cause="other",
        details=(f"A test of the alarm route {route.name}: nothing is wrong.",),
        remedy="",
        raised_at=now,
        at=now,
        url=f"{settings.PUBLIC_URL}/administration?tab=alarm-routes",
    )
