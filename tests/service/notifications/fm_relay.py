"""Delivery of notifications without a worker."""

from vnfm.kit.durable import outbox
from vnfm.notifications.models import Subscription
from vnfm.notifications.reconcilers import delivery as reconciler
from vnfm.notifications.services.queueing import NOTIFICATION_QUEUER


def relay() -> None:
    """Relays the outbox, as after a commit."""
    while outbox.deliver_pending([NOTIFICATION_QUEUER]):
        pass


def send(*, whenever: bool = True) -> None:
    """Delivers as the workers do; `whenever`: also what is to be retried later."""
    relay()
    if whenever:
        Subscription.objects.update(not_before=None)
    for subscription in Subscription.objects.all():
        reconciler.deliver(subscription.id)
