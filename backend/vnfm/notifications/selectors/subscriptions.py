"""Subscriptions of ETSI's interfaces, their deliveries and their condition."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Case, CharField, Count, F, Func, Q, QuerySet, Value, When
from django.db.models.functions import Concat

from vnfm.accounts.models import User
from vnfm.accounts.roles import Role
from vnfm.kit.durable.backlog import Backlog, backlog_of
from vnfm.notifications.domain.retry import DeliveryCondition, delivery_condition
from vnfm.notifications.models import Delivery, Subscription


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryProgress:
    """The state of the delivery of one message."""

    id: int
    state: Delivery.State
    attempts: int
    created_at: datetime
    attempted_at: datetime | None
    ended_at: datetime | None
    last_error: str
    """The message of the last attempt that failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionDelivery(DeliveryProgress):
    """One notification, as a row of Delivery has it."""

    notification_id: UUID
    notification_type: str
    subject_id: UUID
    """The id of the alarm, operation or VNF instance."""


def visible_uri(user: User, path: str = "") -> Case | F:
    """The callback URI as this user sees it, of a subscription at `path` ("" or "subscription__").

    Whole for administrators, and for who subscribed or named it last. Others see scheme, host and port: the rest often
    is a secret. For filters, too, which would otherwise tell it piece by piece.
    """
    whole = F(f"{path}callback_uri")
    if Role.ADMIN in user.roles:
        return whole
    server = Func(whole, Value("^[^:]+://[^/?#]+"), function="substring", output_field=CharField())
    mine = When(**{f"{path}created_by": user.username}, then=whole)
    return Case(mine, default=Concat(server, Value("/…")), output_field=CharField())


def subscription_list(*, user: User, interface: str | None = None) -> QuerySet[Subscription]:
    """Each with `waiting`, the number of notifications that wait for it, and `visible_uri`, as `user` sees it."""
    rows = Subscription.objects.exclude(interface=Subscription.Interface.ALARM_ROUTE)
    if interface is not None:
        rows = rows.filter(interface=interface)
    waiting = Count("deliveries", filter=Q(deliveries__state=Delivery.State.WAITING))
    return rows.annotate(waiting=waiting, visible_uri=visible_uri(user))


@dataclass(frozen=True, slots=True)
class SubscriptionCounts:
    """The number of subscriptions of an interface, by whether the last delivery succeeded."""

    interface: str
    delivering: int
    failing: int
    unknown: int
    """Nothing has been delivered to them yet."""


def subscription_counts() -> list[SubscriptionCounts]:
    failing, unknown = Q(failures__gt=0), Q(failures=0, never_answered=True)
    rows = Subscription.objects.order_by("interface").values("interface")
    counted = rows.annotate(
        delivering=Count("id", filter=~(failing | unknown)),
        failing=Count("id", filter=failing),
        unknown=Count("id", filter=unknown),
    )
    return [SubscriptionCounts(**row) for row in counted]


def delivery_backlog() -> Backlog:
    return backlog_of(Delivery.objects.filter(state=Delivery.State.WAITING), "created_at")


def delivery_list(*, subscription: Subscription) -> QuerySet[Delivery]:
    """Notifications that were sent or wait."""
    return Delivery.objects.filter(subscription=subscription)


def condition_of(subscription: Subscription, *, waiting: int) -> DeliveryCondition:
    """The condition Delivering, which says whether notifications reach the subscriber."""
    return delivery_condition(
        never_answered=subscription.never_answered,
        failures=subscription.failures,
        since=subscription.settled_at,
        last_error=subscription.last_error,
        retry_at=subscription.not_before,
        waiting=waiting,
    )
