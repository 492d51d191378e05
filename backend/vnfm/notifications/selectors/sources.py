"""The events from which notifications are built. Another interface of SOL003 is a row in `SOURCES`, and a value of
`Subscription.Interface`.
"""

from collections.abc import Callable
from dataclasses import dataclass

from vnfm.kit.outbox import Event
from vnfm.notifications.domain.notification import Notification
from vnfm.notifications.models import Subscription
from vnfm.notifications.selectors.fm_notifications import alarm_notification
from vnfm.notifications.selectors.lccn_notifications import identifier_notification, occurrence_notification


@dataclass(frozen=True, slots=True)
class NotificationSource:
    """Events of `topic` become notifications for subscriptions at `resource`."""

    interface: str
    resource: str
    topic: str
    build: Callable[[Event], Notification | None]


_LCM = (Subscription.Interface.VNFLCM, "/vnflcm/v2/subscriptions")
SOURCES = (
    NotificationSource(Subscription.Interface.VNFFM, "/vnffm/v1/subscriptions", "alarm.changed", alarm_notification),
    NotificationSource(*_LCM, "op_occ.changed", occurrence_notification),
    NotificationSource(*_LCM, "vnf_instance.changed", identifier_notification),
)
