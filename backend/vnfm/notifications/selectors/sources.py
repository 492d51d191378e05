"""The events from which notifications are built. Another interface of SOL003 is a row in `SOURCES`, and a value of
`Subscription.Interface`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from django.conf import settings

from vnfm.installation.services import RELEASED_TOPIC
from vnfm.kit.durable.outbox import Event
from vnfm.lcm.wire.editions import V1
from vnfm.notifications.domain.notification import Notification
from vnfm.notifications.models import Subscription
from vnfm.notifications.selectors.fm_notifications import MISSED_TOPIC, alarm_notification, rebuilt_notification
from vnfm.notifications.selectors.indicator_notifications import (
    SUPPORTED_TOPIC,
    VALUE_TOPIC,
    indicators_notification,
    value_notification,
)
from vnfm.notifications.selectors.lccn_notifications import identifier_notification, occurrence_notification
from vnfm.notifications.selectors.pkgm_notifications import package_notification
from vnfm.notifications.selectors.pm_notifications import JOB_TOPIC, THRESHOLD_TOPIC, pm_notification


@dataclass(frozen=True, slots=True)
class NotificationSource:
    """Events of `topic` become notifications for subscriptions at `resource`."""

    interface: str
    resource: str
    topic: str
    build: Callable[[Event], Notification | None]
    own: bool = False
    """The resource itself names its callback: its subscription has its id (SOL003 6.5.2.6, of 3.7.1)."""


_LCM = (Subscription.Interface.VNFLCM, "/vnflcm/v2/subscriptions")
_LCM_V1 = (Subscription.Interface.VNFLCM_V1, "/vnflcm/v1/subscriptions")
_PACKAGES = (Subscription.Interface.VNFPKGM, "/vnfpkgm/v1/subscriptions")
_PACKAGES_V2 = (Subscription.Interface.VNFPKGM_V2, "/vnfpkgm/v2/subscriptions")
_INDICATORS = (Subscription.Interface.VNFIND, "/vnfind/v1/subscriptions")
_PM_V1 = (Subscription.Interface.VNFPM_V1, "/vnfpm/v1/subscriptions")
_PM_JOB = (Subscription.Interface.VNFPM_JOB, "/vnfpm/v2/pm_jobs")
_PM_THRESHOLD = (Subscription.Interface.VNFPM_THRESHOLD, "/vnfpm/v2/thresholds")
_ALARMS = (Subscription.Interface.VNFFM, "/vnffm/v1/subscriptions")
SOURCES = (
    NotificationSource(*_ALARMS, "alarm.changed", alarm_notification),
    NotificationSource(*_ALARMS, RELEASED_TOPIC, rebuilt_notification),
    NotificationSource(*_ALARMS, MISSED_TOPIC, rebuilt_notification),
    NotificationSource(*_LCM, "op_occ.changed", occurrence_notification),
    NotificationSource(*_LCM, "vnf_instance.changed", identifier_notification),
    NotificationSource(*_LCM_V1, "op_occ.changed", partial(occurrence_notification, edition=V1)),
    NotificationSource(*_LCM_V1, "vnf_instance.changed", partial(identifier_notification, edition=V1)),
    NotificationSource(*_PACKAGES, "vnf_package.changed", package_notification),
    NotificationSource(*_PACKAGES_V2, "vnf_package.changed", partial(package_notification, edition="v2")),
    NotificationSource(*_INDICATORS, VALUE_TOPIC, value_notification),
    NotificationSource(*_INDICATORS, SUPPORTED_TOPIC, indicators_notification),
    NotificationSource(*_PM_V1, JOB_TOPIC, partial(pm_notification, edition="v1")),
    NotificationSource(*_PM_V1, THRESHOLD_TOPIC, partial(pm_notification, edition="v1")),
    NotificationSource(*_PM_JOB, JOB_TOPIC, partial(pm_notification, edition="v2"), own=True),
    NotificationSource(*_PM_THRESHOLD, THRESHOLD_TOPIC, partial(pm_notification, edition="v2"), own=True),
)
RESOURCES = {str(source.interface): source.resource for source in SOURCES}
"""Interface → path of its subscriptions."""


def version_of(interface: str) -> str:
    """The newest version of the interface, for the Version header of notifications (SOL013 9.1.3)."""
    _, api, major, _ = RESOURCES[interface].split("/")
    majors: dict[str, list[str]] = settings.ETSI_APIS[api]
    return majors[major][-1]
