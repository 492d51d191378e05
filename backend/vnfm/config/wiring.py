"""The composition root: which adapter serves which port, and who hears of which events."""

from functools import cache

from django.conf import settings

from vnfm.clouds import registry
from vnfm.clouds.ports import Cloud, CloudProvider
from vnfm.clouds.types import Connection
from vnfm.kit.outbox import Subscriber
from vnfm.nfvo import registry as nfvo_registry
from vnfm.nfvo.ports import Nfvo
from vnfm.notifications.services import ANNOUNCER
from vnfm.telemetry.projection import HISTORIAN

SUBSCRIBERS: tuple[Subscriber, ...] = (ANNOUNCER, HISTORIAN)


def install() -> None:
    """Called once in every process, when Django's apps are loaded."""
    registry.install(_OpenStack())
    nfvo_registry.install(_nfvo() if settings.NFVO_GRANT_URL else None)


def _nfvo() -> Nfvo:
    from vnfm.nfvo.http import HttpNfvo  # noqa: PLC0415 - only where there is one

    return HttpNfvo(settings.NFVO_GRANT_URL, token_file=settings.NFVO_TOKEN_FILE, cacert=settings.NFVO_CACERT)


class _OpenStack:
    """Loads the adapter at first use: the SDK takes a second to import, and the web process never needs it."""

    def connect(self, connection: Connection) -> Cloud:
        return _provider().connect(connection)


@cache
def _provider() -> CloudProvider:
    from vnfm.clouds.openstack import OpenStackProvider  # noqa: PLC0415 - see _OpenStack

    return OpenStackProvider()
