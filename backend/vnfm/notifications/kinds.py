"""What can be subscribed to. Another interface of SOL003 is a row here, and a value of `Subscription.Interface`."""

from collections.abc import Callable
from dataclasses import dataclass

from vnfm.kit.outbox import Event
from vnfm.notifications.fm import alarm_notice
from vnfm.notifications.lcm import identifier_notice, occurrence_notice
from vnfm.notifications.models import Subscription
from vnfm.notifications.notice import Notice


@dataclass(frozen=True, slots=True)
class Kind:
    """Events of `topic` become notifications for those who have subscribed at `resource`."""

    interface: str
    resource: str
    topic: str
    notice: Callable[[Event], Notice | None]


_LCM = (Subscription.Interface.VNFLCM, "/vnflcm/v2/subscriptions")
KINDS = (
    Kind(Subscription.Interface.VNFFM, "/vnffm/v1/subscriptions", "alarm.changed", alarm_notice),
    Kind(*_LCM, "op_occ.changed", occurrence_notice),
    Kind(*_LCM, "vnf_instance.changed", identifier_notice),
)
"""All kinds, by interface and topic."""
