"""Listens to the message bus of a VIM, if it has one, while we hold its watch. A notification only requests a poll."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from threading import Event, Thread
from uuid import UUID

import structlog
from django.db import DatabaseError, connections

from vnfm.clouds.errors import CloudError, Denied, NotFound
from vnfm.clouds.ports import Bus, Cloud
from vnfm.clouds.types import BusConnection, OsloNotification
from vnfm.inventory.domain.message_bus import is_relevant, missing_exchanges_note
from vnfm.inventory.models import VimNotifications
from vnfm.inventory.services.notifications import bus_connection, bus_status_record, notification_received_record
from vnfm.kit import clock
from vnfm.vims.domain.vim_record import VimRecord

SETTINGS_POLL_SECONDS = 5.0
"""The interval at which the settings are read again."""

RETRY_SECONDS, RETRY_MAX_SECONDS = 1.0, 30.0
"""Pauses before the next attempt to listen, doubled each time: polling continues."""

RECEIVED_AT_PRECISION = timedelta(seconds=10)
"""Precision of the stored time of the last notification: a storm of them must not become one of writes."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Connectors:
    """Connectors to a cloud and to its bus."""

    connect: Callable[[VimRecord], Cloud]
    open_bus: Callable[[BusConnection], Bus]


class NotificationListener:
    """One thread for one VIM. `wake` is called for each relevant notification, from that thread."""

    def __init__(self, vim_id: UUID, wake: Callable[[], None], connectors: Connectors) -> None:
        self._vim_id = vim_id
        self._wake = wake
        self._connectors = connectors
        self._stop = Event()
        self._thread = Thread(target=self._run, name=f"notifications {vim_id}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self, seconds: float) -> None:
        """Stop, and wait so long for the thread, which is a daemon."""
        self._stop.set()
        self._thread.join(seconds)

    def _run(self) -> None:
        structlog.contextvars.bind_contextvars(vim_id=str(self._vim_id))
        failures = 0
        while not self._stop.is_set():
            failures = failures + 1 if self._failed() else 0
            pause = RETRY_SECONDS * 2.0 ** min(failures - 1, 10) if failures else SETTINGS_POLL_SECONDS
            self._stop.wait(min(pause, RETRY_MAX_SECONDS))

    def _failed(self) -> bool:
        """Listen while there is a bus and it works; True when it failed."""
        try:
            rows = VimNotifications.objects.select_related("vim")
            settings = rows.filter(vim=self._vim_id, sealed_bus__isnull=False).first()
            if settings is not None:
                self._listen(settings)
        except CloudError:  # logged where it occurred
            return True
        except DatabaseError as error:
            log.warning("notifications.database_unavailable", error=str(error))
            return True
        except Exception:  # no message of a bus may end the listening
            log.exception("notifications.failed")
            return True
        finally:
            connections.close_all()
        return False

    def _listen(self, settings: VimNotifications) -> None:
        session = _Session(settings, self._wake, self._project_of(settings.vim), self._stop)
        try:
            self._connectors.open_bus(bus_connection(settings)).listen(
                on_notification=session.on_notification,
                on_listening=session.on_listening,
                keep_listening=session.keep_listening,
            )
        except CloudError as error:
            reason = _reason(error)
            log.warning("notifications.lost", reason=reason, error=error.message)
            bus_status_record(
                settings=settings, listening="False", reason=reason, message=error.message, now=clock.now()
            )
            raise

    def _project_of(self, vim: VimRecord) -> str:
        """Empty while the cloud does not answer: then notifications of all projects count."""
        try:
            return self._connectors.connect(vim).project_id()
        except CloudError:
            return ""


def _reason(error: CloudError) -> str:
    match error:
        case Denied():
            return "Refused"
        case NotFound():
            return "NothingToListenTo"
        case _:
            return "Unreachable"


class _Session:
    """One connection to the bus, by one version of the settings."""

    def __init__(self, settings: VimNotifications, wake: Callable[[], None], project_id: str, stop: Event) -> None:
        self._settings = settings
        self._wake = wake
        self._project_id = project_id
        self._stop = stop
        self._settings_at = time.monotonic()
        self._received_at = clock.now() - RECEIVED_AT_PRECISION

    def on_listening(self, missing: Sequence[str]) -> None:
        words = f"Notifications of {self._settings.vim.name} are received. {missing_exchanges_note(missing)}".strip()
        log.info("notifications.listening", missing=list(missing))
        bus_status_record(settings=self._settings, listening="True", reason="Listening", message=words, now=clock.now())
        connections.close_all()
        self._wake()  # changes from before we listened

    def on_notification(self, notification: OsloNotification) -> None:
        if not is_relevant(notification, self._project_id):
            return
        self._wake()
        now = clock.now()
        if now - self._received_at >= RECEIVED_AT_PRECISION:
            self._received_at = now
            notification_received_record(settings=self._settings, now=now)
            connections.close_all()

    def keep_listening(self) -> bool:
        if self._stop.is_set():
            return False
        if time.monotonic() - self._settings_at >= SETTINGS_POLL_SECONDS:
            self._settings_at = time.monotonic()
            current = VimNotifications.objects.filter(vim=self._settings.vim_id, version=self._settings.version)
            unchanged = current.exists()
            connections.close_all()
            return unchanged
        return True
