"""The composition root: which adapter serves which port, and who hears of which events."""

from contextlib import AbstractAsyncContextManager
from functools import cache

from django.conf import settings

from vnfm.automation.domain.policy import LoadSourceKind
from vnfm.automation.selectors import load_sources
from vnfm.automation.selectors.cloud_alarm_source import CloudAlarmSource
from vnfm.automation.selectors.element_counter_source import ElementCounterSource
from vnfm.automation.services.triggers import AUTOMATION_TRIGGER
from vnfm.clouds import registry
from vnfm.clouds.ports import Bus, Cloud, CloudProvider
from vnfm.clouds.types import BusConnection, Connection
from vnfm.devices import registry as device_registry
from vnfm.devices.ports import Cli, DeviceProvider, Netconf, Snmp
from vnfm.devices.types import SnmpTarget, SshTarget
from vnfm.history.projection import TELEMETRY_PROJECTOR
from vnfm.kit.durable.outbox import Subscriber
from vnfm.nfvo import registry as nfvo_registry
from vnfm.nfvo.ports import ElementManager, Nfvo
from vnfm.notifications.services.queueing import NOTIFICATION_QUEUER
from vnfm.notifications.services.route_queueing import ALARM_ROUTER
from vnfm.notifications.services.sse_publisher import SSE_PUBLISHER

SUBSCRIBERS: tuple[Subscriber, ...] = (
    SSE_PUBLISHER,
    TELEMETRY_PROJECTOR,
    AUTOMATION_TRIGGER,
    NOTIFICATION_QUEUER,
    ALARM_ROUTER,
)


def install() -> None:
    """Called once in every process, when Django's apps are loaded."""
    registry.install(_OpenStack())
    device_registry.install(_Devices())
    load_sources.install(
        {LoadSourceKind.CLOUD_ALARM: CloudAlarmSource(), LoadSourceKind.ELEMENT_COUNTER: ElementCounterSource()}
    )
    nfvo_registry.install(_nfvo() if settings.NFVO_GRANT_URL else None)
    nfvo_registry.install_em(_element_manager() if settings.EM_COORD_URL else None)


def _nfvo() -> Nfvo:
    from vnfm.nfvo.http import HttpNfvo  # noqa: PLC0415 - only where there is one
    from vnfm.nfvo.login import NfvoCredentials  # noqa: PLC0415 - as above

    return HttpNfvo(
        settings.NFVO_GRANT_URL,
        credentials=NfvoCredentials(
            token_file=settings.NFVO_TOKEN_FILE,
            client_id=settings.NFVO_CLIENT_ID,
            secret_file=settings.NFVO_SECRET_FILE,
            token_url=settings.NFVO_TOKEN_URL,
        ),
        certificate=_certificate(),
        cacert=settings.NFVO_CACERT,
    )


def _element_manager() -> ElementManager:
    from vnfm.nfvo.coordination import HttpElementManager  # noqa: PLC0415 - only where there is one
    from vnfm.nfvo.login import NfvoCredentials  # noqa: PLC0415 - as above

    return HttpElementManager(
        settings.EM_COORD_URL,
        credentials=NfvoCredentials(
            token_file=settings.EM_TOKEN_FILE,
            client_id=settings.EM_CLIENT_ID,
            secret_file=settings.EM_SECRET_FILE,
            token_url=settings.EM_TOKEN_URL,
            settings="VNFM_EM",
        ),
        certificate=_certificate(),
        cacert=settings.EM_CACERT,
    )


def _certificate() -> tuple[str, str] | None:
    return (settings.CLIENT_CERT, settings.CLIENT_KEY) if settings.CLIENT_CERT else None


class _OpenStack:
    """Loads the adapter at first use: the SDK takes a second to import, and the web process never needs it."""

    def connect(self, connection: Connection) -> Cloud:
        return _provider().connect(connection)

    def bus(self, connection: BusConnection) -> Bus:
        return _provider().bus(connection)


@cache
def _provider() -> CloudProvider:
    from vnfm.clouds.openstack import OpenStackProvider  # noqa: PLC0415 - see _OpenStack

    return OpenStackProvider()


class _Devices:
    """Loads the adapters at first use, as _OpenStack does."""

    def snmp(self, target: SnmpTarget) -> AbstractAsyncContextManager[Snmp]:
        return _devices().snmp(target)

    async def snmp_engine_id(self, target: SnmpTarget) -> bytes:
        return await _devices().snmp_engine_id(target)

    def cli(self, target: SshTarget) -> AbstractAsyncContextManager[Cli]:
        return _devices().cli(target)

    def netconf(self, target: SshTarget) -> AbstractAsyncContextManager[Netconf]:
        return _devices().netconf(target)


@cache
def _devices() -> DeviceProvider:
    from vnfm.devices.provider import Devices  # noqa: PLC0415 - see _Devices

    return Devices()
