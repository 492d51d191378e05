"""The composition root: which adapter serves which port, and who hears of which events."""

from functools import cache

from vnfm.clouds import registry
from vnfm.clouds.ports import Cloud, CloudProvider
from vnfm.clouds.types import Connection
from vnfm.kit.outbox import Subscriber
from vnfm.notifications.services import ANNOUNCER
from vnfm.telemetry.projection import HISTORIAN

SUBSCRIBERS: tuple[Subscriber, ...] = (ANNOUNCER, HISTORIAN)


def install() -> None:
    """Called once in every process, when Django's apps are loaded."""
    registry.install(_OpenStack())


class _OpenStack:
    """Loads the adapter at first use: the SDK takes a second to import, and the web process never needs it."""

    def connect(self, connection: Connection) -> Cloud:
        return _provider().connect(connection)


@cache
def _provider() -> CloudProvider:
    from vnfm.clouds.openstack import OpenStackProvider  # noqa: PLC0415 - see _OpenStack

    return OpenStackProvider()
