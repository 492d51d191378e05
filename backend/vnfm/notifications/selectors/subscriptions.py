"""Subscriptions of ETSI's interfaces, their deliveries and their condition."""

from django.db.models import Count, Q, QuerySet

from vnfm.notifications.domain.retry import DeliveryCondition, delivery_condition
from vnfm.notifications.models import Delivery, Subscription


def subscription_list(*, interface: str | None = None) -> QuerySet[Subscription]:
    """Each with `waiting`, the number of notifications that wait for it."""
    rows = Subscription.objects.exclude(interface=Subscription.Interface.ALARM_ROUTE)
    if interface is not None:
        rows = rows.filter(interface=interface)
    return rows.annotate(waiting=Count("deliveries", filter=Q(deliveries__state=Delivery.State.WAITING)))


def delivery_list(*, subscription: Subscription) -> QuerySet[Delivery]:
    """Notifications that were sent or wait."""
    return Delivery.objects.filter(subscription=subscription)


def condition_of(subscription: Subscription, *, waiting: int) -> DeliveryCondition:
    """Whether notifications reach the subscriber."""
    return delivery_condition(
        failures=subscription.failures,
        since=subscription.settled_at,
        last_error=subscription.last_error,
        retry_at=subscription.not_before,
        waiting=waiting,
    )
